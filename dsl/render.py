"""Diagnostics as text for people at a terminal, in the layout of rustc; see `render_plain` and `render_json` too.

Rendering is a pure function of the diagnostics. Labels stand in the order of lines, `...` for lines left out;
positions are shown in the columns of `dsl.display`, so that tabs and wide characters do not shift a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .diagnostics import Diagnostic, Label
from .display import Cells, lay_out, visible, visible_words, window
from .render_edits import edited_lines
from .render_github import render_github
from .render_json import render_json
from .render_plain import render_plain
from .render_sarif import render_sarif
from .source import Source, Span

__all__ = ["render_github", "render_human", "render_json", "render_plain", "render_sarif"]

WIDTH = 120

_RED, _BLUE, _GREEN, _BOLD = "1;31", "1;34", "1;32", "1"


@dataclass(frozen=True, slots=True)
class _Mark:
    """An underline in one line: character offsets from its beginning, words, and whether it is the primary one."""

    begin: int
    end: int
    text: str
    primary: bool


@dataclass(frozen=True, slots=True)
class _Pen:
    """Paints with escape sequences, or not at all."""

    color: bool

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.color and text else text


def render_human(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """Return the diagnostics one below the other, each followed by an empty line; nothing for none."""
    pen = _Pen(color)
    return "".join("\n".join(_render(visible_words(d), pen)) + "\n\n" for d in diagnostics)


def _render(diagnostic: Diagnostic, pen: _Pen) -> list[str]:
    sections = _sections(diagnostic)
    edits = edited_lines(diagnostic)
    numbers = [n for _, lines in sections for n in lines] + [line.number for line in edits]
    gutter = len(str(max(numbers)))
    bar = pen(" " * (gutter + 1) + "|", _BLUE)
    out = [pen(f"error[{diagnostic.code}]", _RED) + pen(f": {diagnostic.message}", _BOLD)]
    for n, (source, lines) in enumerate(sections):
        place = diagnostic.primary.span if n == 0 else _first_place(diagnostic, source)
        line, column = source.position(place.start)
        arrow = "-->" if n == 0 else ":::"
        out.append(f"{' ' * gutter}{pen(arrow, _BLUE)} {visible(source.path)}:{line}:{column}")
        out.append(bar)
        out += _excerpt(source, lines, gutter, pen)
    notes = [f"{' ' * (gutter + 1)}{pen('=', _BLUE)} {pen('note', _BOLD)}: {note}" for note in diagnostic.notes]
    if notes:
        out += [bar, *notes]
    if diagnostic.help:
        if not edits:
            out += [] if notes else [bar]
            out.append(f"{' ' * (gutter + 1)}{pen('=', _BLUE)} {pen('help', _BOLD)}: {diagnostic.help}")
        else:
            out += [pen("help", _GREEN) + f": {diagnostic.help}", bar]
            for line in edits:
                style = _RED if line.sign == "-" else _GREEN
                number = pen(f"{line.number:>{gutter}} {line.sign}", style if line.sign != "|" else _BLUE)
                cells = lay_out(line.text)
                low, high = window(cells, line.begin, line.end, WIDTH)
                text, shift = _cut(cells, low, high)
                out.append(f"{number} {text}".rstrip())
                if line.sign == "|":
                    start, stop = (_column(cells, at, low, high) + shift for at in (line.begin, line.end))
                    out.append(f"{bar} {' ' * start}{pen(line.mark * max(1, stop - start), _GREEN)}")
    return out


def _sections(diagnostic: Diagnostic) -> list[tuple[Source, dict[int, list[_Mark]]]]:
    """Return, for each source with labels, the marks by line number; the diagnostic's own source comes first."""
    sections: list[tuple[Source, dict[int, list[_Mark]]]] = [(diagnostic.source, {})]
    for label in (diagnostic.primary, *diagnostic.secondary):
        source = label.source or diagnostic.source
        lines = next((lines for known, lines in sections if known is source or known == source), None)
        if lines is None:
            lines = {}
            sections.append((source, lines))
        number, mark = _mark(source, label, primary=label is diagnostic.primary)
        lines.setdefault(number, []).append(mark)
    return sections


def _first_place(diagnostic: Diagnostic, source: Source) -> Span:
    return next(label.span for label in diagnostic.secondary if label.source == source)


def _mark(source: Source, label: Label, *, primary: bool) -> tuple[int, _Mark]:
    """Return the line of a label and its mark; of a span over several lines the first is marked, to its end."""
    number, column = source.position(label.span.start)
    begin = column - 1
    length = len(source.line(number))
    end = min(begin + label.span.end - label.span.start, max(length, begin))
    return number, _Mark(begin, max(end, begin + 1), label.text, primary)


