"""Lines and comments to the text of a file: indentation, empty lines, columns, blocks.

Input: the lines of all entries, and the comments by the tokens they stand beside. Output: the text.

INVARIANT: the text depends on the tokens, the comments and where single empty lines stand, on no other blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from ..comments import Comments
from ..rows import Line
from .cells import Cells, Column, cells_of
from .wrap import WIDTH, Physical, set_columns, wrap

# Above a line stands no empty line, one, or one where the author has one.
Space = Literal["none", "one", "kept"]

# A rule is read in groups, with an empty line between them; these clauses go on a group.
_GROUPS = {
    **dict.fromkeys(("tools", "command"), "command"),
    **dict.fromkeys(("exit", "stream", "rule_lines"), "output"),
    "selection": "selection",
}
_FOLDED = Column("folded", 0, 1)
_STEP = "  "


def render_file(entries: Sequence[Line], comments: Comments) -> str:
    """Return the text of a file."""
    writer = _Writer(comments)
    writer.body(entries, "")
    writer.leading(None, "", "kept" if writer.lines else "none", closing=True)
    texts = set_columns(writer.lines)
    return "".join(f"{text}\n" for text in texts)


class _Writer:
    """Collects physical lines."""

    def __init__(self, comments: Comments) -> None:
        self.comments = comments
        self.lines: list[Physical] = []

    def body(self, body: Sequence[Line], margin: str) -> None:
        """Write the lines of a body."""
        cells = [self._folded(line, margin) or cells_of(line) for line in body]
        widths = self._widths(body, cells, margin)
        last: Line | None = None
        for line, cell, width in zip(body, cells, widths, strict=True):
            self.leading(line.start, margin, _space(last, line))
            self._line(line, cell, width, margin)
            last = line

    def leading(self, start: int | None, margin: str, space: Space, *, closing: bool = False) -> None:
        """Write what stands above a token: comments, and the empty lines around them, of which none closes a body."""
        above = self.comments.before.get(start, [])
        blank = start in self.comments.blank
        for n, comment in enumerate(above):
            self._space(space if n == 0 else "kept", kept=comment.blank)
            self.lines.append(Physical(margin + comment.text, joins=True))
        if not closing:
            self._space("kept" if above else space, kept=blank)

    def _space(self, space: Space, *, kept: bool) -> None:
        if space == "one" or (space == "kept" and kept):
            self.lines.append(Physical(""))

    def _line(self, line: Line, cells: Cells, width: tuple[int, ...], margin: str) -> None:
        gap = cells.column.gap if cells.column else 0
        lead = "".join(f"{text:{size}}{' ' * gap}" for text, size in zip(cells.lead, width, strict=True))
        first = margin + lead + cells.prefix
        hang = len(first) if cells.lead else len(margin) + len(_STEP)
        rows = wrap(first, cells.pieces, hang, self.comments)
        rows[-1].tail = cells.tail
        end: int | None = line.end
        if cells.block is not None:
            rows += _block(cells.block, margin)
        if cells.opens:
            end = self._open(line, rows, margin)
            if end is None:
                return
        rows[-1].comment = self.comments.after.get(end, "")
        self.lines += rows

    def _open(self, line: Line, rows: list[Physical], margin: str) -> int | None:
        """Write a body; return the end of a line that closes in itself, which is then still to be written."""
        assert line.close is not None
        brace, close = line.tokens[-1].end, line.close
        rows[-1].text += " {" if rows[-1].text.strip() else "{"
        rows[-1].joins = False
        if not line.body and brace not in self.comments.after and close.start not in self.comments.before:
            rows[-1].text += " }"
            return close.end
        rows[-1].comment = self.comments.after.get(brace, "")
        self.lines += rows
        self.body(line.body, margin + _STEP)
        self.leading(close.start, margin + _STEP, "kept" if line.body else "none", closing=True)
        self.lines.append(Physical(margin + "}", comment=self.comments.after.get(close.end, "")))
        return None

    def _folded(self, line: Line, margin: str) -> Cells | None:
        """Return an example in one line, if it fits, holds no block, and no comment stands in it."""
        if line.rule != "example" or line.close is None or not line.body or self._commented(line):
            return None
        head = cells_of(line)
        parts = [cells_of(part) for part in line.body]
        if any(part.block is not None for part in parts):
            return None
        inside = "  ".join(" ".join((*part.lead, *(piece.text for piece in part.pieces))) for part in parts)
        title = " ".join(piece.text for piece in head.pieces)
        piece = head.pieces[0]._replace(text=f"{{ {inside} }}", end=line.close.end)
        fits = len(margin) + len(title) + 1 + len(piece.text) <= WIDTH
        return Cells(_FOLDED, (title,), "", (piece,)) if fits else None

    def _commented(self, line: Line) -> bool:
        assert line.close is not None
        starts = [*(part.start for part in line.body), line.close.start]
        ends = [line.tokens[-1].end, *(part.end for part in line.body)]
        return any(s in self.comments.before for s in starts) or any(e in self.comments.after for e in ends)

    def _widths(self, body: Sequence[Line], cells: Sequence[Cells], margin: str) -> list[tuple[int, ...]]:
        """Return the widths of the columns of each line: those of one table that follow each other share them."""
        widths: list[tuple[int, ...]] = []
        run: list[Cells] = []

        def close() -> None:
            widths.extend(_shared(run, margin))
            run.clear()

        for n, (line, cell) in enumerate(zip(body, cells, strict=True)):
            if n and (
                cell.column is None
                or run[-1].column is None
                or cell.column.table != run[-1].column.table
                or self._parted(body[n - 1], line)
            ):
                close()
            run.append(cell)
        close()
        return widths

    def _parted(self, last: Line, line: Line) -> bool:
        """Tell whether something stands between two lines that columns do not run across."""
        above = self.comments.before.get(line.start, ())
        empty = line.start in self.comments.blank or any(comment.blank for comment in above)
        return empty or bool(last.body and last.rule != "example")


def _shared(run: Sequence[Cells], margin: str) -> list[tuple[int, ...]]:
    column = run[0].column if run else None
    if column is None:
        return [()] * len(run)
    own = [tuple(max(column.least, len(text)) for text in cells.lead) for cells in run]
    shared = tuple(map(max, zip(*own, strict=True)))
    if column is _FOLDED and any(len(margin) + shared[0] + 1 + len(cells.pieces[0].text) > WIDTH for cells in run):
        return own
    return [shared] * len(run)


def _space(last: Line | None, line: Line) -> Space:
    """Return what stands between two lines of a body."""
    if last is None:
        return "none"
    if line.rule in {"rule", "options", "lines", "admit"} or last.rule in {"rule", "options", "lines", "admit"}:
        return "one"
    if line.rule in {"tools", "command", "exit", "stream", "rule_lines", "facts", "ensure", "summary", "selection"}:
        group = _GROUPS.get(line.rule)
        return "none" if group is not None and group == _GROUPS.get(last.rule) else "one"
    return "one" if last.rule in {"summary", "selection"} else "kept"


def _block(text: str, margin: str) -> Iterator[Physical]:
    """Write the lines of a block behind its quotes, with the indentation of its clause for what all of them share."""
    *lines, last = text.split("\n")[1:]
    shared = last[:-3]
    for line in lines:
        if line.strip(" \t"):
            shared = shared[: _common(shared, line)]
    for line in lines:
        rest = line[_common(shared, line) :]
        yield Physical(margin + rest if rest else "", raw=True)
    yield Physical(margin + '"""')


def _common(indentation: str, line: str) -> int:
    """Return how many characters of an indentation a line begins with."""
    if line.startswith(indentation):
        return len(indentation)
    return next(n for n, char in enumerate(indentation) if line[n : n + 1] != char)
