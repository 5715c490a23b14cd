"""The records at both ends of the walk: the result of a tool, and the view that a model gets of it.

Input and output: JSON objects as published in `schemas/result.schema.json` and `schemas/view.schema.json`.

Invariants: records are immutable; what a record does not know is kept and given back; a malformed record is refused by
`RecordError` with the name of the field, never half read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from .reasons import Reason


class _Nothing(dict[str, Any]):
    """The empty mapping of absent fields: shared by all records, so it takes nothing, and copies as itself."""

    def __setitem__(self, key: str, value: Any) -> None:
        raise TypeError("a record is immutable")

    def __reduce__(self) -> str:
        return "_NOTHING"


_NOTHING: Mapping[str, Any] = _Nothing()


class RecordError(ValueError):
    """A JSON record that does not have the published shape. The message names the field."""


class Outcome(StrEnum):
    """What became of a result. `passed`: the content of the view is the original object."""

    COMPRESSED = "compressed"
    PASSED = "passed"
    DIAGNOSED = "diagnosed"


class ToolResult(NamedTuple):
    """A result as it comes from a tool. Never modified.

    `content` is text or any JSON value. `metadata` may hold `stdout`, `stderr` (or `merged`, one interleaved stream),
    `exit_code`, `stdout_truncated`, `stderr_truncated`, `timed_out`, `return_direct`. `extra` keeps the fields of a
    JSON record that have no meaning here.
    """

    tool: str
    content: Any
    arguments: Mapping[str, Any] = _NOTHING
    metadata: Mapping[str, Any] = _NOTHING
    success: bool | None = None
    status: str | None = None
    untrusted: bool = False
    tenant: str = ""
    run: str = ""
    extra: Mapping[str, Any] = _NOTHING

    @property
    def command(self) -> str | None:
        """The command of a shell tool: `arguments.command`, or its alias `cmd`; None where neither is text."""
        for key in ("command", "cmd"):
            text = self.arguments.get(key)
            if isinstance(text, str):
                return text
        return None

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process, None where the host gives none."""
        code = self.metadata.get("exit_code")
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @property
    def stated_success(self) -> bool | None:
        """Success as said by `success`, else by `status`, else by the exit code; None when none of them says."""
        if self.success is not None:
            return self.success
        if self.status is not None:
            return self.status == "success"
        code = self.exit_code
        return None if code is None else code == 0


class Decision(NamedTuple):
    """Why a view is what it is.

    `bytes` and each entry of `tokens` are (original, shown); bytes are of the UTF-8 text, tokens exact and present only
    where they were asked for. `ms` is the time of the decision in milliseconds.
    """

    outcome: Outcome
    reason: Reason | None = None
    detail: str | None = None
    tool: str = ""
    rule: str | None = None
    codec: str | None = None
    kind: str | None = None
    level: str | None = None
    guarantee: str | None = None
    handle: str | None = None
    pack: str | None = None
    untrusted: bool = False
    bytes: tuple[int, int] = (0, 0)
    tokens: Mapping[str, tuple[int, int]] | None = None
    ms: float = 0.0


class View(NamedTuple):
    """What the model sees, and why. When the original passed, `content` is the same object."""

    content: Any
    decision: Decision


_RESULT_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "arguments": (dict, "an object"),
    "metadata": (dict, "an object"),
    "success": (bool, "true or false"),
    "status": (str, "text"),
    "untrusted": (bool, "true or false"),
    "tenant": (str, "text"),
    "run": (str, "text"),
}


def parse_result(record: object) -> ToolResult:
    """Read a result record. `null` in an optional field counts as absent. Raises RecordError."""
    if not isinstance(record, dict):
        raise RecordError("a result record is a JSON object")
    tool = record.get("tool")
    if not isinstance(tool, str) or not tool:
        raise RecordError("`tool` is missing or not text")
    if "content" not in record:
        raise RecordError("`content` is missing")
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in record.items():
        if name in ("tool", "content"):
            continue
        if name not in _RESULT_TYPES:
            extra[name] = value
        elif value is not None:
            expected, words = _RESULT_TYPES[name]
            if not isinstance(value, expected):
                raise RecordError(f"`{name}` is not {words}")
            known[name] = value
    _check_shell_fields(known)
    return ToolResult(tool=tool, content=record["content"], extra=extra or _NOTHING, **known)


def _check_shell_fields(known: Mapping[str, Any]) -> None:
    """Refuse what a host cannot have meant: an exit code that is no integer, a command that is no text."""
    code = known.get("metadata", _NOTHING).get("exit_code")
    if code is not None and (isinstance(code, bool) or not isinstance(code, int)):
        raise RecordError("`metadata.exit_code` is not an integer")


def result_record(result: ToolResult) -> dict[str, Any]:
    """Give a result back as the object it was read from, absent fields absent."""
    record: dict[str, Any] = {"tool": result.tool, "content": result.content}
    for name in _RESULT_TYPES:
        value = getattr(result, name)
        if value != ToolResult._field_defaults[name]:
            record[name] = dict(value) if isinstance(value, Mapping) else value
    record.update(result.extra)
    return record


def view_record(view: View) -> dict[str, Any]:
    """Give a view as one flat JSON object."""
    decision = view.decision
    record = {"content": view.content, **decision._asdict()}
    record["bytes"] = list(decision.bytes)
    if decision.tokens is None:
        del record["tokens"]
    else:
        record["tokens"] = {name: list(pair) for name, pair in decision.tokens.items()}
    return record


def parse_view(record: object) -> View:
    """Read a view record, as replayed by a host. Raises RecordError."""
    if not isinstance(record, dict) or "content" not in record:
        raise RecordError("a view record is a JSON object with `content`")
    fields = {name: record[name] for name in Decision._fields if name in record}
    try:
        fields["outcome"] = Outcome(fields["outcome"])
        if fields.get("reason") is not None:
            fields["reason"] = Reason(fields["reason"])
        original, shown = fields.get("bytes", (0, 0))
        fields["bytes"] = (original, shown)
        if fields.get("tokens") is not None:
            fields["tokens"] = {name: (before, after) for name, (before, after) in fields["tokens"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"not a view record: {error}") from None
    return View(record["content"], Decision(**fields))


def text_size(content: object) -> int:
    """Return the UTF-8 length of text in bytes; of any other payload, that of its compact JSON. Never raises."""
    if isinstance(content, str):
        return len(content) if content.isascii() else len(content.encode("utf-8", "surrogatepass"))
    if isinstance(content, bytes | bytearray):
        return len(content)
    from .payload import payload_text

    text = payload_text(content)
    if text is not None:
        return len(text) if text.isascii() else len(text.encode("utf-8"))
    import json

    try:
        return len(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    except Exception:  # noqa: BLE001 - classes of a host may do anything
        return 0


def is_text(content: Any) -> bool:
    """Tell whether a payload is text, and not a number of a JSON record that is kept as it is spelled."""
    if not isinstance(content, str):
        return False
    if type(content) is str:
        return True
    from .codecs.json_text import Number

    return not isinstance(content, Number)


def is_unicode(text: str) -> bool:
    """Tell whether a text could come from UTF-8: bytes that were not stand in it as lone surrogates."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