def _excerpt(source: Source, lines: dict[int, list[_Mark]], gutter: int, pen: _Pen) -> list[str]:
    out: list[str] = []
    last = 0
    for number in sorted(lines):
        if last and number == last + 2:
            out.append(_source_line(source, last + 1, gutter, pen))
        elif last and number > last + 1:
            out.append(pen("...", _BLUE))
        out += _marked_line(source, number, lines[number], gutter, pen)
        last = number
    return out


def _source_line(source: Source, number: int, gutter: int, pen: _Pen) -> str:
    cells = lay_out(source.line(number))
    text, _ = _cut(cells, *window(cells, 0, 0, WIDTH))
    return f"{pen(f'{number:>{gutter}} |', _BLUE)} {text}".rstrip()


def _marked_line(source: Source, number: int, marks: Sequence[_Mark], gutter: int, pen: _Pen) -> list[str]:
    cells = lay_out(source.line(number))
    anchor = next((m for m in marks if m.primary), marks[0])
    begin, end = min(m.begin for m in marks), max(m.end for m in marks)
    if cells.columns[min(end, len(cells.shown))] - cells.columns[min(begin, len(cells.shown))] > WIDTH:
        begin, end = anchor.begin, anchor.end
    low, high = window(cells, begin, end, WIDTH)
    text, shift = _cut(cells, low, high)
    placed = []
    for mark in marks:
        start = _column(cells, mark.begin, low, high) + shift
        stop = max(start + 1, _column(cells, mark.end, low, high) + shift)
        placed.append(_Mark(start, stop, mark.text, mark.primary))
    bar = pen(" " * (gutter + 1) + "|", _BLUE)
    rows = [f"{bar} {row}".rstrip() for row in _mark_rows(placed, pen)]
    return [f"{pen(f'{number:>{gutter}} |', _BLUE)} {text}".rstrip(), *rows]


def _cut(cells: Cells, low: int, high: int) -> tuple[str, int]:
    """Return the text of a window, with `…` where something is cut off, and by how much that shifts columns."""
    before, after = "…" if low else "", "…" if high < len(cells.shown) else ""
    return before + "".join(cells.shown[low:high]) + after, len(before)


def _column(cells: Cells, at: int, low: int, high: int) -> int:
    """Return the column of a character within a window; beyond the line or the window, that of its edge."""
    past = max(0, at - len(cells.shown)) if high == len(cells.shown) else 0
    return cells.columns[max(low, min(at, high))] - cells.columns[low] + past


def _mark_rows(marks: Sequence[_Mark], pen: _Pen) -> list[str]:
    """Return the rows under a line: underlines, the rightmost label beside its own, the others hung below theirs."""
    ordered = sorted(marks, key=lambda m: (m.begin, m.primary))
    rightmost = max(ordered, key=lambda m: (m.end, m.begin))
    beside = rightmost if rightmost is ordered[-1] else None
    row = _Row(pen)
    for mark in sorted(marks, key=lambda m: m.primary):
        row.put(mark.begin, ("^" if mark.primary else "-") * (mark.end - mark.begin), _style(mark))
    if beside is not None and beside.text:
        row.put(beside.end + 1, beside.text, _style(beside))
    rows = [str(row)]
    hung = [m for m in reversed(ordered) if m is not beside and m.text]
    if hung:
        rows.append(_stems(hung, pen))
    for n, mark in enumerate(hung):
        row = _Row(pen)
        for other in hung[n + 1 :]:
            row.put(other.begin, "|", _style(other))
        row.put(mark.begin, mark.text, _style(mark))
        rows.append(str(row))
    return rows


def _stems(hung: Iterable[_Mark], pen: _Pen) -> str:
    row = _Row(pen)
    for mark in hung:
        row.put(mark.begin, "|", _style(mark))
    return str(row)


def _style(mark: _Mark) -> str:
    return _RED if mark.primary else _BLUE


class _Row:
    """One row of the drawing: styled characters by column; what is put later covers what was there."""

    def __init__(self, pen: _Pen) -> None:
        self.pen = pen
        self.cells: dict[int, tuple[str, str]] = {}

    def put(self, column: int, text: str, style: str) -> None:
        """Write text at a column."""
        for n, char in enumerate(text):
            self.cells[column + n] = char, style

    def __str__(self) -> str:
        out: list[str] = []
        run, style = "", ""
        for column in range(max(self.cells, default=-1) + 1):
            char, wanted = self.cells.get(column, (" ", ""))
            if wanted != style:
                out.append(self.pen(run, style) if style else run)
                run, style = "", wanted
            run += char
        out.append(self.pen(run, style) if style else run)
        return "".join(out)
