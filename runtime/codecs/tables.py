"""Finds the table in a value and turns it into columns: cells that vary, constants, and what rows lack.

Input: a value of the exact model. Output: `Table`, or NotApplicableError with the cause.

Invariants: columns stand in the order in which their keys are first seen; a constant is the same value in every row,
types and spelling included; the scan of keys ends at the first row that decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .codec import NotApplicableError
from .json_text import Number, Pairs, same

Row = dict[str, Any]
MAX_ORDERS = 8
"""Each order of keys is written out; rows that have many are no table to read."""

_ABSENT = object()
_ATOMS = (str, Number, int, bool, type(None))


class HeterogeneousError(NotApplicableError):
    """The rows have too few keys in common for a table."""


class Found(NamedTuple):
    """The rows in a payload. `outer`: the object whose `rows` they are, None where the payload is the list itself."""

    rows: list[Row]
    outer: Row | None


class Table(NamedTuple):
    """A table by columns.

    `cells[i]` are the values of the column `columns[i]`, one for each of `length` rows. `places`: at which of a row's
    keys the constants stand, None where rows agree on no order. `absent`: column to the numbers of the rows, from 0,
    that lack its key and have null in `cells`. `orders`: an order of keys, as places among those of row 0, and the rows
    that have theirs so. `dropped`: keys that hold nothing but null, sorted.
    """

    length: int
    columns: list[str]
    cells: list[Sequence[Any]]
    constants: dict[str, Any]
    places: list[int] | None
    absent: dict[str, list[int]]
    dropped: list[str]
    orders: list[tuple[list[int], list[int]]]


def find_rows(value: Any, min_rows: int) -> Found:
    """Find the rows of a payload. Raises NotApplicableError."""
    rows, outer = value, None
    if type(value) is dict:
        rows, outer = value.get("rows"), value
    if type(rows) is not list or not rows:
        raise NotApplicableError("neither a list of objects nor an object with such a list as `rows`")
    if len(rows) < min_rows:
        raise NotApplicableError(f"{len(rows)} row{'' if len(rows) == 1 else 's'}, fewer than {min_rows}")
    if set(map(type, rows)) != {dict}:
        number, row = next((number, row) for number, row in enumerate(rows) if type(row) is not dict)
        raise NotApplicableError(f"row {number} {'has a key twice' if type(row) is Pairs else 'is no object'}")
    return Found(rows, outer)


def strict_table(rows: list[Row]) -> Table:
    """Turn rows that all have the same keys into a table. Raises NotApplicableError."""
    keys = list(rows[0])
    if all(map(keys.__eq__, map(list, rows))):
        return _factor(keys, _transpose(rows), len(rows), in_order=True)
    orders = _find_orders(keys, rows)
    cells: list[Sequence[Any]] = [[row[key] for row in rows] for key in keys]
    return _factor(keys, cells, len(rows), in_order=True)._replace(orders=orders)


def _find_orders(keys: list[str], rows: list[Row]) -> list[tuple[list[int], list[int]]]:
    """Return in which orders rows have their keys, other than row 0 has them. Raises NotApplicableError."""
    places = {key: place for place, key in enumerate(keys)}
    found: dict[tuple[int, ...], list[int]] = {}
    for number, row in enumerate(rows):
        names = list(row)
        if names == keys:
            continue
        if row.keys() != places.keys():
            raise NotApplicableError(f"row {number} has other keys than row 0")
        order = tuple(map(places.__getitem__, names))
        if order not in found and len(found) == MAX_ORDERS:
            raise NotApplicableError(f"rows 0 to {number} have their keys in more than {MAX_ORDERS + 1} orders")
        found.setdefault(order, []).append(number)
    return [(list(order), numbers) for order, numbers in found.items()]


def loose_table(rows: list[Row], percent: int) -> Table:
    """Turn rows with enough keys in common into a table without its columns of nulls.

    Enough: all keys together are at most `percent` of those that every row has. Raises HeterogeneousError.
    """
    keys = list(rows[0])
    in_order = all(map(keys.__eq__, map(list, rows)))
    absent: dict[str, list[int]] = {}
    if in_order:
        cells = _transpose(rows)
    else:
        keys = _common_keys(rows, percent)
        cells = [[row.get(key, _ABSENT) for row in rows] for key in keys]
        for index, (key, column) in enumerate(zip(keys, cells, strict=True)):
            if _ABSENT in column:
                absent[key] = [number for number, value in enumerate(column) if value is _ABSENT]
                cells[index] = [None if value is _ABSENT else value for value in column]
    dropped = {key for key, column in zip(keys, cells, strict=True) if column.count(None) == len(rows)}
    kept = [(key, column) for key, column in zip(keys, cells, strict=True) if key not in dropped]
    absent = {key: numbers for key, numbers in absent.items() if key not in dropped}
    table = _factor(
        [key for key, _ in kept], [column for _, column in kept], len(rows), in_order=in_order, padded=absent
    )
    return table._replace(absent=absent, dropped=sorted(dropped))


def elide_nulls(rows: list[Row]) -> list[Row] | None:
    """Return rows without the keys whose value is null; None where there are none."""
    made = [{key: value for key, value in row.items() if value is not None} for row in rows]
    return None if all(len(row) == len(shorter) for row, shorter in zip(rows, made, strict=True)) else made


def _transpose(rows: list[Row]) -> list[Sequence[Any]]:
    return list(zip(*[row.values() for row in rows], strict=True))


def _common_keys(rows: list[Row], percent: int) -> list[str]:
    """Return all keys in the order first seen; raise as soon as they are too many for those in common."""
    union = dict.fromkeys(rows[0])
    common = set(rows[0])
    for number, row in enumerate(rows):
        if row.keys() != common or len(union) != len(common):
            common &= row.keys()
            union.update(dict.fromkeys(row))
            # INVARIANT: the union only grows and the intersection only shrinks, so the first excess is final.
            if len(union) * 100 > percent * len(common):
                raise HeterogeneousError(f"rows 0 to {number} have {len(common)} of {len(union)} keys in common")
    return list(union)


def _factor(
    keys: list[str], cells: list[Sequence[Any]], length: int, *, in_order: bool, padded: Iterable[str] = ()
) -> Table:
    """Separate the columns that are the same in every row. A single row has none: nothing would be repeated."""
    table = Table(length, [], [], {}, [] if in_order else None, {}, [], [])
    for place, (key, column) in enumerate(zip(keys, cells, strict=True)):
        if length > 1 and key not in padded and _is_constant(column):
            table.constants[key] = column[0]
            if table.places is not None:
                table.places.append(place)
        else:
            table.columns.append(key)
            table.cells.append(column)
    return table


def _is_constant(column: Sequence[Any]) -> bool:
    first = column[0]
    if not same(first, column[1]):
        return False
    kinds = set(map(type, column))
    if kinds <= set(_ATOMS):
        return len(kinds) == 1 and column.count(first) == len(column)
    return all(same(first, value) for value in column)
