"""Keeps the entries of a rule file at fixed places while the file changes around them.

Input: the text of one file, again and again. Output: its syntax tree, in which an entry that was not touched is the
very object that it was before, and a way from places in that tree to places in the text.

Every new entry is written behind all earlier ones into a text that only grows, and parsed there. So its places never
change, whatever is written above it, and what passes found out about an entry stays true and pointed as long as its
text does. Diagnostics are moved to the text of now when they are shown.

INVARIANT: a place of the shelf once given out means the same character for ever.
Entries that do not parse are not shelved: what is said of them depends on what stands behind them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..dsl import ast
from ..dsl.comments import check_comments
from ..dsl.diagnostics import Diagnostic, Edit, Label, Report
from ..dsl.files import read_source
from ..dsl.parser import MAX_BROKEN, gather_file, parse_piece
from ..dsl.rows import Parsed, line_tree
from ..dsl.scan import Piece, split_entries
from ..dsl.source import Source, Span

LARGEST = 1 << 22
"""So many characters a shelf may hold before it is cleared; some hundred versions of a large rule."""


@dataclass(frozen=True, eq=False)
class ShelfSource(Source):
    """The text of a shelf. `places` are starts of entries on it, `lines` the lines at which these stand in the file."""

    places: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column in the file, as it was when this source was made."""
        at = bisect_right(self.places, offset) - 1
        if at < 0:
            return 1, 1
        start = self.places[at]
        inner = self.text.count("\n", start, offset)
        column = offset - (self.text.rfind("\n", start, offset) if inner else start - 1)
        return self.lines[at] + inner, column


@dataclass(slots=True, eq=False)
class Shelved:
    """A sound entry: its text, its place on the shelf, what it is, and what is wrong with its comments.

    `at` is where it stands in the file now.
    """

    text: str
    place: int
    parsed: Parsed
    findings: tuple[Diagnostic, ...]
    at: int = 0


@dataclass(slots=True)
class Shelf:
    """One file. `text` is that of the last update; `tree` is None where it breaks the limits of a file; `source` is the
    shelf's own text; `findings` are those about what did not parse; `broken`: something of the tree is missing.
    """

    path: str
    text: str | None = None
    tree: ast.File | None = None
    source: ShelfSource = field(init=False)
    entries: list[Shelved] = field(default_factory=list)
    findings: tuple[Diagnostic, ...] = ()
    broken: bool = False
    _held: str = ""

    def __post_init__(self) -> None:
        """Begin with nothing."""
        self.source = ShelfSource(self.path, "")

    def update(self, text: str) -> Iterator[None]:
        """Take in a text; yields between entries, and may be left there: then nothing was taken in."""
        if text == self.text:
            return
        report = Report()
        readable = read_source(self.path, text.encode("utf-8", "surrogatepass"), report) is not None
        source = Source(self.path, text)
        if len(self._held) > LARGEST:
            self._held, self.entries = "", []
        known: dict[str, list[Shelved]] = {}
        for each in reversed(self.entries):
            known.setdefault(each.text, []).append(each)
        found: list[tuple[Shelved, int]] = []
        broken = 0
        for piece in split_entries(text) if readable else ():
            same = known.get(text[piece.start : piece.end])
            if same:
                found.append((same.pop(), piece.start))
                continue
            yield
            shelved = self._shelve(source, piece, report)
            if shelved is not None:
                found.append((shelved, piece.start))
                continue
            broken += 1
            if broken == MAX_BROKEN:
                break
        for each, at in found:
            each.at = at
        self.entries = [each for each, _ in found]
        starts = source.line_starts
        lined = sorted((each.place, bisect_right(starts, each.at)) for each in self.entries)
        self.source = ShelfSource(
            self.path, self._held, tuple(place for place, _ in lined), tuple(line for _, line in lined)
        )
        self.findings = tuple(report)
        self.broken = readable and (bool(report) or any(each.findings for each in self.entries))
        self.tree = gather_file(self.source, [each.parsed.entry for each in self.entries]) if readable else None
        self.text = text

    def _shelve(self, source: Source, piece: Piece, report: Report) -> Shelved | None:
        """Parse an entry at a place of its own; what is wrong with it is said of the text as it is."""
        if piece.keyword is None or (piece.problem is not None and piece.problem.trouble != "stray"):
            parse_piece(source, piece, report)
            return None
        text = source.text[piece.start : piece.end]
        place = len(self._held)
        held = f"{self._held}{text}\n"
        # What is said of an entry that ends too early depends on whether anything follows it.
        shelf = Source(self.path, held if not source.text[piece.end :].strip() else f"{held}…")
        found = Report()
        parsed = parse_piece(shelf, replace(piece, start=place, end=place + len(text), problem=None), found)
        if parsed is None or found:
            report.extend(_move(each, source, piece.start - place) for each in found)
            return None
        self._held = held
        comments = Report()
        if "#" in text:
            check_comments(Source(self.path, held), line_tree(parsed), comments)
        return Shelved(text, place, parsed, tuple(comments))

    def find(self, at: int) -> Shelved | None:
        """Return the entry that a place in the file is in, or directly behind."""
        return next((each for each in self.entries if each.at <= at <= each.at + len(each.text)), None)

    def locate(self, span: Span) -> Span:
        """Return where a stretch of the shelf stands in the file."""
        places = self.source.places
        at = bisect_right(places, span.start) - 1
        start = places[at] if at >= 0 else -1
        for each in self.entries:
            if each.place == start:
                by = each.at - start
                return Span(span.start + by, span.end + by)
        return Span(0, 0)


def _move(diagnostic: Diagnostic, source: Source, by: int) -> Diagnostic:
    """Return a diagnostic of one source as one of another in which everything stands `by` characters further on."""

    def label(each: Label) -> Label:
        return Label(Span(each.span.start + by, each.span.end + by), each.text)

    return replace(
        diagnostic,
        source=source,
        primary=label(diagnostic.primary),
        secondary=tuple(map(label, diagnostic.secondary)),
        edits=tuple(Edit(Span(edit.span.start + by, edit.span.end + by), edit.text) for edit in diagnostic.edits),
    )


def settle(diagnostic: Diagnostic, shelves: dict[str, Shelf]) -> Diagnostic:
    """Return a diagnostic with all its places in the texts as they are now."""
    memo: dict[str, Source] = {}

    def place(span: Span, source: Source) -> Span:
        return shelves[source.path].locate(span) if isinstance(source, ShelfSource) else span

    def real(source: Source) -> Source:
        if not isinstance(source, ShelfSource):
            return source
        return memo.setdefault(source.path, Source(source.path, shelves[source.path].text or ""))

    def label(each: Label) -> Label:
        own = each.source or diagnostic.source
        return Label(place(each.span, own), each.text, None if each.source is None else real(each.source))

    return replace(
        diagnostic,
        source=real(diagnostic.source),
        primary=label(diagnostic.primary),
        secondary=tuple(map(label, diagnostic.secondary)),
        edits=tuple(Edit(place(edit.span, diagnostic.source), edit.text) for edit in diagnostic.edits),
    )
