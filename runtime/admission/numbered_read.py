"""Reads numbered text: all of its lines, but few that a reading tool may have put around them.

Input: what `cat -n`, `nl`, `sed =` or an agent's tool printed. Output: runs of lines with consecutive numbers, and how
the numbers are written, or NotThisKindError.

Invariant: linear in the length of the text: of the ways to write numbers, those that fit the first line are tried once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import NotThisKindError
from .text_lines import Lines, split_lines

MIN_LINES = 5
"""Fewer numbered lines may be anything."""
MAX_RUNS = 64
"""The most runs that a head line may list."""
MAX_OTHERS = 8
"""So many lines may stand before the numbered ones, and after them; four times as many have to have numbers."""

DELIMITERS = (" | ", "| ", "|", " │ ", "│ ", "│", "\t", "→", ": ", ":", " ")
"""What stands between number and line; of two that fit the first line, the earlier one is tried first."""
PAIRED = "\n"
"""`sed =` prints each number on a line of its own."""
NUMBER = re.compile(r"(L?)( *|0*)([1-9][0-9]{0,8})(?![0-9])")
_COUNTED = re.compile(r"\s*L?[0-9]")


class Style(NamedTuple):
    """How the numbers are written. `blanks`: lines without text have no number (`nl`)."""

    lead: str
    delimiter: str
    blanks: bool


class Run(NamedTuple):
    """Lines with consecutive numbers from `first`; None is a line without number. `width` is that of padded numbers."""

    first: int
    width: int
    fill: str
    texts: list[str | None]


class Parsed(NamedTuple):
    """What was read. `told`: the first line would also fit a longer delimiter, so the head line names this one.

    `before` and `after` are what a reading tool says around the numbered lines.
    """

    style: Style
    runs: list[Run]
    told: bool
    before: list[str]
    after: list[str]
    crlf: bool
    closed: bool


def read_numbered(text: str) -> Parsed:
    """Read a text. Raises NotThisKindError."""
    lines = split_lines(text)
    try:
        return _read_whole(lines.rows, lines)
    except NotThisKindError as error:
        framed = _find_frame(lines.rows)
        if framed is None:
            raise
        start, end = framed
        if lines.rows[0].startswith("[lines "):
            raise NotThisKindError("it begins as what is made of numbered text") from error
    parsed = _read_whole(lines.rows[start:end], Lines(lines.rows, lines.crlf, lines.closed or end < len(lines.rows)))
    others = lines.rows[:start] + lines.rows[end:]
    mark = parsed.style.delimiter.strip(" ")
    if any(map(_COUNTED.match, others)):
        raise NotThisKindError("a line beside the numbered ones has a number, too")
    # Under a line that has the delimiter as well, these may be rows of a table; a blank one may be anywhere.
    if len(others) * 4 > end - start or not mark.strip("\n") or (mark != ":" and any(mark in row for row in others)):
        raise NotThisKindError("too much of it has no numbers, or it is a table")
    return parsed._replace(before=lines.rows[:start], after=lines.rows[end:], closed=lines.closed)


def _read_whole(rows: list[str], lines: Lines) -> Parsed:
    """Read rows that all have numbers. `lines` says how they end. Raises NotThisKindError."""
    found = NUMBER.match(rows[0]) if rows else None
    if found is None:
        raise NotThisKindError("the first line has no number in front")
    if found.end() == len(rows[0]) and not found[1]:
        return _finish(Style("", PAIRED, blanks=False), _pair_up(rows), lines, told=False)
    fitting = _fitting(rows[0], found)
    if fitting == [" "] and found[2][:1] != " ":
        raise NotThisKindError("a number and a space may begin any line")
    # A line that begins with a space makes the delimiter look longer than it is.
    for delimiter in dict.fromkeys([*fitting[:1], *(each for each in fitting[1:] if each == fitting[0].rstrip(" "))]):
        try:
            return _finish(Style(found[1], delimiter, blanks=False), rows, lines, told=delimiter != fitting[0])
        except NotThisKindError:
            continue
    if found[2][:1] == " " and fitting:
        return _finish(Style(found[1], fitting[0], blanks=True), rows, lines, told=False)
    raise NotThisKindError("not every line has a number in front that follows the one before")


def _fitting(row: str, found: re.Match[str]) -> list[str]:
    return [each for each in DELIMITERS if row.startswith(each, found.end())]


def _find_frame(rows: list[str]) -> tuple[int, int] | None:
    """Return where numbered lines begin and end, with few other lines around; None where there are none."""

    def is_numbered(row: str) -> bool:
        found = NUMBER.match(row)
        return found is not None and bool(_fitting(row, found))

    count = len(rows)
    near = min(MAX_OTHERS + 1, count)
    start = next((at for at in range(near) if is_numbered(rows[at])), None)
    end = next((count - at for at in range(near) if is_numbered(rows[count - at - 1])), None)
    if start is None or end is None or end - start < MIN_LINES or (start == 0 and end == count):
        return None
    return start, end


def _finish(style: Style, rows: list[str], lines: Lines, *, told: bool) -> Parsed:
    runs = _read_runs(style, rows)
    _check_confidence(style, runs, len(rows))
    last = runs[-1].texts[-1]
    if not lines.closed and (last is None or last == prefix_of(style, runs[-1], last_of(runs[-1]))):
        raise NotThisKindError("the last line could be read in two ways")
    return Parsed(style, runs, told, [], [], lines.crlf, lines.closed)


def _read_runs(style: Style, rows: list[str]) -> list[Run]:
    lead, delimiter, blanks = style
    runs: list[Run] = []
    texts: list[str | None] = []
    width, fill, number, blank = 0, " ", 0, ""
    for row in rows:
        prefix = f"{lead}{str(number).rjust(width, fill)}{delimiter}"
        if runs and row.startswith(prefix):
            text = row[len(prefix) :]
            if blanks and not text:
                raise NotThisKindError("an empty line has a number, and others have none")
            texts.append(text)
            number += 1
            continue
        if runs and blanks and row == blank:
            texts.append(None)
            continue
        found = NUMBER.match(row)
        if found is None or found[1] != lead or not row.startswith(delimiter, found.end()):
            raise NotThisKindError("a line has no number in front, or another one than the line before asks for")
        if len(runs) >= MAX_RUNS or (runs and blanks):
            raise NotThisKindError("the numbers jump too often")
        number, width, fill = int(found[3]), len(found[2]) + len(found[3]), found[2][:1] or " "
        texts = [row[found.end() + len(delimiter) :]]
        runs.append(Run(number, width, fill, texts))
        blank = " " * (width + len(delimiter))
        number += 1
    return runs


def _check_confidence(style: Style, runs: list[Run], count: int) -> None:
    """Refuse what may be something else: few lines, many jumps, tables whose first column counts. Raises."""
    if count < MIN_LINES or count < MIN_LINES * len(runs):
        raise NotThisKindError("too few lines are numbered in a row")
    texts = [text for run in runs for text in run.texts if text]
    if not texts:
        raise NotThisKindError("there is nothing behind the numbers")
    mark = style.delimiter.strip(" ")
    if mark in {"\t", "|", "│"}:
        cells = {text.count(mark) for text in texts}
        if len(cells) == 1 and cells != {0}:
            raise NotThisKindError("a table whose first column counts")
    if mark == ":" and all(text.strip().replace(":", "").replace(".", "").isdigit() for text in texts):
        raise NotThisKindError("numbers behind numbers")


def _pair_up(rows: list[str]) -> list[str]:
    if len(rows) % 2:
        raise NotThisKindError("a number stands alone on the first line, and not on every other one")
    return [f"{number}\n{row}" for number, row in zip(rows[::2], rows[1::2], strict=True)]


def prefix_of(style: Style, run: Run, number: int) -> str:
    """Return what stands in front of the line of this number."""
    return f"{style.lead}{str(number).rjust(run.width, run.fill)}{style.delimiter}"


def last_of(run: Run) -> int:
    """Return the number of the last line of a run."""
    return run.first + sum(text is not None for text in run.texts) - 1
