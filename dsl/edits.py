"""Apply the machine-applicable edits of diagnostics to a text."""

from __future__ import annotations

from collections.abc import Iterable

from .diagnostics import Edit


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits made; their spans are offsets into `text` as given.

    Equal edits count once. Insertions at one place are made in the given order. Raises ValueError when two edits
    overlap or one lies outside of the text.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.span.start, e.span.end)):
        if edit.span.start < at or not edit.span.start <= edit.span.end <= len(text):
            raise ValueError(f"edit at {edit.span.start} overlaps another or lies outside of the text")
        parts += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    return "".join([*parts, text[at:]])
