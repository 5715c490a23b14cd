"""Diagnostics as sentences, without drawing: for screen readers, and for logs that are searched line by line."""

from __future__ import annotations

from collections.abc import Iterable

from .diagnostics import Diagnostic, Label
from .display import visible, visible_words
from .render_edits import edited_lines
from .source import Source


def render_plain(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a paragraph of full lines for each diagnostic, separated by empty lines; nothing for none."""
    return "\n".join("\n".join(_lines(visible_words(d))) + "\n" for d in diagnostics)


def _lines(diagnostic: Diagnostic) -> list[str]:
    source, primary = diagnostic.source, diagnostic.primary
    line, column = source.position(primary.span.start)
    out = [f"error {diagnostic.code} in {visible(source.path)}, line {line}, column {column}: {diagnostic.message}"]
    out.append(f"line {line} reads: {visible(source.line(line))}")
    out += _said("here", source, primary)
    for label in diagnostic.secondary:
        place = label.source or source
        line, column = place.position(label.span.start)
        where = f"line {line}, column {column}"
        out += _said(where if place == source else f"{visible(place.path)}, {where}", place, label)
    out += [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help:
        out.append(f"help: {diagnostic.help}")
    words = {"|": "should read", "-": "loses something, it reads", "+": "should read"}
    out += [f"line {edit.number} {words[edit.sign]}: {visible(edit.text)}" for edit in edited_lines(diagnostic)]
    return out


def _said(where: str, source: Source, label: Label) -> list[str]:
    if not label.text:
        return []
    marked = visible(source.text[label.span.start : label.span.end].split("\n", 1)[0])
    return [f"{where}, at `{marked}`: {label.text}" if marked else f"{where}: {label.text}"]
