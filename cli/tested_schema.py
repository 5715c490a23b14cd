"""The published shape of `cablese test --format json`, as pydantic models and as a JSON Schema.

Output: `runtime/schemas/test.schema.json`, written by `python -m cablese.cli.tested_schema`.
"""

from __future__ import annotations

import json
import os
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "runtime", "schemas", "test.schema.json")

Seconds = Annotated[float, Field(ge=0, description="wall-clock seconds")]
Count = Annotated[int, Field(ge=0)]
Line = Annotated[int, Field(ge=1, description="line of the rule file, from 1")]
Percent = Annotated[int, Field(ge=0, le=100)]
Sort = Literal["line", "pattern", "claim", "branch", "option"]


class _Closed(BaseModel):
    """No other fields; known ones have exactly their type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PlaceRecord(_Closed):
    """A place in a file: lines and columns from 1, columns and offsets in code points, ends exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    end_offset: int


class LabelRecord(PlaceRecord):
    """A place with a few words about it."""

    label: str


class EditRecord(PlaceRecord):
    """A replacement of the text at a place."""

    text: str


class FindingRecord(LabelRecord):
    """A finding, as `check --format json` prints it."""

    code: Annotated[str, Field(pattern="^E[0-9]{4}$")]
    severity: Literal["error"]
    message: str
    labels: list[LabelRecord]
    notes: list[str]
    help: str | None
    edits: list[EditRecord]


class ExampleRecord(_Closed):
    """An example. `saves`: what it shows is strictly fewer tokens than its output under both encodings."""

    title: str
    line: Line
    demands: Literal["shows", "passes"]
    holds: bool
    saves: bool
    findings: list[FindingRecord]


class ListedRecord(_Closed):
    """A command of `selects` or `leaves`."""

    role: Literal["selects", "leaves"]
    command: str
    line: Line
    holds: bool
    findings: list[FindingRecord]


class CheckRecord(_Closed):
    """One of the checks that every rule must stand."""

    name: str
    holds: bool
    detail: str


class MisledRecord(_Closed):
    """A derived command that went where it must not. `expected`: it is the rule's; `owner`: the rule that takes it."""

    command: str
    made: Annotated[str, Field(description="how it was derived")]
    expected: bool
    owner: str | None


class SilentRecord(_Closed):
    """A changed output of an example with a result that it must not have."""

    example: str
    mutant: str
    problem: str


class SortRecord(_Closed):
    """How much of one sort is touched."""

    touched: Count
    total: Count


class PointRecord(_Closed):
    """Something of a rule that nothing touches."""

    sort: Sort
    name: str
    path: str
    line: Line


class CoverageRecord(_Closed):
    """How much of a rule is touched; `least` was demanded."""

    percent: Percent
    least: Annotated[int, Field(ge=0)]
    sorts: dict[Sort, SortRecord]
    missing: list[PointRecord]


class RuleRecord(_Closed):
    """What was tried of one rule. `lacking` says what a finished rule would need."""

    rule: str
    path: str
    line: Line
    holds: bool
    seconds: Seconds
    shown: Count
    saving: Count
    passing: Count
    lacking: list[FindingRecord]
    examples: list[ExampleRecord]
    listed: list[ListedRecord]
    checks: list[CheckRecord]
    derived: Annotated[int, Field(ge=0, description="how many derived commands were tried")]
    misled: list[MisledRecord]
    mutants: Annotated[int, Field(ge=0, description="how many changed outputs were tried")]
    silent: list[SilentRecord]
    coverage: CoverageRecord


class TestReport(_Closed):
    """What `cablese test` says. With `findings`, the rules have faults, and nothing was tried."""

    __test__ = False  # pytest takes it for tests otherwise

    holds: bool
    seconds: Seconds
    findings: list[FindingRecord]
    rules: list[RuleRecord]


def render_schema() -> str:
    """Return the text of the schema file."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **TestReport.model_json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    with open(SCHEMA, "w", encoding="utf-8") as file:
        file.write(render_schema())
