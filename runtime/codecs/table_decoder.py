"""Turns the tables of `columnar` back into rows.

Input: what `columnar` made of a payload, as a value. Output: the value of the payload, all containers new. Only the
form that the encoder writes at guarantee `value` is accepted, and what is written out is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, pairwise, repeat
from operator import itemgetter
from typing import Any

from .codec import DecodeError
from .json_text import Number, Pairs, copy_plain
from .ranges import read_ranges

MAX_CELLS = 50_000_000

_CONTAINERS = frozenset({dict, list, Pairs})

_REQUIRED = ["columns", "rows", "constants"]
_OPTIONAL = ["constants_at", "orders", "repeats"]


def looks_like_table(value: Any) -> bool:
    """Tell whether a value has the keys of a table, in their order."""
    return type(value) is dict and list(value)[:3] == _REQUIRED


def decode_table(value: Any) -> Any:
    """Return the payload behind a table, or behind an object with a table as `rows`. Raises DecodeError."""
    if looks_like_table(value) and type(value["rows"]) is list:
        return _rows(value)
    if type(value) is dict and looks_like_table(value.get("rows")):
        return {key: _rows(each) if key == "rows" else copy_plain(each) for key, each in value.items()}
    raise DecodeError("no object with `columns`, `rows` and `constants`")


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    extras = list(table)[3:]
    if extras != [key for key in _OPTIONAL if key in extras] or {"orders", "repeats"} <= set(extras):
        raise DecodeError("the table has keys of a guarantee below `value`, or of no table of ours")
    columns, rows, constants = (table[key] for key in _REQUIRED)
    if type(columns) is not list or type(rows) is not list or type(constants) is not dict:
        raise DecodeError("`columns` and `rows` are lists, `constants` is an object")
    if set(map(type, columns)) - {str} or len({*columns, *constants}) != len(columns) + len(constants):
        raise DecodeError("the names of columns and constants are texts that all differ")
    for number, row in enumerate(rows):
        if type(row) is not list or len(row) != len(columns):
            raise DecodeError(f"row {number} has not one value for each of the columns")
    keys = _keys(columns, constants, table.get("constants_at"))
    counts = _counts(table.get("repeats"), len(rows))
    length = sum(counts) if counts is not None else len(rows)
    if length * max(len(keys), 1) > MAX_CELLS:
        raise DecodeError(f"more than {MAX_CELLS:,} values")
    orders = _orders(table["orders"], keys, length) if "orders" in table else {}
    written = rows if counts is None else chain.from_iterable(map(repeat, rows, counts))
    if not orders and _CONTAINERS.isdisjoint(map(type, chain(constants.values(), *rows))):
        return _flat_rows(written, keys, [*columns, *constants], list(constants.values()))
    made = []
    for number, row in enumerate(written):
        cells = dict(zip(columns, row, strict=True)) | constants
        made.append({key: copy_plain(cells[key]) for key in orders.get(number, keys)})
    return made


def _flat_rows(rows: Iterable[list[Any]], keys: list[str], names: list[str], fixed: list[Any]) -> list[dict[str, Any]]:
    """Return rows with these keys, of cells that need no copy; `names` are those of the cells and the `fixed` values.

    Most tables are so, and this takes a fourth of the time.
    """
    if keys == names:
        return [dict(zip(keys, row + fixed, strict=True)) for row in rows]
    # No constants: the keys would be the names. So there are two at least, and the getter gives a tuple.
    pick = itemgetter(*map(names.index, keys))
    return [dict(zip(keys, pick(row + fixed), strict=True)) for row in rows]


def _keys(columns: list[str], constants: dict[str, Any], places: Any) -> list[str]:
    """Return the keys of a row in their order."""
    if places is None:
        return [*columns, *constants]
    total = len(columns) + len(constants)
    numbers = [_integer(place) for place in places] if type(places) is list else []
    increasing = all(one < other for one, other in pairwise(numbers))
    if len(numbers) != len(constants) or not increasing or not numbers or numbers[0] < 0 or numbers[-1] >= total:
        raise DecodeError("`constants_at` is not one place for each of the constants")
    if numbers[0] == len(columns):
        raise DecodeError("`constants_at` says what is so without it")
    names = iter(columns), iter(constants)
    at = set(numbers)
    return [next(names[place in at]) for place in range(total)]


def _orders(orders: Any, keys: list[str], length: int) -> dict[int, list[str]]:
    """Return the keys of the rows that have them in another order than row 0."""
    found: dict[int, list[str]] = {}
    identity = list(range(len(keys)))
    for text, places in orders.items() if type(orders) is dict else ():
        order = [_integer(place) for place in places] if type(places) is list else []
        numbers = read_ranges(text, length)
        if sorted(order) != identity or order == identity or 0 in numbers or not found.keys().isdisjoint(numbers):
            raise DecodeError("`orders` is not another order of keys for rows of their own")
        names = [keys[place] for place in order]
        found.update((number, names) for number in numbers)
    if not found:
        raise DecodeError("`orders` names no row")
    return found


def _counts(repeats: Any, rows: int) -> list[int] | None:
    """Return how often each row stands there, None where each does once."""
    if repeats is None:
        return None
    counts = [_integer(count) for count in repeats] if type(repeats) is list else []
    if len(counts) != rows or min(counts, default=0) < 1 or max(counts) == 1:
        raise DecodeError("`repeats` is not one count for each row")
    return counts


def _integer(value: Any) -> int:
    """Read an integer as the encoder writes it."""
    if type(value) is Number and value.isdecimal() and len(value) < 20 and str(int(value)) == value:
        return int(value)
    if type(value) is int:
        return value
    raise DecodeError("a place or count is no integer")
