"""NUMBERED: a file as `cat -n`, `nl`, `sed =` and the reading tools of agents print it, each line with its number.

    [lines 7-12, numbered on the first and every tenth]
         7→def total(rows):
        return sum(rows)

        10→def mean(rows):
        return total(rows) / len(rows)

Input: text of which every line has a number in front, one more than the line before; a new run may begin anywhere, and
a few lines of the reading tool may stand around all. Output: the runs in a head line; the first line of each run, and
every line whose number ends in 0, as they are; of all others only what stands behind the number.

Invariants: `decode` returns the same text, numbers, padding and line endings included, and takes nothing but what
`encode` writes. What stands behind the numbers is not looked at: what files hold has no form of guarantee `exact` that
would pay for a head line of its own.
"""

from __future__ import annotations

import re

from .kinds import DecodeError
from .numbered_read import DELIMITERS, NUMBER, PAIRED, Parsed, Run, Style, last_of, prefix_of, read_numbered
from .text_lines import Lines, check_written, join_lines, read_shown, write_shown

NAME = "numbered_lines"
GUARANTEE = "exact"
_HEAD = re.compile(
    r"\[lines ([0-9]{1,10}-[0-9]{1,10}(?:, [0-9]{1,10}-[0-9]{1,10})*), numbered on the first and every tenth"
    r"(, blank ones uncounted)?(?:, joined by ([:|│]))?(?:; other lines: ([0-9]) before, ([0-9]) after)?(, CRLF)?\]"
)


def recognise(text: str) -> Parsed:
    """Read a text. Raises NotThisKindError."""
    return read_numbered(text)


def encode(parsed: Parsed) -> str:
    """Return the form of what was read."""
    style, runs, told, before, after, crlf, closed = parsed
    ranges = ", ".join(f"{run.first}-{last_of(run)}" for run in runs)
    head = f"[lines {ranges}, numbered on the first and every tenth"
    head += ", blank ones uncounted" * style.blanks + f", joined by {style.delimiter}" * told
    head += f"; other lines: {len(before)} before, {len(after)} after" * bool(before or after) + ", CRLF" * crlf
    shown: list[str] = []
    for run in runs:
        number, due = run.first, True
        for text in run.texts:
            if text is None:
                shown.append("")
                continue
            shown.append(prefix_of(style, run, number) + text if due else text)
            number += 1
            due = number % 10 == 0
    if not closed and not after and shown[-1] == "":
        # Without its number, an empty last line without a line feed would not be there at all.
        run = runs[-1]
        shown[-1] = prefix_of(style, run, last_of(run))
    return write_shown(f"{head}]", [*before, *shown, *after], closed=closed)


def decode(shown: str) -> str:
    """Return the text behind a form. Raises DecodeError."""
    text = _read(shown)
    check_written(shown, lambda: encode(recognise(text)), "numbered text")
    return text


def _read(shown: str) -> str:
    head, rows, closed = read_shown(shown)
    found = _HEAD.fullmatch(head)
    if found is None:
        raise DecodeError("it does not begin with the head line of numbered text")
    _, blanks, told, before, after, crlf = found.groups()
    start, end = int(before or 0), len(rows) - int(after or 0)
    if start > end or (before is not None and start == 0 and end == len(rows)):
        raise DecodeError("there are fewer other lines than its head says")
    open_end = not closed and end == len(rows)
    inner, raw = rows[start:end], rows[:start]
    style: Style | None = None
    at = 0
    for part in found[1].split(", "):
        first, last = map(int, part.split("-"))
        number = NUMBER.match(inner[at]) if at < len(inner) else None
        # No run has more lines than there are: a head that says otherwise ends here.
        if number is None or int(number[3]) != first or not first <= last < first + len(inner) - at:
            raise DecodeError("a run does not begin with its number")
        if style is None:
            delimiter = _delimiter_of(inner[at][number.end() :], told)
            style = Style(number[1], delimiter, blanks is not None)
        run = Run(first, len(number[2]) + len(number[3]), number[2][:1] or " ", [])
        at = _read_run(style, run, last, inner, at, raw, open_end=open_end)
    if at != len(inner):
        raise DecodeError("there are more lines than its head says")
    return join_lines(Lines(raw + rows[end:], crlf is not None, closed))


def _delimiter_of(behind: str, told: str | None) -> str:
    fitting = [each for each in DELIMITERS if behind.startswith(each)] if behind else [PAIRED]
    if told in fitting:
        return told
    if not fitting:
        raise DecodeError("nothing stands between a number and its line")
    return fitting[0]


def _read_run(style: Style, run: Run, last: int, rows: list[str], at: int, raw: list[str], *, open_end: bool) -> int:
    """Append the lines of a run to `raw`; return where the next one begins. Raises DecodeError."""
    number, blank = run.first, " " * (run.width + len(style.delimiter))
    paired = style.delimiter == PAIRED
    # Lines without a number belong to the run that they follow.
    while at < len(rows) and (number <= last or (style.blanks and not rows[at])):
        row = rows[at]
        at += 1
        if style.blanks and not row:
            raw.append(blank)
            continue
        prefix = prefix_of(style, run, number)
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
            raw.append(row if open_end and at == len(rows) and row == prefix else prefix + row)
        number += 1
    if number <= last:
        raise DecodeError("there are fewer lines than its head says")
    return at
