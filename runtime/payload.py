"""The payload of a result as one text: what the gate weighs and what is kept of it.

Input: the content of a result, or what a codec made of it. Output: text as it is, UTF-8 bytes as text, any other JSON
value as compact JSON (no white space, characters as they are); None for what has none of these.
"""

from __future__ import annotations

from typing import Any


def payload_text(content: Any) -> str | None:
    """Return the text of a payload, or None where it is neither Unicode text nor plain JSON."""
    if is_text(content):
        return content if is_unicode(content) else None
    if isinstance(content, bytes | bytearray):
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return None
    from .codecs.json_text import JsonTextError, write_json

    try:
        return write_json(content)
    except (JsonTextError, RecursionError):
        return None


def payload_bytes(content: Any) -> bytes | None:
    """Return the bytes of a payload as they are kept, or None where it has none.

    Text that came from bytes which are not UTF-8 holds surrogates for them, and gives the same bytes.
    """
    if isinstance(content, bytes | bytearray):
        return bytes(content)
    if is_text(content):
        return content.encode("utf-8", "surrogateescape")
    text = payload_text(content)
    return None if text is None else text.encode("utf-8")


def is_text(content: Any) -> bool:
    """Tell whether a payload is text, and not a number of a JSON record that is kept as it is spelled."""
    if not isinstance(content, str):
        return False
    if type(content) is str:
        return True
    from .codecs.json_text import Number

    return not isinstance(content, Number)


def is_unicode(text: str) -> bool:
    """Tell whether a text could come from UTF-8: bytes that were not stand in it as lone surrogates."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
