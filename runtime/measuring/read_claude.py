"""Reads sessions of Claude Code: `projects/**/*.jsonl`, one entry a line, subagents in files or lanes of their own.

An `assistant` entry holds `message.content` with blocks of type `tool_use` (`id`, `name`, `input`), a `user` entry one
with blocks of type `tool_result` (`tool_use_id`, `content`, `is_error`), and beside it `toolUseResult`, for a command
with both of its streams. Several entries with one `message.id` are one answer of the model. A `system` entry of the
subtype `compact_boundary`, or a `user` entry with `isCompactSummary`, ends what later requests carry.

Source: the schemas of entries in github.com/oneryalcin/agent-schemas, `claude-code/v2.1.1/session.schema.json`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from .events import NOTHING, Compacted, Event, Input, Invalid, Lines, Result, Source, Turn
from .lines import read_objects, type_of
from .shell_results import is_cut_by_claude, read_claude_failure

_OTHERS = frozenset(
    {
        "summary",
        "file-history-snapshot",
        "queue-operation",
        "progress",
        "attachment",
        "custom-title",
        "tag",
        "agent-name",
    }
)
_Calls = dict[str, tuple[str, dict[str, Any]]]


def read_claude(source: Source, counts: Lines) -> Iterator[Event]:
    """Yield the events of a session."""
    calls: _Calls = {}
    for line in read_objects(source, counts):
        kind = type_of(line)
        agent = line.get("agentId")
        lane = (agent if isinstance(agent, str) else None, line.get("isSidechain") is True)
        if kind == "assistant":
            yield _answer(line, lane, calls)
        elif kind == "user":
            yield from _given(line, lane, calls)
        elif kind == "system":
            if line.get("subtype") == "compact_boundary":
                yield Compacted(lane)
        elif kind not in _OTHERS:
            counts.unknown += 1


def _answer(line: dict[str, Any], lane: Hashable, calls: _Calls) -> Turn:
    message = line.get("message")
    message = message if isinstance(message, dict) else {}
    for block in _blocks(message):
        call, name, given = block.get("id"), block.get("name"), block.get("input")
        if block.get("type") == "tool_use" and isinstance(call, str) and isinstance(name, str):
            calls[call] = (name, given if isinstance(given, dict) else {})
    request = message.get("id")
    return Turn(lane, request if isinstance(request, str) else None)


def _given(line: dict[str, Any], lane: Hashable, calls: _Calls) -> Iterator[Event]:
    if line.get("isCompactSummary") is True:
        yield Compacted(lane)
    message = line.get("message")
    results = [block for block in _blocks(message) if block.get("type") == "tool_result"]
    if not results:
        yield Input(lane)
    for block in results:
        # What stands beside the message belongs to its result only where it has one.
        beside = line.get("toolUseResult") if len(results) == 1 else None
        yield _result(block, beside, lane, calls)


def _blocks(message: object) -> list[dict[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _result(block: dict[str, Any], beside: object, lane: Hashable, calls: _Calls) -> Result | Invalid:
    call = block.get("tool_use_id")
    known = calls.pop(call, None) if isinstance(call, str) else None
    content = text_of(block.get("content"))
    failed = block.get("is_error", False)
    if known is None or content is None or not isinstance(call, str) or not isinstance(failed, bool | None):
        return Invalid(lane)
    name, given = known
    metadata = _shell(content, beside, failed=failed is True) if name == "Bash" else NOTHING
    return Result(call, name.lower(), content, not failed, given, metadata, lane=lane)


def text_of(content: object) -> str | None:
    """Return the text of a content that is text or blocks of text, None of any other; nothing is empty text."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    parts: list[str] = []
    for block in content:
        text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else block
        if not isinstance(text, str):
            return None
        parts.append(text)
    return "\n".join(parts)


def _shell(content: str, beside: object, *, failed: bool) -> dict[str, Any]:
    if failed:
        output = read_claude_failure(content)
        return {} if output is None else output.metadata()
    cut = is_cut_by_claude(content)
    found: dict[str, Any] = {"exit_code": 0}
    streams = beside if isinstance(beside, dict) else {}
    if streams.get("returnCodeInterpretation"):
        del found["exit_code"]
    if isinstance(streams.get("stdout"), str) and isinstance(streams.get("stderr"), str):
        found.update(stdout=streams["stdout"], stderr=streams["stderr"], stdout_truncated=cut)
        if streams.get("interrupted") or streams.get("backgroundTaskId"):
            found["timed_out"] = True
    else:
        found.update(merged=content, merged_truncated=cut)
    return found
