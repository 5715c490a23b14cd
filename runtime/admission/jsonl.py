"""JSON Lines: one JSON value a line, kept so. Where all are objects with the same keys, the keys stand once.

    {"id":1,"level":"info"}          [json lines: fields, then one row a line]
    {"id":2,"level":"info"}          {"fields":["id"],"shared":{"level":"info"}}
                                     [1]
                                     [2]

Input: text in which each line is a JSON object or list, two at least; source of the format: jsonlines.org. Output: the
form above, or each line without the white space of its value; of guarantee `value`: types, key order, repeated keys,
the spelling of numbers, and whether the text ends with a line feed. An empty line, or a last line that is cut, makes a
text no JSON Lines.

`shared_at` and `orders` stand in the second line as in `json_tables.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..codecs.codec import NotApplicableError
from ..codecs.json_text import MAX_DEPTH, JsonTextError, check_depth, parse_json, write_json
from ..codecs.json_text import same as same_value
from ..codecs.payloads import as_not_applicable
from ..codecs.tables import strict_table
from .json_tables import read_table, shared_extras
from .kinds import DecodeError, NotThisKindError

NAME = "jsonl"
GUARANTEE = "value"

HEAD = "[json lines: fields, then one row a line]\n"

_OPENERS = frozenset("{[")
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
        parsed = _read_rows(shown) if shown.startswith(HEAD) else recognise(shown)
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
        return None
    head: dict[str, Any] = {"fields": table.columns}
    if table.constants:
        head["shared"] = table.constants
    rows = zip(*table.cells, strict=True) if table.cells else [()] * table.length
    lines = [write_json(head | shared_extras(table)), *[write_json(list(row)) for row in rows]]
    return HEAD + "\n".join(lines) + "\n" * parsed.ended


def _read_rows(shown: str) -> Parsed:
    lines = shown[len(HEAD) :].split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    try:
        with as_not_applicable():
            head, *rows = [parse_json(line) for line in lines] or [None]
            if type(head) is not dict or list(head) != [key for key in _MEMBERS if key in head] or "fields" not in head:
                raise DecodeError("the second line names no fields")
            return Parsed(read_table({"fields": head.pop("fields"), "rows": rows, **head}), ended)
    except (NotApplicableError, JsonTextError) as error:
        raise DecodeError(str(error)) from None
