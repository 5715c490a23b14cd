"""CSV as RFC 4180 has it: reading rows of cells, and writing them.

Invariants: a cell is quoted as a whole or not at all; a quote stands in quoted cells only, twice; linear in the length.
"""

from __future__ import annotations

import re

from .kinds import NotThisKindError

_CELL = re.compile(r'(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*))(,|\n|\Z)')


def read_csv(text: str) -> list[list[str]]:
    """Return the rows of a text. Raises NotThisKindError where a quote does not stand where it may."""
    if '"' not in text:
        return [line.split(",") for line in text.removesuffix("\n").split("\n")]
    rows: list[list[str]] = [[]]
    at = 0
    while True:
        found = _CELL.match(text, at)
        if found is None:
            raise NotThisKindError("a quote stands within a cell of CSV")
        quoted, plain, end = found.groups()
        rows[-1].append(plain if quoted is None else quoted.replace('""', '"'))
        at = found.end()
        if end == "" or (end == "\n" and at == len(text)):
            return rows
        if end == "\n":
            if len(rows[-1]) != len(rows[0]):
                raise NotThisKindError(f"row {len(rows) - 1} has {len(rows[-1])} cells, the header {len(rows[0])}")
            rows.append([])


def write_csv(rows: list[list[str]]) -> str:
    """Return the text of rows."""
    return "".join([",".join(map(_quote, row)) + "\n" for row in rows])


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search('[",\n\r]', cell) else cell
