"""Parse a rule file: text to `ast.File`, each entry on its own.

Input: a source. Output: the tree of every entry that is sound, and one syntax error (or several about texts and
patterns) for each that is not, in the report. Nothing is resolved here.

INVARIANT: never raises for any text. One parser per thread, as Lark's is not shared.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import PatternStr

from .ast import Admit, File, Lines, Options, Phrase, Rule, Use, Word
from .build_file import Entry, FileBuilder
from .comments import check_comments
from .diagnostics import Report
from .expected import Stop, syntax_error, unknown_entry
from .files import check_text
from .lalr import StuckError, TableReader
from .problems import block_suspect, problem_error
from .rows import Parsed, RowTracer, line_tree
from .scan import Piece, split_entries
from .source import Source, Span

# A file with this many broken entries is no rule file, or was broken in one place early on.
MAX_BROKEN = 20

_local = threading.local()


class _Parser:
    """Lark with the builder whose methods it calls at each reduction."""

    def __init__(self) -> None:
        self.builder = FileBuilder()
        self.tracer = RowTracer(self.builder)
        self.lark = Lark(
            grammar_text(),
            parser="lalr",
            lexer="contextual",
            transformer=self.tracer,  # pyright: ignore[reportArgumentType] - Lark asks for methods by name, no more
            keep_all_tokens=True,
            maybe_placeholders=False,
        )
        self.tables = TableReader(self.lark)
        spelling: dict[str, str] = {}
        for terminal in self.lark.terminals:
            raw = terminal.pattern.value
            word = raw.split("(?")[0]
            if isinstance(terminal.pattern, PatternStr) or word.isalpha():
                spelling[terminal.name] = word or raw
        self.spelling = MappingProxyType(spelling)


@cache
def grammar_text() -> str:
    """Return the grammar as it is shipped."""
    return files(__spec__.parent).joinpath("grammar.lark").read_text(encoding="utf-8")


def parse_file(source: Source, report: Report) -> File:
    """Return the tree of a file; entries with syntax errors are missing from it, and the report says why."""
    found = parse_entries(source, report)
    for parsed in found:
        if "#" in parsed.text:
            check_comments(source, line_tree(parsed), report)
    return gather_file(source, [parsed.entry for parsed in found])


def gather_file(source: Source, entries: Sequence[Entry]) -> File:
    """Return the tree of a file that is made of these entries."""

    def every(kind: type[Any]) -> tuple[Any, ...]:
        return tuple(entry for entry in entries if isinstance(entry, kind))

    return File(
        source=source,
        uses=every(Use),
        words=every(Word),
        phrases=every(Phrase),
        options=every(Options),
        lines=every(Lines),
        rules=every(Rule),
        admits=every(Admit),
        span=Span(0, len(source.text)),
    )


def parse_entries(source: Source, report: Report, known: Mapping[str, Parsed] = MappingProxyType({})) -> list[Parsed]:
    """Return the entries of a file that are sound, with their tokens and lines; the report says what is not.

    `known` are sound entries by their text, which need not be parsed again; places in their trees are those of then.
    Comments are not looked at.
    """
    entries: list[Parsed] = []
    broken = 0
    for piece in split_entries(source.text) if check_text(source, report) else ():
        text = source.text[piece.start : piece.end]
        if text in known:
            entries.append(replace(known[text], source=source, piece=piece))
            continue
        found = Report()
        parsed = parse_piece(source, piece, found)
        if parsed is not None and not found:
            entries.append(parsed)
            continue
        report.extend(found)
        broken += 1
        if broken == MAX_BROKEN:
            break
    return entries


def parse_piece(source: Source, piece: Piece, report: Report) -> Parsed | None:
    """Parse one entry of a file; None after a diagnostic, of which there may be some beside an entry, too."""
    if piece.problem is not None and piece.problem.trouble != "stray":
        report.add(problem_error(source, piece.problem))
        return None
    if piece.keyword is None:
        report.add(unknown_entry(source, piece))
        return None
    parser = _thread_parser()
    parsed = _read_piece(parser, source, piece, report)
    if parsed is not None:
        return parsed
    # It is not sound: read once more, by a session that knows what was expected, and says what was found before.
    parser.builder.begin(source, report, piece.start)
    tracer = parser.tracer
    tracer.begin()
    session = parser.lark.parse_interactive(source.text[piece.start : piece.end])
    try:
        for token in session.iter_parse():
            tracer.tokens.append(token)
        tracer.ended = True
        entry = session.feed_eof()
        return Parsed(source, piece, entry, tracer.tokens, tuple(tracer.rows))
    except UnexpectedCharacters as error:
        at = error.pos_in_stream
    except UnexpectedToken as error:
        at = len(source.text) if error.token.type == "$END" else error.token.start_pos
    assert at is not None
    at = min(piece.start + at, piece.end)
    suspect = block_suspect(source, piece, at)
    report.add(suspect or syntax_error(Stop(source, piece, at, session.accepts(), parser.spelling)))
    return None


def _read_piece(parser: _Parser, source: Source, piece: Piece, report: Report) -> Parsed | None:
    """Read an entry in one loop; None where it does not parse, and then nothing has been reported."""
    found = Report()
    parser.builder.begin(source, found, piece.start)
    tracer = parser.tracer
    tracer.begin()
    try:
        # The entry's own text, not a slice of the file: what is read are offsets in the entry.
        entry = parser.tables.read(source.text[piece.start : piece.end], tracer.tokens, tracer.end)
    except StuckError:
        return None
    report.extend(found)
    return Parsed(source, piece, entry, tracer.tokens, tuple(tracer.rows))


def accepted_after(text: str) -> frozenset[str] | None:
    """Return what could stand behind the beginning of an entry: keywords as they are spelt, other terminals by their
    names (`NAME`, `STRING`, `$END`); None where that beginning does not parse.
    """
    parser = _thread_parser()
    parser.builder.begin(Source("", text), Report(), 0)
    parser.tracer.begin()
    session = parser.lark.parse_interactive(text)
    try:
        for token in session.iter_parse():
            parser.tracer.tokens.append(token)
    except (UnexpectedCharacters, UnexpectedToken):
        return None
    return frozenset(parser.spelling.get(name, name) for name in session.accepts())


def _thread_parser() -> _Parser:
    parser = getattr(_local, "parser", None)
    if parser is None:
        parser = _local.parser = _Parser()
    return parser
