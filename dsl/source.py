"""Source text and positions in it.

A `Span` is a pair of code-point offsets into one `Source`; line and column are computed only when shown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LINE_END = re.compile(r"\n")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code-point offsets into a source."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """Return the smallest span that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True)
class Source:
    """One rule file: its path as the author names it, and its text (LF line ends, no BOM)."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which each line begins."""
        return (0, *(end.end() for end in _LINE_END.finditer(self.text)))

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1, columns in code points."""
        line = bisect_right(self.line_starts, offset) - 1
        return line + 1, offset - self.line_starts[line] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]
