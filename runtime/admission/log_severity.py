"""LOG, severity first: every entry of WARN and above as it stands; runs of entries below it are counted.

    [log: entries below WARN are left out where a line says so]
    2026-01-02 15:04:05,120 INFO  [main] c.e.App - starting
    … 214 lines of INFO/DEBUG left out (lines 2-215)
    2026-01-02 15:04:09,004 ERROR [main] c.e.App - no route
    java.net.NoRouteToHostException: no route
        at c.e.App.main(App.java:12)

Input: text whose lines `log_lines.py` reads as a log. Output: the form above, of guarantee `summary`: it needs the
original. What stays: the first and the last line; every entry whose level is not surely below WARN, with the lines that
belong to it; every line with a word that tells of a fault; every line that is neither an entry nor indented, which may
be of another program (`Killed`). Lines are counted from 1; indented and empty lines below an entry go with it.

Invariants: what is not left out is unchanged, in order; a text with a line that looks like one of these is of no kind.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import NotThisKindError
from .log_lines import entries, low_levels, tells_of_fault

NAME = "log_severity"
GUARANTEE = "summary"

HEAD = "[log: entries below WARN are left out where a line says so]\n"

_MARKER = re.compile(r"^… [0-9]+ lines of [A-Z/]+ left out \(lines [0-9]+-[0-9]+\)\r?$", re.MULTILINE)
_MIN_RUN = 3
"""A run of fewer lines stays: the line in its place would be as long."""


class Parsed(NamedTuple):
    """The lines of a log without their line feeds, and the level of each that may be left out, None for one to keep."""

    lines: list[str]
    levels: list[str | None]


def recognise(text: str) -> Parsed:
    """Read a log with entries that may be left out. Raises NotThisKindError."""
    if text.startswith("[log: ") or _MARKER.search(text) is not None:
        raise NotThisKindError("it has lines as a form of a log has them")
    lines = text.split("\n")
    found = entries(lines)
    levels = low_levels(lines, found)
    above: str | None = None
    for number, entry in enumerate(found):
        if entry is not None:
            above = levels[number]
        elif above is not None and lines[number][:1].strip() == "" and not tells_of_fault(lines[number]):
            levels[number] = above
        else:
            # A line that is not indented may be of another program; what follows a line of a trace is of the trace.
            above = None
    last = max(number for number, line in enumerate(lines) if line.strip())
    for number in [0, *range(last, len(lines))]:
        levels[number] = None
    _keep_short_runs(levels)
    if not any(levels):
        raise NotThisKindError("no run of entries is surely below WARN")
    return Parsed(lines, levels)


def encode(parsed: Parsed) -> str:
    """Return the form of a log."""
    lines, levels = parsed
    made: list[str] = []
    number = 0
    while number < len(lines):
        if levels[number] is None:
            made.append(lines[number])
            number += 1
            continue
        end = _run_end(levels, number)
        names = "/".join(dict.fromkeys(level for level in levels[number:end] if level is not None))
        made.append(f"… {end - number} lines of {names} left out (lines {number + 1}-{end})")
        number = end
    return HEAD + "\n".join(made)


def _keep_short_runs(levels: list[str | None]) -> None:
    number = 0
    while number < len(levels):
        end = _run_end(levels, number)
        if end - number < _MIN_RUN:
            levels[number:end] = [None] * (end - number)
        number = max(end, number + 1)


def _run_end(levels: list[str | None], start: int) -> int:
    end = start
    while end < len(levels) and levels[end] is not None:
        end += 1
    return end
