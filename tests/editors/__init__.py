"""Tests of what colours rule files: the TextMate grammar in the engine of VS Code, the lexer for Pygments."""
