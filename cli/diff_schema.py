"""The published shape of what `cablese diff --format json` prints, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["none", "patch", "minor", "major"]
Tokens = Annotated[dict[str, int], Field(description="exact counts by encoding")]


class _Record(BaseModel):
    """No field more, no field less."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SideRecord(_Record):
    """One of the two sides. Rule files have neither name nor version."""

    label: Annotated[str, Field(description="as it was given")]
    name: str | None
    version: str | None
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class VersionsRecord(_Record):
    """The versions that both packs declare, and the one that the newer deserves at least."""

    old: str
    new: str
    deserved: Annotated[str | None, Field(description="null: the older version is not of three numbers")]
    holds: bool


class FindingRecord(_Record):
    """One difference. `rule` null: it is of the pack."""

    name: str
    level: Level
    meaning: str
    rule: str | None
    words: str


class RulesRecord(_Record):
    """Rules by what became of them; `commands`: how commands are written now, by rule."""

    added: list[str]
    removed: list[str]
    changed: list[str]
    commands: dict[str, list[str]]


class HandoverRecord(_Record):
    """Commands that change hands, one of them as `command`; null stands for no rule."""

    from_: Annotated[str | None, Field(alias="from")]
    to: str | None
    command: str
    tools: list[str]


class SeenRecord(_Record):
    """What one side makes of a result. `shown` null: a model sees the original."""

    outcome: Literal["compressed", "passed", "diagnosed"]
    reason: str | None
    detail: str | None
    rule: str | None
    body: Annotated[str | None, Field(description="what the rule says, also where it is too short to be shown")]
    shown: str | None
    tokens: Tokens


class ComparedRecord(_Record):
    """A result that changes."""

    name: str
    command: str | None
    change: Literal["result_changed", "result_lost", "result_gained", "reason_changed"]
    original: Tokens
    old: SeenRecord
    new: SeenRecord


class TotalsRecord(_Record):
    """Sums over all results, those that do not change included."""

    results: Annotated[int, Field(ge=0)]
    changed: Annotated[int, Field(ge=0)]
    original: Tokens
    old: Tokens
    new: Tokens


class DiffRecord(_Record):
    """What a change of rules changes."""

    old: SideRecord
    new: SideRecord
    differs: bool
    level: Level
    versions: VersionsRecord | None
    findings: list[FindingRecord]
    rules: RulesRecord
    handovers: list[HandoverRecord]
    results: list[ComparedRecord]
    totals: TotalsRecord
