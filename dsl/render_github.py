"""Diagnostics as GitHub workflow commands, so that a run annotates the lines of a change.

Input: diagnostics. Output: one `::error …::` line for each. Escapes are those of the workflow commands
(`%`, CR and LF in the message; also `:` and `,` in a property), after the documentation of GitHub Actions,
“Workflow commands”, and its toolkit.
INVARIANT: whatever stands in a file, its findings are that many lines, each of them a command of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .diagnostics import Diagnostic
from .display import visible_words


def render_github(diagnostics: Iterable[Diagnostic], locate: Callable[[str], str] = str) -> str:
    """Return one line for each diagnostic; nothing for none. `locate` turns a path into one from the repository on."""
    return "".join(_annotate(visible_words(each), locate) + "\n" for each in diagnostics)


def annotation(message: str, **properties: object) -> str:
    """Return one error command; properties that are None are left out."""
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
    return f"::error {given}::{_data(message)}"


def _annotate(diagnostic: Diagnostic, locate: Callable[[str], str]) -> str:
    source, span = diagnostic.source, diagnostic.primary.span
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    if end_line > line and end_column == 1:
        end_line -= 1
        end_column = len(source.line(end_line)) + 1
    one_line = end_line == line
    return annotation(
        _message(diagnostic),
        file=locate(source.path),
        line=line,
        endLine=end_line,
        # Columns are taken only where both are in one line; the last one is included.
        col=column if one_line else None,
        endColumn=max(column, end_column - 1) if one_line else None,
        title=diagnostic.code,
    )


def _message(diagnostic: Diagnostic) -> str:
    parts = [diagnostic.message]
    if diagnostic.primary.text:
        parts.append(f"here: {diagnostic.primary.text}")
    parts += [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help:
        parts.append(f"help: {diagnostic.help}")
    return "\n".join(parts)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
