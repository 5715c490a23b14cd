"""The layout `fields`: lists of objects in a JSON value, wherever they stand, as a list of keys and a line a row.

    [{"id":1,"region":"south","ok":true},{"id":2,"region":"south","ok":false}]

    {"fields":["id","ok"],"rows":[
    [1,true],
    [2,false]
    ],"shared":{"region":"south"},"shared_at":[1]}

Input: a value of the exact JSON model. Output: JSON text, and back. It is the table of the codec `columnar` under other
names: `fields`, `rows`, `shared` (only where something is the same in every row), `shared_at`, `orders`, `repeats`. A
cell may hold a table itself. A list becomes a table where that is the shorter text.

Invariants: types, key order, repeated keys and the spelling of numbers stay. A value that holds an object whose first
keys are `fields` and `rows` has no such text, so that every such object of a text is a table.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ..codecs.codec import DecodeError, NotApplicableError
from ..codecs.json_text import MAX_DEPTH, JsonTextError, Pairs, escape_surrogates, write_json
from ..codecs.ranges import write_ranges
from ..codecs.table_decoder import decode_table
from ..codecs.tables import Table, strict_table

SHOWN_DEPTH = 3 * MAX_DEPTH
"""Where a value has a list and an object, a table has an object and two lists."""

_NAMES = {
    "fields": "columns",
    "rows": "rows",
    "shared": "constants",
    "shared_at": "constants_at",
    "orders": "orders",
    "repeats": "repeats",
}
_KEYS = list(_NAMES)
_CONTAINERS = (dict, list, Pairs)


def write_tables(value: Any) -> str | None:
    """Return the text of a value in which `holds_table` finds none; None where no list of it becomes a table."""
    writer = _Writer()
    text = writer.write(value)
    return escape_surrogates(text) if writer.tables else None


def read_tables(shown: Any) -> Any:
    """Return the value of a text that was read as JSON, its tables written out. Raises DecodeError, JsonTextError."""
    return _read(shown, SHOWN_DEPTH)


def holds_table(value: Any, depth: int) -> bool:
    """Tell whether an object within a value has the first keys of a table. Raises JsonTextError below a depth."""
    kind = type(value)
    if kind not in _CONTAINERS:
        return False
    if depth <= 0:
        raise JsonTextError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict and _looks_like_table(value):
        return True
    inner = value.values() if kind is dict else value if kind is list else [each for _, each in value]
    return any(holds_table(each, depth - 1) for each in inner)


def _looks_like_table(value: dict[str, Any]) -> bool:
    return len(value) > 1 and list(value)[:2] == _KEYS[:2]


class _Writer:
    """Writes one value. A container is written once, however often its text is asked for."""

    def __init__(self) -> None:
        self.tables = 0
        self._written: dict[int, str] = {}

    def write(self, value: Any) -> str:
        kind = type(value)
        if kind not in _CONTAINERS:
            return write_json(value)
        known = self._written.get(id(value))
        if known is None:
            known = self._written[id(value)] = self._write(value)
        return known

    def _write(self, value: Any) -> str:
        kind = type(value)
        if kind is dict or kind is Pairs:
            pairs = value.items() if kind is dict else value
            return "{" + ",".join([f"{write_json(key)}:{self.write(each)}" for key, each in pairs]) + "}"
        table = _table(value)
        if table is None:
            return "[" + ",".join([self.write(each) for each in value]) + "]"
        cells = [[self.write(each) for each in column] for column in table.cells]
        shared = {key: self.write(each) for key, each in table.constants.items()}
        names = sum(len(write_json(key)) + 2 for key in value[0]) + 2
        plain = sum(len(each) for column in cells for each in column) + sum(map(len, shared.values())) * len(value)
        text = _table_text(table, cells, shared)
        if len(text) >= plain + names * len(value):
            return "[" + ",".join([self.write(each) for each in value]) + "]"
        self.tables += 1
        return text


def _table(rows: list[Any]) -> Table | None:
    if len(rows) < 2 or set(map(type, rows)) != {dict}:
        return None
    try:
        return strict_table(rows)
    except NotApplicableError:
        return None


def _table_text(table: Table, cells: list[list[str]], shared: dict[str, str]) -> str:
    lines = list(map(",".join, zip(*cells, strict=True))) or [""] * table.length
    runs = [(line, sum(1 for _ in same)) for line, same in groupby(lines)]
    saved = sum((count - 1) * (len(line) + 3) for line, count in runs)
    extras: dict[str, Any] = shared_extras(table)
    # A count and its comma are two tokens of one character each; other text has some three characters a token.
    if saved > 3 * (len(',"repeats":[]') + 2 * len(runs)):
        lines = [line for line, _ in runs]
        extras["repeats"] = [count for _, count in runs]
    members = [f'"fields":{write_json(table.columns)}', '"rows":[\n[' + "],\n[".join(lines) + "]\n]"]
    if shared:
        members.append('"shared":{' + ",".join([f"{write_json(key)}:{text}" for key, text in shared.items()]) + "}")
    members += [f'"{key}":{write_json(value)}' for key, value in extras.items()]
    return "{" + ",".join(members) + "}"


def shared_extras(table: Table) -> dict[str, Any]:
    """Return what a table says of the order of its keys: `shared_at` and `orders`, each only where needed."""
    extras: dict[str, Any] = {}
    varying = len(table.columns)
    if table.places and table.places != list(range(varying, varying + len(table.places))):
        extras["shared_at"] = table.places
    if table.orders:
        extras["orders"] = {write_ranges(numbers): order for order, numbers in table.orders}
    return extras


def _read(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind not in _CONTAINERS:
        return value
    if depth <= 0:
        raise DecodeError("nested too deeply")
    if kind is list:
        return [_read(each, depth - 1) for each in value]
    if kind is Pairs:
        return Pairs([(key, _read(each, depth - 1)) for key, each in value])
    inner = {key: _read(each, depth - 1) for key, each in value.items()}
    return read_table(inner) if _looks_like_table(value) else inner


def read_table(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a table whose cells were read. Raises DecodeError."""
    if list(table) != [key for key in _KEYS if key in table]:
        raise DecodeError("an object with `fields` and `rows` is no table")
    if "shared" in table and not table["shared"]:
        raise DecodeError("`shared` is empty")
    renamed = {"columns": table["fields"], "rows": table["rows"], "constants": table.get("shared", {})}
    return decode_table(renamed | {_NAMES[key]: table[key] for key in _KEYS[3:] if key in table})
