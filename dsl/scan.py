"""Cut a rule file into its top-level entries and find what was opened and never closed.

Input: the text of a source. Output: one `Piece` per entry, in order, each with the problem found in it, if any, so that
every entry is parsed on its own and a mistake in one hides nothing in the next.

INVARIANT: pieces do not overlap, and all that stands outside of them is blanks and comments. One pass, no recursion;
linear in the text but for a re-scan when braces do not balance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

ENTRIES = ("use", "word", "phrase", "options", "lines", "rule", "admit")
MAX_DEPTH = 64

_TOKEN = re.compile(
    r"""
      (?P<blank>[ \t\n]+|\#[^\n]*)
    | (?P<block>\"{3}[ \t]*\n(?:(?![ \t]*\"{3})[^\n]*\n)*+[ \t]*\"{3})
    | (?P<open_block>\"{3}[ \t]*\n.*)
    | (?P<inline_block>\"{3}[^\n]*)
    | (?P<string>"(?:[^"\\\n]|\\[^\n])*+")
    | (?P<open_string>"[^\n]*)
    | (?P<class>\[(?:[^\]\\\n]|\\[^\n])*+\])
    | (?P<open>[({])
    | (?P<close>[)}])
    | (?P<word>[A-Za-z_][A-Za-z0-9_.]*)
    | (?P<other>[^\s"#(){}\[A-Za-z_]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)

# An entry that begins a line, in full enough shape not to be a clause of a rule. Only consulted once braces or
# quotes of the file are known not to balance.
_HEADER = re.compile(
    r"""
    ^ (?: use [ ] (?:codec [ ])? " | (?:word|phrase) [ ]+ \w+ [ ]* = | options [ ]+ \w+ [ ]* \{
    | lines [ ]+ (?!with\b) \w+ [ ]* (?: with\b | \{ ) | rule [ ]+ [\w.]+ [ ]+ " | admit [ ]+ " )
    """,
    re.MULTILINE | re.VERBOSE,
)

Trouble = Literal["string", "block", "inline_block", "brace", "parenthesis", "depth", "stray"]

_OPENED: dict[str, Trouble] = {"open_string": "string", "open_block": "block", "inline_block": "inline_block"}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not balance: what, where it was opened, and the place that gives it away, if one does."""

    trouble: Trouble
    opener: int
    closer: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """One top-level entry: its keyword, or None where none stands, and its offsets."""

    keyword: str | None
    start: int
    end: int
    problem: Problem | None = None


def split_entries(text: str) -> tuple[Piece, ...]:
    """Return the top-level entries of a file, in order."""
    pieces = list(_scan(text, 0, len(text)))
    first = next((n for n, piece in enumerate(pieces) if piece.problem), None)
    if first is None:
        return tuple(pieces)
    # A brace too many ends an entry early; what follows it and begins no entry is its rest.
    while first and pieces[first].keyword is None:
        first -= 1
    # Nothing after a broken entry can be trusted, so what follows is cut where lines begin like an entry.
    begin = pieces[first].start
    cuts = [m.start() for m in _HEADER.finditer(text, begin) if m.start() > begin]
    pieces[first:] = [
        piece
        for start, end in zip([begin, *cuts], [*cuts, len(text)], strict=True)
        for piece in _whole(text, start, end)
    ]
    return tuple(pieces)


def _whole(text: str, start: int, end: int) -> list[Piece]:
    """Scan one stretch; a stray closing brace makes one entry of all of it, so that it is reported once."""
    pieces = list(_scan(text, start, end))
    problem = next((p.problem for p in pieces if p.problem), None)
    if len(pieces) < 2 or problem is None or problem.trouble != "stray":
        return pieces
    return [Piece(pieces[0].keyword, pieces[0].start, pieces[-1].end, problem)]


@dataclass(frozen=True, slots=True)
class _Bracket:
    """An open bracket: which, where, and the indentation of its line."""

    char: str
    place: int
    indent: int


@dataclass(slots=True)
class _Open:
    """A piece being scanned. `suspect`: an opener and the brace that closes it, further left than it should be."""

    keyword: str | None
    start: int
    end: int
    stack: list[_Bracket]
    excess: int = 0
    problem: Problem | None = None
    suspect: tuple[int, int] | None = None
    before: str = ""

    def trouble(self, trouble: Trouble, opener: int, closer: int | None = None) -> None:
        """Keep the first problem of the piece."""
        if self.problem is None:
            self.problem = Problem(trouble, opener, closer)

    def finish(self) -> Piece:
        """Close the piece; what is still open is its problem."""
        if self.stack:
            bracket = self.stack[-1]
            if bracket.char == "(":
                self.trouble("parenthesis", bracket.place)
            elif self.suspect:
                self.trouble("brace", *self.suspect)
            else:
                self.trouble("brace", bracket.place)
        return Piece(self.keyword, self.start, self.end, self.problem)


def _scan(text: str, start: int, end: int) -> Iterator[Piece]:
    piece: _Open | None = None
    line_start, fresh, indent = start, True, 0
    for match in _TOKEN.finditer(text, start, end):
        kind, word = match.lastgroup, match[0]
        if kind == "blank":
            if "\n" in word:
                line_start, fresh = match.start() + word.rindex("\n") + 1, True
            continue
        first, fresh = fresh, False
        indent = match.start() - line_start if first else indent
        complete = piece is not None and not piece.stack and piece.before == "}"
        begins = kind == "word" and word in ENTRIES and (piece is None or (not piece.stack and _may_begin(piece)))
        if piece is None or begins or (complete and kind == "word"):
            if piece is not None:
                yield piece.finish()
            piece = _Open(word if begins else None, match.start(), match.end(), [])
        piece.end = match.end()
        if kind in _OPENED:
            piece.trouble(_OPENED[kind], match.start())
        elif kind == "open":
            _open(piece, _Bracket(word, match.start(), indent))
        elif kind == "close":
            _close(piece, word, match.start(), indent if first else None)
        piece.before = word if kind in {"word", "close", "other"} else ""
    if piece is not None:
        yield piece.finish()


def _may_begin(piece: _Open) -> bool:
    """After these words a name follows, which may be spelt like the beginning of an entry."""
    return piece.before not in {*ENTRIES, "with", "codec", ","}


def _open(piece: _Open, bracket: _Bracket) -> None:
    # INVARIANT: the stack is never higher than MAX_DEPTH, so looking through it costs nothing.
    if len(piece.stack) < MAX_DEPTH:
        piece.stack.append(bracket)
        return
    piece.excess += 1
    piece.trouble("depth", bracket.place)


def _close(piece: _Open, char: str, place: int, indent: int | None) -> None:
    """Close what `char` closes; `indent` is its indentation if it is the first thing on its line.

    Indentation means nothing to the language; where braces do not balance it shows which one the author forgot.
    """
    if piece.excess:
        piece.excess -= 1
        return
    opener = "{" if char == "}" else "("
    if all(bracket.char != opener for bracket in piece.stack):
        if char == "}":
            piece.trouble("stray", place)
        return
    while piece.stack:
        bracket = piece.stack.pop()
        if bracket.char == opener:
            if piece.suspect is None and indent is not None and indent < bracket.indent:
                piece.suspect = bracket.place, place
            return
        piece.trouble("parenthesis", bracket.place, place)
