"""Text as rule files spell it: what the lexer reads back as the same character.

Input: a character. Output: how it stands between quotes. Patterns double braces besides, which is for whoever writes
one.
"""

from __future__ import annotations


def quote_character(char: str) -> str:
    """Return a character as it stands in a string: itself, behind a backslash, or by its number."""
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"
