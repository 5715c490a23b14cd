"""The one layout of a rule file, and the proof that it says what the author's did.

Input: a source. Output: `Formatted`. Nothing is read or written here. docs/formatting.md describes the layout.

INVARIANT: what is returned parses to an equal tree of the same words with the same comments in the same order, and is
itself the layout of what it says. Where that fails `FormatError` is raised, and the author's text stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..comments import Comments, gather_comments
from ..diagnostics import Diagnostic, Report
from ..parser import parse_entries
from ..rows import Line, Parsed, line_tree
from ..source import Source
from .render import render_file


class FormatError(Exception):
    """The formatter's own output is not what it has to be. The message says in which respect."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """The text in its layout; None when the file is broken, and the diagnostics say where."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class _Laid:
    """A text, what it says, and its layout."""

    entries: list[Parsed]
    lines: list[Line]
    comments: Comments
    text: str


def format_source(source: Source) -> Formatted:
    """Return a rule file in its layout. Raises FormatError rather than return a text that says something else."""
    report = Report()
    laid = _lay(source, report)
    if laid is None:
        return Formatted(None, tuple(report))
    if laid.text != source.text:
        _prove(laid, source.path)
    return Formatted(laid.text)


def _lay(source: Source, report: Report, known: Mapping[str, Parsed] = MappingProxyType({})) -> _Laid | None:
    entries = parse_entries(source, report, known)
    lines = [line_tree(entry) for entry in entries]
    comments = gather_comments(source, lines, report) if not report else Comments()
    return None if report else _Laid(entries, lines, comments, render_file(lines, comments))


def _prove(before: _Laid, path: str) -> None:
    report = Report()
    after = _lay(Source(path, before.text), report, {entry.text: entry for entry in before.entries})
    if after is None:
        raise FormatError(f"the layout does not parse: {next(iter(report)).message}")
    if [entry.entry for entry in after.entries] != [entry.entry for entry in before.entries]:
        raise FormatError("the layout says something else")
    if _words(after) != _words(before):
        raise FormatError("the layout says it in other words")
    if after.comments.order != before.comments.order:
        raise FormatError("the layout has other comments, or in another order")
    if after.text != before.text:
        raise FormatError("the layout has another layout")


def _words(laid: _Laid) -> list[str]:
    """Return all tokens as written, but for blocks, whose indentation is not their value."""
    return [str(token) for entry in laid.entries for token in entry.tokens if token.type != "BLOCK"]
