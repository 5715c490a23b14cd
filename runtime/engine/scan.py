"""A text becomes lines, and the lines a trace: one step through the tables for each.

Input: the tables of a stream and its text. Output: a `Scan` (the trace and the lines), or the `Place` at which no kind
claims the line, or where the output may not end.

INVARIANT: the first possible edge of the row that matches a line is taken for good. One line of memory, no second
thoughts, time linear in the lines.
"""

from __future__ import annotations

import re

from .charsets import is_clean
from .tables import Place, Scan, StreamProgram

_SGR = r"\x1b\[[0-9;:]*+m"


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
        return Scan("", lines) if program.blank else Place(1, None, program.kinds_of(program.start))
    if not program.counters:
        return _scan_plain(program, lines, clean=is_clean(text))
    from .counted import scan_counted

    return scan_counted(program, lines)


def _control_place(text: str) -> Place:
    at, name = min((text.find(char), name) for char, name in (("\x00", "NUL"), ("\x1b", "ESC")) if char in text)
    line = text.count("\n", 0, at)
    return Place(line + 1, split_lines(text)[line], (), name)


def _scan_plain(program: StreamProgram, lines: list[str], *, clean: bool) -> Scan | Place:
    trace: list[str] = []
    append = trace.append
    row = program.row(program.start, clean=clean)
    match, chars, nexts = row.match, row.chars, row.next
    for line in lines:
        found = match(line)
        if found is None:
            return Place(len(trace) + 1, line, row.kinds, trace="".join(trace))
        group = found.lastindex
        append(chars[group])
        if nexts[group] is not row:
            following = nexts[group]
            if following is None:
                following = nexts[group] = program.row(row.after[group], clean=clean)
            row = following
            match, chars, nexts = row.match, row.chars, row.next
    if program.position_of(trace[-1]) not in program.final:
        return Place(len(lines) + 1, None, row.kinds, trace="".join(trace))
    return Scan("".join(trace), lines)
