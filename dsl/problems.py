"""Diagnostics for what was opened and never closed (E0102), and for nesting without end (E0108).

They point at the opener: that is where the author has to look, however far the file went on.
"""

from __future__ import annotations

import re

from .diagnostics import Diagnostic, Label
from .scan import MAX_DEPTH, Piece, Problem
from .source import Source, Span

_BLOCK = re.compile(r'"""[ \t]*\n(?:(?![ \t]*""")[^\n]*\n)*+[ \t]*"""')
_OPENING = re.compile(r'^[ \t]*(?:summary|command|stdout|stderr|shows)[ \t]*"""[ \t]*$', re.MULTILINE)


def problem_error(source: Source, problem: Problem) -> Diagnostic:
    """Return the diagnostic for something that does not balance."""
    at = problem.opener
    if problem.trouble == "string":
        return Diagnostic(
            "E0102",
            "a string is never closed",
            source,
            Label(Span(at, at + 1), "opened here"),
            notes=("a string ends in the line it begins in",),
        )
    if problem.trouble == "block":
        return _open_block(source, Span(at, at + 3))
    if problem.trouble == "inline_block":
        return Diagnostic(
            "E0102",
            "the text of a block begins in the line after its quotes",
            source,
            Label(Span(at, at + 3), "nothing may follow in this line"),
            help='put the text on lines of its own and end with `"""` on a line of its own',
        )
    if problem.trouble == "depth":
        return Diagnostic(
            "E0108",
            f"brackets nest deeper than {MAX_DEPTH} levels",
            source,
            Label(Span(at, at + 1), "one too many"),
        )
    bracket = source.text[at]
    closed = ()
    if problem.closer is not None:
        closed = (Label(Span(problem.closer, problem.closer + 1), "this seems to close something further out"),)
    return Diagnostic(
        "E0102",
        f"a `{bracket}` is never closed",
        source,
        Label(Span(at, at + 1), "opened here"),
        secondary=closed,
    )


def _open_block(source: Source, span: Span, end: Span | None = None) -> Diagnostic:
    return Diagnostic(
        "E0102",
        "a block is never closed",
        source,
        Label(span, "opened here"),
        secondary=(Label(end, "the text of the block runs to here"),) if end else (),
        notes=('the `"""` that closes a block is the first thing on its line',),
    )


def block_suspect(source: Source, piece: Piece, at: int) -> Diagnostic | None:
    """Return a diagnostic about the last block before a syntax error, if it seems to hold the beginning of another.

    A block whose closing quotes were forgotten runs on to the closing quotes of the next.
    """
    found = list(_BLOCK.finditer(source.text, piece.start, at))
    if not found:
        return None
    block = found[-1]
    other = _OPENING.search(source.text, block.start() + 3, block.end() - 3)
    if other is None:
        return None
    return _open_block(source, Span(block.start(), block.start() + 3), Span(block.end() - 3, block.end()))
