"""SEARCH: matches as `grep -n`, `rg -n` and `git grep -n` print them, grouped by file.

    [matches by file; each row is line, text]

    src/totals.py
    12 def total(rows):
    40     return total(rows)

Input: rows `path:line:text` or `path:line:column:text`, with lines of context (`path-line-text`, `--`), without numbers
where nothing else can be meant (`path:text`), or under headings (`rg --heading`). Output: each path once for the rows
that follow each other, behind an empty line, and its rows without it.

Invariants: `decode` returns the same text, and takes nothing but what `encode` writes; the order of rows is kept. What
a compiler or a linter says of a line (`path:1:2: error: …`) is no match.
"""

from __future__ import annotations

from . import search_read, search_write
from .search_rows import Parsed
from .text_lines import check_written

__all__ = ["GUARANTEE", "NAME", "decode", "encode", "recognise"]

NAME = "matches_by_file"
GUARANTEE = "exact"


def recognise(text: str) -> Parsed:
    """Read a text. Raises NotThisKindError."""
    return search_read.read_matches(text)


def encode(parsed: Parsed) -> str:
    """Return the form of what was read."""
    return search_write.write_form(parsed)


def decode(shown: str) -> str:
    """Return the text behind a form. Raises DecodeError."""
    text = search_write.write_raw(search_write.read_form(shown))
    check_written(shown, lambda: encode(recognise(text)), "matches")
    return text
