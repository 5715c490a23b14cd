"""The record of `cablese measure --rules` as a table for people.

Input: the record. Output: lines of at most eighty columns: what was measured and saved, what each rule, codec or kind
did, and the commands that no rule claims. It holds no more than the record does: sums and names of rules.
"""

from __future__ import annotations

import textwrap
from typing import Any

_NAME = 32


def render_table(record: dict[str, Any]) -> str:
    """Return the table, a line end behind each line."""
    results, total, files = record["results"], record["total"], record["files"]
    over_turns = _share(total["tokens_saved_over_turns"], total["tokens_before_over_turns"])
    lines = [
        f"{record['archive']}, counted for {record['model']} ({record['encoding_family']})",
        f"{results['decided']:,} of {results['found']:,} results decided, of {files['scanned']:,} files",
        f"saved {_share(total['tokens_saved'], total['tokens_before'])}, over turns {over_turns}",
        "",
        _row("decided by", "results", "tokens", "saved", "over turns"),
    ]
    for row in record["rows"]:
        figures = (row["results"], row["tokens_before"], row["tokens_saved"], row["tokens_saved_over_turns"])
        lines.append(_row(_name(row), *(f"{figure:,}" for figure in figures)))
    unclaimed = record["unclaimed"]["costliest"]
    if unclaimed:
        lines += ["", _row("no rule claims", "results", "tokens", "", "over turns")]
    for shape in unclaimed:
        figures = (f"{shape['results']:,}", f"{shape['tokens']:,}", "", f"{shape['tokens_over_turns']:,}")
        lines.append(_row(shape["shape"], *figures))
    left = record["unclaimed"]["shapes"] - len(unclaimed)
    if left:
        lines.append(f"and {left:,} more")
    lines.append("")
    for warning in record["warnings"]:
        lines += textwrap.wrap(f"note: {warning}", 80, subsequent_indent="  ")
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _share(part: int, whole: int) -> str:
    percent = f" ({100 * part / whole:.1f} %)" if whole else ""
    return f"{part:,} of {whole:,} tokens{percent}"


def _name(row: dict[str, Any]) -> str:
    """Return who decided: a rule, codec or kind, or the reason for which the results passed."""
    kind = f"kind {row['kind']}" if row["kind"] else None
    by = row["rule"] or kind or row["codec"]
    if row["reason"] is None:
        return by or row["outcome"]
    return f"{by}: {row['reason']}" if by else f"passed: {row['reason']}"


def _row(name: str, results: str, tokens: str, saved: str, over_turns: str) -> str:
    shown = name if len(name) <= _NAME else name[: _NAME - 1] + "…"
    return f"{shown:{_NAME}}{results:>9}{tokens:>12}{saved:>12}{over_turns:>14}"
