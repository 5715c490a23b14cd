"""The lines of a source as the edits of a diagnostic would leave them.

A line that gains text is shown with what is new marked; one that only loses text is shown before and after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .diagnostics import Diagnostic, Edit
from .edits import apply_edits
from .source import Source, Span

_MOST = 3


@dataclass(frozen=True, slots=True)
class EditedLine:
    """A line to show: its number and text; `sign` `|` with new text from `begin` to `end`, or `-`, `+` without.

    `mark` underlines new text: `+` where it was inserted, `~` where it replaces something.
    """

    number: int
    text: str
    sign: Literal["|", "-", "+"] = "|"
    begin: int = 0
    end: int = 0
    mark: Literal["+", "~"] = "+"


def edited_lines(diagnostic: Diagnostic) -> list[EditedLine]:
    """Return the first few lines that the edits touch, as they would be."""
    source = diagnostic.source
    by_line: dict[int, list[Edit]] = {}
    for edit in sorted(diagnostic.edits, key=lambda e: e.span):
        by_line.setdefault(source.position(edit.span.start)[0], []).append(edit)
    shown: list[EditedLine] = []
    for number in sorted(by_line)[:_MOST]:
        shown += _show(source, number, by_line[number])
    return shown


def _show(source: Source, number: int, edits: list[Edit]) -> list[EditedLine]:
    start = source.line_starts[number - 1]
    stop = source.text.find("\n", max(edit.span.end for edit in edits))
    stop = len(source.text) if stop < 0 else stop
    old = source.text[start:stop]
    local = [Edit(Span(e.span.start - start, e.span.end - start), e.text) for e in edits]
    new = apply_edits(old, local)
    gain = next((edit for edit in local if edit.text), None)
    if gain is None:
        before = [EditedLine(number + n, line, "-") for n, line in enumerate(old.split("\n"))]
        return before + [EditedLine(number + n, line, "+") for n, line in enumerate(new.split("\n")) if line or n == 0]
    shift = sum(len(e.text) - (e.span.end - e.span.start) for e in local if e.span < gain.span)
    first = len(apply_edits(old[: gain.span.start], [])) + shift
    lines: list[EditedLine] = []
    at = 0
    for n, line in enumerate(new.split("\n")):
        begin, end = max(first, at), min(first + len(gain.text), at + len(line))
        mark = "~" if gain.span.end > gain.span.start else "+"
        if begin < end:
            lines.append(EditedLine(number + n, line, "|", begin - at, end - at, mark))
        at += len(line) + 1
    return lines
