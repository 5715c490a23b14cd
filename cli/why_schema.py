"""The published shape of what `cablese why --format json` prints, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Line = Annotated[int, Field(ge=1, description="counted from 1, as rules see lines: they end at line feeds alone")]
Column = Annotated[int, Field(ge=1, description="character of the line, from 1")]
Count = Annotated[int, Field(ge=0)]
Stream = Literal["stdout", "stderr", "merged"]


class _Record(BaseModel):
    """No field more, no field less."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PlaceRecord(_Record):
    """A line of a rule file; 0 where the pack is damaged just there."""

    path: str
    line: Count


class CommandRecord(_Record):
    """The command as words; null where it is none, or where something else decided before. `joined`: it says `2>&1`
    or `1>&2`.
    """

    text: str
    words: list[str] | None
    joined: bool


class FormRecord(_Record):
    """The form of the rule that admits the command."""

    words: str
    place: PlaceRecord | None


class RuleRecord(_Record):
    """The rule that claims the command."""

    id: str
    title: str
    pack: Annotated[str, Field(description="name, version and the beginning of the digest")]
    place: PlaceRecord
    form: FormRecord | None


class NearRecord(_Record):
    """A rule that the command is nearly for, and what keeps it from it."""

    rule: str
    place: PlaceRecord
    word: Annotated[int | None, Field(description="the word in question, from 1; null: something is missing")]
    obstacle: str


class ExitRecord(_Record):
    """The exit code, and those that the rule lists; null in both stands for an unknown one."""

    code: int | None
    listed: list[int | None]
    holds: bool
    place: PlaceRecord | None


class CapturedRecord(_Record):
    """How many lines the host captured. `merged`: both streams as one."""

    merged: bool
    stdout: Count
    stderr: Count


class KindRecord(_Record):
    """A kind. `pattern`: it is the n-th string of a record of that name."""

    kind: str
    pattern: int | None
    place: PlaceRecord | None


class RunRecord(KindRecord):
    """Lines in a row that one kind claimed."""

    first: Line
    lines: Annotated[int, Field(ge=1)]


class NearestRecord(KindRecord):
    """The possible kind that gets furthest: where it stops, and what it expects there."""

    column: Column
    expected: list[str]


class StopRecord(_Record):
    """The first line that no kind claims; `text` null: the output ended where it may not."""

    line: Line
    text: str | None
    control: Annotated[str | None, Field(description="NUL or ESC, which no line may hold")]
    column: Annotated[int | None, Field(ge=1, description="that of the control character")]
    possible: list[KindRecord]
    nearest: NearestRecord | None
    elsewhere: Annotated[list[KindRecord], Field(description="kinds that match the line, and may not stand there")]


class StreamRecord(_Record):
    """How a stream was read: what was claimed, in order, up to `stop`."""

    name: Stream
    lines: Count
    place: PlaceRecord | None
    runs: list[RunRecord]
    stop: StopRecord | None


class ValueRecord(_Record):
    """A value as text, and the line it comes from, where it comes from one."""

    text: str
    stream: Stream | None
    line: Line | None


class NamedRecord(_Record):
    """A capture or a fact. `size`: of a list, or of a field of a record; `total`: with those that a cap left out."""

    name: str
    place: PlaceRecord | None
    values: Annotated[list[ValueRecord], Field(description="the first three, or the value alone")]
    size: Count | None
    total: Count | None


class ClaimRecord(_Record):
    """A claim. `left` and `right` are what was compared, `at` the record it was compared for."""

    text: str
    place: PlaceRecord | None
    applies: Annotated[bool, Field(description="false: the condition of `when` is not met")]
    holds: bool
    records: Annotated[int, Field(ge=0, description="of how many records it was asked; 1 for the whole output")]
    left: int | None
    right: int | None
    at: ValueRecord | None
    strange: Annotated[list[str], Field(description="the first elements that are not in the second list of `within`")]


class PartRecord(_Record):
    """A part of a tag of the summary, and how often it was taken."""

    name: Literal["for", "if", "elif", "else"]
    asked: str | None
    place: PlaceRecord | None
    taken: Count


class TagRecord(_Record):
    """A `for` or an `if` of the summary."""

    parts: list[PartRecord]


class EntryRecord(_Record):
    """An admission entry that was asked; `refusal` null: its codec takes the payload."""

    pattern: str
    codec: str
    level: str
    place: str | None
    pack: str | None
    refusal: str | None


class CodecRecord(_Record):
    """What a codec made of the payload."""

    codec: str
    guarantee: str
    detail: str | None


class ContentRecord(_Record):
    """What kind the text was told to be, and the form that would be shown."""

    kind: str
    form: str | None
    guarantee: str | None
    detail: str | None


class GateRecord(_Record):
    """Tokens under one encoding; `summary` null: none was made."""

    encoding: str
    original: Count
    summary: Count | None


class DecisionRecord(_Record):
    """What became of the result."""

    outcome: str
    reason: str | None
    detail: str | None


class OutputRecord(_Record):
    """A line of the output, and the kind that claimed it; `content`: that of a result without a rule."""

    stream: Literal["stdout", "stderr", "merged", "content"]
    line: Line
    kind: KindRecord | None
    text: str


class WhyRecord(_Record):
    """Each step of a decision. Parts that were not reached are null or empty."""

    tool: str
    command: CommandRecord | None
    rule: RuleRecord | None
    near: list[NearRecord]
    notes: list[str]
    exit: ExitRecord | None
    captured: CapturedRecord | None
    streams: list[StreamRecord]
    captures: list[NamedRecord]
    facts: list[NamedRecord]
    claims: list[ClaimRecord]
    tags: list[TagRecord]
    entries: list[EntryRecord]
    codec: CodecRecord | None
    kind: ContentRecord | None
    gate: list[GateRecord]
    decision: DecisionRecord
    output: Annotated[list[OutputRecord] | None, Field(description="with `--lines`")]
