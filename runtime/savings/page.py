"""The savings report as one page that needs nothing else: no script, no network.

Input: the report's record. Output: HTML with a chart of bytes (inline SVG, light and dark) and all figures as a
table.

Invariants: a pure function of the record; every name in it is escaped; what the chart leaves out is said below it.
"""

from __future__ import annotations

from html import escape
from typing import Any

from ..look import read_look, render_policy
from .text import moment, printable, row_name

BARS = 20
_WIDTH, _LABEL, _STEP, _BAR = 900, 300, 34, 16
_COLUMNS = (
    ("calls", "calls"),
    ("compressed", "compressed"),
    ("diagnosed", "diagnosed"),
    ("bytes_before", "bytes before"),
    ("bytes_after", "bytes after"),
    ("bytes_saved_percent", "bytes saved, %"),
    ("estimated_tokens_saved", "tokens saved (bytes / 4)"),
    ("recoveries", "times shown again"),
    ("bytes_recovered", "bytes shown again"),
    ("net_bytes_saved", "net bytes saved"),
    ("net_estimated_tokens_saved", "net tokens saved (bytes / 4)"),
    ("bytes_passed", "bytes passed"),
    ("ms_p50", "ms p50"),
    ("ms_p99", "ms p99"),
    ("ms_total", "ms total"),
)
_PERCENTILES = "A percentile of milliseconds is within 1.6 % of a duration that was measured."
_CHART = (
    "For each rule or codec, a bar of the bytes of its originals, in it one of the bytes that were shown, and below it "
    "one of the bytes that were shown again. The table below holds the figures."
)
_STYLE = """
:root { --before: light-dark(#c5cfda, #3b4653); --again: light-dark(#b45309, #f0a348); }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
svg { max-width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .quiet { fill: var(--quiet); }
.before { fill: var(--before); } .after { fill: var(--accent); } .again { fill: var(--again); }
.wide { overflow-x: auto; }
th, td { text-align: right; white-space: nowrap; }
th:first-child, td.text { text-align: left; } tbody tr.sum { font-weight: 600; }
thead th { white-space: normal; }
"""


def render_page(record: dict[str, Any]) -> str:
    """Return the report as an HTML document."""
    total = record["total"]
    style = read_look() + _STYLE
    span = " to ".join(moment(record[name]) for name in ("first_at", "last_at") if record[name] is not None)
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{render_policy(style)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Savings</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>Savings</h1>",
        f"<p>{total['calls']:,} calls, {span}.</p>" if span else "<p>No decision has been recorded.</p>",
        *_chart(record),
        *_table(record),
        *_tokens(record),
        f'<p class="quiet">Tokens (bytes / 4): {escape(record["caveat"])}. {_PERCENTILES}</p>',
    ]
    if record["unattributed"]["recoveries"]:
        rest = record["unattributed"]
        parts.append(
            f"<p>Shown again, unknown of which rule: {rest['recoveries']:,} times, {rest['bytes_recovered']:,} bytes; "
            "they are in the total alone.</p>"
        )
    if record["unreadable_entries"]:
        parts.append(f"<p>Unreadable entries that were left out: {record['unreadable_entries']:,}.</p>")
    return "\n".join(parts) + "\n</main>\n</body>\n</html>\n"


def _name(tool: dict[str, Any], row: dict[str, Any]) -> str:
    return f"{printable(tool['tool'])}: {row_name(row)}"


