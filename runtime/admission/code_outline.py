"""A source text with parts left out: which lines, and what is said of them in their place.

Input: the lines of a text and `Cut`s in any order. Output: the text that is shown.

Of a cut, a line `… lines 120-164` stands in its place, and below it what must not be lost: `131: if not name: raise
ValueError(name)`, each under its line's number. Every other line is shown as it was.

Invariant: each line of the source is shown, or lies in exactly one range that is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

SAVING = 8
"""A cut is made where what stands in its place is shorter by at least so many characters."""


class Note(NamedTuple):
    """What is said of a line of a part that is left out. `line` counts from 1."""

    line: int
    text: str


class Cut(NamedTuple):
    """Lines `first` to `last`, from 1, both left out."""

    first: int
    last: int
    notes: tuple[Note, ...] = ()


def render_outline(head: str, lines: list[str], cuts: Iterable[Cut]) -> str:
    """Return a head line and the lines without those of the cuts that pay."""
    ending = "\r" if lines[0].endswith("\r") else ""
    shown = [head + ending]
    at = 0
    for cut in sorted(cuts):
        if cut.first <= at:
            continue
        stand_in = _stand_in(lines, cut)
        left_out = sum(len(line.strip()) + 1 for line in lines[cut.first - 1 : cut.last])
        if sum(len(line.strip()) + 1 for line in stand_in) + SAVING > left_out:
            continue
        shown += lines[at : cut.first - 1]
        shown += [line + ending for line in stand_in]
        at = cut.last
    shown += lines[at:]
    return "\n".join(shown)


def _stand_in(lines: list[str], cut: Cut) -> list[str]:
    first = next((line for line in lines[cut.first - 1 : cut.last] if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    where = f"line {cut.first}" if cut.first == cut.last else f"lines {cut.first}-{cut.last}"
    return [f"{indent}… {where}", *[f"{indent}{note.line}: {note.text}" for note in cut.notes]]
