"""What looks like the path of a file.

Input: single words or paths. Output: judgements by fixed rules: the same text gives the same answer everywhere.
"""

from __future__ import annotations

import re

MAX_PATH = 4096
"""Longer ones are no paths, in characters (`PATH_MAX` of Linux)."""

_NEVER = re.compile(r"[\x00-\x1f\x7f\"<>|`]|://|: |[0-9]:[0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]")
_BARE = re.compile(r"(?:[A-Za-z0-9_.@^~-]+:)?[A-Za-z0-9_.@+~-]*[A-Za-z_][A-Za-z0-9_.@+~-]*")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9_+~-]{0,11}$")


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
