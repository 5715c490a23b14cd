"""Reads search results: all of them, or nothing.

Input: the text that `grep`, `rg` or `git grep` printed. Output: its rows (`search_rows.py`), or NotThisKindError.

Where a path ends is told once for all rows. Without context, it ends before the first `:number:`. With context, rows
that stand next to each other have to be of one path and of consecutive lines, at least one of them a match; where a
path could end in several places, that of the longest such run holds.

Invariant: linear in the length of the text: at most `_ENDS` ends are tried for a run.
"""

from __future__ import annotations

import re

from .kinds import NotThisKindError
from .path_words import MAX_PATH, has_extension, is_certain, may_be_path
from .search_rows import SEPARATOR, Parsed, Row, is_note
from .text_lines import split_lines

MIN_ROWS = 4
"""Fewer rows may be anything."""

_ENDS = 6
_MATCH = re.compile(r":([1-9][0-9]{0,8}):")
_END = re.compile(r"([:-])([1-9][0-9]{0,8})\1")
_HEADED = re.compile(r"([1-9][0-9]{0,8})([:-])(.*)", re.DOTALL)
_BARE = re.compile(rf"([^:\s]{{1,{MAX_PATH}}}):([^\s].*|\s\s.*|\s[*#].*)", re.DOTALL)
_COLUMN = re.compile(r"[1-9][0-9]{0,8}:")
_SAID = re.compile(r" [^\s*]")
"""What stands behind `path:line:` where a tool says something of it. In files, lines rarely have one space in front."""


def read_matches(text: str) -> Parsed:
    """Return the rows of a search result. Raises NotThisKindError."""
    rows, crlf, closed = split_lines(text)
    if len(rows) < MIN_ROWS:
        raise NotThisKindError("too few lines")
    if rows[0].startswith("[matches "):
        raise NotThisKindError("it begins as what is made of a search result")
    first = _END.search(rows[0], 1, MAX_PATH) or is_note(rows[0])
    if first:
        shape, found = "rows", _read_rows(rows)
        if found is None:
            found = _read_context(rows)
    elif _HEADED.fullmatch(rows[1]):
        shape, found = "headings", _read_headings(rows)
    else:
        shape, found = "bare", _read_bare(rows)
    matches = [text for path, _, mark, text in found if path is not None and mark == ":"]
    columns = shape != "bare" and bool(matches) and all(map(_COLUMN.match, matches))
    if shape != "bare":
        _check_texts(matches, columns=columns)
        _check_order(found)
    _check_paths(found)
    return Parsed(shape, columns, len(matches) < sum(row[0] is not None for row in found), found, crlf, closed)


def _read_rows(rows: list[str]) -> list[Row] | None:
    """Read rows that are all matches; None where some are not."""
    found: list[Row] = []
    for row in rows:
        match = _MATCH.search(row, 1, MAX_PATH + 12)
        if match is not None and not is_note(row):
            found.append((row[: match.start()], match[1], ":", row[match.end() :]))
        elif row != SEPARATOR and is_note(row):
            found.append((None, "", "", row))
        else:
            return None
    paths = {row[0] for row in found}
    for path in paths:
        # A line of context whose text has `:number:` in it looks like a match in a file of a longer name.
        if path is not None and any(path[: end.start()] in paths for end in _END.finditer(f"{path}-")):
            return None
    return found


def _read_context(rows: list[str]) -> list[Row]:
    found: list[Row] = []
    at = 0
    while at < len(rows):
        if is_note(rows[at]):
            found.append((None, "", "", rows[at]))
            at += 1
            continue
        matched, run = _longest_run(rows, at)
        # Where the text was cut, the match that its first or last lines are near to is missing.
        if not run or not (matched or at == 0 or at + len(run) == len(rows)):
            raise NotThisKindError(f"line {at + 1} is neither a match nor near one")
        found += run
        at += len(run)
    return found


def _longest_run(rows: list[str], at: int) -> tuple[bool, list[Row]]:
    """Return the longest run of rows of one path that begins here, and whether a match is among them.

    Runs with a match go before those without; of equals, that of the shortest path is taken.
    """
    best: tuple[bool, list[Row]] = False, []
    row = rows[at]
    for tried, end in enumerate(_END.finditer(row, 1, MAX_PATH)):
        if tried == _ENDS:
            break
        path = row[: end.start()]
        if may_be_path(path):
            matched, run = _read_run(rows, at, path, int(end[2]))
            if (matched, len(run)) > (best[0], len(best[1])):
                best = matched, run
    return best


