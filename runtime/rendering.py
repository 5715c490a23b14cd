"""What a model sees: the header and body of a rule, or what a codec made, each with the way back to the original.

Input: a candidate, and a handle or None where nothing is kept. Output: the content of the view and its text, which for
a JSON value is the compact JSON that the gate weighs.

In a JSON object the pointer is a field, `"_tee": {"key", "reason", "hint"}`; anything else, and an object with a field
of that name, stands as `"result"` beside it. Text that is no JSON ends with the pointer as a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .header import render_view
from .payload import payload_text

if TYPE_CHECKING:
    from .codec_candidate import Encoding
    from .rule_candidate import Candidate

POINTER = "_tee"
_REASON = "lossy"


def render_summary(candidate: Candidate, hint: str, handle: str | None) -> tuple[str, str]:
    """Return header and body, with the pointer as last line. `hint` holds `{handle}` and nothing else to fill in."""
    text = render_view(candidate.header, candidate.body, None if handle is None else fill_hint(hint, handle))
    return text, text


def render_encoding(encoding: Encoding, hint: str, handle: str | None) -> tuple[Any, str]:
    """Return what a codec made, with the pointer where it has one. Raises ValueError where it is no payload."""
    payload = encoding.payload
    if handle is not None and encoding.points:
        payload = _point(payload, handle, fill_hint(hint, handle))
    text = payload_text(payload)
    if text is None:
        raise ValueError("what the codec made is neither text nor JSON")
    return payload, text


def fill_hint(hint: str, handle: str) -> str:
    """Return the hint with the handle in it."""
    return hint.replace("{handle}", handle)


def _point(payload: Any, handle: str, hint: str) -> Any:
    from .codecs.json_text import JsonTextError, Pairs, parse_json, write_json

    tee = {"key": handle, "reason": _REASON, "hint": hint}
    if isinstance(payload, str):
        try:
            parsed = parse_json(payload)
        except JsonTextError:
            parsed = None
        if isinstance(parsed, dict | list):
            return write_json(_point(parsed, handle, hint))
        return f"{payload.removesuffix(chr(10))}\noriginal: {hint}"
    if type(payload) is dict and POINTER not in payload:
        return {**payload, POINTER: tee}
    if type(payload) is Pairs and all(key != POINTER for key, _ in payload):
        return Pairs([*payload, (POINTER, tee)])
    return {"result": payload, POINTER: tee}
