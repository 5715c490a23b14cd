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
    """Return the lines of `first`, which ends in column `hang`, and the pieces behind it."""
    lines = [Physical(first, joins=True)]
    fresh = True
    for n, run in enumerate(_runs(pieces)):
        above = comments.before.get(run[0].start, ()) if n else ()
        text = " ".join(piece.text for piece in run)
        fits = len(lines[-1].text) + (not fresh) + len(text) <= WIDTH
        if n and (above or lines[-1].comment or not fits):
            margin = " " * max(hang - 2, 0)
            for comment in above:
                if comment.blank:
                    lines.append(Physical(""))
                lines.append(Physical(margin + comment.text, joins=True))
            lines.append(Physical(margin, joins=True))
            fresh = True
        for m, piece in enumerate(run):
            if m and len(lines[-1].text) + 1 + len(piece.text) > WIDTH:
                lines.append(Physical(" " * hang, joins=True))
                fresh = True
            lines[-1].text += piece.text if fresh else f" {piece.text}"
            fresh = False
        if n < len(_bars(pieces)):
            lines[-1].comment = comments.after.get(run[-1].end, "")
    return lines


def _bars(pieces: Sequence[Piece]) -> list[int]:
    """Return the pieces, by index, that begin an alternative."""
    return [n for n, piece in enumerate(pieces) if piece.bar and n]


def _runs(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Cut pieces before each alternative."""
    cuts = [0, *_bars(pieces), len(pieces)]
    return [pieces[start:end] for start, end in pairwise(cuts) if start < end]


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
