"""`json_minify`: JSON text without the white space that means nothing.

Input: text that is one whole JSON value (RFC 8259), of any depth. Output: the same text without space, tab, line feed
and carriage return outside of strings, of guarantee `value`: escapes, repeated and ordered keys, and how numbers are
spelled are as they were. How the text was laid out is lost.

Invariants: what is not JSON, by a comma, a byte order mark or a second value, is not touched; `decode` accepts only
JSON that has no such white space, and gives it back; reading is linear.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, NoReturn

from .codec import DecodeError, Encoded, NotApplicableError, Request
from .envelope import check_text, take_text

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+"'
_TOKEN = re.compile(
    rf"[ \t\n\r]*+(?:(?P<mark>[\[\]{{}},:])|(?P<string>{_STRING})"
    r"|(?P<scalar>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)|(?P<end>\Z))"
)


def encode(text: str) -> str | None:
    """Return JSON text without white space, or None where it is not JSON or has none."""
    if not is_json(text):
        return None
    shown = remove_space(text)
    return shown if len(shown) < len(text) else None


def decode(shown: str) -> str:
    """Return minimal JSON text as it is. Raises DecodeError."""
    if not is_json(shown):
        raise DecodeError("not one whole JSON value")
    if remove_space(shown) != shown:
        raise DecodeError("it has white space outside of strings")
    return shown


def remove_space(text: str) -> str:
    """Return JSON text without white space outside of its strings. The text has to be JSON."""
    escapes = "\\" in text
    if escapes:
        # JSON holds no control characters, so these stand for nothing else.
        text = text.replace("\\\\", "\x00").replace('\\"', "\x01")
    # Quotation marks are those around strings now, so every other part is within one.
    parts = text.split('"')
    outside = '"'.join(parts[::2]).encode("ascii").translate(None, b" \t\n\r").decode("ascii")
    parts[::2] = outside.split('"')
    shown = '"'.join(parts)
    return shown.replace("\x01", '\\"').replace("\x00", "\\\\") if escapes else shown


def is_json(text: str) -> bool:
    """Tell whether a text is one JSON value."""
    from json import loads

    try:
        # `len` keeps nothing of a number or an object, at the speed of C; keys and strings are checked all the same.
        loads(text, parse_int=len, parse_float=len, parse_constant=_refuse, object_pairs_hook=len)
    except RecursionError:
        return is_deep_json(text)
    except ValueError:
        return False
    return True


def is_deep_json(text: str) -> bool:
    """Tell the same without recursion, token by token: slower, and for any depth.

    `expects` is what may come next: a value, a key, a colon, or what follows a value. Closing marks are also allowed
    directly behind the opening one.
    """
    match = _TOKEN.match
    open_marks: list[str] = []
    expects, opened, at = "value", False, 0
    while (token := match(text, at)) is not None:
        at = token.end()
        kind = token.lastgroup
        if kind == "end":
            return expects == "more" and not open_marks
        mark = token["mark"]
        was_opened, opened = opened, False
        if expects == "value" and (kind != "mark" or mark in "[{"):
            if kind == "mark":
                open_marks.append(mark)
                opened = True
                expects = "value" if mark == "[" else "key"
            else:
                expects = "more"
        elif expects == "key" and kind == "string":
            expects = "colon"
        elif expects == "colon" and mark == ":":
            expects = "value"
        elif expects == "more" and mark == "," and open_marks:
            expects = "value" if open_marks[-1] == "[" else "key"
        elif mark in {"]", "}"} and open_marks and (expects == "more" or was_opened):
            if (open_marks.pop() == "[") != (mark == "]"):
                return False
            expects = "more"
        else:
            return False
    return False


class JsonMinify:
    """The codec of this module."""

    codec_name: ClassVar[str] = "json_minify"

    def compress(self, payload: Any, request: Request) -> Encoded:  # noqa: ARG002 - it has no settings
        """Return JSON text without white space. Raises NotApplicableError."""
        text = take_text(payload)
        shown = encode(text)
        if shown is None:
            raise NotApplicableError("it has no white space to remove" if is_json(text) else "not one whole JSON value")
        return Encoded(shown, "value")

    def decode(self, shown: Any) -> str:
        """Return the JSON text that was shown: the same value, laid out without white space. Raises DecodeError."""
        return decode(check_text("shown", shown))


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is not JSON")
