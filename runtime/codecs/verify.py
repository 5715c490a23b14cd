"""Holds what a codec returned against what it says of it.

Input: the original payload, what the codec made of it, and the codec. Output: nothing, or UnfaithfulError, which the
walk records as `codec_error`.

`check_encoded` is for every call of a codec that is not of the house: it looks at types only, in time linear in what
is shown. `prove` is for every call of a codec of the house, and `verify_encoded` is for debug mode (`CABLESE_DEBUG=1`,
or a `Compressor` made with `debug`), for every codec: both have the payload read back by the codec's own decoder.
`check_untouched` is for debug mode too, where the codec was given a copy: the copy has to be as the original still is.

Equality is that of the guarantee: types (`1`, `1.0` and `true` differ), key order, repeated keys, number spelling.
"""

from __future__ import annotations

from typing import Any

from ..error_words import name_error
from .codec import GUARANTEES, Codec, Encoded

MAX_SHOWN_DEPTH = 256
"""Containers within each other in what a codec shows as a JSON value."""

_READABLE = ("exact", "value")


class UnfaithfulError(Exception):
    """A codec returned something else than it says, or than it may. The message is the detail of the record."""


def verify_encoded(original: Any, encoded: Any, codec: Codec) -> None:
    """Hold types and claim of one encoding against the original. Raises UnfaithfulError.

    To be called once a codec has returned and before the gate, with the payload that came in, not with the copy that
    the codec was given.
    """
    check_encoded(original, encoded, codec)
    prove(original, encoded, codec)


def prove(original: Any, encoded: Encoded, codec: Codec) -> None:
    """Hold a claim of `exact` or `value` against what the codec's `decode` makes of it. Raises UnfaithfulError.

    A codec without one is refused. Takes as long as the codec did, about.
    """
    name, guarantee = codec.codec_name, encoded.guarantee
    if guarantee not in _READABLE:
        return
    decode = getattr(codec, "decode", None)
    if not callable(decode):
        raise UnfaithfulError(f"`{name}` claims `{guarantee}` and has no `decode` to prove it")
    try:
        decoded = decode(encoded.payload)
    except Exception as error:
        raise UnfaithfulError(f"`{name}` claims `{guarantee}`, and its decoder raised {name_error(error)}") from error
    if not _agree(original, decoded, guarantee):
        raise UnfaithfulError(f"`{name}` claims `{guarantee}`, and its decoder returns something else")


def check_encoded(original: Any, encoded: Any, codec: Codec) -> None:
    """Look whether a codec returned an `Encoded` whose fields are what they may be. Raises UnfaithfulError."""
    name = codec.codec_name
    if not isinstance(encoded, Encoded):
        raise UnfaithfulError(f"`{name}` returned `{type(encoded).__name__}`, not `Encoded`")
    if not isinstance(encoded.guarantee, str) or encoded.guarantee not in GUARANTEES:
        raise UnfaithfulError(f"`{name}` declares a guarantee that is none of {', '.join(GUARANTEES)}")
    if not isinstance(encoded.detail, str | None):
        raise UnfaithfulError(f"`{name}` gives a detail that is not text")
    if isinstance(original, str | bytes):
        if not isinstance(encoded.payload, str):
            raise UnfaithfulError(f"`{name}` made `{type(encoded.payload).__name__}` of text")
        return
    from .json_text import JsonTextError, copy_plain

    try:
        copy_plain(encoded.payload, MAX_SHOWN_DEPTH)
    except (JsonTextError, RecursionError) as error:
        raise UnfaithfulError(f"`{name}` made something that is not a JSON value: {error}") from None


def check_untouched(original: Any, given: Any, codec: Codec) -> None:
    """Look whether the copy that a codec was given is still as the original. Raises UnfaithfulError."""
    if not _same(original, given, strangers=True):
        raise UnfaithfulError(f"`{codec.codec_name}` changed the payload that it was given")


def _agree(original: Any, decoded: Any, guarantee: str) -> bool:
    """Compare under a guarantee. Text that came as bytes is decoded to text."""
    if not isinstance(original, str | bytes):
        return _same_value(original, decoded)
    if not isinstance(decoded, str | bytes):
        return False
    try:
        one, other = (text if isinstance(text, str) else text.decode() for text in (original, decoded))
    except UnicodeDecodeError:
        return original == decoded
    return one == other or (guarantee == "value" and _same_json(one, other))


def _same_value(one: Any, other: Any) -> bool:
    """Compare JSON values: by their text, of which each has one, where they are neither odd nor too deep for it."""
    from .json_text import JsonTextError, write_json

    try:
        return write_json(one) == write_json(other)
    except (JsonTextError, RecursionError):
        return _same(one, other)


def _same_json(one: str, other: str) -> bool:
    """Compare the values of two texts; what is not JSON has no value but itself."""
    from . import json_minify
    from .json_text import JsonTextError, parse_json, write_json

    try:
        # The exact model has one text for a value, and most decoders write it.
        written = write_json(parse_json(one))
        return written == other or written == write_json(parse_json(other))
    except (JsonTextError, RecursionError):
        # Nested too deeply to be read as a value: then every token has to be spelled alike.
        if not (json_minify.is_json(one) and json_minify.is_json(other)):
            return False
        return (json_minify.encode(one) or one) == (json_minify.encode(other) or other)


def _same(one: Any, other: Any, *, strangers: bool = False) -> bool:
    """Compare values as strictly as JSON text would, of any depth and with cycles.

    `strangers` is the answer for objects that are no JSON values and are not equal: a copy of one need not be.
    """
    pairs = [(one, other)]
    seen: set[tuple[int, int]] = set()
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, dict | list | tuple):
            if len(one) != len(other):
                return False
            both = (id(one), id(other))
            if both in seen:
                continue
            seen.add(both)
            pairs.extend(zip(one, other, strict=True))
            if isinstance(one, dict):
                pairs.extend(zip(one.values(), other.values(), strict=True))
        elif isinstance(one, float):
            if repr(one) != repr(other):
                return False
        elif isinstance(one, str | bytes | int | None):
            if one != other:
                return False
        elif not (strangers or _equal(one, other)):
            return False
    return True


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - what has no answer is not known to be equal
        return False
