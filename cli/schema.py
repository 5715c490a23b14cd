"""The published shapes of records (results, views, diffs, gates, packs, the savings report), as models and schemas.

Output: `runtime/schemas/*.json`, written by `python -m cablese.cli.schema`. The run path reads records by a strict
reader of its own (`runtime.records`); tests hold the two to the same answers.
"""

from __future__ import annotations

import json
import os
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..runtime.reasons import Reason
from ..runtime.records import Outcome
from .diff_schema import DiffRecord
from .gate_schema import GateRecord
from .inspect_schema import InspectRecord
from .measure_schema import MeasuredRulesRecord, MeasureRecord
from .why_schema import WhyRecord

SCHEMA_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "runtime", "schemas")


class _Record(BaseModel):
    """Unknown fields are kept, never an error; known ones have exactly their type."""

    model_config = ConfigDict(extra="allow", strict=True)


class _Closed(BaseModel):
    """What we write ourselves: all fields are there, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


class MetadataRecord(_Record):
    """What the host knows of a run. `merged` stands in place of `stdout` and `stderr`."""

    exit_code: Annotated[int | None, Field(description="exit code of the process")] = None
    stdout: Annotated[Any, Field(description="captured standard output, text")] = None
    stderr: Annotated[Any, Field(description="captured standard error, text")] = None
    merged: Annotated[Any, Field(description="both streams interleaved, text")] = None
    stdout_truncated: Annotated[Any, Field(description="anything but false: stdout was cut")] = None
    stderr_truncated: Annotated[Any, Field(description="anything but false: stderr was cut")] = None
    timed_out: Annotated[Any, Field(description="anything but false: the run was stopped")] = None
    return_direct: Annotated[Any, Field(description="anything but false: the result goes to the user")] = None


class ResultRecord(_Record):
    """A result as it comes from a tool."""

    tool: Annotated[str, Field(min_length=1)]
    content: Annotated[Any, Field(description="text or any JSON value")]
    arguments: Annotated[dict[str, Any] | None, Field(description="`command` or `cmd` of a shell tool")] = None
    success: bool | None = None
    status: Annotated[str | None, Field(description="`success`, or anything else for a failure")] = None
    metadata: MetadataRecord | None = None
    untrusted: bool | None = None
    tenant: str | None = None
    run: str | None = None


class ViewRecord(_Record):
    """What the model sees of a result, and why."""

    content: Any
    outcome: Outcome
    reason: Reason | None = None
    detail: str | None = None
    tool: str
    rule: str | None = None
    codec: str | None = None
    kind: str | None = None
    level: str | None = None
    guarantee: str | None = None
    handle: Annotated[str | None, Field(pattern="^([0-9]{15}|[0-9]{18})$")] = None
    pack: str | None = None
    untrusted: bool = False
    bytes: Annotated[list[int], Field(min_length=2, max_length=2, description="UTF-8 bytes: original, shown")]
    tokens: Annotated[dict[str, list[int]] | None, Field(description="per encoding: original, shown")] = None
    ms: float


class TokensRecord(_Closed):
    """Exact counts of one encoding, of the calls that were counted and of which something else was shown."""

    calls: int
    before: Annotated[int, Field(description="tokens of the originals")]
    after: Annotated[int, Field(description="tokens of what was shown")]
    saved: int
    saved_percent: float


class SumsRecord(_Closed):
    """Sums over calls. Bytes before and after are those of calls of which something else was shown."""

    calls: int
    compressed: int
    diagnosed: Annotated[int, Field(description="failed searches that got a diagnostic")]
    passed: Annotated[dict[str, int], Field(description="calls whose original was shown, by reason")]
    bytes_before: Annotated[int, Field(description="UTF-8 bytes of the originals")]
    bytes_after: Annotated[int, Field(description="UTF-8 bytes of what was shown")]
    bytes_saved: int
    bytes_saved_percent: Annotated[float, Field(description="of `bytes_before`; 0 of nothing")]
    bytes_passed: Annotated[int, Field(description="UTF-8 bytes of what passed")]
    estimated_tokens_saved: Annotated[int, Field(description="bytes / 4, rounded towards 0 call by call")]
    tokens: Annotated[dict[str, TokensRecord], Field(description="exact counts by encoding")]
    recoveries: Annotated[int, Field(description="how often an original was shown again")]
    bytes_recovered: Annotated[int, Field(description="UTF-8 bytes that were shown again")]
    estimated_tokens_recovered: Annotated[int, Field(description="bytes / 4")]
    net_bytes_saved: Annotated[int, Field(description="saved less recovered; below 0 for a loss")]
    net_bytes_saved_percent: float
    net_estimated_tokens_saved: int
    ms_total: Annotated[float, Field(description="milliseconds that deciding took")]
    ms_p50: Annotated[float | None, Field(description="nearest rank, within 1.6 %")]
    ms_p99: Annotated[float | None, Field(description="nearest rank, within 1.6 %")]
    ms_greatest: float | None


class RowRecord(SumsRecord):
    """Sums over the calls of a tool that the same rule, codec or kind decided; all null: no rule claimed them."""

    rule: str | None
    codec: str | None
    kind: str | None


class ToolRecord(_Closed):
    """A tool, and its rows by rule, codec and kind."""

    tool: str
    total: SumsRecord
    rows: list[RowRecord]


class UnattributedRecord(_Closed):
    """Recoveries of originals whose decision the ledger does not hold (any more)."""

    recoveries: int
    bytes_recovered: int
    estimated_tokens_recovered: int


class ReportRecord(_Closed):
    """What the decisions in a ledger saved: `cablese report --json`."""

    format: Literal[1]
    first_at: Annotated[float | None, Field(description="first decision or recovery, seconds since 1970 (UTC)")]
    last_at: Annotated[float | None, Field(description="last decision or recovery, seconds since 1970 (UTC)")]
    unreadable_entries: int
    caveat: Annotated[str, Field(description="what estimated tokens are worth")]
    total: SumsRecord
    unattributed: UnattributedRecord
    tools: list[ToolRecord]


def render_schemas() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    models = {
        "diff.schema.json": DiffRecord,
        "gate.schema.json": GateRecord,
        "inspect.schema.json": InspectRecord,
        "measure-rules.schema.json": MeasuredRulesRecord,
        "measure.schema.json": MeasureRecord,
        "report.schema.json": ReportRecord,
        "result.schema.json": ResultRecord,
        "view.schema.json": ViewRecord,
        "why.schema.json": WhyRecord,
    }
    return {
        name: json.dumps(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()},
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
        for name, model in models.items()
    }


def main() -> None:
    """Write the schema files."""
    for name, text in render_schemas().items():
        with open(os.path.join(SCHEMA_FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
