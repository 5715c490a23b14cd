"""`template_fold`: one run of lines that begin and end alike, as what they share and what differs.

    {"codec":"template_fold.v0","how":"…","head":"…","prefix":"…","suffix":"…","mid":["…"],"tail":"…"}

Input: text. Output: the envelope, of guarantee `exact`. The run is the one that saves most, the earliest of equals; see
`folding.py`.

Invariants: `encode` returns only what `decode` turns into the same text; `decode` accepts only what `encode` returns.
"""

from __future__ import annotations

from typing import Any, ClassVar

from .codec import Encoded, NotApplicableError, Request
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

FORM = Form(
    "template_fold.v0",
    "write head, then prefix+m+suffix for each m of mid, then tail",
    ("head", "prefix", "suffix", "mid", "tail"),
)


def encode(text: str) -> str | None:
    """Return the envelope of a text, or None where no run of lines saves anything."""
    return encode_proved(text, _write, _read)


def decode(shown: str) -> str:
    """Return the text behind an envelope. Raises DecodeError."""
    return decode_strictly(shown, _write, _read)


class TemplateFold:
    """The codec of this module."""

    codec_name: ClassVar[str] = "template_fold"
    proves: ClassVar[bool] = True
    """Nothing is shown that the decoder has not read back."""

    def compress(self, payload: Any, request: Request) -> Encoded:  # noqa: ARG002 - it has no settings
        """Return the envelope of a text. Raises NotApplicableError."""
        shown = encode(take_text(payload))
        if shown is None:
            raise NotApplicableError("no run of lines shares enough to save anything")
        return Encoded(shown, "exact")

    def decode(self, shown: Any) -> str:
        """Return the text behind an envelope. Raises DecodeError."""
        return decode(check_text("shown", shown))


def _write(text: str) -> str | None:
    from .folding import find_run

    check_expansion(len(text))
    # Lone surrogates stand in text for bytes that were not UTF-8; they fold like any other character.
    raw = text.encode("utf-8", "surrogatepass")
    lines = raw.split(b"\n")
    last = lines.pop()
    run = find_run(lines)
    if run is None:
        return None
    start, end, prefix, suffix = run
    head = b"".join([line + b"\n" for line in lines[:start]])
    tail = b"".join([line + b"\n" for line in lines[end:]]) + last
    inner = len(suffix) or None
    middles = [line[len(prefix) : inner and -inner] for line in lines[start:end]]
    values = {"head": head, "prefix": prefix, "suffix": suffix + b"\n", "tail": tail}
    texts: dict[str, Any] = {name: value.decode("utf-8", "surrogatepass") for name, value in values.items()}
    texts["mid"] = [middle.decode("utf-8", "surrogatepass") for middle in middles]
    return write_envelope(FORM, texts)


def _read(shown: str) -> str:
    found = read_envelope(FORM, shown)
    head, prefix, suffix, tail = (check_text(name, found[name]) for name in ("head", "prefix", "suffix", "tail"))
    middles = [check_text("mid", middle) for middle in check_items("mid", found["mid"])]
    shared = len(prefix) + len(suffix)
    check_expansion(len(head) + len(tail) + len(middles) * shared + sum(map(len, middles)))
    return head + "".join([prefix + middle + suffix for middle in middles]) + tail
