"""The exact model of JSON text: what is read can be written again with nothing but white space and escapes changed.

Input: JSON text (RFC 8259) or plain Python values. Output: `None`, `bool`, `str`, `dict`, `list`, and

* `Number` for each number of a text: its very spelling, so `-0`, `1.0`, `1e2` and ten thousand digits survive;
* `Pairs` for each object of a text that has a key twice.

Invariants: what is not JSON is refused (a byte order mark, NaN, Infinity, text after the value); nothing is nested
deeper than `MAX_DEPTH`, so that no recursion here can run out of stack; lone surrogates are written as escapes.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecoder
from json.encoder import encode_basestring
from typing import Any

MAX_DEPTH = 100
"""How many containers may stand within each other."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONSTANTS: dict[Any, str] = {None: "null", True: "true", False: "false"}


class JsonTextError(ValueError):
    """A text that is not JSON, or a value that has no exact JSON text. The message says why."""


class Number(str):
    """A number as it is spelled. Equal to a string of the same characters: ask `same` where types count."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """An object with a key twice: its pairs of key and value, in order."""

    __slots__ = ()


def parse_json(text: str) -> Any:
    """Read JSON text into the exact model. Raises JsonTextError."""
    if not text.isascii() and _SURROGATE.search(text) is not None:
        raise JsonTextError("the text is not Unicode")
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise JsonTextError(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as error:
        raise JsonTextError(f"not JSON: {error}") from None


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Pairs:
    made = dict(pairs)
    return made if len(made) == len(pairs) else Pairs(pairs)


def _refuse_constant(name: str) -> None:
    raise JsonTextError(f"`{name}` is no number")


_DECODER = JSONDecoder(
    object_pairs_hook=_read_object, parse_float=Number, parse_int=Number, parse_constant=_refuse_constant
)


def write_json(value: Any, depth: int = MAX_DEPTH) -> str:
    """Write a value as JSON text without white space. Raises JsonTextError."""
    return escape_surrogates(_write(value, depth))


def escape_surrogates(text: str) -> str:
    """Replace the lone surrogates of JSON text, which can only stand in its strings, by their escapes."""
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _write(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is Number:
        return value
    if value is None or kind is bool:
        return _CONSTANTS[value]
    if depth <= 0 and kind in (dict, list, Pairs):
        raise JsonTextError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict:
        return "{" + ",".join([f"{_key(key)}:{_write(each, depth - 1)}" for key, each in value.items()]) + "}"
    if kind is list:
        return "[" + ",".join([_write(each, depth - 1) for each in value]) + "]"
    if kind is Pairs:
        return "{" + ",".join([f"{_key(key)}:{_write(each, depth - 1)}" for key, each in value]) + "}"
    if kind is int:
        return _write_integer(value)
    if kind is float and value - value == 0:
        return repr(value)
    raise JsonTextError(f"`{value!r}` is no number" if kind is float else f"a `{kind.__name__}` is not plain JSON")


def _key(key: object) -> str:
    if type(key) is not str:
        raise JsonTextError("a key of an object is not text")
    return encode_basestring(key)


def _write_integer(value: int) -> str:
    try:
        return repr(value)
    except ValueError:
        # Longer than `sys.get_int_max_str_digits()`. A limit of this process must not decide what a model sees.
        return f"-{_digits(-value)}" if value < 0 else _digits(value)


def _digits(value: int) -> str:
    """Return the decimal digits of a large number by halving, since `repr` refuses it."""
    half = value.bit_length() * 3 // 20
    if half < 90:
        return repr(value)
    upper, lower = divmod(value, 10**half)
    return (_digits(upper) if upper else "") + _digits(lower).rjust(half, "0")


def copy_plain(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return a value with all its containers copied. Raises JsonTextError where it is not plain JSON.

    Plain are the types of the model, `int` and finite `float`; not their subclasses, nor anything that an encoder would
    have to convert.
    """
    kind = type(value)
    if kind in (str, Number, int, bool) or value is None:
        return value
    if depth <= 0:
        raise JsonTextError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict:
        for key in value:
            if type(key) is not str:
                raise JsonTextError("a key of an object is not text")
        return {key: copy_plain(each, depth - 1) for key, each in value.items()}
    if kind is list:
        return [copy_plain(each, depth - 1) for each in value]
    if kind is Pairs:
        return Pairs([(key, copy_plain(each, depth - 1)) for key, each in value])
    if kind is float and value - value == 0:
        return value
    raise JsonTextError(f"`{value!r}` is no number" if kind is float else f"a `{kind.__name__}` is not plain JSON")


def check_depth(value: Any, depth: int = MAX_DEPTH) -> None:
    """Raise JsonTextError where containers stand within each other more deeply than that."""
    kind = type(value)
    if kind in (dict, list, Pairs):
        if depth <= 0:
            raise JsonTextError(f"nested deeper than {MAX_DEPTH} levels")
        inner = value.values() if kind is dict else [each for _, each in value] if kind is Pairs else value
        for each in inner:
            check_depth(each, depth - 1)


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are the same JSON value: types, key order, duplicate keys and spelling included.

    `1`, `1.0`, `true` and `"1"` all differ, and so do `0.0` and `-0.0`. Nothing is nested deeper than `MAX_DEPTH`, or
    the answer is a RecursionError at worst.
    """
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is dict:
        return len(one) == len(other) and all(
            mine == its and same(value, its_value)
            for (mine, value), (its, its_value) in zip(one.items(), other.items(), strict=True)
        )
    if kind in (list, Pairs, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if kind is float:
        return repr(one) == repr(other)
    return one == other
