"""Reads sessions of Codex: `sessions/YYYY/MM/DD/rollout-*.jsonl`, one item a line.

A line is `{"timestamp", "type", "payload"}`. Of type `response_item`, the payload is an item of the conversation:
`function_call`, `local_shell_call` and `custom_tool_call` are paired with `function_call_output` and
`custom_tool_call_output` by `call_id`. Of type `event_msg`, `exec_command_end` holds the raw streams of a command,
where they were kept. `compacted` ends what later requests carry. In older files the items stand alone, without payload.

Source: `codex-rs/protocol/src/protocol.rs`, `models.rs` and `codex-rs/core/src/rollout/policy.rs` of
github.com/openai/codex.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .events import NOTHING, Compacted, Event, Input, Invalid, Lines, Result, Source, Turn
from .lines import read_objects, type_of
from .shell_results import command_text
from .shell_results import read_codex as read_output

_SHELLS = frozenset({"shell", "container.exec", "shell_command", "exec_command", "local_shell", "unified_exec"})
_CALLS = frozenset({"function_call", "local_shell_call", "custom_tool_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_ANSWERS = frozenset({"reasoning", "web_search_call", "image_generation_call", "tool_search_call"})
_COMPACTIONS = frozenset({"compaction", "compaction_summary", "context_compaction"})
_OTHER_ITEMS = frozenset({"ghost_snapshot", "tool_search_output", "other"})
_OTHER_LINES = frozenset({"session_meta", "turn_context", "world_state"})


def read_codex(source: Source, counts: Lines) -> Iterator[Event]:
    """Yield the events of a session."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {}
    executed: dict[str, dict[str, Any]] = {}
    for line in read_objects(source, counts):
        kind, payload = type_of(line), line.get("payload")
        legacy = not isinstance(payload, dict)
        item = line if legacy else payload
        if kind == "response_item" or legacy:
            event = _item(item, calls, executed, legacy=legacy)
            if event is not None:
                yield event
            elif type_of(item) not in _OTHER_ITEMS and not (legacy and "id" in item and "timestamp" in item):
                counts.unknown += 1
        elif kind == "event_msg":
            _remember(item, executed)
        elif kind == "compacted":
            yield Compacted()
        elif kind not in _OTHER_LINES:
            counts.unknown += 1


def _item(
    item: dict[str, Any],
    calls: dict[str, tuple[str, dict[str, Any]]],
    executed: dict[str, dict[str, Any]],
    *,
    legacy: bool,
) -> Event | None:
    kind = type_of(item)
    if kind == "message":
        return Turn() if item.get("role") == "assistant" else Input()
    if kind in _CALLS:
        call = item.get("call_id", item.get("id"))
        if isinstance(call, str):
            calls[call] = _call(item)
        return Turn()
    if kind in _OUTPUTS:
        return _result(item, calls, executed, legacy=legacy)
    if kind in _ANSWERS:
        return Turn()
    return Compacted() if kind in _COMPACTIONS else None


def _call(item: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the tool of a call and its arguments, the command of a shell as text."""
    from json import loads

    if item.get("type") == "local_shell_call":
        name, given = "local_shell", item.get("action")
    else:
        name, given = item.get("name"), item.get("arguments")
    if isinstance(given, str):
        try:
            given = loads(given)
        except (ValueError, RecursionError):
            given = None
    name = name if isinstance(name, str) else ""
    given = given if isinstance(given, dict) else {}
    if name in _SHELLS:
        command = command_text(given.get("command", given.get("cmd")))
        return "shell", {} if command is None else {"command": command}
    return name, given


def _remember(event: dict[str, Any], executed: dict[str, dict[str, Any]]) -> None:
    """Keep the streams of a command until its result comes; they are kept in some configurations alone."""
    call, code = event.get("call_id"), event.get("exit_code")
    stdout, stderr = event.get("stdout"), event.get("stderr")
    if event.get("type") != "exec_command_end" or not isinstance(call, str) or type(code) is not int:
        return
    if isinstance(stdout, str) and isinstance(stderr, str) and (stdout or stderr):
        executed[call] = {"stdout": stdout, "stderr": stderr, "exit_code": code}


def _result(
    item: dict[str, Any],
    calls: dict[str, tuple[str, dict[str, Any]]],
    executed: dict[str, dict[str, Any]],
    *,
    legacy: bool,
) -> Result | Invalid:
    call = item.get("call_id")
    name, given = calls.pop(call, ("", {})) if isinstance(call, str) else ("", {})
    content, success = _content(item.get("output"))
    if not isinstance(call, str) or not name or content is None:
        return Invalid()
    raw = executed.pop(call, None)
    if name != "shell":
        return Result(call, name, content, success, given, legacy=legacy)
    output = read_output(content)
    if output is None:
        return Result(call, name, content, success, given, raw or NOTHING, legacy=legacy)
    metadata = output.metadata()
    if raw is not None and not output.cut:
        metadata = raw
    success = success if output.exit_code is None else output.exit_code == 0
    return Result(call, name, content, success, given, metadata, output.text, legacy=legacy)


def _content(output: object) -> tuple[str | None, bool | None]:
    """Return the text of an output, and whether it says that the call succeeded."""
    success = None
    if isinstance(output, dict):
        success = output.get("success") if isinstance(output.get("success"), bool) else None
        output = output.get("content")
    if isinstance(output, list):
        texts = [part.get("text") if isinstance(part, dict) else None for part in output]
        output = (
            "\n".join(text for text in texts if isinstance(text, str))
            if all(isinstance(text, str) for text in texts)
            else None
        )
    return (output, success) if isinstance(output, str) else (None, success)
