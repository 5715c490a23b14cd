r"""The styles in which tools print tables: reading a text as one of them, and writing a table in one.

| style | looks like | read by |
|---|---|---|
| `markdown` | `\| a \| b \|` with a rule `\|---\|---\|` below the names | GitHub Flavored Markdown, section "Tables" |
| `psql` | ` a \| b ` with a rule `---+---`, and `(2 rows)` behind | psql(1), format `aligned`, border 1 |
| `boxed` | `\| a \| b \|` between rules `+---+---+` | mysql(1), and psql with border 2 |
| `ruled` | columns at fixed places, below the names dashes as wide as each | pip list, sqlite3 in mode `column` |
| `aligned` | columns at fixed places | kubectl, docker, ps, df |
| `csv` | commas, quoted as RFC 4180 has it | |
| `tsv` | a tab between two cells, nothing quoted; or tabs as padding, and no cell empty | |
| `piped` | ` \| ` between cells, no rule | sqlite3 in mode `list` |

Invariant: what `write_table` writes, `read_table` reads as the same grid, or the text is not shown in another form.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .kinds import NotThisKindError
from .tabular_aligned import is_aligned, read_aligned, read_ruled, spread
from .tabular_grid import Grid, check_grid, differs_from_rows, unnamed_grid

if TYPE_CHECKING:
    from collections.abc import Callable

STYLES = ("aligned", "ruled", "psql", "markdown", "boxed", "csv", "tsv", "piped")

_GAP = "   "


def read_table(text: str) -> Grid:
    """Read a text that is one table. Raises NotThisKindError."""
    if "\0" in text:
        raise NotThisKindError("control characters")
    lines = text.split("\n")
    while lines and not lines[-1].strip(" \r"):
        lines.pop()
    while lines and not lines[0].strip(" \r"):
        lines.pop(0)
    if len(lines) < 2:
        raise NotThisKindError("fewer than two lines")
    if all(line.endswith("\r") for line in lines[:-1]):
        lines = [line.removesuffix("\r") for line in lines]
    rule = lines[1].strip()
    head = lines[0]
    if set(rule) <= set("|-: ") and "-" in rule and "|" in rule:
        return _read_markdown(lines)
    if "+" in rule and set(rule) <= {"-", "+"}:
        return _read_psql(lines)
    if head.startswith("+-") and set(head.rstrip()) <= {"-", "+"}:
        return _read_boxed(lines)
    if rule and set(rule) <= {"-", " "} | {"="} and rule[:1] in "-=":
        return read_ruled(_without_count(lines, 2))
    if "\t" in head:
        return _read_tsv(lines)
    if "|" in head:
        return _read_piped(lines)
    if "," in head and "  " not in head:
        return _read_csv("\n".join(lines))
    return read_aligned(lines)


def write_table(grid: Grid) -> str:
    """Write a grid in its style."""
    return _WRITERS[grid.style](grid)


def _read_markdown(lines: list[str]) -> Grid:
    rows = [_split_markdown(line) for line in lines]
    if any(not rule or rule.strip(":").strip("-") or "-" not in rule for rule in rows[1]):
        raise NotThisKindError("the rule below the names is none")
    return check_grid(Grid("markdown", rows[0], [row for number, row in enumerate(rows) if number > 1]))


def _split_markdown(line: str) -> list[str]:
    line = line.strip()
    if line[:1] != "|" or line[-1:] != "|" or line[-2:] == "\\|" or len(line) < 3:
        raise NotThisKindError("a line does not stand between `|`")
    cells = line[1:-1].replace("\\|", "\0").split("|")
    return [cell.strip(" ").replace("\0", "\\|") for cell in cells]


def _write_markdown(grid: Grid) -> str:
    rows = [grid.header, ["---"] * len(grid.header), *grid.rows]
    return "".join([f"| {' | '.join(row)} |\n" for row in rows])


def _read_psql(lines: list[str]) -> Grid:
    rule = lines[1].rstrip(" ")
    if not rule.startswith("-") or not rule.endswith("-"):
        raise NotThisKindError("the rule below the names is none")
    body = _without_count(lines[2:], 0)
    places = [place for place, character in enumerate(rule) if character == "+"]
    return _ruled_grid("psql", [_cut(line, places, len(rule)) for line in spread([lines[0], *body], places)])


def _without_count(lines: list[str], more: int) -> list[str]:
    """Return lines without psql's `(2 rows)`, which has to be true. `more`: lines that are no rows."""
    if lines and lines[-1].startswith("("):
        count = len(lines) - 1 - more
        if lines[-1] != f"({count} row{'' if count == 1 else 's'})":
            raise NotThisKindError("the last line does not count the rows")
        return lines[:-1]
    return lines


