"""JSON of a pack, read strictly, and the small checks that everything in it goes through.

Each `take_*` returns its argument when it is of the shape named, and raises `PackOutOfBounds` with the place when not.
Places are built from parts only when something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

from .errors import PackOutOfBounds

DEEPEST: Final = 64
LAST_CODE_POINT: Final = 0x10FFFF
LARGEST_INT: Final = 10**18


def parse_section(data: bytes, where: str) -> Any:
    """Parse one line of JSON: UTF-8, no floats, no duplicate keys, nested no deeper than 64. Raises PackOutOfBounds."""
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise PackOutOfBounds(f"{where}: not the JSON of a pack: {error}") from None
    _check_depth(value, where)
    return value


def _refuse_number(text: str) -> Any:
    raise ValueError(f"`{text}` is no number of a pack")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object holds a key twice")
    return found


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_float=_refuse_number, parse_constant=_refuse_number
)


def _check_depth(value: Any, where: str) -> None:
    layer = [value]
    for _ in range(DEEPEST + 1):
        deeper: list[Any] = []
        for each in layer:
            if isinstance(each, list):
                deeper.extend(each)
            elif isinstance(each, dict):
                deeper.extend(each.values())
        if not deeper:
            return
        layer = deeper
    raise PackOutOfBounds(f"{where}: nested deeper than {DEEPEST}")


def fail(where: str, what: str) -> PackOutOfBounds:
    """Return the error for a place."""
    return PackOutOfBounds(f"{where}: {what}")


def take_object(value: Any, keys: frozenset[str], where: str) -> dict[str, Any]:
    """Take an object with exactly these keys."""
    if not isinstance(value, dict) or value.keys() != keys:
        raise fail(where, f"not an object of {', '.join(sorted(keys))}")
    return value


def take_list(value: Any, where: str, *, least: int = 0, most: int = 1_000_000) -> list[Any]:
    """Take a list of so many elements."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise fail(where, f"not a list of {least} to {most} elements")
    return value


def take_row(value: Any, size: int, where: str) -> list[Any]:
    """Take a list of exactly so many elements."""
    return take_list(value, where, least=size, most=size)


def take_text(value: Any, where: str, *, empty: bool = True) -> str:
    """Take a text that can be written as UTF-8."""
    if not isinstance(value, str) or not (value or empty):
        raise fail(where, "not a text")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise fail(where, "a text with half a character") from None
    return value


def take_texts(value: Any, where: str, *, least: int = 0) -> list[str]:
    """Take a list of texts."""
    for text in take_list(value, where, least=least):
        take_text(text, where)
    return value


def take_label(value: Any, where: str) -> str:
    """Take a text that is shown to people, so nothing in it may act on a terminal or begin another line."""
    text = take_text(value, where)
    if not text.isprintable():
        raise fail(where, f"{text[:60]!a} is no text that can be shown")
    return text


def take_int(value: Any, where: str, low: int = -LARGEST_INT, high: int = LARGEST_INT) -> int:
    """Take an int within bounds, both included."""
    if type(value) is not int or not low <= value <= high:
        raise fail(where, f"not an int from {low} to {high}")
    return value


def take_index(value: Any, size: int, where: str) -> int:
    """Take an index into something of that size."""
    return take_int(value, where, 0, size - 1)


def take_bool(value: Any, where: str) -> bool:
    """Take a truth value."""
    if not isinstance(value, bool):
        raise fail(where, "not true or false")
    return value


def take_word(value: Any, allowed: Collection[str], where: str) -> str:
    """Take one of a closed list of words."""
    if not isinstance(value, str) or value not in allowed:
        raise fail(where, "not one of " + ", ".join(f"`{word}`" for word in sorted(allowed)[:12]))
    return value


def take_name(value: Any, known: Collection[str], where: str) -> str:
    """Take a name that is defined."""
    if not isinstance(value, str) or value not in known:
        raise fail(where, "not a name that is defined")
    return value


def take_ranges(value: Any, where: str) -> list[list[int]]:
    """Take closed ranges of code points."""
    for pair in take_list(value, where, most=4096):
        low, high = take_row(pair, 2, where)
        take_int(high, where, take_int(low, where, 0, LAST_CODE_POINT), LAST_CODE_POINT)
    return value
