"""The language: grammar, syntax tree with spans, parser, diagnostics. Imports nothing of the other rooms."""
