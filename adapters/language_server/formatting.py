"""Formatting: the one layout of a rule file, as edits of the lines that differ.

Input: a document. Output: edits, none where the file is broken or the layout could not be proved: then the author's
text stands. There is no formatting of a part: a layout is one of a whole file.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final

from lsprotocol import types

from ...dsl.format import FormatError, format_source
from ...dsl.source import Source
from .documents import Document

_MOST_LINES: Final = 4_000
"""Beyond so many lines, comparing them takes longer than sending all."""


def format_document(document: Document) -> list[types.TextEdit]:
    """Return the edits that give a document its layout."""
    try:
        formatted = format_source(Source(document.name, document.text))
    except FormatError:
        return []
    if formatted.text is None or formatted.text == document.text:
        return []
    old, new = document.text.split("\n"), formatted.text.split("\n")
    if len(old) > _MOST_LINES:
        return [types.TextEdit(document.lines.whole, formatted.text)]
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    edits = []
    for tag, one, other, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append(_edit(document, (starts[one], starts[other]), new[first:last], at_end=other == len(old)))
    return edits


def _edit(document: Document, span: tuple[int, int], lines: list[str], *, at_end: bool) -> types.TextEdit:
    """Replace whole lines; the last line has no end, so what comes or goes there takes the end of the line before."""
    start, end = span
    text = "".join(f"{line}\n" for line in lines)
    if at_end:
        end = len(document.text)
        if text:
            text = text[:-1]
        elif start > 0:
            start -= 1
        if start > end:
            start, text = end, f"\n{text}"
    return types.TextEdit(document.lines.range(start, end), text)
