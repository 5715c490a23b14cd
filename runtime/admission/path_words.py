"""What looks like the path of a file, and how many pieces a tokenizer would make of it, near enough to compare forms.

Input: single words or paths. Output: judgements. Both are fixed rules: the same text gives the same answer everywhere.
"""

from __future__ import annotations

import re

MAX_PATH = 4096
"""Longer ones are no paths, in characters (`PATH_MAX` of Linux)."""

_NEVER = re.compile(r"[\x00-\x1f\x7f\"<>|`]|://|: |[0-9]:[0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]")
_BARE = re.compile(r"(?:[A-Za-z0-9_.@^~-]+:)?[A-Za-z0-9_.@+~-]*[A-Za-z_][A-Za-z0-9_.@+~-]*")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9_+~-]{0,11}$")
_PIECE = re.compile(
    r"(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s",
)
"""About where both encodings split a text before they look for tokens (the pattern of cl100k_base, in this dialect)."""


def may_be_path(path: str) -> bool:
    """Tell whether a string may be a path: nothing in it speaks against it."""
    if not path or len(path) > MAX_PATH or path[0].isspace() or path[-1].isspace() or _NEVER.search(path):
        return False
    if path.count("(") != path.count(")"):
        return False
    if " " in path:
        return has_extension(path)
    # Without a folder or an extension, only a plain word may be the name of a file (`Makefile`).
    return "/" in path or "\\" in path or _BARE.fullmatch(path) is not None


def is_certain(path: str) -> bool:
    """Tell whether something speaks for a path: a folder, or an extension that begins with a letter."""
    return "/" in path or "\\" in path or has_extension(path)


def has_extension(path: str) -> bool:
    """Tell whether a path ends as the name of a file with an extension does."""
    return _EXTENSION.search(path, max(0, len(path) - 14)) is not None


def count_pieces(text: str) -> int:
    """Return into how many words, groups of digits and groups of other characters a text falls.

    Of two ways to write the same names, the one of fewer pieces is the one of fewer tokens, or near it.
    """
    return len(_PIECE.findall(text))
