"""The published shape of what `cablese measure` prints, as pydantic models (see `schema.py`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..runtime.reasons import Reason
from ..runtime.records import Outcome

Count = Annotated[int, Field(ge=0)]


class _Closed(BaseModel):
    """What we write ourselves: all fields are there, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SamplingRecord(_Closed):
    """How the files were chosen. Bytes are the lengths of files when they were opened."""

    max_files: Count
    max_bytes: Count
    discovered_files: Count
    selected_files: Count
    sampled_out_files: Annotated[int, Field(ge=0, description="discovered less selected")]
    discovered_bytes: Count
    planned_bytes: Annotated[int, Field(ge=0, description="of the selected files")]
    sampled_out_bytes: Annotated[int, Field(ge=0, description="discovered less planned")]
    scanned_bytes: Annotated[int, Field(ge=0, description="of selected files that were the same before and after")]
    unscanned_selected_bytes: Annotated[int, Field(ge=0, description="planned less scanned")]


class FilesRecord(_Closed):
    """What became of the files: considered = scanned + sampled_out + unreadable + unstable."""

    considered: Annotated[int, Field(ge=0, description="safely opened and not too large, before sampling")]
    scanned: Count
    sampled_out: Count
    skipped: Annotated[int, Field(ge=0, description="candidates that are no regular files, links say")]
    unreadable: Count
    unstable: Annotated[int, Field(ge=0, description="changed while they were measured; nothing of them is counted")]
    limit_hit: Annotated[int, Field(ge=0, description="files of which a fixed limit left something out, or all")]


class LinesRecord(_Closed):
    """The lines of the scanned files: lines = valid_events + malformed + oversized."""

    lines: Count
    valid_events: Count
    malformed: Count
    oversized: Count
    limit_hit: Annotated[int, Field(ge=0, description="files with more lines than are read")]


class StoredRecord(_Closed):
    """Stored results: found = measured + invalid + skipped_limit."""

    found: Count
    empty: Annotated[int, Field(ge=0, description="of the measured ones")]
    measured: Count
    legacy: Annotated[int, Field(ge=0, description="of the measured ones, in an older form")]
    invalid: Annotated[int, Field(ge=0, description="lacks a field, is no text, or has a call that had a result")]
    skipped_limit: Annotated[int, Field(ge=0, description="larger than is measured")]


class BaselineRecord(_Closed):
    """The results as they were stored."""

    content_bytes: Count
    tokens: Annotated[int, Field(ge=0, description="of each as a `function_call_output` item")]


class CodecRecord(_Closed):
    """What one codec did: selected <= improved <= validated <= attempts."""

    attempts: Count
    validated: Annotated[int, Field(ge=0, description="candidates that were read back, or are whole JSON values")]
    improved: Annotated[int, Field(ge=0, description="candidates of strictly fewer tokens")]
    selected: Annotated[int, Field(ge=0, description="candidates that alone were the shortest")]
    candidate_tokens: Annotated[int, Field(ge=0, description="of all validated candidates")]
    saved_tokens: Annotated[int, Field(ge=0, description="by selected candidates")]


class CodecsRecord(_Closed):
    """By codec."""

    json_minify: CodecRecord
    line_rle: CodecRecord
    template_fold: CodecRecord


class PortfolioRecord(_Closed):
    """What was chosen, result by result: tokens + saved_tokens are the tokens of the baseline."""

    tokens: Count
    saved_tokens: Count
    transformed: Count
    savings_percent: float


class MeasureRecord(_Closed):
    """What compression would have saved in stored sessions: `cablese measure`."""

    prototype: Literal["offline_compression_measurement_v0"]
    schema_version: Literal[1]
    model: str
    encoding_family: Literal["o200k_base", "cl100k_base"]
    scope: Literal["active_sessions"]
    exploratory: Literal[True]
    measurement_unit: Literal["unique_stored_tool_results"]
    request_weighted: Literal[False]
    replay_compaction_applied: Literal[False]
    sampling: SamplingRecord
    files: FilesRecord
    jsonl: LinesRecord
    tool_results: StoredRecord
    baseline: BaselineRecord
    codecs: CodecsRecord
    portfolio: PortfolioRecord
    warnings: Annotated[list[str], Field(description="fixed texts")]


class AllLinesRecord(LinesRecord):
    """The lines, and what they were to the reader of the format."""

    unknown: Annotated[int, Field(ge=0, description="valid events that the reader does not know")]
    cut: Annotated[int, Field(ge=0, description="malformed last lines without an end")]


class DecidedRecord(_Closed):
    """Stored results: found = decided + already_compressed + invalid + skipped_limit."""

    found: Count
    decided: Count
    legacy: Annotated[int, Field(ge=0, description="of the decided ones, in an older form")]
    already_compressed: Annotated[int, Field(ge=0, description="views that were made before, and recovered originals")]
    invalid: Annotated[int, Field(ge=0, description="lacks a field, is no text, or has a call that had a result")]
    skipped_limit: Annotated[int, Field(ge=0, description="larger than is measured")]


class SavedRecord(_Closed):
    """Sums over decided results. Over turns: times the later requests that carried each."""

    results: Count
    bytes_before: Count
    bytes_after: Count
    tokens_before: Count
    tokens_after: Count
    tokens_saved: Annotated[int, Field(description="once: before less after")]
    tokens_before_over_turns: Count
    tokens_saved_over_turns: int


class SavedRowRecord(SavedRecord):
    """Sums over the results that were decided alike."""

    outcome: Outcome
    rule: str | None
    codec: str | None
    kind: str | None
    reason: Reason | None


class SavedTotalRecord(SavedRecord):
    """Sums over all decided results."""

    saved_percent: float
    saved_over_turns_percent: float


class ShapeRecord(_Closed):
    """Commands that no rule claims, by program and subcommand, and what their results cost."""

    shape: str
    results: Count
    tokens: Count
    tokens_over_turns: Count


class UnclaimedRecord(_Closed):
    """What a next rule could be for."""

    shapes: Annotated[int, Field(ge=0, description="how many there are")]
    costliest: Annotated[list[ShapeRecord], Field(max_length=20)]


class RepeatsRecord(_Closed):
    """Lines in runs that an earlier result of the same session had shown: the most that references could save."""

    least_run: Literal[8]
    lines: Count
    repeated_lines: Count
    repeated_percent: float


class MeasuredRulesRecord(_Closed):
    """What the packs in use would have saved in stored sessions: `cablese measure --rules`."""

    format: Literal["measured_rules"]
    schema_version: Literal[1]
    model: str
    encoding_family: Literal["o200k_base", "cl100k_base"]
    archive: Literal["sessions", "claude", "codex", "gemini", "opencode"]
    packs: list[str]
    admission: Literal["none", "exact", "value", "normal"]
    sampling: SamplingRecord
    files: FilesRecord
    lines: AllLinesRecord
    results: DecidedRecord
    turns: Annotated[int, Field(ge=0, description="requests to the model")]
    total: SavedTotalRecord
    rows: Annotated[list[SavedRowRecord], Field(description="greatest savings over turns first")]
    unclaimed: UnclaimedRecord
    repeats: RepeatsRecord
    warnings: Annotated[list[str], Field(description="fixed texts")]
