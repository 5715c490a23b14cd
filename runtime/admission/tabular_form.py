"""The form in which a table is shown, and reading it back.

    [aligned table of 200 rows, cells split by spaces; name=value holds for the rows below it]
    NAMESPACE=… NAME READY RESTARTS AGE "NOMINATED NODE"=<none>
    NAMESPACE=default
    web-5d9c-x2 1/1 "2 (3d ago)" 5d

A head line with the style of the table, the number of its rows, and what stands between cells; then the names of the
columns, in their order; then the rows.

Where a table names no columns, the line of names has their numbers, and the head line says so.

* `name=value` in the line of names: a column that is the same in every row, and is not repeated there;
* `name=…` there: a column whose value stands on a line of its own, `name=value`, in front of the rows that have it;
* a cell is quoted where it begins with a quote, or holds a line feed or what stands between cells; a quote in a quoted
  cell is written twice, as in CSV. Between spaces, an empty cell is quoted too, or left out where it is the last and
  two cells stay; and the last cell of a row is free text and holds spaces.

Invariants: there is one form for a grid, and `read_form` takes nothing else; linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import NamedTuple, TypeVar

from .kinds import DecodeError, NotThisKindError
from .pieces import count_pieces
from .tabular_grid import Grid, check_grid
from .tabular_styles import STYLES

_T = TypeVar("_T")

_DELIMITERS = {"spaces": " ", "tabs": "\t", "commas": ",", "|": "|"}
_HOLDS = "; name=value holds for the rows below it"
_NUMBERED = "columns by number, "
_SHORT = "; cells missing at the end are empty"
HEAD = re.compile(
    rf"\[({'|'.join(STYLES)}) table of ([0-9]{{1,8}}) rows, ({_NUMBERED})?cells split by (spaces|tabs|commas|\|)"
    rf"({_HOLDS})?({_SHORT})?\]\n"
)

_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)"')
_ABOVE = "…"


class _Plan(NamedTuple):
    """How a grid is shown. `shared`: columns that are the same in every row; `grouped`: the column on its own lines."""

    delimiter: str
    shared: dict[int, str]
    grouped: int | None


def write_form(grid: Grid) -> str:
    """Return the form of a grid."""
    return _write(grid, _plan(grid))


def read_form(shown: str) -> Grid:
    """Return the grid of a form. Raises DecodeError."""
    head = HEAD.match(shown)
    if head is None:
        raise DecodeError("it does not begin with the head line of a table")
    delimiter = _DELIMITERS[head[4]]
    names, at = _read_cells(shown, head.end(), delimiter, _read_name)
    plain = [name for name, value in names if value is None]
    grouped = [place for place, (_, value) in enumerate(names) if value == (_ABOVE, False)]
    if len(plain) < 2 or len(grouped) > 1:
        raise DecodeError("too few columns, or two on lines of their own")
    template = [None if value is None else value[0] for _, value in names]
    rows = _read_rows(shown, at, delimiter, template, (names[grouped[0]][0], grouped[0]) if grouped else None)
    try:
        named = head[3] is None
        grid = check_grid(Grid(head[1], [name for name, _ in names], rows, named), unnamed=True)
    except NotThisKindError as error:
        raise DecodeError(str(error)) from None
    if write_form(grid) != shown:
        raise DecodeError("not what is made of the table that it holds")
    return grid


def _plan(grid: Grid) -> _Plan:
    columns = list(zip(*grid.rows, strict=True))
    shared = {place: column[0] for place, column in enumerate(columns) if column.count(column[0]) == len(column)}
    # Two columns have to stay, so that a row is never taken for `name=value`.
    while len(columns) - len(shared) < 2:
        shared.pop(min(shared))
    kept = [place for place in range(len(columns)) if place not in shared]
    grouped, most = None, 4
    for place in kept if len(kept) > 2 else []:
        saved = _saved(grid.header[place], columns[place])
        if saved > most:
            grouped, most = place, saved
    if grouped is not None:
        kept.remove(grouped)
    return _Plan(_choose_delimiter([columns[place] for place in kept]), shared, grouped)


def _saved(name: str, column: tuple[str, ...]) -> int:
    """Estimate the tokens saved by writing a value once for all neighbours that have it."""
    runs = [(value, sum(1 for _ in same)) for value, same in groupby(column)]
    if len(runs) * 2 > len(column):
        return 0
    cost = count_pieces(name) + 2
    return sum((count - 1) * max(1, count_pieces(value)) - cost for value, count in runs)


def _choose_delimiter(columns: list[tuple[str, ...]]) -> str:
    """Return what stands between cells: that for which least has to be quoted; of equals, the first."""
    costs = []
    for delimiter in _DELIMITERS.values():
        inner = columns[:-1] if delimiter == " " else columns
        quoted = sum(1 for column in inner for cell in column if delimiter in cell)
        # A space is most often one token with the word behind it; a quoted cell has two quotes more.
        costs.append(4 * quoted + (0 if delimiter == " " else (len(columns) - 1) * len(columns[0])))
    return list(_DELIMITERS.values())[costs.index(min(costs))]


def _write(grid: Grid, plan: _Plan) -> str:
    delimiter, shared, grouped = plan
    names = []
    for place, name in enumerate(grid.header):
        written = _quote(name, delimiter, "=")
        if place in shared:
            value = shared[place]
            written += "=" + (f'"{_ABOVE}"' if value == _ABOVE else _quote(value, delimiter))
        elif place == grouped:
            written += f"={_ABOVE}"
        names.append(written)
    kept = [place for place in range(len(grid.header)) if place not in shared and place != grouped]
    parts: list[str] = []
    above = None
    short = ""
    for row in grid.rows:
        if grouped is not None and row[grouped] != above:
            above = row[grouped]
            parts.append(f"{_quote(grid.header[grouped], delimiter, '=')}={_quote(above, delimiter)}")
        cells = [row[place] for place in kept]
        if delimiter == " " and not cells[-1] and len(cells) > 2:
            cells.pop()
            short = _SHORT
        last = "\n" if delimiter == " " and len(cells) == len(kept) else delimiter
        written = [_quote(cell, delimiter) for cell in cells[:-1]]
        parts.append(delimiter.join([*written, _quote(cells[-1], last)]))
    word = next(word for word, character in _DELIMITERS.items() if character == delimiter)
    holds = _HOLDS if shared or grouped is not None else ""
    numbered = "" if grid.named else _NUMBERED
    head = f"[{grid.style} table of {len(grid.rows)} rows, {numbered}cells split by {word}{holds}{short}]"
    return "\n".join([head, delimiter.join(names), *parts]) + "\n"


def _quote(cell: str, delimiter: str, other: str = "\n") -> str:
    if not cell and delimiter in "\t,|":
        return cell
    if cell and cell[0] != '"' and delimiter not in cell and "\n" not in cell and other not in cell:
        return cell
    return '"' + cell.replace('"', '""') + '"'


def _read_rows(
    shown: str, at: int, delimiter: str, template: list[str | None], grouped: tuple[str, int] | None
) -> list[list[str]]:
    """Read all rows. `template`: a row with the cells that hold for all of them."""
    rows: list[list[str]] = []
    kept = [place for place, value in enumerate(template) if value is None]
    above = f"{_quote(grouped[0], delimiter, '=')}=" if grouped is not None else None
    while at < len(shown):
        if grouped is not None and above is not None and shown.startswith(above, at):
            found, end = _read_cells(shown, at + len(above), delimiter, _read_plain)
            if len(found) == 1:
                template[grouped[1]], at = found[0], end
                continue
        cells, at = _read_cells(shown, at, delimiter, _read_plain, len(kept))
        row = list(template)
        for place, cell in zip(kept, cells, strict=False):
            row[place] = cell
        if len(cells) != len(kept) and (len(cells) < 2 or delimiter != " "):
            raise DecodeError("a row has not one cell for each of the columns")
        rows.append([cell or "" for cell in row])
    return rows


def _read_cells(
    shown: str, at: int, delimiter: str, read: Callable[[str, int, int, str], tuple[_T, int]], most: int | None = None
) -> tuple[list[_T], int]:
    """Read the cells of a line, and return where the next one begins. Between spaces, the last of `most` is free."""
    cells: list[_T] = []
    limit = shown.find("\n", at)
    if limit < 0:
        raise DecodeError("the last line does not end")
    while True:
        free = delimiter == " " and most is not None and len(cells) + 1 == most
        cell, at = read(shown, at, limit, "\n" if free else delimiter)
        cells.append(cell)
        if at >= len(shown) or shown[at] == "\n":
            return cells, at + 1
        if shown[at] != delimiter:
            raise DecodeError("something stands behind a quoted cell")
        at += 1
        if at > limit:
            limit = shown.find("\n", at)
            if limit < 0:
                raise DecodeError("the last line does not end")


def _read_plain(shown: str, at: int, limit: int, delimiter: str) -> tuple[str, int]:
    """Read a cell that begins at a place; return it and where it ends."""
    if shown.startswith('"', at):
        quoted = _QUOTED.match(shown, at)
        if quoted is None:
            raise DecodeError("a quoted cell does not end")
        return quoted[1].replace('""', '"'), quoted.end()
    end = limit if delimiter == "\n" else shown.find(delimiter, at, limit)
    end = limit if end < 0 else end
    return shown[at:end], end


def _read_name(shown: str, at: int, limit: int, delimiter: str) -> tuple[tuple[str, tuple[str, bool] | None], int]:
    """Read a name, and what stands behind its `=`: the value, and whether it is quoted."""
    if shown.startswith('"', at):
        name, at = _read_plain(shown, at, limit, delimiter)
    else:
        found = re.compile(f"[^={re.escape(delimiter)}\n]*").match(shown, at)
        name, at = (found[0], found.end()) if found is not None else ("", at)
    if not shown.startswith("=", at):
        return (name, None), at
    quoted = shown.startswith('"', at + 1)
    value, at = _read_plain(shown, at + 1, max(limit, at + 1), delimiter)
    return (name, (value, quoted)), at
