"""Opens a payload as a value of the exact JSON model, and gives it back in the form in which it came.

Input: JSON text, its UTF-8 bytes, or a JSON value. Output: `Opened`, and of what was made of it a text or a value.
A value is checked and copied, so that nothing made of it shares a container with the payload.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .codec import NotApplicableError
from .json_text import MAX_DEPTH, JsonTextError, copy_plain, parse_json, write_json

_BEGINNINGS = frozenset('{["-0123456789tfn \t\n\r')
"""The characters that JSON text may begin with."""
NOT_JSON = "not JSON"

_OPENERS = frozenset("{[")


class Opened(NamedTuple):
    """A payload as a value. `text`: the text that it came as, which says that it goes back as text; else None."""

    value: Any
    text: str | None

    @property
    def textual(self) -> bool:
        """Whether it came as text."""
        return self.text is not None


def decline_text(payload: Any) -> str | None:
    """Say at a glance why a payload is not taken: text that does not begin as JSON does. None: it has to be read."""
    return NOT_JSON if isinstance(payload, str) and payload[:1] not in _BEGINNINGS else None


def open_payload(payload: Any, depth: int = MAX_DEPTH) -> Opened:
    """Read a payload. Raises NotApplicableError where it is neither text of an object or list nor a plain JSON value.

    A value is checked for its depth here, a text where it is written.
    """
    if decline_text(payload) is not None:
        raise NotApplicableError(NOT_JSON)
    with as_not_applicable():
        if isinstance(payload, bytes | bytearray):
            try:
                payload = payload.decode("utf-8")
            except UnicodeDecodeError:
                raise NotApplicableError("the bytes are not UTF-8") from None
        if isinstance(payload, str):
            # Most text is no JSON at all, and has to be told so at once.
            if payload.lstrip()[:1] not in _OPENERS:
                raise NotApplicableError("no JSON object or list")
            return Opened(parse_json(payload), payload)
        return Opened(copy_plain(payload, depth), None)


def close_payload(value: Any, *, textual: bool, depth: int = MAX_DEPTH) -> Any:
    """Return a value in the form of the payload. Raises NotApplicableError where it is nested too deeply."""
    if not textual:
        return value
    with as_not_applicable():
        return write_json(value, depth)


class _AsNotApplicable:
    """Has no state, so one serves all; a generator would cost more than declining a text does."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, JsonTextError | RecursionError | MemoryError):
            raise NotApplicableError(_describe(error)) from None


_AS_NOT_APPLICABLE = _AsNotApplicable()


def as_not_applicable() -> _AsNotApplicable:
    """Let what cannot be read or written, or not with what stack and memory there is, count as not taken."""
    return _AS_NOT_APPLICABLE


def _describe(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"nested deeper than {MAX_DEPTH} levels"
    return "larger than the memory there is" if isinstance(error, MemoryError) else str(error)
