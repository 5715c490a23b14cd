"""JSON values as they are kept for reading again: in lines, so that windows and expressions find a row.

Input: a plain JSON value. Output: its compact JSON text, in which a container that is longer than a line has one
element a line; None for what has no JSON text.

Invariants: without its line ends it is the compact text, character for character, as JSON strings hold none; each value
is written once, at any depth.
"""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

from ..codecs.json_text import MAX_DEPTH, JsonTextError, Pairs, escape_surrogates, write_json

_LINE = 1000
"""Characters that a container may have in one line: a row, but no table."""


def kept_text(value: Any) -> str | None:
    """Return the text of a value in lines, or None where it is not plain JSON."""
    try:
        return escape_surrogates(_write(value, MAX_DEPTH))
    except (JsonTextError, RecursionError):
        return None


def _write(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is list:
        _check(depth)
        return _join("[", [_write(each, depth - 1) for each in value], "]")
    if kind is dict or kind is Pairs:
        _check(depth)
        pairs = value if kind is Pairs else value.items()
        return _join("{", [f"{_key(key)}:{_write(each, depth - 1)}" for key, each in pairs], "}")
    return write_json(value)


def _check(depth: int) -> None:
    if depth <= 0:
        raise JsonTextError(f"nested deeper than {MAX_DEPTH} levels")


def _key(key: object) -> str:
    if type(key) is not str:
        raise JsonTextError("a key of an object is not text")
    return encode_basestring(key)


def _join(begin: str, parts: list[str], end: str) -> str:
    text = f"{begin}{','.join(parts)}{end}"
    return text if len(text) <= _LINE and "\n" not in text else begin + ",\n".join(parts) + end