def _chart(record: dict[str, Any]) -> list[str]:
    rows = [
        (_name(tool, row), row)
        for tool in record["tools"]
        for row in tool["rows"]
        if row["bytes_before"] or row["bytes_after"] or row["bytes_recovered"]
    ]
    if not rows:
        return []
    rows.sort(key=lambda item: (-_longest(item[1]), item[0]))
    shown, left_out = rows[:BARS], len(rows) - BARS
    scale = (_WIDTH - _LABEL - 130) / max(1, *(_longest(row) for _, row in shown))
    height = _STEP * len(shown) + 40
    lines = [
        "<figure>",
        f'<svg role="img" aria-labelledby="chart-title chart-text" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}">',
        '<title id="chart-title">Bytes before and after, by rule</title>',
        f'<desc id="chart-text">{_CHART}</desc>',
    ]
    at = _LABEL
    for style, words in (("before", "original"), ("after", "shown instead"), ("again", "shown again")):
        lines.append(f'<rect class="{style}" x="{at}" y="6" width="14" height="14" rx="2"/>')
        lines.append(f'<text x="{at + 20}" y="18">{words}, bytes</text>')
        at += 150
    for number, (name, row) in enumerate(shown):
        top = 34 + number * _STEP
        lines.append(f'<text x="{_LABEL - 10}" y="{top + 13}" text-anchor="end">{escape(_short(name))}</text>')
        lines.append(_bar("before", top, row["bytes_before"] * scale, _BAR))
        lines.append(_bar("after", top, row["bytes_after"] * scale, _BAR))
        lines.append(_bar("again", top + _BAR + 2, row["bytes_recovered"] * scale, 5))
        end = _LABEL + _longest(row) * scale + 8
        saved = (
            f"{row['net_bytes_saved_percent']:.1f} %" if row["bytes_before"] else f"{row['net_bytes_saved']:,} bytes"
        )
        lines.append(f'<text class="quiet" x="{end:.1f}" y="{top + 13}">net {saved}</text>')
    lines.append("</svg>")
    if left_out > 0:
        lines.append(f"<figcaption>The {BARS} largest of {len(rows)}; the others are in the table.</figcaption>")
    return [*lines, "</figure>"]


def _longest(row: dict[str, Any]) -> int:
    return max(row["bytes_before"], row["bytes_after"], row["bytes_recovered"])


def _bar(style: str, top: int, width: float, height: int) -> str:
    return f'<rect class="{style}" x="{_LABEL}" y="{top}" width="{width:.1f}" height="{height}"/>'


def _short(name: str) -> str:
    return name if len(name) <= 42 else f"{name[:41]}…"


def _table(record: dict[str, Any]) -> list[str]:
    head = "".join(f'<th scope="col">{words}</th>' for _, words in _COLUMNS)
    lines = [
        '<div class="wide" tabindex="0" role="region" aria-labelledby="figures">\n<table>',
        '<caption id="figures">By tool, and by rule or codec</caption>',
        f'<thead><tr><th scope="col">tool and rule</th>{head}<th scope="col">passed, by reason</th></tr></thead>',
        "<tbody>",
    ]
    for tool in record["tools"]:
        lines += [_cells(_name(tool, row), row, "") for row in tool["rows"]]
        lines.append(_cells(f"{printable(tool['tool'])}: all", tool["total"], ' class="sum"'))
    lines.append(_cells("all tools", record["total"], ' class="sum"'))
    return [*lines, "</tbody>\n</table>\n</div>"]


def _cells(name: str, sums: dict[str, Any], style: str) -> str:
    figures = "".join(f"<td>{_figure(sums[key])}</td>" for key, _ in _COLUMNS)
    reasons = ", ".join(f"{printable(reason) or 'no reason'} {count:,}" for reason, count in sums["passed"].items())
    return f'<tr{style}><th scope="row">{escape(name)}</th>{figures}<td class="text">{escape(reasons)}</td></tr>'


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"


def _tokens(record: dict[str, Any]) -> list[str]:
    """Exact counts, where there are some: a row for each encoding of each rule."""
    counted = [
        (_name(tool, row), encoding, tokens)
        for tool in record["tools"]
        for row in tool["rows"]
        for encoding, tokens in row["tokens"].items()
    ]
    if not counted:
        return []
    heads = ("rule", "encoding", "calls counted", "tokens before", "tokens after", "tokens saved", "tokens saved, %")
    lines = [
        "<table>\n<caption>Exact tokens, of the calls that were counted</caption>",
        "<thead><tr>" + "".join(f'<th scope="col">{words}</th>' for words in heads) + "</tr></thead>\n<tbody>",
    ]
    for name, encoding, tokens in counted:
        figures = "".join(
            f"<td>{_figure(tokens[key])}</td>" for key in ("calls", "before", "after", "saved", "saved_percent")
        )
        lines.append(
            f'<tr><th scope="row">{escape(name)}</th><td class="text">{escape(printable(encoding))}</td>{figures}</tr>'
        )
    return [*lines, "</tbody>\n</table>"]
