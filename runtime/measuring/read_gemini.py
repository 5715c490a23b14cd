"""Reads sessions of Gemini CLI: `tmp/<project>/chats/session-*.json`, and the newer `.jsonl`.

The older form is one object with `messages`; in the newer one each line is a message, a message of the same `id` takes
the place of an earlier one, and lines with `$set` may replace all of them. A message of type `gemini` is an answer of
the model; its `toolCalls` have `name`, `args`, `status` and `result`, parts with a `functionResponse`, whose
`response.output` (or `error`) the model saw.

Source: `packages/core/src/services/chatRecordingTypes.ts` of github.com/google-gemini/gemini-cli.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .events import NOTHING, Event, Input, Invalid, Lines, Result, Source, Turn
from .lines import read_objects, type_of
from .shell_results import read_gemini as read_output

_SHELL = "run_shell_command"
_OTHERS = frozenset({"info", "error", "warning"})
_PEEK = 1 << 16


def read_gemini(source: Source, counts: Lines) -> Iterator[Event]:
    """Yield the events of a session."""
    for message in _messages(source, counts):
        kind = type_of(message)
        if kind == "gemini":
            request = message.get("id")
            yield Turn(request=request if isinstance(request, str) else None)
            calls = message.get("toolCalls")
            for call in calls if isinstance(calls, list) else ():
                event = _result(call)
                if event is not None:
                    yield event
        elif kind == "user":
            yield Input()
        elif kind not in _OTHERS:
            counts.unknown += 1


def _messages(source: Source, counts: Lines) -> list[dict[str, Any]]:
    from json import loads

    if _is_lines(source):
        return _last_of_each(source, counts)
    try:
        whole = loads(source.held.read(0, source.held.size))
    except (ValueError, RecursionError):
        whole = None
    messages = whole.get("messages") if isinstance(whole, dict) else None
    if not isinstance(messages, list):
        counts.malformed += 1
        counts.cut += 1
        return []
    if len(messages) > source.limits.lines:
        counts.stopped = True
        messages = messages[: source.limits.lines]
    found = [message for message in messages if isinstance(message, dict)]
    counts.valid += len(found)
    counts.malformed += len(messages) - len(found)
    return found


def _is_lines(source: Source) -> bool:
    """Tell whether the first line is a whole object, and not that of the older form."""
    from json import loads

    first, ended, _ = source.held.read(0, _PEEK).partition(b"\n")
    if not ended:
        return False
    try:
        found = loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "messages" not in found


def _last_of_each(source: Source, counts: Lines) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for line in read_objects(source, counts):
        name = line.get("id")
        replaced = line.get("$set")
        if isinstance(name, str) and "type" in line:
            found[name] = line
        elif isinstance(replaced, dict):
            messages = replaced.get("messages")
            if isinstance(messages, list):
                found = {str(message.get("id")): message for message in messages if isinstance(message, dict)}
        elif "$rewindTo" not in line and "sessionId" not in line:
            counts.unknown += 1
    return list(found.values())


def _result(call: Any) -> Result | Invalid | None:
    """Return the result of a call; None where it has none."""
    if not isinstance(call, dict):
        return Invalid()
    parts = call.get("result")
    if parts is None:
        return None
    name, tool, status, given = (call.get(field) for field in ("id", "name", "status", "args"))
    content = _text(parts if isinstance(parts, list) else [parts])
    if not (isinstance(name, str) and isinstance(tool, str) and isinstance(status, str)) or content is None:
        return Invalid()
    given = given if isinstance(given, dict) else {}
    success = status == "success"
    if tool != _SHELL:
        return Result(name, tool, content, success, given)
    command = given.get("command")
    arguments = {"command": command} if isinstance(command, str) else NOTHING
    output = read_output(content) if success else None
    if output is None:
        return Result(name, "bash", content, success, arguments)
    return Result(name, "bash", content, output.exit_code == 0, arguments, output.metadata(), output.text)


def _text(parts: list[Any]) -> str | None:
    """Return what the model saw of a result: the texts of its parts, a line each; None where it was no text alone."""
    from json import dumps

    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        if not isinstance(part, dict):
            return None
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict):
            found = response.get("output", response.get("error"))
            try:
                texts.append(
                    found if isinstance(found, str) else dumps(response, ensure_ascii=False, separators=(",", ":"))
                )
            except RecursionError:
                return None
        elif isinstance(part.get("text"), str):
            texts.append(part["text"])
        else:
            return None
    return "\n".join(texts)
