"""Report v0 as a plain record: aggregates, and nothing of what was measured.

Input: the aggregate of all files and of their discovery, the model, the limits. Output: a record as published in
`schemas/measure.schema.json`.

Invariants: every text in it is the model's name or one of ours; the accounting equations hold:

    discovered_files = selected_files + sampled_out_files
    discovered_bytes = planned_bytes + sampled_out_bytes
    planned_bytes = scanned_bytes + unscanned_selected_bytes
"""

from __future__ import annotations

from typing import Any

from .aggregate import Aggregate
from .limits import Limits
from .portfolio import CODECS

PROTOTYPE = "offline_compression_measurement_v0"
_ESTIMATE = "token counts are local estimates for the model family, not what a provider bills"
_UNWEIGHTED = "each stored result is measured once; how often requests carried it is not weighed"
_EXPLORATORY = "the codecs are an experiment and change nothing that a model is shown"
_CONDITIONAL = (
    (("files", "sampled_out"), "some sessions were left out by the limits of the sample"),
    (("files", "skipped"), "some candidates were no regular files that can be opened safely, and were not read"),
    (("files", "unreadable"), "some selected files could not be read"),
    (("files", "unstable"), "some selected files changed while they were measured, and nothing of them is counted"),
    (("files", "limit_hit"), "some files, lines or results were left out by fixed limits"),
    (("jsonl", "malformed"), "some lines are no events"),
)
_FILES = ("considered", "scanned", "sampled_out", "skipped", "unreadable", "unstable", "limit_hit")
_JSONL = ("lines", "valid_events", "malformed", "oversized", "limit_hit")
_RESULTS = ("found", "empty", "measured", "legacy", "invalid", "skipped_limit")
_CODEC = ("attempts", "validated", "improved", "selected", "candidate_tokens", "saved_tokens")


def report_record(found: Aggregate, model: str, limits: Limits) -> dict[str, Any]:
    """Return the report as documented, field for field."""
    portfolio = _group(found, "portfolio", ("tokens", "saved_tokens", "transformed"))
    percent = share_percent(portfolio["saved_tokens"], found["baseline", "tokens"])
    return {
        "prototype": PROTOTYPE,
        "schema_version": 1,
        "model": model,
        "encoding_family": found.basis.encoding,
        "scope": "active_sessions",
        "exploratory": True,
        "measurement_unit": "unique_stored_tool_results",
        "request_weighted": False,
        "replay_compaction_applied": False,
        "sampling": sampling_record(found, limits),
        "files": files_record(found),
        "jsonl": _group(found, "jsonl", _JSONL),
        "tool_results": _group(found, "results", _RESULTS),
        "baseline": _group(found, "baseline", ("content_bytes", "tokens")),
        "codecs": {codec: {name: found["codecs", codec, name] for name in _CODEC} for codec in CODECS},
        "portfolio": {**portfolio, "savings_percent": percent},
        "warnings": [_ESTIMATE, _UNWEIGHTED, _EXPLORATORY, *warnings_of(found)],
    }


def sampling_record(found: Aggregate, limits: Limits) -> dict[str, int]:
    """Return how the files were chosen, in files and bytes."""
    return {
        "max_files": limits.max_files,
        "max_bytes": limits.max_bytes,
        "discovered_files": found["files", "discovered"],
        "selected_files": found["files", "selected"],
        "sampled_out_files": found["files", "sampled_out"],
        "discovered_bytes": found["bytes", "discovered"],
        "planned_bytes": found["bytes", "planned"],
        "sampled_out_bytes": found["bytes", "sampled_out"],
        "scanned_bytes": found["bytes", "scanned"],
        "unscanned_selected_bytes": found["bytes", "unscanned"],
    }


def files_record(found: Aggregate) -> dict[str, int]:
    """Return what became of the files."""
    return {**_group(found, "files", _FILES), "considered": found["files", "discovered"]}


def warnings_of(found: Aggregate) -> list[str]:
    """Return what a reader has to know of this measurement, as fixed texts."""
    return [words for name, words in _CONDITIONAL if found[name]]


def share_percent(part: int, whole: int) -> float:
    """Return a share in percent with two decimals, 0.0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0


def _group(found: Aggregate, group: str, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: found[group, name] for name in names}
