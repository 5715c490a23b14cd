"""Tables at fixed places of which some cells are wider than their column, as `ps aux` prints them.

    USER       PID   VSZ  RSS TTY   TIME COMMAND
    root       101  8000  120 ?     0:00 sh -c x
    root       102 742144 900 pts/0 0:03 node server.js --port 80

Input: lines, the first of which names the columns, each with one word. Output: a grid, or NotThisKindError.

Every row is cut at its spaces; the last cell takes the rest. Most rows have to stand in their places, below the names.
One that does not has to have, in each column, a cell of the sort that stands there in the others (numbers, or words),
and none in front of its place: so a row with an empty cell, in which all others would move, is no row here.
"""

from __future__ import annotations

import re

from .kinds import NotThisKindError
from .tabular_grid import MIN_ROWS, Grid, check_grid, differs_from_rows

_MANY = 5
_MAX_WIDTH = 200
_WORD = re.compile(r"[^ ]+")
_NUMERIC = re.compile(r"[0-9][0-9.,:%]*")


def read_overflowing(lines: list[str]) -> Grid:
    """Read such lines. Raises NotThisKindError."""
    columns = [found.span() for found in _WORD.finditer(lines[0])]
    if not _MANY <= len(columns) <= 100:
        raise NotThisKindError("too few or too many names for columns that are not aligned")
    header = lines[0].split()
    inner = columns[:-1]
    rows: list[list[str]] = []
    moved: list[int] = []
    for line in lines[1:]:
        row = line.split(None, len(inner))
        if len(row) != len(columns) or max(map(len, row[:-1])) > _MAX_WIDTH:
            raise NotThisKindError("a row has fewer words than there are columns, or a very long one")
        row[-1] = row[-1].rstrip(" ")
        spans = [found.span() for _, found in zip(columns, _WORD.finditer(line), strict=False)]
        if spans[-1][0] > max(columns[-1][0], spans[-2][1] + 1):
            raise NotThisKindError("the last cell of a row is indented, as one of a tree")
        if all(start == at or end == stop for (start, end), (at, stop) in zip(spans, columns, strict=True)):
            pass
        elif all(start >= at or end >= stop for (start, end), (at, stop) in zip(spans, columns, strict=True)):
            first = next(n for n, span in enumerate(spans) if span[0] != columns[n][0] and span[1] != columns[n][1])
            if first and spans[first][0] != spans[first - 1][1] + 1:
                raise NotThisKindError("a cell is moved, and none in front of it is too wide")
            moved.append(len(rows))
        else:
            raise NotThisKindError("a cell stands in front of its column")
        rows.append(row)
    if len(rows) - len(moved) < max(MIN_ROWS, len(rows) // 2):
        raise NotThisKindError("most rows do not stand below the names")
    out = set(moved)
    sorts = [{_sort(row[place]) for number, row in enumerate(rows) if number not in out} for place in range(len(inner))]
    for number in moved:
        if any(_sort(cell) not in sort for cell, sort in zip(rows[number], sorts, strict=False)):
            raise NotThisKindError("a row that does not stand below the names has other cells than those that do")
    grid = check_grid(Grid("aligned", header, rows))
    if not differs_from_rows(grid):
        raise NotThisKindError("the first line may be a row")
    return grid


def _sort(cell: str) -> bool:
    return _NUMERIC.fullmatch(cell) is not None
