"""Tables with a ruler, a row of dashes, below their heading.

Input: the lines of a stream. Output: `Ruled`, templates for the heading, the ruler and the rows.

The ruler tells where the columns are, so a single blank may part them. How wide a column is depends on what is in it:
no template here says how many blanks there are, or how many dashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .templates import Part, Template, make_cell

_RULER: Final = re.compile(r"-{2,}(?: +-{2,})+|={2,}(?: +={2,})+")


class Ruled(NamedTuple):
    """A table: the number of its ruler, those of its rows, and what they look like. Its heading is above the ruler."""

    at: int
    rows: tuple[int, ...]
    heading: Template
    ruler: Template
    row: Template
    names: tuple[str, ...]


def find_ruled(lines: Sequence[str], taken: set[int]) -> Iterator[Ruled]:
    """Yield the tables in order; a line that is taken, or has an empty cell, ends its table."""
    end = 0
    for at in range(1, len(lines)):
        if at - 1 < end or {at - 1, at} & taken or not _RULER.fullmatch(lines[at]):
            continue
        starts = [match.start() for match in re.finditer(r"[-=]+", lines[at])]
        names = _cut(lines[at - 1], starts)
        rows: list[tuple[int, list[str]]] = []
        for number in range(at + 1, len(lines)):
            cells = None if number in taken else _cut(lines[number], starts)
            if cells is None:
                break
            rows.append((number, cells))
        if names is None or not rows:
            continue
        row = _row([cells for _, cells in rows])
        found = Ruled(
            at,
            tuple(number for number, _ in rows),
            _spaced([Part("literal", name) for name in names]),
            _spaced([Part("bar", lines[at][0])] * len(starts)),
            row,
            tuple(names),
        )
        if (
            found.heading.reads(lines[at - 1])
            and found.ruler.reads(lines[at])
            and all(row.reads(lines[number]) for number in found.rows)
        ):
            end = found.rows[-1] + 1
            yield found


def _cut(line: str, starts: Sequence[int]) -> list[str] | None:
    """Return the cells of a line; None where one is empty, or reaches into the next column."""
    if any(line[start - 1 : start] != " " for start in starts[1:]):
        return None
    cells = [line[start:end].strip(" ") for start, end in zip(starts, [*starts[1:], len(line)], strict=True)]
    return cells if all(cells) else None


def _row(rows: Sequence[Sequence[str]]) -> Template:
    return _spaced([make_cell(cells) for cells in zip(*rows, strict=True)])


def _spaced(cells: Sequence[Part]) -> Template:
    return Template([part for cell in cells for part in (Part("spaces"), cell)][1:])