def _write_psql(grid: Grid) -> str:
    widths = _widths(grid)
    lines = [_psql_line(row, widths) for row in grid.lines()]
    lines.insert(1, "+".join(["-" * (width + 2) for width in widths]))
    return "\n".join([*lines, f"({len(grid.rows)} rows)"]) + "\n"


def _psql_line(row: list[str], widths: list[int]) -> str:
    """Return a line whose last cell is not padded: it may be as long as it likes in one row of many."""
    padded = [f" {cell.ljust(width)} |" for cell, width in zip(row[:-1], widths, strict=False)]
    return f"{''.join(padded)} {row[-1]} "


def _cut(line: str, places: list[int], end: int) -> list[str]:
    """Cut a line at the bars that stand at these places, each between two spaces; cells keep all other spaces."""
    if len(line) > end:
        raise NotThisKindError("a line goes on behind the last column")
    cells = []
    start = 0
    for place in [*places, end]:
        cell = line[start:place]
        # A `+` in place of the space is where psql breaks a cell.
        if place < end and (line[place : place + 1] != "|" or cell[-1:] != " "):
            raise NotThisKindError("a column does not end where the rule says")
        if (cell[:1] or " ") != " " or (place == end and len(cell) == end - start and cell[-1:] not in {" ", ""}):
            raise NotThisKindError("a cell begins or ends with no space")
        cells.append(cell[1:])
        start = place + 1
    return cells


def _ruled_grid(style: str, lines: list[list[str]]) -> Grid:
    """Return the grid of lines cut at bars. What a cell begins with beyond its padding would be lost, as in a tree."""
    header, *rows = [[cell.strip(" ").replace("\0", "") for cell in line] for line in lines]
    grid = check_grid(Grid(style, header, rows))
    if not all(map(is_aligned, map(list, zip(*lines[1:], strict=True)))):
        raise NotThisKindError("a cell is indented within its column")
    return grid


def _read_boxed(lines: list[str]) -> Grid:
    rule = lines[0].rstrip(" ")
    lines = _without_count(lines, 4)
    if len(lines) < 5 or not rule.endswith("+") or {lines[2].rstrip(" "), lines[-1].rstrip(" ")} != {rule}:
        raise NotThisKindError("the rules of the box differ")
    places = [place for place, character in enumerate(rule) if character == "+"]
    body = spread([lines[1], *lines[3:-1]], places)
    rows = []
    for line in [line.rstrip(" ") for line in body]:
        if line[:1] != "|" or line[-1:] != "|" or len(line) != len(rule):
            raise NotThisKindError("a line does not stand in the box")
        rows.append(_cut(line[1:-1], [place - 1 for place in places[1:-1]], len(rule) - 2))
    return _ruled_grid("boxed", rows)


def _write_boxed(grid: Grid) -> str:
    widths = _widths(grid)
    rule = "+" + "+".join(["-" * (width + 2) for width in widths]) + "+"
    lines = ["|" + "".join([f" {c.ljust(w)} |" for c, w in zip(row, widths, strict=True)]) for row in grid.lines()]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule]) + "\n"


