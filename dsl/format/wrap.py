"""Pieces to physical lines: as many in a line as fit, alternatives under the `=` of what they belong to.

Input: the pieces of a line and the columns they may use. Output: `Physical` lines. A comment beside an alternative
makes it begin (or end) a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..comments import Comments
from .cells import Piece

WIDTH = 120
# A line longer than this has its comment right behind it and sets no column for those of other lines.
FARTHEST = 80


@dataclass(slots=True)
class Physical:
    """A line of the file: its text, a tail that is set in a column, and the comment at its end.

    `joins`: tails and comments of the lines before and behind it share columns, and its own with them. `raw`: it is
    text of a block.
    """

    text: str
    tail: str = ""
    comment: str = ""
    joins: bool = False
    raw: bool = False


def wrap(first: str, pieces: Sequence[Piece], hang: int, comments: Comments) -> list[Physical]:
    """Return the lines of `first`, which ends in column `hang`, and the pieces behind it.

    The comment at the end of the last piece is left to the caller, as more may stand before it.
    """
    wrapper = _Wrapper(hang, comments, _commented(pieces, hang, comments), [Physical(first, joins=True)])
    if pieces:
        wrapper.place(pieces)
        wrapper.lines[-1].comment = ""
    return wrapper.lines


def _commented(pieces: Sequence[Piece], hang: int, comments: Comments) -> frozenset[int]:
    """Return the starts of the alternatives that begin a line because the comment at their end is about them.

    At the end of the last one it may be about all of them, so that it depends on whether the author began a line.
    """
    bars = [n for n, piece in enumerate(pieces) if piece.bar and piece.rank == 0]
    found = {pieces[bar].start for bar, following in pairwise(bars) if pieces[following - 1].end in comments.after}
    if bars and pieces[bars[-1]].start in comments.bars:
        # INVARIANT: the comment comes to stand in the line that its alternative begins, or the next run would differ.
        length = sum(len(piece.text) + 1 for piece in pieces[bars[-1] :]) - 1
        if hang - 2 + length <= WIDTH:
            found.add(pieces[bars[-1]].start)
    return frozenset(found)


class _Wrapper:
    """Fills lines. `fresh`: nothing but the margin (or what stands before all pieces) is in the last one.

    `bars`: starts of alternatives that begin a line. `head`: the piece for which the last line was begun.
    """

    def __init__(self, hang: int, comments: Comments, bars: frozenset[int], lines: list[Physical]) -> None:
        self.hang, self.comments, self.bars, self.lines = hang, comments, bars, lines
        self.fresh = True
        self.head: Piece | None = None

    def place(self, pieces: Sequence[Piece]) -> None:
        """Add pieces: in the last line or else the next, and if that is too short, broken where they break soonest."""
        head = pieces[0]
        forced = head is not self.head and (bool(self.lines[-1].comment) or self._begins(head))
        length = sum(len(piece.text) + 1 for piece in pieces) - 1
        whole = not any(self._parted(last, piece) for last, piece in pairwise(pieces))
        full = not self.fresh and len(self.lines[-1].text) + 1 + length > WIDTH
        if forced or (full and whole and (len(pieces) == 1 or self._margin(head) + length <= WIDTH)):
            self._break(head)
        fits = whole and len(self.lines[-1].text) + (not self.fresh) + length <= WIDTH
        if fits or len(pieces) == 1:
            self._add(pieces)
            return
        rank = min(piece.rank for piece in pieces[1:])
        cuts = [0, *(n for n, piece in enumerate(pieces) if n and piece.rank == rank), len(pieces)]
        for start, end in pairwise(cuts):
            self.place(pieces[start:end])

    def _begins(self, piece: Piece) -> bool:
        """Tell whether an alternative begins a line because of its comment."""
        return piece.bar and (piece.start in self.comments.before or piece.start in self.bars)

    def _parted(self, last: Piece, piece: Piece) -> bool:
        """Tell whether a comment keeps two pieces on two lines."""
        return self._begins(piece) or (piece.bar and last.end in self.comments.after)

    def _margin(self, piece: Piece) -> int:
        return self.hang - 2 if piece.bar else self.hang

    def _break(self, piece: Piece) -> None:
        margin = " " * self._margin(piece)
        for comment in self.comments.before.get(piece.start, ()) if piece.bar else ():
            if comment.blank:
                self.lines.append(Physical(""))
            self.lines.append(Physical(margin + comment.text, joins=True))
        self.lines.append(Physical(margin, joins=True))
        self.fresh, self.head = True, piece

    def _add(self, pieces: Sequence[Piece]) -> None:
        text = " ".join(piece.text for piece in pieces)
        self.lines[-1].text += text if self.fresh else f" {text}"
        self.lines[-1].comment = self.comments.after.get(pieces[-1].end, "")
        self.fresh = False


def set_columns(lines: Sequence[Physical]) -> list[str]:
    """Return the lines as text: tails in a column, then comments in one, of lines with nothing else in between."""
    texts = [line.text for line in lines]
    _set(lines, texts, [line.tail for line in lines])
    _set(lines, texts, [line.comment for line in lines])
    return [text if line.raw else text.rstrip(" ") for line, text in zip(lines, texts, strict=True)]


def _set(lines: Sequence[Physical], texts: list[str], cells: Sequence[str]) -> None:
    run: list[int] = []
    for n, line in enumerate(lines):
        if not line.joins:
            _set_run(run, texts, cells)
            run = []
        run += [n] * bool(cells[n])
        if not line.joins:
            _set_run(run, texts, cells)
            run = []
    _set_run(run, texts, cells)


def _set_run(run: Sequence[int], texts: list[str], cells: Sequence[str]) -> None:
    width = max((len(texts[n]) for n in run if len(texts[n]) <= FARTHEST), default=0)
    for n in run:
        texts[n] = f"{texts[n]:{width}}  {cells[n]}"
