"""The savings report as text.

Input: the report's record. Output: lines; tools by name, their rules, codecs and kinds below them, reasons below these,
a total, and what the figures are worth. Each figure has its unit at the head of its column or beside it.

Invariants: a pure function of the record; a name that cannot be printed as it is is shown escaped.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

_WIDTH = 100
_HEAD = ("calls", "compressed", "bytes before", "bytes after", "saved", "~tokens saved", "ms p50", "ms p99", "ms total")
_LONGEST = "  all of this tool"
NOTHING = "no decision has been recorded\n"


def render_text(record: dict[str, Any]) -> str:
    """Return the report as text, which ends with a line end."""
    if not record["tools"] and not record["total"]["recoveries"]:
        return NOTHING + _unreadable(record)
    from textwrap import fill

    lines = []
    names = [f"  {row_name(row)}" for tool in record["tools"] for row in tool["rows"]]
    width = min(max(map(len, [*names, *(printable(tool["tool"]) for tool in record["tools"]), _LONGEST])), _WIDTH // 2)
    for tool in record["tools"]:
        lines.append(_line(printable(tool["tool"]), _HEAD, width))
        for row in tool["rows"]:
            lines += [_line(f"  {row_name(row)}", _figures(row), width), *_details(row, "    ")]
        if len(tool["rows"]) > 1:
            lines.append(_line(_LONGEST, _figures(tool["total"]), width))
        lines.append("")
    rest = record["unattributed"]
    if rest["recoveries"]:
        lines += [f"shown again, unknown of which rule: {_recovered(rest)}", ""]
    lines += [_line("all tools", _HEAD, width), _line("", _figures(record["total"]), width)]
    lines += _details(record["total"], "  ")
    moments = [moment(record[name]) for name in ("first_at", "last_at") if record[name] is not None]
    lines += [f"  from {' to '.join(moments)}", "", fill(f"~tokens: {record['caveat']}", _WIDTH)]
    return "\n".join(lines) + "\n" + _unreadable(record)


def row_name(row: dict[str, Any]) -> str:
    """Return what a row is called: its rule or its kind, and the codec."""
    names = [row["rule"] or row["kind"], row["codec"]]
    return ", ".join(printable(name) for name in names if name) or "no rule"


def printable(name: str) -> str:
    """Return a name as it is, or escaped where it holds what would not be seen or would move what stands around it."""
    return name if name.isprintable() else name.encode("unicode_escape").decode("ascii")


def _figures(sums: dict[str, Any]) -> tuple[str, ...]:
    shown_less = bool(sums["compressed"] or sums["diagnosed"])
    return (
        f"{sums['calls']:,}",
        f"{sums['compressed']:,}",
        f"{sums['bytes_before']:,}",
        f"{sums['bytes_after']:,}",
        f"{sums['bytes_saved_percent']:.1f} %" if shown_less else "-",
        f"{sums['estimated_tokens_saved']:,}" if shown_less else "-",
        _milliseconds(sums["ms_p50"]),
        _milliseconds(sums["ms_p99"]),
        _milliseconds(sums["ms_total"]),
    )


def _details(sums: dict[str, Any], indent: str) -> list[str]:
    shown_less = sums["compressed"] + sums["diagnosed"]
    lines = [
        f"{printable(encoding)}: {counted['before']:,} tokens before, {counted['after']:,} after, "
        f"{counted['saved_percent']:.1f} % saved, counted in {counted['calls']:,} of {shown_less:,}"
        for encoding, counted in sums["tokens"].items()
    ]
    if sums["diagnosed"]:
        lines.append(f"diagnosed: {sums['diagnosed']:,}")
    if sums["passed"]:
        reasons = sorted(sums["passed"].items(), key=lambda item: (-item[1], item[0]))
        listed = ", ".join(f"{printable(reason) or 'no reason'} {count:,}" for reason, count in reasons)
        lines.append(f"passed: {listed} ({sums['bytes_passed']:,} bytes)")
    if sums["recoveries"]:
        # A share of nothing is none: what passed, and was read again.
        share = f" ({sums['net_bytes_saved_percent']:.1f} %)" if sums["bytes_before"] else ""
        lines.append(
            f"shown again: {_recovered(sums)}; net {sums['net_bytes_saved']:,} bytes{share}, "
            f"{sums['net_estimated_tokens_saved']:,} ~tokens saved"
        )
    return [indent + line for line in lines]


def _recovered(sums: dict[str, Any]) -> str:
    times = sums["recoveries"]
    return (
        f"{times:,} time{'' if times == 1 else 's'}, {sums['bytes_recovered']:,} bytes, "
        f"{sums['estimated_tokens_recovered']:,} ~tokens"
    )


def _line(name: str, figures: tuple[str, ...], width: int) -> str:
    cells = (f"{figure:>{max(len(head), 7)}}" for head, figure in zip(_HEAD, figures, strict=True))
    return f"{name:<{width}}  {'  '.join(cells)}"


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def moment(at: float) -> str:
    """Return a time in seconds since 1970 as date and time of day (UTC)."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return f"{at} s since 1970"


def _unreadable(record: dict[str, Any]) -> str:
    count = record["unreadable_entries"]
    return f"left out: {count:,} unreadable entr{'y' if count == 1 else 'ies'}\n" if count else ""
