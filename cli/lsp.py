"""`cablese lsp`: the language server, for editors."""

from __future__ import annotations

from .options import Arguments, Command, Option
from .output import complain

COMMAND = Command(
    "lsp",
    "Serve editors on standard input and output, in the Language Server Protocol. Needs the extra `lsp`:\n"
    "`pip install 'cablese[lsp]'`.\n\n"
    "Exits with 0 when the editor has ended it, 1 when the editor is gone, 2 if it cannot begin.",
    (
        Option("--stdio", "serve on standard input and output, which is what it does anyway"),
        Option("--log", "write what goes wrong to a file", "FILE"),
    ),
)


def execute(arguments: Arguments) -> int:
    """Serve; 0 ended, 1 the editor is gone, 2 it cannot begin."""
    try:
        from ..adapters.language_server.stdio import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in {"pygls", "lsprotocol", "cattrs", "attrs"}:
            raise
        complain("the language server needs the extra `lsp`: pip install 'cablese[lsp]'")
        return 2
    try:
        return serve(arguments["log"])
    except OSError as error:
        complain(f"{arguments['log']}: {error.strerror or error}")
        return 2
