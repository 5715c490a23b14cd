"""A table that was read: its style, its header, its rows; and what a header has to look like.

Invariants of a grid: two columns at least, three rows at least; every row has a cell for each column.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import NotThisKindError

MIN_ROWS = 3

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,:%/]*[A-Za-z%]{0,3}")
_NAME = re.compile(r"(?=[^\n\"]*[^\W\d_])[\w(/@.*%#][^\n\"{};]*|[%#]")


class Grid(NamedTuple):
    """A table. `style` is one of `tabular_styles.STYLES`. Where it is not `named`, its columns are called 1, 2, 3."""

    style: str
    header: list[str]
    rows: list[list[str]]
    named: bool = True

    def lines(self) -> list[list[str]]:
        """Return the lines of the table: the names, where it has any, and the rows."""
        return [self.header, *self.rows] if self.named else self.rows


def unnamed_grid(style: str, lines: list[list[str]]) -> Grid:
    """Return the grid of lines that name no columns."""
    return Grid(style, [str(number) for number in range(1, len(lines[0]) + 1)], lines, named=False)


def check_grid(grid: Grid, *, unnamed: bool = False) -> Grid:
    """Return a grid that has the header and the rows of a table. Raises NotThisKindError.

    `unnamed`: the first column may have no name.
    """
    style, header, rows, named = grid
    if len(header) < 2:
        raise NotThisKindError("one column only")
    if len(rows) < MIN_ROWS:
        raise NotThisKindError("fewer than three rows")
    for number, row in enumerate(rows, 1):
        if len(row) != len(header):
            raise NotThisKindError(f"row {number} has {len(row)} cells, the header has {len(header)} ({style})")
    if header[0][:1] == "#" and any(row[0][:1] == "#" for row in rows):
        raise NotThisKindError("its lines are comments, or directives")
    if not named:
        return grid
    names = header[1:] if unnamed and header[0] == "" else header
    if len(set(names)) != len(names):
        raise NotThisKindError("two columns have the same name")
    for name in names:
        if not may_name(name):
            raise NotThisKindError("the first line does not name the columns")
    return grid


def may_name(name: str) -> bool:
    """Tell whether a column may have this name: no number, no time, no mark."""
    if len(name) > (12 if name[:1].isdigit() else 60):
        return False
    return _NAME.fullmatch(name) is not None and _NUMBER.fullmatch(name) is None


def differs_from_rows(grid: Grid) -> bool:
    """Tell whether the header is surely no row: all capitals, all capitalised, or names above a column of numbers."""
    named = [name for name in grid.header if name]
    if all(name.upper() == name for name in named) or all(not name[:1].islower() for name in named):
        return True
    return any(_is_numeric([row[place] for row in grid.rows]) for place in range(len(grid.header)))


def is_of_identifiers(grid: Grid) -> bool:
    """Tell whether all names are identifiers, and none of them stands in its column."""
    return all(
        name.isidentifier() and all(row[place] != name for row in grid.rows) for place, name in enumerate(grid.header)
    )


def _is_numeric(column: list[str]) -> bool:
    """Tell whether all cells of a column that are not empty are numbers, and some are not empty."""
    filled = [cell for cell in column if cell]
    return bool(filled) and all(_NUMBER.fullmatch(cell) is not None for cell in filled)
