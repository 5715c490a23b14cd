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
_SIGNS = frozenset("(@*%#")
"""What may stand in front of a name."""
_FILE = re.compile(r"\.[A-Za-z]")
_MISSING = frozenset({"n/a", "na", "nan", "null", "nil", "none"})
"""What stands in a column of numbers for want of one."""


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


def differs_from_rows(grid: Grid, *, identifiers: bool = False) -> bool:
    """Tell whether the header is surely no row.

    No name stands in its own column, and either a column of numbers has a name, or all names have a look (capitals,
    capitalised, with `identifiers` also that of identifiers) which the cells have not: of two columns, in either one;
    of more, in one at least. A file (`README.md`) is no name by its look.
    """
    columns = list(zip(*grid.rows, strict=True))
    headed = [(name, [cell for cell in column if cell]) for name, column in zip(grid.header, columns, strict=True)]
    if any(name in filled for name, filled in headed):
        return False
    if any(name.lower() not in _MISSING and is_numeric(filled) for name, filled in headed):
        return True
    if any(_FILE.search(name) is not None for name in grid.header):
        return False
    differ = all if len(headed) == 2 else any
    return any(
        all(look(name) for name, _ in headed if name)
        and differ(sum(map(look, filled)) * 2 < len(filled) for _, filled in headed if filled)
        for look in (_LOOKS if identifiers else _LOOKS[:2])
    )


def _has_capitals(cell: str) -> bool:
    return cell.upper() == cell and (cell[:1] in _SIGNS or any(map(str.isalpha, cell)))


def _is_capitalised(cell: str) -> bool:
    return cell[:1] in _SIGNS or (cell[:1].isalpha() and not cell[:1].islower())


def is_numeric(filled: list[str]) -> bool:
    """Tell whether there are cells, and all are numbers, or dashes for want of one."""
    return any(cell != "-" for cell in filled) and all(cell == "-" or _NUMBER.fullmatch(cell) for cell in filled)


_LOOKS = (_has_capitals, _is_capitalised, str.isidentifier)