def _read_run(rows: list[str], at: int, path: str, number: int) -> tuple[bool, list[Row]]:
    run: list[Row] = []
    matched = False
    behind = len(path)
    count = len(rows)
    while at < count:
        row, spelled = rows[at], str(number)
        mark = row[behind : behind + 1]
        start = behind + len(spelled) + 2
        if (mark != ":" and mark != "-") or row[:start] != f"{path}{mark}{spelled}{mark}":  # noqa: PLR1714
            break
        matched = matched or mark == ":"
        run.append((path, spelled, mark, row[start:]))
        at, number = at + 1, number + 1
    return matched, run


def _read_headings(rows: list[str]) -> list[Row]:
    found: list[Row] = []
    path: str | None = None
    opens = empty = True
    for at, row in enumerate(rows):
        headed = _HEADED.fullmatch(row)
        if opens:
            if headed or row == path:
                raise NotThisKindError(f"line {at + 1} is no heading of its own")
            path, opens, empty = row, False, True
        elif headed:
            found.append((path, headed[1], headed[2], headed[3]))
            empty = False
        elif row == SEPARATOR and not empty:
            found.append((None, "", "", row))
            empty = True
        elif row == "" and not empty:
            opens = True
        else:
            raise NotThisKindError(f"line {at + 1} is no row")
    if opens or empty:
        raise NotThisKindError("the last heading has no row")
    return found


def _read_bare(rows: list[str]) -> list[Row]:
    """Read rows `path:text`: certain only where each path is one, has an extension, and its rows stand together."""
    found: list[Row] = []
    seen: set[str] = set()
    path = ""
    for row in rows:
        match = _BARE.fullmatch(row)
        if match is None:
            raise NotThisKindError("not every line begins with a path")
        if match[1] != path:
            path = match[1]
            if path in seen or "/" not in path or not has_extension(path) or not may_be_path(path):
                raise NotThisKindError("what stands before the colon need not be a path")
            seen.add(path)
        found.append((path, "", ":", match[2]))
    if len(seen) < 2 or len(found) < 2 * len(seen):
        raise NotThisKindError("what stands before the colon is not repeated enough to be a path")
    if sum(row[3].isdigit() for row in found) * 2 > len(found):
        raise NotThisKindError("numbers stand behind the paths")
    return found


def _check_texts(matches: list[str], *, columns: bool) -> None:
    """Refuse what tools say of lines. Raises NotThisKindError."""
    if columns:
        matches = [text[text.index(":") + 1 :] for text in matches]
    if not matches or sum(not text.strip() for text in matches) * 2 > len(matches):
        raise NotThisKindError("nothing stands behind most of the numbers")
    if sum(_SAID.match(text) is not None for text in matches) * 10 > len(matches) * 3:
        raise NotThisKindError("what stands behind the numbers is said of the lines")


def _check_order(rows: list[Row]) -> None:
    """Refuse numbers that often go back within a file: a log names lines, a search goes through them. Raises."""
    pairs = back = before = 0
    path: str | None = None
    for row in rows:
        if row[0] is None:
            continue
        number = int(row[1])
        if row[0] == path:
            pairs, back = pairs + 1, back + (number < before)
        path, before = row[0], number
    if back * 10 > pairs:
        raise NotThisKindError("the numbers of a file often go back")


def _check_paths(rows: list[Row]) -> None:
    paths: dict[str, int] = {}
    for path, *_ in rows:
        if path is not None:
            paths[path] = paths.get(path, 0) + 1
    count = sum(paths.values())
    if count < MIN_ROWS or count * 4 < (len(rows) - count):
        raise NotThisKindError("too few lines are of files")
    if not all(map(may_be_path, paths)):
        raise NotThisKindError("what stands before a number is no path")
    if sum(times for path, times in paths.items() if is_certain(path)) * 2 < count:
        raise NotThisKindError("what stands before the numbers need not be paths")
