"""What a model sees of a result that a codec encoded, with the way back to the original.

Input: an `Encoding`, and a handle or None where nothing is kept. Output: the content of the view and its text, which
for a JSON value is the compact JSON that the gate weighs. (What a rule says is rendered in `rule_candidate`.)

In a JSON object the pointer is a field, `"_tee": {"key", "reason", "hint"}`; anything else, and an object with a field
of that name, stands as `"result"` beside it. Text that is no JSON ends with the pointer as a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..payload import payload_text

if TYPE_CHECKING:
    from .codec_candidate import Encoding

POINTER = "_tee"
_REASON = "lossy"


def render_encoding(encoding: Encoding, hint: str, handle: str | None) -> tuple[Any, str]:
    """Return what a codec made, with the pointer where it has one. `hint` holds `{handle}` and nothing else to fill in.

    Raises ValueError where it is no payload.
    """
    payload = encoding.payload
    if handle is not None and encoding.points:
        payload = _point(payload, handle, hint.replace("{handle}", handle))
    text = payload_text(payload)
    if text is None:
        raise ValueError("what the codec made is neither text nor JSON")
    return payload, text


def _point(payload: Any, handle: str, hint: str) -> Any:
    from ..codecs.json_text import Pairs, write_json

    tee = {"key": handle, "reason": _REASON, "hint": hint}
    if isinstance(payload, str):
        found = _keys(payload)
        if found is not None:
            # Written into the text, whose lines and spelling stay as the codec chose them.
            pointer, body, (keys,) = f'"{POINTER}":{write_json(tee)}', payload.strip(), found
            if keys is None or POINTER in keys:
                return f'{{"result":{body},{pointer}}}'
            return f"{body[:-1].rstrip()}{',' if keys else ''}{pointer}}}"
        return f"{payload.removesuffix(chr(10))}\noriginal: {hint}"
    if type(payload) is dict and POINTER not in payload:
        return {**payload, POINTER: tee}
    if type(payload) is Pairs and all(key != POINTER for key, _ in payload):
        return Pairs([*payload, (POINTER, tee)])
    return {"result": payload, POINTER: tee}


def _keys(text: str) -> tuple[list[str] | None] | None:
    """Return, alone in a tuple, the keys of the JSON object in a text, None for a list; or None where it is neither."""
    from ..codecs.json_text import JsonTextError, Pairs, parse_json
    from ..native_rows import object_keys

    found = object_keys(text)
    if found is not None:
        return found
    try:
        parsed = parse_json(text)
    except JsonTextError:
        return None
    if type(parsed) is dict:
        return (list(parsed),)
    if type(parsed) is Pairs:
        return ([key for key, _ in parsed],)
    return (None,) if type(parsed) is list else None
