r"""`line_rle`: adjacent identical lines as a count and the line.

    {"codec":"line_rle.v0","how":"…","items":[[3,"same line\n"],[1,"tail"]]}

Input: text. Output: the envelope, of guarantee `exact`. A line is everything up to and with its line feed; what is left
behind the last one is a line of its own, so `x\r\n` and `x\n` differ, and so do `x\n` and a final `x`.

Invariants: `encode` returns only what `decode` turns into the same text; `decode` accepts only what `encode` returns.
"""

from __future__ import annotations

from typing import Any, ClassVar

from .codec import DecodeError, Encoded, NotApplicableError, Request
from .envelope import (
    Form,
    check_expansion,
    check_items,
    check_text,
    decode_strictly,
    encode_proved,
    read_envelope,
    take_text,
    write_envelope,
)

FORM = Form("line_rle.v0", "each item is [count,text]; write text count times, in order", ("items",))


def encode(text: str) -> str | None:
    """Return the envelope of a text, or None where no two neighbouring lines are the same."""
    return encode_proved(text, _write, _read)


def decode(shown: str) -> str:
    """Return the text behind an envelope. Raises DecodeError."""
    return decode_strictly(shown, _write, _read)


class LineRle:
    """The codec of this module."""

    codec_name: ClassVar[str] = "line_rle"
    proves: ClassVar[bool] = True
    """Nothing is shown that the decoder has not read back."""

    def compress(self, payload: Any, request: Request) -> Encoded:  # noqa: ARG002 - it has no settings
        """Return the envelope of a text. Raises NotApplicableError."""
        shown = encode(take_text(payload))
        if shown is None:
            raise NotApplicableError("no line is repeated")
        return Encoded(shown, "exact")

    def decode(self, shown: Any) -> str:
        """Return the text behind an envelope. Raises DecodeError."""
        return decode(check_text("shown", shown))


def _write(text: str) -> str | None:
    from itertools import groupby

    check_expansion(len(text))
    lines = text.split("\n")
    last = lines.pop()
    runs = [(len(list(same)), line) for line, same in groupby(lines)]
    if len(runs) == len(lines):
        return None
    items: list[list[Any]] = [[count, f"{line}\n"] for count, line in runs]
    if last:
        items.append([1, last])
    return write_envelope(FORM, {"items": items})


def _read(shown: str) -> str:
    items = check_items("items", read_envelope(FORM, shown)["items"])
    size = 0
    for item in items:
        if not isinstance(item, list) or len(item) != 2:
            raise DecodeError("an item is not a count and a text")
        count, line = item
        if type(count) is not int or count < 1:
            raise DecodeError("a count is not a whole number from 1")
        size += count * len(check_text("items", line))
    check_expansion(size)
    return "".join([count * line for count, line in items])
