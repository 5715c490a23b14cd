"""Why an example came out otherwise: what `why` knows about a refusal, in the words of a diagnostic.

Input: a rule, an example, the verdict about it. Output: a label, notes and places. Nothing is decided here.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from ..dsl import ast
from ..dsl.diagnostics import Label
from ..runtime.engine.command import find_obstacle
from ..runtime.reasons import Reason
from .trials import Verdict

_MOST_KINDS = 12
_MOST_TEXT = 200


class Mapped(Protocol):
    """What is needed of a compiled rule: its section of the pack and its source map."""

    @property
    def section(self) -> dict[str, Any]:
        """Its section of the pack."""
        ...

    @property
    def map(self) -> dict[str, Any]:
        """The lines of its parts."""
        ...


class Explanation(NamedTuple):
    """`label` says the cause in a few words, `notes` what it was found by, `also` where that stands."""

    label: str
    notes: tuple[str, ...] = ()
    also: tuple[Label, ...] = ()


def explain_refusal(rule: Mapped, example: ast.Example, verdict: Verdict) -> Explanation:
    """Say why an output passes: the word of the command, the line of the output or the claim that decided."""
    if verdict.reason == Reason.NO_RULE and verdict.words:
        commands = rule.section["commands"]
        obstacle = next(filter(None, (find_obstacle(command, verdict.words) for command in commands)), None)
        return Explanation(obstacle or verdict.detail)
    cause = verdict.cause
    if cause is None:
        return Explanation(verdict.detail)
    notes: list[str] = []
    also: tuple[Label, ...] = ()
    if cause.stream is not None and cause.line is not None:
        part: ast.Text | ast.FileText | None = getattr(example, cause.stream, None)
        where = f"line {cause.line} of {cause.stream}"
        if isinstance(part, ast.FileText):
            where += f", in `{part.path.value}`"
        notes.append(f"{where}: " + ("its end" if cause.found is None else f"`{cause.found[:_MOST_TEXT]}`"))
        also = _place(part, cause.line, cause.found)
    # A claim names the record that it is about; nothing else was possible there.
    if cause.kinds and cause.claim is None:
        names = list(dict.fromkeys(kind.partition("#")[0] for kind in cause.kinds))
        listed = ", ".join(_kind(rule, name) for name in names[:_MOST_KINDS])
        more = f" and {len(names) - _MOST_KINDS} more" if len(names) > _MOST_KINDS else ""
        notes.append(f"possible there: {listed}{more}")
    if cause.claim is not None:
        line, text = rule.map["ensure"][cause.claim]
        notes.append(f"the claim in line {line}: `{text}`")
        if cause.left is not None or cause.right is not None:
            notes.append(f"it compares {_value(cause.left)} with {_value(cause.right)}")
    return Explanation(verdict.detail, tuple(notes), also)


def _place(part: ast.Text | ast.FileText | None, number: int, found: str | None) -> tuple[Label, ...]:
    """Point at a line of an output that is written in the example itself."""
    if not isinstance(part, ast.Text) or not found:
        return ()
    lines = part.value.split("\n")
    # The engine takes marks off some lines; what it saw is then not what is written.
    if number > len(lines) or lines[number - 1] != found:
        return ()
    start = sum(len(line) + 1 for line in lines[: number - 1])
    return (Label(part.place(start, start + len(found)), "this line"),)


def _kind(rule: Mapped, name: str) -> str:
    line = rule.map["kinds"].get(name)
    return f"`{name}`" if line is None else f"`{name}` (line {line})"


def _value(value: Any) -> str:
    if value is None:
        return "missing"
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text[:_MOST_TEXT] or "empty"
