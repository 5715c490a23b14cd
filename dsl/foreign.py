"""Marks of other notations: quotes and comments as elsewhere, lists without commas.

Input: a source and the word at which the parser stopped. Output: a help with its edits, or None. An edit is offered
where the text between the marks can stay as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .diagnostics import Edit
from .source import Source, Span

_QUOTED = re.compile(r"'([^'\"\\\n]*)'")
_COMMENT = re.compile(r"//+|/\*")
_ITEM = re.compile(r"[\w<\"-]")


class Fix(NamedTuple):
    """What to do, and the edits that do it."""

    help: str
    edits: tuple[Edit, ...] = ()


def find_foreign(source: Source, span: Span) -> Fix | None:
    """Recognise a single quote, and the beginning of a comment as C has it."""
    if source.text[span.start] == "'":
        whole = _QUOTED.match(source.text, span.start)
        edits = (Edit(Span(whole.start(), whole.end()), f'"{whole[1]}"'),) if whole else ()
        return Fix('strings stand in `"`', edits)
    comment = _COMMENT.match(source.text, span.start)
    if comment is None:
        return None
    edits = () if comment[0] == "/*" else (Edit(Span(comment.start(), comment.end()), "#"),)
    return Fix("comments begin with `#` and go to the end of the line", edits)


def find_comma(source: Source, span: Span) -> Fix | None:
    """Recognise one more item of a list in the same line, where a comma could stand; `or` and `and` mean one."""
    before = source.text[: span.start].rstrip(" \t")
    if before.endswith("\n") or not _ITEM.match(source.text, span.start):
        return None
    word = source.text[span.start : span.end]
    if word in {"or", "and"}:
        return Fix(
            f"the items of a list are separated by `,`, not by `{word}`", (Edit(Span(len(before), span.end), ","),)
        )
    return Fix(f"a comma is missing before `{word}`", (Edit(Span(len(before), len(before)), ","),))
