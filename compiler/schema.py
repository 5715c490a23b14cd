"""The shape of a pack's sections, as models: the border between compiler and runtime, written a second time.

Input: a section as JSON. Output: the same, or pydantic's ValidationError. The runtime checks packs by hand, without
these; here the compiler's own output is held to the documented shape, nothing more and nothing less than
`docs/pack-format.md` says.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypeAliasType

Index = Annotated[int, Field(ge=0)]
Ranges = list[tuple[Index, Index]]
Runs = list[tuple[Ranges, Index, Index | None]]
Word = tuple[str, Runs]
Alternative = Annotated[list[Word], Field(min_length=1, max_length=2)]
Option = Annotated[list[Alternative], Field(min_length=1)]

Cap = tuple[str, Literal["int", "text"], int | None]
Operation = TypeAliasType(
    "Operation",
    tuple[Literal["lit"], Annotated[str, Field(min_length=1)]]
    | tuple[Literal["run"], Ranges, Index, Index | None, Cap | None]
    | tuple[Literal["group"], "list[Operation]", Cap]
    | tuple[Literal["fit"], Literal["text", "word", "cell"], Cap | None]
    | tuple[Literal["enum"], list[str], Cap | None]
    | tuple[Literal["opt"], "list[Operation]"]
    | tuple[Literal["rest", "raw", "cstring", "quoted"], Cap | None],
)

Root = tuple[Literal["scope", "exit"]] | tuple[Literal["fact", "var"], str]
Step = (
    tuple[Literal["kind", "field"], str]
    | tuple[Literal["all"], list[str]]
    | tuple[Literal["line", "key", "count", "first", "rows"]]
)
Path = Annotated[list[Root | Step], Field(min_length=1)]
Expression = tuple[Literal["path"], Path] | tuple[Literal["const"], str | int]
Where = tuple[str, Literal["=", "!=", "<", ">"], tuple[Literal["const"], str | int] | tuple[Literal["field"], str]]
KindField = tuple[list[str], str | None]
Value = TypeAliasType(
    "Value",
    tuple[Literal["count", "each"], list[str], Where | None]
    | tuple[Literal["sum"], list[str], str]
    | tuple[Literal["distinct"], list[KindField]]
    | tuple[Literal["group"], list[str], Where | None, str]
    | tuple[Literal["cap"], Literal["first", "last"], Annotated[int, Field(ge=1)], "Value", bool]
    | tuple[Literal["pick"], Literal["first", "last"], list[KindField], list[Expression]]
    | tuple[Literal["sorted"], "Value", str]
    | tuple[Literal["trimmed"], "Value"]
    | tuple[Literal["alt"], Annotated[list[Expression], Field(min_length=1)]],
)

Term = Expression | Value
Body = (
    tuple[Literal["rel"], Literal["=", "<=", ">="], list[Term], list[Term]]
    | tuple[Literal["within"], Value, Value]
    | tuple[Literal["some", "no"], list[str], Where | None]
)
When = tuple[Literal["exit"], bool, list[int | None]] | tuple[Literal["some", "no"], list[str]]
Claim = tuple[When | None, str | None, Body]

Filter = tuple[Literal["clip", "length", "more", "earlier"]] | tuple[Literal["join"], str]
Test = TypeAliasType(
    "Test",
    Expression | tuple[Literal["not"], "Test"] | tuple[Literal["and", "or"], "list[Test]"],
)
SummaryNode = TypeAliasType(
    "SummaryNode",
    tuple[Literal["text"], str]
    | tuple[Literal["out"], list[Expression], list[Filter], str | None]
    | tuple[Literal["for"], str, Expression, "list[SummaryNode]", "list[SummaryNode]"]
    | tuple[Literal["if"], "list[tuple[Test, list[SummaryNode]]]", "list[SummaryNode]"],
)


class Strict(BaseModel):
    """No field more, no field less, no coercion."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Command(Strict):
    """One head with its options."""

    head: Annotated[list[str], Field(min_length=1)]
    globals: list[Option]
    needs: list[list[Option]]
    options: list[Option]
    refuse: list[Option]
    operand: bool
    after: bool


class Position(Strict):
    """A place in the automaton."""

    kind: str
    patterns: list[Index]
    otherwise: bool
    path: list[str]
    sets: list[Index]
    spends: list[Index]


class Counter(Strict):
    """A counted record's int."""

    name: str
    record: str


class Stream(Strict):
    """The tables of one stream."""

    uncoloured: bool
    patterns: list[list[Operation]]
    positions: list[Position]
    start: list[Index]
    rows: list[list[Index]]
    final: list[Index]
    blank: bool
    labels: list[tuple[Index, Index]]
    counters: list[Counter]


class LineKind(Strict):
    """Where the lines of a kind are."""

    lines: dict[str, list[Index]]


class RecordKind(Strict):
    """Where a record opens, goes on, and has lines of its own."""

    open: dict[str, list[Index]]
    inside: dict[str, list[Index]]
    own: dict[str, list[Index]]


class Rule(Strict):
    """A rule section."""

    id: str
    title: str
    tools: list[str]
    commands: list[Command]
    exit: list[int | None] | None
    streams: dict[Literal["stdout", "stderr", "merged"], Stream | Literal["empty"]]
    kinds: dict[str, LineKind | RecordKind]
    facts: list[tuple[str, Value]]
    fields: dict[str, list[tuple[str, Value]]]
    ensure: list[Claim]
    summary: list[SummaryNode]


class Admission(Strict):
    """An admission section."""

    pattern: str
    codec: str
    level: Literal["none", "minimal", "normal", "aggressive"]
    tee: bool
    settings: dict[str, int | str | bool]
    path: str
    line: Index


class SourceMap(Strict):
    """Where the parts of a rule stand in its source."""

    path: str
    line: Index
    kinds: dict[str, Index]
    taken: dict[str, tuple[str, Index]]
    facts: dict[str, Index]
    ensure: list[tuple[Index, str]]
    commands: list[Index]
    exit: Index | None
    streams: dict[str, Index]
    summary: Index
    tags: list[list[Index]]


class Header(Strict):
    """The header of a pack."""

    language: int
    runtime: str
    features: dict[str, Annotated[list[str], Field(min_length=1)]]
    name: str
    version: str
    requires: list[str]
    roots: list[str]
    index: dict[str, dict[str, list[Index]]]
    rules: list[str]
    admits: Index
    tool: str
    sections: list[tuple[Index, Index, str]]


def validate(model: type[BaseModel], section: Any) -> Any:
    """Return a section as its model; strict as JSON is: arrays are arrays. Raises pydantic.ValidationError."""
    return TypeAdapter(model).validate_json(json.dumps(section), strict=True)
