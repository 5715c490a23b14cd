"""NUMBERED: a file as `cat -n`, `nl`, `sed =` and the reading tools of agents print it, each line with its number.

    [lines 7-12, numbered on the first and every tenth]
         7→def total(rows):
        return sum(rows)

        10→def mean(rows):
        return total(rows) / len(rows)

Input: text of which every line has a number in front, one more than the line before; a new run may begin anywhere.
Output: the runs in a head line; the first line of each run, and every line whose number ends in 0, as they are; of all
others only what stands behind the number.

Invariants: `decode` returns the same text, numbers, padding and line endings included, and takes nothing but what
`encode` writes. What stands behind the numbers is not looked at: what files hold has no form of guarantee `exact` that
would pay for a head line of its own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import DecodeError, NotThisKindError
from .text_lines import Lines, join_lines, read_shown, split_lines, write_shown

NAME = "numbered_lines"
GUARANTEE = "exact"
MIN_LINES = 5
"""Fewer numbered lines may be anything."""
MAX_RUNS = 64
"""The most runs that a head line may list."""

_DELIMITERS = (" | ", "| ", "|", " │ ", "│ ", "│", "\t", "→", ": ", ":", " ")
"""What stands between number and line; of two that fit the first line, the earlier one is tried first."""
_PAIRED = "\n"
"""`sed =` prints each number on a line of its own."""
_NUMBER = re.compile(r"(L?)( *|0*)([1-9][0-9]{0,8})(?![0-9])")
_HEAD = re.compile(
    r"\[lines ([0-9]+-[0-9]+(?:, [0-9]+-[0-9]+)*), numbered on the first and every tenth"
    r"(, blank ones uncounted)?(?:, joined by ([:|│]))?(, CRLF)?\]"
)


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
    """What was read. `told`: the first line would also fit a longer delimiter, so the head line names this one."""

    style: Style
    runs: list[Run]
    told: bool
    crlf: bool
    closed: bool


def recognise(text: str) -> Parsed:
    """Read a text. Raises NotThisKindError."""
    lines = split_lines(text)
    rows = lines.rows
    found = _NUMBER.match(rows[0]) if rows else None
    if found is None:
        raise NotThisKindError("the first line has no number in front")
    if found.end() == len(rows[0]) and not found[1]:
        style = Style("", _PAIRED, blanks=False)
        return _finish(style, _pair_up(rows), lines, told=False)
    fitting = [each for each in _DELIMITERS if rows[0].startswith(each, found.end())]
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


def encode(parsed: Parsed) -> str:
    """Return the form of what was read."""
    style, runs, told, crlf, closed = parsed
    ranges = ", ".join(f"{run.first}-{_last(run)}" for run in runs)
    head = f"[lines {ranges}, numbered on the first and every tenth"
    head += ", blank ones uncounted" * style.blanks + f", joined by {style.delimiter}" * told + ", CRLF" * crlf
    shown: list[str] = []
    for run in runs:
        number, due = run.first, True
        for text in run.texts:
            if text is None:
                shown.append("")
                continue
            shown.append(_prefix(style, run, number) + text if due else text)
            number += 1
            due = number % 10 == 0
    if not closed and shown[-1] == "":
        # Without its number, an empty last line without a line feed would not be there at all.
        run = runs[-1]
        shown[-1] = _prefix(style, run, _last(run))
    return write_shown(f"{head}]", shown, closed=closed)


def decode(shown: str) -> str:
    """Return the text behind a form. Raises DecodeError."""
    text = _read(shown)
    try:
        again = encode(recognise(text))
    except NotThisKindError as error:
        raise DecodeError(f"no numbered text: {error}") from None
    if again != shown:
        raise DecodeError("not what is written of the text that it holds")
    return text


def _finish(style: Style, rows: list[str], lines: Lines, *, told: bool) -> Parsed:
    runs = _read_runs(style, rows)
    _check_confidence(style, runs, len(rows))
    parsed = Parsed(style, runs, told, lines.crlf, lines.closed)
    last = runs[-1].texts[-1]
    if not lines.closed and (last is None or last == _prefix(style, runs[-1], _last(runs[-1]))):
        raise NotThisKindError("the last line could be read in two ways")
    return parsed


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
        found = _NUMBER.match(row)
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


def _prefix(style: Style, run: Run, number: int) -> str:
    return f"{style.lead}{str(number).rjust(run.width, run.fill)}{style.delimiter}"


def _last(run: Run) -> int:
    return run.first + sum(text is not None for text in run.texts) - 1


def _read(shown: str) -> str:
    head, rows, closed = read_shown(shown)
    found = _HEAD.fullmatch(head)
    if found is None:
        raise DecodeError("it does not begin with the head line of numbered text")
    _, blanks, told, crlf = found.groups()
    raw: list[str] = []
    style: Style | None = None
    at = 0
    for part in found[1].split(", "):
        first, last = map(int, part.split("-"))
        start = _NUMBER.match(rows[at]) if at < len(rows) else None
        # No run has more lines than there are: a head that says otherwise ends here.
        if start is None or int(start[3]) != first or not first <= last < first + len(rows) - at:
            raise DecodeError("a run does not begin with its number")
        if style is None:
            delimiter = _delimiter_of(rows[at][start.end() :], told)
            style = Style(start[1], delimiter, blanks is not None)
        run = Run(first, len(start[2]) + len(start[3]), start[2][:1] or " ", [])
        at = _read_run(style, run, last, rows, at, raw)
    if at != len(rows):
        raise DecodeError("there are more lines than its head says")
    return join_lines(Lines(raw, crlf is not None, closed))


def _delimiter_of(behind: str, told: str | None) -> str:
    fitting = [each for each in _DELIMITERS if behind.startswith(each)] if behind else [_PAIRED]
    if told in fitting:
        return told
    if not fitting:
        raise DecodeError("nothing stands between a number and its line")
    return fitting[0]


def _read_run(style: Style, run: Run, last: int, rows: list[str], at: int, raw: list[str]) -> int:
    """Append the lines of a run to `raw`; return where the next one begins. Raises DecodeError."""
    number, blank = run.first, " " * (run.width + len(style.delimiter))
    paired = style.delimiter == _PAIRED
    # Lines without a number belong to the run that they follow.
    while at < len(rows) and (number <= last or (style.blanks and not rows[at])):
        row = rows[at]
        at += 1
        if style.blanks and not row:
            raw.append(blank)
            continue
        prefix = _prefix(style, run, number)
        due = number == run.first or number % 10 == 0
        if paired:
            if due:
                if row != prefix[:-1] or at == len(rows):
                    raise DecodeError(f"number {number} is not where it should be")
                row = rows[at]
                at += 1
            raw += (prefix[:-1], row)
        elif due:
            if not row.startswith(prefix):
                raise DecodeError(f"number {number} is not where it should be")
            raw.append(row)
        else:
            # An empty last line without a line feed is written with its number.
            raw.append(row if at == len(rows) and row == prefix else prefix + row)
        number += 1
    if number <= last:
        raise DecodeError("there are fewer lines than its head says")
    return at
