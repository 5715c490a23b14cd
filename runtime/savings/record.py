"""The savings report as one plain object, as published in `schemas/report.schema.json`.

Input: a `Report`. Output: a dict of JSON values; names say their units. Text and page are made from it.

Invariant: a pure function; tools, rows, reasons and encodings are ordered by name.
"""

from __future__ import annotations

from typing import Any

from .report import Report, Row
from .tally import Tally, percent

FORMAT = 1
CAVEAT = (
    "estimated tokens are a quarter of the bytes: their share is closer to the truth than their number, and neither "
    "holds where what was saved is white space; exact tokens are named by their encoding and cover only calls that "
    "were counted"
)


def report_record(report: Report, tool: str | None = None) -> dict[str, Any]:
    """Return the report as an object; of one tool alone where `tool` is given."""
    total = Tally()
    tools: dict[str, list[tuple[Row, Tally]]] = {}
    for row, tally in report.rows().items():
        if tool is None or row.tool == tool:
            tools.setdefault(row.tool, []).append((row, tally))
    listed = []
    for name, rows in tools.items():
        sums = Tally()
        for _, tally in rows:
            sums.merge(tally)
        total.merge(sums)
        listed.append({"tool": name, "total": _sums(sums), "rows": [_row(row, tally) for row, tally in rows]})
    rest = Tally() if tool is not None else report.unattributed()
    total.merge(rest)
    return {
        "format": FORMAT,
        "first_at": report.first_at,
        "last_at": report.last_at,
        "unreadable_entries": report.unreadable,
        "caveat": CAVEAT,
        "total": _sums(total),
        "unattributed": {
            "recoveries": rest.recoveries,
            "bytes_recovered": rest.recovered_bytes,
            "estimated_tokens_recovered": rest.estimated_again,
        },
        "tools": listed,
    }


def _row(row: Row, tally: Tally) -> dict[str, Any]:
    return {"rule": row.rule or None, "codec": row.codec or None, "kind": row.kind or None, **_sums(tally)}


def _sums(tally: Tally) -> dict[str, Any]:
    saved = tally.bytes_before - tally.bytes_after
    durations = tally.durations
    return {
        "calls": tally.calls,
        "compressed": tally.compressed,
        "diagnosed": tally.diagnosed,
        "passed": dict(sorted(tally.passed.items())),
        "bytes_before": tally.bytes_before,
        "bytes_after": tally.bytes_after,
        "bytes_saved": saved,
        "bytes_saved_percent": percent(saved, tally.bytes_before),
        "bytes_passed": tally.bytes_passed,
        "estimated_tokens_saved": tally.estimated_saved,
        "tokens": {
            encoding: {
                "calls": counted.calls,
                "before": counted.before,
                "after": counted.after,
                "saved": counted.before - counted.after,
                "saved_percent": percent(counted.before - counted.after, counted.before),
            }
            for encoding, counted in sorted(tally.tokens.items())
        },
        "recoveries": tally.recoveries,
        "bytes_recovered": tally.recovered_bytes,
        "estimated_tokens_recovered": tally.estimated_again,
        "net_bytes_saved": saved - tally.recovered_bytes,
        "net_bytes_saved_percent": percent(saved - tally.recovered_bytes, tally.bytes_before),
        "net_estimated_tokens_saved": tally.estimated_saved - tally.estimated_again,
        "ms_total": durations.total / 1000,
        "ms_p50": _milliseconds(durations.percentile(50)),
        "ms_p99": _milliseconds(durations.percentile(99)),
        "ms_greatest": durations.greatest / 1000 if durations.count else None,
    }


def _milliseconds(microseconds: float | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1000, 4)
