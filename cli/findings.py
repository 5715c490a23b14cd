"""Printing diagnostics in the format that was asked for, plain where no person is looking at colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..dsl.diagnostics import Diagnostic
from ..dsl.render import render_human, render_json, render_plain
from .options import Option
from .output import count_of

FORMAT = Option(
    "--format",
    "how findings are printed: `human` (default), `plain` sentences, `json` lines",
    "FORMAT",
    choices=("human", "plain", "json"),
    default="human",
)


def render_findings(diagnostics: Sequence[Diagnostic], form: str) -> str:
    """Return the diagnostics as text, in order; colour only on a terminal without NO_COLOR."""
    if form == "json":
        return render_json(diagnostics)
    if form == "plain":
        return render_plain(diagnostics)
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return render_human(diagnostics, color=color)


def render_count(diagnostics: Sequence[Diagnostic], files: int) -> str:
    """Return the closing line of a check."""
    found = len(diagnostics)
    findings = count_of(found, "finding") if found else "no findings"
    return f"{count_of(files, 'file')} checked, {findings}"
