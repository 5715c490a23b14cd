"""A text becomes lines, and the lines a trace: one step through the tables for each.

Input: the tables of a stream and its text. Output: a `Scan` (the trace and the lines), or the `Place` at which no kind
claims the line, or where the output may not end.

INVARIANT: the first possible edge of the row that matches a line is taken for good. One line of memory, no second
thoughts, time linear in the lines.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .tables import CountedEdge, Row, StreamProgram, Variant

_SGR = r"\x1b\[[0-9;:]*+m"


class Scan(NamedTuple):
    """An accepted stream: `trace[i]` is the label of `lines[i]`."""

    trace: str
    lines: list[str]


class Place(NamedTuple):
    """Where a stream was refused.

    `line` counts from 1. `text` is the line, or None where the output ended too early or is empty. `kinds` were
    possible there, in the order in which they are tried. `control` names the character that no line may hold.
    """

    line: int
    text: str | None
    kinds: tuple[str, ...]
    control: str | None = None


def split_lines(text: str) -> list[str]:
    """Return the lines of a text: it ends at LF and only at LF, and a missing last LF changes nothing."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def scan(program: StreamProgram, text: str) -> Scan | Place:
    """Return the trace of a text, or the place at which the stream refuses it."""
    if program.uncoloured and "\x1b" in text:
        text = re.sub(_SGR, "", text)
    if "\x1b" in text or "\x00" in text:
        return _control_place(text)
    lines = split_lines(text)
    if not lines:
        return Scan("", lines) if program.blank else Place(1, None, program.row(program.start).kinds)
    return _scan_counted(program, lines) if program.counters else _scan_plain(program, lines)


def _control_place(text: str) -> Place:
    at, name = min((text.find(char), name) for char, name in (("\x00", "NUL"), ("\x1b", "ESC")) if char in text)
    line = text.count("\n", 0, at)
    return Place(line + 1, split_lines(text)[line], (), name)


def _scan_plain(program: StreamProgram, lines: list[str]) -> Scan | Place:
    trace: list[str] = []
    append = trace.append
    feed = iter(lines)
    row = program.row(program.start)
    following: Row | None = row
    while following is not None:
        row, following = following, None
        chars, nexts = row.chars, row.next
        for found in map(row.match, feed):
            if found is None:
                return Place(len(trace) + 1, lines[len(trace)], row.kinds)
            edge = found.lastindex
            append(chars[edge])
            if nexts[edge] is not row:
                following = nexts[edge]
                if following is None:
                    following = nexts[edge] = program.row(row.after[edge])
                break
    if program.position_of(trace[-1]) not in program.final:
        last = program.rows[program.position_of(trace[-1])]
        return Place(len(lines) + 1, None, program.row(last).kinds)
    return Scan("".join(trace), lines)


def _scan_counted(program: StreamProgram, lines: list[str]) -> Scan | Place:
    values = [0] * len(program.counters)
    above = 0
    row = program.counted_row(None)
    variant = row.variant(0)
    trace: list[str] = []
    firsts = ""
    at, total = 0, len(lines)
    position = -1
    while at < total:
        if variant.body:
            firsts = firsts or "".join([line[:1] or "\n" for line in lines])
            stretch = _take_body(variant, firsts, at, values)
            if stretch:
                trace.append(stretch.translate(variant.body_labels))
                at += len(stretch)
                position = program.position_of(trace[-1][-1])
                above = _above(values)
                variant = row.variant(above)
                continue
        line = lines[at]
        found = variant.match(line)
        if found is None:
            return Place(at + 1, line, variant.kinds)
        number = found.lastindex
        edge = variant.edges[number - 1]
        trace.append(variant.chars[number])
        position = edge.position
        at += 1
        if edge.opens or edge.spends or edge.sets:
            _count(program, edge, line, values)
            above = _above(values)
        row = edge.next or program.lead(edge)
        variant = row.variant(above)
    if above or position not in program.final:
        return Place(total + 1, None, variant.kinds)
    return Scan("".join(trace), lines)


def _take_body(variant: Variant, firsts: str, at: int, values: list[int]) -> str:
    """Return the first characters of the lines from `at` on that are plain content, and lower `values` by them.

    While no counter falls below zero on the way, each of these lines was possible when it came; and as each line lowers
    a counter by one at most, the record cannot have been free to close before the highest counter's number of lines.
    """
    stretch = firsts[at : at + max(values)]
    beyond = stretch.lstrip(variant.body)
    if beyond:
        stretch = stretch[: -len(beyond)]
    while stretch:
        spent = [sum(map(stretch.count, chars)) for chars in variant.spenders]
        if all(have >= used for have, used in zip(values, spent, strict=True)):
            values[:] = [have - used for have, used in zip(values, spent, strict=True)]
            return stretch
        stretch = stretch[: _first_overspent(variant, stretch, values)]
    return ""


def _first_overspent(variant: Variant, stretch: str, values: list[int]) -> int:
    """Return the index of the first line that spends a counter which is zero by then."""
    left = list(values)
    for index, char in enumerate(stretch):
        for counter, chars in enumerate(variant.spenders):
            if char in chars:
                if not left[counter]:
                    return index
                left[counter] -= 1
    return len(stretch)


def _count(program: StreamProgram, edge: CountedEdge, line: str, values: list[int]) -> None:
    """Lower what the line spends, clear what it opens, and set what it counts."""
    for counter in edge.spends:
        values[counter] -= 1
    for counter in edge.opens:
        values[counter] = 0
    if edge.sets:
        read = program.read(edge.position, line)
        for counter in edge.sets:
            value = read.get(program.counters[counter]["name"], 0)
            values[counter] = value if isinstance(value, int) else 0


def _above(values: list[int]) -> int:
    """Return the mask of the counters that are above zero."""
    mask = 0
    for counter, value in enumerate(values):
        if value:
            mask |= 1 << counter
    return mask
