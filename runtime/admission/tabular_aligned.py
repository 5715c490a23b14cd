"""Tables whose columns stand at fixed places: finding the places, and cutting the lines there.

Input: lines, the first of which names the columns. Output: a grid, or NotThisKindError.

A boundary is where every line has a space. One space alone separates columns only where names and cells stand on both
sides of it, so that `NOMINATED NODE` and `2 days ago` stay whole. Then each column has to be aligned: all its cells
begin where its name does, or all end there; or every cell is filled, and there are many. Lines without this are no
table, however much they look like one.

Places are counted in characters or, where that gives no table, in columns of a terminal (East Asian wide characters
take two; Unicode Standard Annex 11): tools differ.

Invariant: linear in the length of the text: no line is looked at beyond `MAX_WIDTH` but for its last cell.
"""

from __future__ import annotations

import re

from .kinds import NotThisKindError
from .tabular_grid import MIN_ROWS, Grid, check_grid, differs_from_rows, is_numeric, may_name, unnamed_grid
from .tabular_words import read_overflowing

MAX_WIDTH = 2_000
"""How far into a line a column may begin, in characters."""
MAX_COLUMNS = 100

_FILLER = "\0"
"""Stands behind a wide character, for the second place that it takes. No text with this character gets here."""
_MANY = 4
_MANY_ROWS = 6
_SAMPLE = 40
_MARKS = frozenset({"#", "//", "--", "/*", "=", ":="})
_FILLED = bytes.maketrans(bytes(range(256)), b"\1" * 32 + b"\0" + b"\1" * 223)
_DIGITS = bytes.maketrans(b"\0\1", b"01")
_BLANKS = re.compile("0+")
_NOT_ASCII = re.compile("[^\x00-\x7f]")


def read_aligned(lines: list[str]) -> Grid:
    """Read lines without a rule. Raises NotThisKindError."""
    if len(lines) <= MIN_ROWS:
        raise NotThisKindError("fewer than three rows")
    if not all(map(str.strip, lines)) or any("\t" in line for line in lines):
        raise NotThisKindError("an empty line, or a tab between columns")
    names = lines[0].split()
    if "  " not in lines[0].strip(" ") and (len(names) < _MANY or not all(map(may_name, names))):
        raise NotThisKindError("the first line does not name columns")
    if len(lines) > _SAMPLE:
        # A boundary of all lines is one of the first.
        column_places(lines[:_SAMPLE], named=False)
    try:
        return _read(lines)
    except NotThisKindError:
        wide = widen(lines)
        if wide is None:
            try:
                return read_overflowing(lines)
            except NotThisKindError:
                return _read_unnamed(lines)
        return _read(wide)


def read_ruled(lines: list[str]) -> Grid:
    """Read lines of which the second draws a line below each name. Raises NotThisKindError."""
    rule = lines[1].rstrip(" ")
    columns = [found.span() for found in re.finditer("[-=]+", rule)]
    if not 2 <= len(columns) <= MAX_COLUMNS or columns[-1][0] > MAX_WIDTH or any("\t" in line for line in lines):
        raise NotThisKindError("the rule draws no columns")
    starts = [start for start, _ in columns]
    try:
        return _read_below(lines, starts, columns)
    except NotThisKindError:
        wide = widen(lines)
        if wide is None:
            raise
        return _read_below(wide, starts, columns)


def _read_below(lines: list[str], starts: list[int], columns: list[tuple[int, int]]) -> Grid:
    body = [lines[0], *lines[2:]]
    for line in body:
        if any(line[end:start].strip(" ") for (_, end), start in zip(columns, starts[1:], strict=False)):
            raise NotThisKindError("a cell is wider than the rule above it")
        if line[: starts[0]].strip(" ") or not line.strip():
            raise NotThisKindError("an empty line, or text in front of the first column")
    if not all(map(is_aligned, _columns(body[1:], starts))):
        raise NotThisKindError("a cell is indented within its column")
    header, *rows = _rows(_columns(body, starts))
    return check_grid(Grid("ruled", header, rows))


def _read(lines: list[str]) -> Grid:
    starts = column_places(lines)
    columns = _columns(lines, starts)
    header, *rows = _rows(columns)
    if any("  " in "\n".join(row[:-1]) for row in rows):
        raise NotThisKindError("a cell holds two spaces, so that a boundary is missing")
    if any("  " in name for name in header):
        raise NotThisKindError("two names stand above one column")
    _check_lone_spaces(lines, starts, header, rows)
    grid = check_grid(Grid("aligned", header, rows), unnamed=True)
    if not differs_from_rows(grid):
        raise NotThisKindError("the first line may be a row")
    if not all(map(is_aligned, columns)):
        if not (is_aligned(columns[0]) and is_aligned(columns[-1])):
            raise NotThisKindError("the first or the last column is indented, as one of a tree")
        inner = [cell for row in (header, *rows) for cell in row[:-1]]
        if len(header) < _MANY or not all(inner) or any(" " in cell for cell in inner):
            raise NotThisKindError("a column is aligned on neither side")
    if len(header) < _MANY - 1 and "  " not in lines[0].strip(" "):
        raise NotThisKindError("two columns, and one space between them")
    return grid


