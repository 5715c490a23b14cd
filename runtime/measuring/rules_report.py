"""The report of `--rules` as a plain record: what the packs in use would have saved, by rule, kind and reason.

Input: the aggregate of all files and of their discovery, the model, the limits. Output: a record as published in
`schemas/measure-rules.schema.json`.

Invariants: texts in it are the model's name, names of packs, rules, codecs and kinds, plain names of programs and their
subcommands, and fixed words; the equations of `report.py` and `replay.py` hold; rows with the greatest savings come
first, and equals by name.
"""

from __future__ import annotations

from typing import Any

from .aggregate import Aggregate
from .limits import Limits
from .repeats import RUN
from .report import files_record, sampling_record, share_percent, warnings_of

FORMAT = "measured_rules"
SHAPES = 20
"""How many shapes of commands are told."""
_LINES = ("lines", "valid_events", "unknown", "malformed", "oversized", "cut", "limit_hit")
_RESULTS = ("found", "decided", "legacy", "already_compressed", "invalid", "skipped_limit")
_ROW = ("outcome", "rule", "codec", "kind", "reason")
_SUMS = ("results", "bytes_before", "bytes_after", "tokens_before", "tokens_after")
_OVER_TURNS = ("tokens_before_over_turns", "tokens_saved_over_turns")
_ESTIMATE = "tokens are exact for the model family, and not what a provider bills: caching is not looked at"
_AS_STORED = "results are measured as they were stored; where a host had cut one, what it had left out is not known"
_FULL = "some sessions held more lines than are compared; some repetitions were not seen"


def rules_record(found: Aggregate, model: str, limits: Limits) -> dict[str, Any]:
    """Return the report."""
    rows = _rows(found)
    full = [_FULL] if found["repeats", "limit_hit"] else []
    lines, repeated = found["repeats", "lines"], found["repeats", "repeated_lines"]
    return {
        "format": FORMAT,
        "schema_version": 1,
        "model": model,
        "encoding_family": found.basis.encoding,
        "archive": found.basis.archive,
        "packs": [_short(pack) for pack in found.basis.packs],
        "admission": found.basis.settings[0].removeprefix("admission ") if found.basis.settings else "none",
        "sampling": sampling_record(found, limits),
        "files": files_record(found),
        "lines": {name: found["jsonl", name] for name in _LINES},
        "results": {name: found["results", name] for name in _RESULTS},
        "turns": found[("turns",)],
        "total": _total(rows),
        "rows": rows,
        "unclaimed": _unclaimed(found),
        "repeats": {
            "least_run": RUN,
            "lines": lines,
            "repeated_lines": repeated,
            "repeated_percent": share_percent(repeated, lines),
        },
        "warnings": [_ESTIMATE, _AS_STORED, *full, *warnings_of(found)],
    }


def _rows(found: Aggregate) -> list[dict[str, Any]]:
    rows: dict[tuple[str, ...], dict[str, int]] = {}
    for name, count in found.below("row").items():
        rows.setdefault(name[:-1], {})[name[-1]] = count
    records = []
    for names, sums in rows.items():
        labels = {label: name or None for label, name in zip(_ROW, names, strict=True)}
        records.append({**labels, **_figures(sums)})
    return sorted(records, key=lambda row: (-row["tokens_saved_over_turns"], -row["tokens_saved"]))


def _figures(sums: dict[str, int]) -> dict[str, int]:
    once = {name: sums.get(name, 0) for name in _SUMS}
    saved = once["tokens_before"] - once["tokens_after"]
    return {**once, "tokens_saved": saved, **{name: sums.get(name, 0) for name in _OVER_TURNS}}


def _total(rows: list[dict[str, Any]]) -> dict[str, Any]:
    sums = {name: sum(row[name] for row in rows) for name in (*_SUMS, "tokens_saved", *_OVER_TURNS)}
    return {
        **sums,
        "saved_percent": share_percent(sums["tokens_saved"], sums["tokens_before"]),
        "saved_over_turns_percent": share_percent(sums["tokens_saved_over_turns"], sums["tokens_before_over_turns"]),
    }


def _unclaimed(found: Aggregate) -> dict[str, Any]:
    shapes: dict[str, dict[str, int]] = {}
    for (shape, what), count in found.below("unclaimed").items():
        shapes.setdefault(shape, {"results": 0, "tokens": 0, "tokens_over_turns": 0})[what] = count
    costliest = sorted(shapes, key=lambda shape: (-shapes[shape]["tokens_over_turns"], -shapes[shape]["tokens"], shape))
    return {"shapes": len(shapes), "costliest": [{"shape": shape, **shapes[shape]} for shape in costliest[:SHAPES]]}


def _short(pack: str) -> str:
    name, version, digest = pack.rsplit(" ", 2)
    return f"{name} {version} {digest[:6]}"
