"""Diagnostics as JSON lines, one object each, for programs.

Lines and columns count from 1, columns and offsets in code points; ends are exclusive.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .diagnostics import Diagnostic, Label
from .source import Source, Span


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one line for each diagnostic; nothing for none."""
    return "".join(json.dumps(diagnostic_record(d)) + "\n" for d in diagnostics)


def diagnostic_record(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic as plain data.

    `code`, `severity`, `message`; `path` and the place of the primary label (`line`, `column`, `end_line`,
    `end_column`, `offset`, `end_offset`), its words in `label`; `labels`, `notes`, `help` (or null), `edits`.
    """
    source = diagnostic.source
    return {
        "code": diagnostic.code,
        "severity": "error",
        "message": diagnostic.message,
        **_place(source, diagnostic.primary.span),
        "label": diagnostic.primary.text,
        "labels": [_label(source, label) for label in diagnostic.secondary],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "edits": [{**_place(source, edit.span), "text": edit.text} for edit in diagnostic.edits],
    }


def _label(source: Source, label: Label) -> dict[str, Any]:
    return {**_place(label.source or source, label.span), "label": label.text}


def _place(source: Source, span: Span) -> dict[str, Any]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {
        "path": source.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "offset": span.start,
        "end_offset": span.end,
    }
