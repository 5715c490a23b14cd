"""JSON: one object or list, without what only people need of it, and with lists of objects as tables.

Input: text that is one JSON value (RFC 8259). Output: JSON text, of guarantee `value`: the shortest of

* the layout `fields` of `json_tables.py`, where a list of objects becomes a table in it;
* the markers of the codec `json_compact`, where equal neighbours in a list become one;
* the text without white space between values.

Types, key order, repeated keys and the spelling of numbers stay. What is shown is JSON and needs no head line: a text
that could be read as one of these forms and is none is shown as it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..codecs.codec import NotApplicableError, Request
from ..codecs.json_compact import compact, expand_markers, holds_marker
from ..codecs.json_text import MAX_DEPTH, JsonTextError, check_depth, parse_json, write_json
from ..codecs.json_text import same as same_value
from ..codecs.payloads import Opened, as_not_applicable
from .json_tables import SHOWN_DEPTH, holds_table, read_tables, write_tables
from .kinds import DecodeError, NotThisKindError

NAME = "json"
GUARANTEE = "value"

_OPENERS = ("{", "[")
_TABLE_KEY = '"fields"'
_MARKER_KEY = '"_repeat"'


class Parsed(NamedTuple):
    """A text, and its value in the exact JSON model."""

    text: str
    value: Any


def recognise(text: str) -> Parsed:
    """Read a text that is one JSON object or list. Raises NotThisKindError."""
    if not text.lstrip(" \t\r\n").startswith(_OPENERS):
        raise NotThisKindError("no JSON object or list")
    try:
        with as_not_applicable():
            value = parse_json(text)
            if text.count("{") + text.count("[") > MAX_DEPTH:
                check_depth(value)
    except NotApplicableError as error:
        raise NotThisKindError(str(error)) from None
    return Parsed(text, value)


def encode(parsed: Parsed) -> str:
    """Return the shortest form of a value; the text itself where none can be told from what it holds."""
    return _encode(parsed.value) or parsed.text


def decode(shown: str) -> str:
    """Return a text with the same value, without white space. Raises DecodeError."""
    try:
        with as_not_applicable():
            value = parse_json(shown)
            tables = _TABLE_KEY in shown and holds_table(value, SHOWN_DEPTH)
            value = read_tables(value) if tables else expand_markers(value, 2 * MAX_DEPTH + 2)
            text = write_json(value)
            if _encode(value) != shown:
                raise DecodeError("not what is made of the value that it holds")
    except NotApplicableError as error:
        raise DecodeError(str(error)) from None
    return text


def same(text: str, other: str) -> bool:
    """Tell whether two texts hold the same value: types, key order, repeated keys and spelling of numbers included."""
    try:
        return same_value(parse_json(text), parse_json(other))
    except (JsonTextError, RecursionError):
        return False


def _encode(value: Any) -> str | None:
    """Return the shortest form that is read back as the value, of equals the first; None where there is none."""
    plain = write_json(value)
    if _TABLE_KEY in plain and holds_table(value, MAX_DEPTH):
        return None
    tables = write_tables(value)
    try:
        markers: str | None = compact(Opened(value, plain), Request("minimal", {"dedup": "auto"})).payload
    except NotApplicableError:
        markers = None
    # A marker of the value itself is one only where it is written as one: then the plain text is no form of it.
    forms = [markers, tables] if _MARKER_KEY in plain and holds_marker(value, MAX_DEPTH) else [plain, markers, tables]
    return min((form for form in forms if form is not None), key=len, default=None)
