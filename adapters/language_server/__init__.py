"""The language server: what an editor asks about rule files, answered by the compiler. Needs pygls, the extra `lsp`."""
