"""The payload of a result as one text: what the gate weighs and what is kept of it.

Input: the content of a result, or what a codec made of it. Output: text as it is, UTF-8 bytes as text, any other JSON
value as compact JSON (no white space, characters as they are); None for what has none of these.
"""

from __future__ import annotations

from typing import Any

from .records import is_text, is_unicode


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
