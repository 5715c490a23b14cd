"""JSON Lines: one JSON value a line, kept so. Where all are objects with the same keys, the keys stand once.

    {"id":1,"level":"info"}          [json lines: fields, then one row a line]
    {"id":2,"level":"info"}          {"fields":["id"],"shared":{"level":"info"}}
                                     [1]
                                     [2]

Input: text in which each line is a JSON object or list, two at least; source of the format: jsonlines.org. Output: the
form above, or each line without the white space of its value; of guarantee `value`: types, key order, repeated keys,
the spelling of numbers, and whether the text ends with a line feed. An empty line, or a last line that is cut, makes a
text no JSON Lines.

`shared_at` and `orders` stand in the second line as in `json_tables.py`. Where lines have several sets of keys, at most
`MAX_LISTS`, the second line is a list of such objects, and each row begins with the number of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..codecs.codec import NotApplicableError
from ..codecs.json_text import MAX_DEPTH, JsonTextError, Number, check_depth, parse_json, write_json
from ..codecs.json_text import same as same_value
from ..codecs.payloads import as_not_applicable
from ..codecs.tables import Table, strict_table
from .json_tables import read_table, shared_extras
from .kinds import DecodeError, NotThisKindError

NAME = "jsonl"
GUARANTEE = "value"

HEAD = "[json lines: fields, then one row a line]\n"
MIXED_HEAD = "[json lines: lists of fields, then one row a line, the number of its list first, from 0]\n"
MAX_LISTS = 16
"""Lines whose keys are of more sorts than this are no rows."""

_OPENERS = frozenset("{[")
_DIGITS = frozenset(map(str, range(MAX_LISTS)))
_MEMBERS = ["fields", "shared", "shared_at", "orders"]


class Parsed(NamedTuple):
    """The values of the lines in the exact JSON model. `ended`: whether a line feed stands behind the last."""

    values: list[Any]
    ended: bool


def recognise(text: str) -> Parsed:
    """Read a text of which each line is an object or a list. Raises NotThisKindError."""
    lines = text.split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    if len(lines) < 2:
        raise NotThisKindError("fewer than two lines")
    if not _may_be(lines[0]):
        raise NotThisKindError("line 1 is no JSON object or list")
    values = []
    try:
        with as_not_applicable():
            for number, line in enumerate(lines, 1):
                if not _may_be(line):
                    raise NotThisKindError(f"line {number} is no JSON object or list")
                value = parse_json(line)
                if line.count("{") + line.count("[") > MAX_DEPTH:
                    check_depth(value)
                values.append(value)
    except NotApplicableError as error:
        raise NotThisKindError(f"line {len(values) + 1} is {error}") from None
    return Parsed(values, ended)


def encode(parsed: Parsed) -> str:
    """Return the form of the lines: a row for each where that is shorter, else the lines without white space."""
    lines = [write_json(value) for value in parsed.values]
    plain = "\n".join(lines) + "\n" * parsed.ended
    rows = _rows(parsed)
    return plain if rows is None or len(rows) >= len(plain) else rows


def decode(shown: str) -> str:
    """Return the JSON Lines that a form stands for. Raises DecodeError."""
    try:
        if shown.startswith(HEAD):
            parsed = _read(shown, HEAD, _read_rows)
        elif shown.startswith(MIXED_HEAD):
            parsed = _read(shown, MIXED_HEAD, _read_mixed)
        else:
            parsed = recognise(shown)
        if encode(parsed) != shown:
            raise DecodeError("not what is made of the values that it holds")
    except (NotThisKindError, NotApplicableError) as error:
        raise DecodeError(str(error)) from None
    return "\n".join([write_json(value) for value in parsed.values]) + "\n" * parsed.ended


def same(text: str, other: str) -> bool:
    """Tell whether two texts hold the same values, line for line, and end alike."""
    try:
        one, two = recognise(text), recognise(other)
    except NotThisKindError:
        return False
    return one.ended == two.ended and same_value(one.values, two.values)


def _may_be(line: str) -> bool:
    return line.lstrip(" \t")[:1] in _OPENERS and line.rstrip(" \t\r")[-1:] in {"}", "]"}


def _rows(parsed: Parsed) -> str | None:
    if set(map(type, parsed.values)) != {dict}:
        return None
    try:
        table = strict_table(parsed.values)
    except NotApplicableError:
        return _mixed_rows(parsed)
    lines = [write_json(_head(table)), *[write_json(list(row)) for row in _cells(table)]]
    return HEAD + "\n".join(lines) + "\n" * parsed.ended


def _mixed_rows(parsed: Parsed) -> str | None:
    """Return the form of objects with several sets of keys, None where there are too many."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, value in enumerate(parsed.values):
        groups.setdefault(tuple(value), []).append(number)
        if len(groups) > MAX_LISTS:
            return None
    heads: list[Any] = []
    lines = [""] * len(parsed.values)
    for which, numbers in enumerate(groups.values()):
        table = strict_table([parsed.values[number] for number in numbers])
        heads.append(_head(table))
        for number, row in zip(numbers, _cells(table), strict=True):
            lines[number] = write_json([which, *row])
    return MIXED_HEAD + "\n".join([write_json(heads), *lines]) + "\n" * parsed.ended


def _head(table: Table) -> dict[str, Any]:
    shared = {"shared": table.constants} if table.constants else {}
    return {"fields": table.columns} | shared | shared_extras(table)


def _cells(table: Table) -> list[tuple[Any, ...]]:
    return list(zip(*table.cells, strict=True)) if table.cells else [()] * table.length


def _read(shown: str, head: str, read: Callable[[Any, list[Any]], list[Any]]) -> Parsed:
    lines = shown[len(head) :].split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    try:
        with as_not_applicable():
            second, *rows = [parse_json(line) for line in lines] or [None]
            return Parsed(read(second, rows), ended)
    except (NotApplicableError, JsonTextError) as error:
        raise DecodeError(str(error)) from None


def _read_rows(head: Any, rows: list[Any]) -> list[Any]:
    if type(head) is not dict or list(head) != [key for key in _MEMBERS if key in head] or "fields" not in head:
        raise DecodeError("the second line names no fields")
    return list(read_table({"fields": head["fields"], "rows": rows} | {key: head[key] for key in list(head)[1:]}))


def _read_mixed(heads: Any, rows: list[Any]) -> list[Any]:
    if type(heads) is not list or len(heads) > MAX_LISTS:
        raise DecodeError("the second line is no list of fields")
    groups: list[list[Any]] = [[] for _ in heads]
    order: list[int] = []
    for row in rows:
        which = int(row[0]) if type(row) is list and row and type(row[0]) is Number and row[0] in _DIGITS else -1
        if not 0 <= which < len(heads):
            raise DecodeError("a row does not begin with the number of its fields")
        groups[which].append(row[1:])
        order.append(which)
    read = [iter(_read_rows(head, group)) for head, group in zip(heads, groups, strict=True)]
    return [next(read[which]) for which in order]
