"""Where comments stand: each belongs to a line of the layout, before it or at its end; elsewhere it is E0109.

Input: a parsed file, entry by entry. Output: `Comments`, by the offsets of the tokens that they stand beside.

The places: before an entry, a clause, a definition, an alternative of one, a fact, a claim, an option line, a part of
an example or a setting; at the end of such a line or behind its opening brace; before a closing brace; at the end of
the file. So every comment says what it is about, and a layout can keep it there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple

from .diagnostics import Diagnostic, Edit, Label, Report
from .rows import Line, Token
from .source import Source, Span


class Comment(NamedTuple):
    """A comment on a line of its own, and whether an empty line stands before it."""

    text: str
    blank: bool


@dataclass(slots=True)
class Comments:
    """What stands between tokens.

    `before`: comments by the start of the token they stand above (`None`: the end of the file). `after`: comments by
    the end of the token they stand behind. `bars`: starts of the `|` that begin the line of such a comment, which is
    about what follows them. `blank`: starts of tokens that have an empty line directly above.
    `order`: all comments as they stand in the file.
    """

    before: dict[int | None, list[Comment]] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)
    bars: set[int] = field(default_factory=set)
    blank: set[int] = field(default_factory=set)
    order: list[str] = field(default_factory=list)


class _Gap(NamedTuple):
    """A comment found between two tokens. `own`: nothing but blanks stands before it on its line."""

    text: str
    span: Span
    own: bool
    blank: bool


@dataclass(slots=True)
class _Places:
    """Token starts before which a comment may stand, ends after which it may, and ends of lines by their bars."""

    starts: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)
    bars: dict[int, int] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)

    def add(self, line: Line) -> None:
        """Take in a line and its body."""
        self.lines.append(line)
        self.tokens += line.tokens
        self.starts.add(line.start)
        self.ends.add(line.tokens[-1].end)
        for bar in line.bars:
            self.starts.add(line.tokens[bar].start)
            self.bars[line.tokens[bar].start] = line.end
            self.ends.add(line.tokens[bar - 1].end)
        for inner in line.body:
            self.add(inner)
        if line.close:
            self.tokens.append(line.close)
            self.starts.add(line.close.start)
            self.ends.add(line.close.end)


def gather_comments(source: Source, entries: Sequence[Line], report: Report) -> Comments:
    """Return the comments of a file by the tokens that they stand beside; misplaced ones are in the report."""
    places = _Places()
    for entry in entries:
        places.add(entry)
    found = Comments()
    misplaced: list[_Gap] = []
    end: int | None = None
    for token in places.tokens:
        misplaced += _gather(source, (end, token.start), places, found)
        end = token.end
    misplaced += _gather(source, (end, None), places, found)
    report.extend(_misplaced(source, misplaced, places))
    return found


def check_comments(source: Source, entry: Line, report: Report) -> None:
    """Report the comments inside of an entry that stand where none may."""
    places = _Places()
    places.add(entry)
    misplaced: list[_Gap] = []
    for token, following in pairwise(places.tokens):
        if source.text.find("#", token.end, following.start) >= 0:
            misplaced += _gather(source, (token.end, following.start), places, Comments())
    report.extend(_misplaced(source, misplaced, places))


def _gather(source: Source, gap: tuple[int | None, int | None], places: _Places, found: Comments) -> Iterator[_Gap]:
    """Put what stands between two tokens where it belongs; yield the comments that belong nowhere."""
    end, start = gap
    text = source.text[0 if end is None else end : start]
    if text.count("\n") < 2 and "#" not in text:
        return
    comments, blank = _split(text, end)
    if blank and start is not None:
        found.blank.add(start)
    found.order += [comment.text for comment in comments]
    for comment in comments:
        if not comment.own and end in places.ends:
            assert end is not None
            found.after[end] = comment.text
            begin = _line_start(source.text, end)
            if places.bars.get(begin, -1) >= end:
                found.bars.add(begin)
        elif comment.own and (start is None or start in places.starts):
            found.before.setdefault(start, []).append(Comment(comment.text, comment.blank))
        else:
            yield comment


def _line_start(text: str, at: int) -> int:
    """Return where the first thing stands on the line of `at`."""
    start = text.rfind("\n", 0, at) + 1
    return start + len(text[start:at]) - len(text[start:at].lstrip(" \t"))


def _split(text: str, end: int | None) -> tuple[list[_Gap], bool]:
    """Return the comments of a gap and whether an empty line stands before the token that follows it."""
    comments: list[_Gap] = []
    at, blank = end or 0, False
    lines = text.split("\n")
    for n, line in enumerate(lines):
        content = line.strip(" \t")
        first = n == 0 and end is not None
        if content:
            begin = at + line.index("#")
            comments.append(_Gap(content, Span(begin, begin + len(content)), not first, blank))
            blank = False
        elif not first and n < len(lines) - 1:
            blank = True
        at += len(line) + 1
    return comments, blank


def _misplaced(source: Source, comments: Sequence[_Gap], places: _Places) -> Iterator[Diagnostic]:
    """Return one diagnostic for each line with misplaced comments, whose edits move all of them above it."""
    lines = sorted(places.lines, key=lambda line: line.start)
    starts = [line.start for line in lines]

    def around(comment: _Gap) -> Line:
        n = bisect_right(starts, comment.span.start) - 1
        while lines[n].end < comment.span.start:
            n -= 1
        return lines[n]

    for line, group in groupby(comments, key=around):
        first, *more = group
        begin = Label(Span(line.start, line.tokens[0].end), "the line begins here")
        yield Diagnostic(
            "E0109",
            "a comment stands in the middle of a line",
            source,
            Label(first.span, "it belongs to nothing here"),
            secondary=(begin, *(Label(comment.span, "nor does this") for comment in more)),
            help="move it above the line" if not more else "move them above the line",
            edits=tuple(_move(source.text, (first, *more), line.start)),
        )


def _move(text: str, comments: Sequence[_Gap], to: int) -> Iterator[Edit]:
    margin = text[text.rfind("\n", 0, to) + 1 : to]
    indentation = "" if margin.strip() else margin
    yield Edit(Span(to, to), "".join(f"{comment.text}\n{indentation}" for comment in comments))
    for comment in comments:
        begin, end = comment.span.start, comment.span.end
        while text[begin - 1] in " \t":
            begin -= 1
        while text[end] in " \t":
            end += 1
        yield Edit(Span(begin, end + comment.own), "")