def _check_lone_spaces(lines: list[str], starts: list[int], header: list[str], rows: list[list[str]]) -> None:
    """Refuse a boundary of one space that may stand within a column, as in `IMAGE ID` above `2 days`.

    It is one behind numbers, and in front of numbers that end at one place; or where names are words, no cells are
    missing beside it, and those in front of it do not all end right there. Raises NotThisKindError.
    """
    for place, start in enumerate(starts[1:], 1):
        reached = [line[start - 2 : start - 1].strip(" ") != "" for line in lines]
        if not any(reached):
            continue
        left = [row[place - 1] for row in rows]
        right = [row[place] for row in rows]
        padded = any(line[start : start + 1] == " " for line in lines[1:])
        if is_numeric(left) or (padded and is_numeric(right)):
            continue
        if all(reached[1:]) or not all(left) or not all(right) or " " in header[place - 1] or " " in header[place]:
            raise NotThisKindError("one space, which may stand within a column")


def _read_unnamed(lines: list[str]) -> Grid:
    """Read lines none of which names the columns: there have to be more of both, and two spaces between columns."""
    starts = column_places(lines, named=False)
    if len(starts) < _MANY - 1 or len(lines) < _MANY_ROWS:
        raise NotThisKindError("no names, and few columns or rows")
    columns = _columns(lines, starts)
    rows = _rows(columns)
    cells = sum(map(len, rows))
    if not all(map(is_aligned, columns)):
        raise NotThisKindError("no names, and not aligned")
    if any("  " in cell for row in rows for cell in row) or sum(row.count("") for row in rows) * 10 > cells:
        raise NotThisKindError("no names, and many empty cells, or a boundary is missing")
    if sum(len(cell) for row in rows for cell in row) < 2 * cells:
        raise NotThisKindError("no names, and most cells are single characters: a dump")
    if any(row[0] == "" or row[0][0] in "-+#/*<>'\"" or not _MARKS.isdisjoint(row) for row in rows):
        raise NotThisKindError("no names, and a row does not begin with a word, or has a comment")
    return check_grid(unnamed_grid("aligned", rows))


def column_places(lines: list[str], *, named: bool = True) -> list[int]:
    """Return where the columns of lines begin: behind each boundary. Raises NotThisKindError.

    Where the first line is not `named`, two spaces separate, whatever stands there.
    """
    rows = 0
    for line in lines[1:]:
        rows |= _mask(line)
    filled = rows | _mask(lines[0])
    places = _written(filled)
    blanks = [found.span() for found in _BLANKS.finditer(places)]
    starts = [blanks.pop(0)[1] if blanks and blanks[0][0] == 0 else 0]
    if not 0 < len(blanks) < MAX_COLUMNS:
        raise NotThisKindError(f"no columns, or more than {MAX_COLUMNS}")
    header, below = lines[0][:MAX_WIDTH], _written(rows)
    ends = [start for start, _ in blanks[1:]] + [len(places)]
    for (start, end), stop in zip(blanks, ends, strict=True):
        if not named:
            if end - start > 1:
                starts.append(end)
            continue
        both = header[end:stop].strip(" ") != "" and header[starts[-1] : start].strip(" ") != ""
        if end - start == 1:
            separates = both and "1" in below[end:stop] and "1" in below[starts[-1] : start]
        else:
            separates = header[end:stop].strip(" ") != ""
        if separates:
            starts.append(end)
    return starts


def _mask(line: str) -> int:
    """Return the places of a line that hold no space: a byte for each, the first as the lowest."""
    line = line[:MAX_WIDTH]
    if not line.isascii():
        line = _NOT_ASCII.sub("x", line)
    return int.from_bytes(line.encode().translate(_FILLED), "little")


def _written(places: int) -> str:
    """Return places as `0` and `1`, the first in front, up to the last that holds something."""
    width = max(1, -(-places.bit_length() // 8))
    return places.to_bytes(width, "little").translate(_DIGITS).decode()


def _columns(lines: list[str], starts: list[int]) -> list[list[str]]:
    """Cut lines into columns, each from where it begins to where the next one does."""
    return [[line[start:end] for line in lines] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _rows(columns: list[list[str]]) -> list[list[str]]:
    stripped = [[cell.strip(" ") for cell in column] for column in columns]
    rows = list(map(list, zip(*stripped, strict=True)))
    filled = any(_FILLER in "".join(column) for column in stripped)
    return [[cell.replace(_FILLER, "") for cell in row] for row in rows] if filled else rows


def is_aligned(column: list[str]) -> bool:
    """Tell whether all cells of a column begin or end at one place."""
    if not any(cell.strip(" ") for cell in column if cell[:1] == " "):
        return True
    filled = [cell for cell in [cell.rstrip(" ") for cell in column] if cell]
    return len(set(map(len, filled))) == 1 or len({len(cell) - len(cell.lstrip(" ")) for cell in filled}) == 1


def spread(lines: list[str], places: list[int]) -> list[str]:
    """Return lines with the places of wide characters filled, where bars only then stand at these places."""
    wide = widen(lines)
    if wide is None or all(line[place : place + 1] == "|" for line in lines for place in places):
        return lines
    return wide


def widen(lines: list[str]) -> list[str] | None:
    """Return lines with a filler behind each wide character; None where there is none."""
    if all(map(str.isascii, lines)):
        return None
    from unicodedata import east_asian_width

    def filled(found: re.Match[str]) -> str:
        return found[0] + _FILLER if east_asian_width(found[0]) in {"W", "F"} else found[0]

    wide = [line if line.isascii() else _NOT_ASCII.sub(filled, line) for line in lines]
    return None if wide == lines else wide
