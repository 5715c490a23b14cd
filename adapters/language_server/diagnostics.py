"""Diagnostics of the compiler as those of the protocol.

Input: a finding, the lines of the text that it is about, a way to the lines of other files. Output: the same for an
editor: message with help and notes, other places as related information.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lsprotocol import types

from ...dsl.diagnostics import Diagnostic
from .positions import Lines

SOURCE: Final = "cablese"
UNUSED: Final = frozenset({"E0205", "E0505", "E0605"})
"""Codes about what is written and never used: editors grey it."""

Located = Callable[[str], tuple[str, Lines]]
"""From the name of a file to its URI and its lines."""


def render_diagnostic(found: Diagnostic, lines: Lines, locate: Located) -> types.Diagnostic:
    """Return a finding in the terms of the protocol."""
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(uri, there.range(label.span.start, label.span.end)), label.text or "see here"
        )
        for label in found.secondary
        for uri, there in [locate(label.source.path if label.source is not None else found.source.path)]
    ]
    return types.Diagnostic(
        range=lines.range(found.primary.span.start, found.primary.span.end),
        message=render_message(found),
        severity=types.DiagnosticSeverity.Error,
        code=found.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if found.code in UNUSED else None,
        related_information=related or None,
    )


def render_message(found: Diagnostic) -> str:
    """Return all that is said about a finding, in lines: what, why here, notes, help."""
    head = f"{found.message}: {found.primary.text}" if found.primary.text else found.message
    notes = [f"note: {note}" for note in found.notes]
    return "\n".join([head, *notes, *([f"help: {found.help}"] if found.help else [])])
