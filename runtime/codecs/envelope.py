"""The envelope in which a lexical codec shows a text: one line of canonical JSON that says how to read it.

    {"codec":"line_rle.v0","how":"<fixed sentence>", … the fields of the codec …}

Input: the fields of a form, or a text that should be its envelope. Output: the text, or the fields.

Invariants: `read_envelope` takes nothing but what `write_envelope` writes (marker, sentence, the known fields in their
order, no other spelling of the same JSON), and raises DecodeError for everything else, however deep or large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .codec import DecodeError, NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_CHARS = 64 * 1024 * 1024
"""No text longer than this is made an envelope, and none is made from one, in characters."""
MAX_ITEMS = 1_000_000
"""The most entries that the list of an envelope may have."""


class Form(NamedTuple):
    """What is fixed in the envelopes of a codec: the marker, the sentence for the model, the names of the fields."""

    marker: str
    how: str
    fields: tuple[str, ...]


def write_envelope(form: Form, values: Mapping[str, Any]) -> str:
    """Return the envelope of these values."""
    from json import dumps

    whole = {"codec": form.marker, "how": form.how} | {name: values[name] for name in form.fields}
    return dumps(whole, ensure_ascii=False, separators=(",", ":"))


def read_envelope(form: Form, shown: str) -> dict[str, Any]:
    """Return the values of an envelope; their types are the caller's to check. Raises DecodeError."""
    from json import loads

    if len(shown) > MAX_CHARS:
        raise DecodeError(f"more than {MAX_CHARS:,} characters")
    if not shown.startswith(f'{{"codec":"{form.marker}",'):
        raise DecodeError(f"it does not begin with the marker `{form.marker}`")
    try:
        found = loads(shown)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"not JSON: {error}") from None
    if not isinstance(found, dict) or tuple(found) != ("codec", "how", *form.fields):
        raise DecodeError("its fields are not those of the codec")
    if found["how"] != form.how:
        raise DecodeError("its instruction is not that of the codec")
    # Repeated fields, escapes where none are needed, spaces and other numbers spelled oddly end here.
    if write_envelope(form, found) != shown:
        raise DecodeError("not canonical JSON")
    return found


def check_text(name: str, value: object) -> str:
    """Return a value that must be text. Raises DecodeError."""
    if not isinstance(value, str):
        raise DecodeError(f"`{name}` is not text")
    return value


def check_items(name: str, value: object) -> list[Any]:
    """Return a value that must be a list of bounded length. Raises DecodeError."""
    if not isinstance(value, list):
        raise DecodeError(f"`{name}` is not a list")
    if len(value) > MAX_ITEMS:
        raise DecodeError(f"`{name}` has more than {MAX_ITEMS:,} entries")
    return value


def check_expansion(chars: int) -> None:
    """Refuse to make a text of so many characters, before it is made. Raises DecodeError."""
    if chars > MAX_CHARS:
        raise DecodeError(f"it would hold more than {MAX_CHARS:,} characters")


def take_text(payload: object) -> str:
    """Return a payload as text; bytes must be UTF-8. Raises NotApplicableError."""
    if isinstance(payload, str):
        return payload
    if isinstance(payload, bytes):
        try:
            return payload.decode()
        except UnicodeDecodeError:
            raise NotApplicableError("the payload is not UTF-8") from None
    raise NotApplicableError("the payload is not text")


def encode_proved(text: str, write: Callable[[str], str | None], read: Callable[[str], str]) -> str | None:
    """Return the envelope of a text, if there is one and it was read back."""
    try:
        shown = write(text)
        return shown if shown is not None and read(shown) == text else None
    except DecodeError:
        return None


def decode_strictly(shown: str, write: Callable[[str], str | None], read: Callable[[str], str]) -> str:
    """Return the text behind an envelope that is the one written of it. Raises DecodeError."""
    text = read(shown)
    if write(text) != shown:
        raise DecodeError("not what the codec makes of the text that it holds")
    return text
