"""Reads sessions as the published form of this package has them: one JSON object a line.

    {"type": "tool_call", "call_id": "…", "tool_name": "bash", "arguments": {"command": "…"}}
    {"type": "tool_result", "call_id": "…", "tool_name": "bash", "success": true, "content": "…", "metadata": {…}}
    {"type": "tool_result", "id": "…", "tool": "bash", "success": true, "output": "…"}

The last is an older form of the second, `metadata` may be absent, and `arguments` may also stand with the result. Lines
of type `assistant` are answers of the model, `user` and `system` what it was given, `compaction` ends what later
requests carry. Described in `docs/measuring.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .events import NOTHING, Compacted, Event, Input, Invalid, Lines, Result, Source, Turn
from .lines import read_objects, type_of


def read_sessions(source: Source, counts: Lines) -> Iterator[Event]:
    """Yield the events of a session."""
    arguments: dict[str, Any] = {}
    for line in read_objects(source, counts):
        kind = type_of(line)
        if kind == "tool_result":
            yield _result(line, arguments)
        elif kind == "tool_call":
            call = line.get("call_id")
            if isinstance(call, str) and isinstance(line.get("arguments"), dict):
                arguments[call] = line["arguments"]
        elif kind == "assistant":
            yield Turn()
        elif kind in ("user", "system"):
            yield Input()
        elif kind == "compaction":
            yield Compacted()
        else:
            counts.unknown += 1


def _result(line: dict[str, Any], arguments: dict[str, Any]) -> Result | Invalid:
    legacy = "call_id" not in line and "id" in line
    call, tool, content = (
        line.get(name) for name in (("id", "tool", "output") if legacy else ("call_id", "tool_name", "content"))
    )
    metadata = line.get("metadata")
    given = arguments.pop(call, None) if isinstance(call, str) else None
    if isinstance(line.get("arguments"), dict):
        given = line["arguments"]
    if not (isinstance(call, str) and call and isinstance(tool, str) and tool and isinstance(content, str)):
        return Invalid()
    if not isinstance(line.get("success"), bool) or not isinstance(metadata, dict | None):
        return Invalid()
    return Result(call, tool, content, line["success"], given or NOTHING, metadata or NOTHING, legacy=legacy)
