"""`columnar`: a list of objects as one list of keys and one list of values a row.

    [{"id":1,"region":"south","ok":true},{"id":2,"region":"south","ok":false}]

    {"columns":["id","ok"],"rows":[[1,true],[2,false]],"constants":{"region":"south"},"constants_at":[1]}

Input: a list of objects, an object whose `rows` is one (only `rows` is replaced), or JSON text of either. Output: the
same form, in text with a line for each row. `columns`, `rows`, `constants` are always there, the others where needed:

* `constants_at`: at which of a row's keys the constants stand, from 0; absent where they stand behind all others;
* `orders`: which rows, from 0, have their keys in another order than row 0, and in which, as places in that of row 0;
* `repeats`: how often each row stands there, where neighbours are equal, it pays, and no row is named by its number;
* `absent`: which rows, from 0, lack a key (below `value` only; their cell is null).

At `minimal`, or where the original is not kept, the table is of guarantee `value`, and rows must have the same keys. At
`normal` columns of nulls are dropped and rows may lack keys (`shape`), and long text is clipped where the setting
`clip` says so (`summary`). At `aggressive` the structure alone is shown (`structure.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from json.encoder import encode_basestring
from operator import eq
from typing import Any, ClassVar

from .clipping import clip_cells
from .codec import DecodeError, Encoded, NotApplicableError, Request
from .json_text import MAX_DEPTH, Number, escape_surrogates, same, write_json
from .payloads import Opened, as_not_applicable, close_payload, decline_text, open_payload
from .ranges import write_ranges
from .tables import Found, HeterogeneousError, Table, elide_nulls, find_rows, loose_table, strict_table

MIN_ROWS = 20
HETEROGENEITY_PERCENT = 150

_SHOWN_DEPTH = MAX_DEPTH + 4
"""A table stands around its cells."""

_KEYS = ("columns", "rows", "constants")


class Columnar:
    """The codec; see the module."""

    codec_name: ClassVar[str] = "columnar"
    declines = staticmethod(decline_text)

    def compress(self, payload: Any, request: Request) -> Encoded:
        """Encode a payload. Raises NotApplicableError where it is no table of enough rows."""
        if request.level == "none":
            raise NotApplicableError("level none")
        with as_not_applicable():
            opened = open_payload(payload)
            found = find_rows(opened.value, request.params.get("min_rows", MIN_ROWS))
            if request.level == "minimal" or not request.recoverable:
                table = strict_table(found.rows)
                return Encoded(_show(table, found, opened), "value")
            if request.level == "aggressive":
                from .structure import summarise

                return summarise(opened, request)
            return _compress_loosely(found, opened, request)

    def decode(self, shown: Any) -> Any:
        """Return the payload that a table of guarantee `value` was made of. Raises DecodeError."""
        from .table_decoder import decode_table

        try:
            with as_not_applicable():
                opened = open_payload(shown, _SHOWN_DEPTH)
                return close_payload(decode_table(opened.value), textual=opened.textual, depth=_SHOWN_DEPTH)
        except NotApplicableError as error:
            raise DecodeError(str(error)) from None


def _compress_loosely(found: Found, opened: Opened, request: Request) -> Encoded:
    """Encode at `normal`, where the original is kept."""
    try:
        table = loose_table(found.rows, request.params.get("heterogeneity_percent", HETEROGENEITY_PERCENT))
    except HeterogeneousError:
        rows = elide_nulls(found.rows)
        if rows is None:
            raise
        made = rows if found.outer is None else {**found.outer, "rows": rows}
        return Encoded(close_payload(made, textual=opened.textual), "shape", "nulls left out; too few keys in common")
    limit = request.params.get("clip")
    table, clipped = (table, 0) if limit is None else clip_cells(table, limit)
    exact = table.places is not None and not table.absent and not table.dropped
    if not exact or clipped:
        # The documented shape: who wants the order of keys reads the original.
        table = table._replace(places=None)
    detail = f"{clipped} long texts clipped to {limit} characters" if clipped else None
    return Encoded(_show(table, found, opened), "summary" if clipped else "value" if exact else "shape", detail)


def _show(table: Table, found: Found, opened: Opened) -> Any:
    """Return the table in the form of the payload, within the object that it came in."""
    if opened.textual:
        text = _text(table)
        if found.outer is not None:
            text = "{" + ",".join(_member(key, value, text) for key, value in found.outer.items()) + "}"
        return escape_surrogates(text)
    made = _value(table)
    return made if found.outer is None else {**found.outer, "rows": made}


def _member(key: str, value: Any, rows: str) -> str:
    return f"{encode_basestring(key)}:{rows if key == 'rows' else write_json(value)}"


def _value(table: Table) -> dict[str, Any]:
    rows = [list(row) for row in zip(*table.cells, strict=True)] if table.cells else [[] for _ in range(table.length)]
    repeats = None
    if _may_fold(table) and any(map(eq, rows, islice(rows, 1, None))):
        heads, counts = _fold(rows, same)
        kept = [rows[head] for head in heads]
        saved = sum((count - 1) * (len(write_json(row)) + 1) for row, count in zip(kept, counts, strict=True))
        if _pays(saved, len(kept)):
            rows, repeats = kept, counts
    made = dict(zip(_KEYS, (table.columns, rows, table.constants), strict=True))
    return made | _extras(table, repeats)


def _text(table: Table) -> str:
    lines = list(map(",".join, zip(*map(_column_texts, table.cells), strict=True))) or [""] * table.length
    repeats = None
    if _may_fold(table) and any(map(eq, lines, islice(lines, 1, None))):
        heads, counts = _fold(lines, eq)
        kept = [lines[head] for head in heads]
        saved = sum((count - 1) * (len(line) + 3) for line, count in zip(kept, counts, strict=True))
        if _pays(saved, len(kept)):
            lines, repeats = kept, counts
    rows = "],\n[".join(lines)
    members = [f'"columns":{write_json(table.columns)}', f'"rows":[\n[{rows}]\n]']
    members.append(f'"constants":{write_json(table.constants)}')
    members += [f'"{key}":{write_json(value)}' for key, value in _extras(table, repeats).items()]
    return "{" + ",".join(members) + "}"


def _column_texts(column: Sequence[Any]) -> Sequence[str]:
    """Return the JSON text of each cell."""
    kinds = set(map(type, column))
    if kinds == {Number}:
        return column
    return list(map(encode_basestring if kinds == {str} else write_json, column))


def _extras(table: Table, repeats: list[int] | None) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    varying = len(table.columns)
    if table.places and table.places != list(range(varying, varying + len(table.places))):
        extras["constants_at"] = table.places
    if table.orders:
        extras["orders"] = {write_ranges(numbers): order for order, numbers in table.orders}
    if repeats is not None:
        extras["repeats"] = repeats
    if table.absent:
        extras["absent"] = {key: write_ranges(numbers) for key, numbers in table.absent.items()}
    return extras


def _may_fold(table: Table) -> bool:
    """Tell whether equal rows may be shown once. Where some are named by their numbers, all have to be countable."""
    return not table.orders and not table.absent


def _fold(rows: Sequence[Any], equal: Any) -> tuple[list[int], list[int]]:
    """Return where each run of equal rows begins, and how long it is."""
    heads, counts = [0], [1]
    for number in range(1, len(rows)):
        if equal(rows[heads[-1]], rows[number]):
            counts[-1] += 1
        else:
            heads.append(number)
            counts.append(1)
    return heads, counts


def _pays(saved: int, kept: int) -> bool:
    """Tell whether counts cost less than the characters of the rows they save.

    A count and its comma are two tokens of one character each, while other text has some three characters a token.
    """
    return saved > 3 * (len(',"repeats":[]') + 2 * kept)
