"""Result records as JSON text, without losing how a JSON content was written.

Input: the bytes of a record, or a view. Output: a `ToolResult` whose content is in the exact model of
`runtime/codecs/json_text.py` (numbers as they are spelled, keys that stand there twice), and the text of a view record.

INVARIANT: a JSON content that passes is given back as it was written, byte for byte; what a codec made of one is
written by the same model.
"""

from __future__ import annotations

import json
from typing import Any

from ..runtime.records import Outcome, RecordError, ToolResult, View, parse_result, view_record
from .output import to_json

_BLANKS = " \t\n\r"
_LONGEST_INT = 4000
"""Digits that Python reads as a number on every machine."""


def parse_record(data: bytes) -> ToolResult:
    """Read a result record from JSON text. Raises RecordError."""
    try:
        text = data.decode("utf-8")
        record = json.loads(text, parse_constant=_refuse, parse_float=_parse_float, parse_int=_parse_int)
        if isinstance(record, dict) and _is_structured(record.get("content")):
            record["content"] = _parse_exact(text, record["content"])
        return parse_result(record)
    except RecordError:
        raise
    except RecursionError:
        raise RecordError("nested too deeply to be read") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}") from None


def content_text(view: View, source: bytes | None) -> str:
    """Return the content of a view as text; `source` is the record that its result was read from."""
    content = view.content
    if type(content) is str:
        return content
    if source is not None and view.decision.outcome is Outcome.PASSED and _is_structured(content):
        return find_content(source.decode("utf-8"))
    from ..runtime.payload import payload_text

    text = payload_text(content)
    return to_json(content) if text is None else text


def view_json(view: View, source: bytes | None) -> str:
    """Return a view record as JSON text."""
    if type(view.content) is str:
        return to_json(view_record(view))
    record = view_record(view)
    del record["content"]
    return f'{{"content": {content_text(view, source)}, {to_json(record)[1:]}'


def find_content(text: str) -> str:
    """Return the text of `content` in the text of a record that was read without an error; of several, the last."""
    found = ""
    at = _skip(text, _skip(text, 0) + 1)
    scan = _SCANNER.raw_decode
    while text[at] == '"':
        key, at = scan(text, at)
        at = _skip(text, _skip(text, at) + 1)
        _, end = scan(text, at)
        if key == "content":
            found = text[at:end]
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _is_structured(content: Any) -> bool:
    return not (content is None or isinstance(content, bool) or type(content) is str)


def _parse_exact(text: str, content: Any) -> Any:
    from ..runtime.codecs.json_text import JsonTextError, parse_json

    try:
        return parse_json(find_content(text))
    except (JsonTextError, RecursionError):
        # Nested too deeply to be read exactly; then nothing encodes it either, and it passes as it was written.
        return content


def _drop(_value: object) -> None:
    """Make nothing of a value that is only scanned."""


_SCANNER = json.JSONDecoder(object_pairs_hook=_drop, parse_float=_drop, parse_int=_drop)


def _parse_int(text: str) -> Any:
    """Read an integer, or keep the spelling of one that is longer than Python may read."""
    if len(text) <= _LONGEST_INT:
        return int(text)
    from ..runtime.codecs.json_text import Number

    return Number(text)


def _parse_float(text: str) -> Any:
    """Read a number, or keep the spelling of one that is larger than Python's, which would come out as no JSON."""
    number = float(text)
    if abs(number) != float("inf"):
        return number
    from ..runtime.codecs.json_text import Number

    return Number(text)


def _refuse(constant: str) -> None:
    raise ValueError(f"`{constant}` is no number that can be given back")