def _read_tsv(lines: list[str]) -> Grid:
    rows = [line.split("\t") for line in lines]
    if len(set(map(len, rows))) > 1:
        # More tabs than one are padding (Go's tabwriter) where each line then has as many cells.
        rows = [re.split("\t+", line) for line in lines]
    if any(cell[:1] == " " or cell[-1:] == " " for row in rows for cell in row):
        raise NotThisKindError("a cell begins or ends with a space")
    try:
        return _check_headed(Grid("tsv", rows[0], rows[1:]))
    except NotThisKindError:
        if len(rows[0]) < 3 or any(row[0] == "" for row in rows):
            raise
        return check_grid(unnamed_grid("tsv", rows))


def _write_tsv(grid: Grid) -> str:
    return "".join(["\t".join(row) + "\n" for row in grid.lines()])


def _read_piped(lines: list[str]) -> Grid:
    cut = [line.split("|") for line in _without_count(lines, 1)]
    rows = [[cell.strip(" ") for cell in line] for line in cut]
    grid = _check_headed(Grid("piped", rows[0], rows[1:]))
    if not all(map(is_aligned, map(list, zip(*cut[1:], strict=True)))):
        raise NotThisKindError("a cell is indented within its column")
    places = {line.find("|") for line in lines}
    if len(grid.header) < 3 and (len(places) > 1 or " | " not in lines[0]):
        raise NotThisKindError("two columns whose bars do not stand below each other")
    return grid


def _write_piped(grid: Grid) -> str:
    # The bars of two columns have to stand below each other; those of more need not.
    widths = _widths(grid) if len(grid.header) == 2 else [0] * len(grid.header)
    return "".join([f"{_psql_line(row, widths)[1:].rstrip(' ')}\n" for row in grid.lines()])


def _check_headed(grid: Grid) -> Grid:
    """Return a grid without a rule whose first line is surely no row. Raises NotThisKindError."""
    check_grid(grid)
    if not differs_from_rows(grid, identifiers=True):
        raise NotThisKindError("the first line may be a row")
    return grid


def _read_csv(text: str) -> Grid:
    from .tabular_csv import read_csv

    header, *rows = read_csv(text)
    if len(header) < 3 and len(rows) < 8:
        raise NotThisKindError("two columns, and few rows")
    for row in (header, *rows):
        if any(cell[:1] == " " or cell[-1:] == " " for cell in row):
            raise NotThisKindError("a cell begins or ends with a space")
    return _check_headed(Grid("csv", header, rows))


def _write_csv(grid: Grid) -> str:
    from .tabular_csv import write_csv

    return write_csv([grid.header, *grid.rows])


def _write_aligned(grid: Grid) -> str:
    widths = _widths(grid)
    return "".join([f"{_aligned_line(row, widths)}\n" for row in grid.lines()])


def _write_ruled(grid: Grid) -> str:
    widths = _widths(grid)
    rules = ["-" * width for width in widths]
    return "".join([f"{_aligned_line(row, widths)}\n" for row in (grid.header, rules, *grid.rows)])


def _aligned_line(row: list[str], widths: list[int]) -> str:
    """Return a line whose last cell is not padded: it may be as long as it likes in one row of many."""
    padded = [cell.ljust(width) + _GAP for cell, width in zip(row[:-1], widths, strict=False)]
    return ("".join(padded) + row[-1]).rstrip(" ")


def _widths(grid: Grid) -> list[int]:
    return [max(1, *map(len, column)) for column in zip(*grid.lines(), strict=True)]


_WRITERS: dict[str, Callable[[Grid], str]] = {
    "aligned": _write_aligned,
    "ruled": _write_ruled,
    "psql": _write_psql,
    "markdown": _write_markdown,
    "boxed": _write_boxed,
    "csv": _write_csv,
    "tsv": _write_tsv,
    "piped": _write_piped,
}
