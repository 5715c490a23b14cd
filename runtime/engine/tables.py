"""The tables of a stream, lowered row by row when the first line asks for them.

Input: the stream of a rule as the pack holds it, checked. Output: rows that `scan` steps through.

A label is written as one character of the trace (`label_char`), so that facts can count and search it as text.
INVARIANT: positions whose rows hold the same labels share one `Row`; `scan` leaves its inner loop only when the row
changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final, NamedTuple

from .charsets import ANY_LINE, CLEAN_LINE, Classes
from .patterns import Capture, First, Ops, Reader, captured_names, first_characters, lower_line, lower_reader

LABEL_BASE: Final = 0x21
"""The first character of a trace: visible, and far enough from the surrogates for `MOST_LABELS`."""

MOST_LABELS: Final = 0xD000


class Scan(NamedTuple):
    """An accepted stream: `trace[i]` is the label of `lines[i]`."""

    trace: str
    lines: list[str]


class Place(NamedTuple):
    """Where a stream was refused.

    `line` counts from 1. `text` is the line, or None where the output ended too early or is empty. `kinds` were
    possible there, in the order in which they are tried. `control` names the character that no line may hold. `trace`
    has the labels of the lines before, none of them where a control character stands in the text.
    """

    line: int
    text: str | None
    kinds: tuple[str, ...]
    control: str | None = None
    trace: str = ""


def label_char(label: int) -> str:
    """Return the character that stands for a label in a trace."""
    return chr(LABEL_BASE + label)


class Row:
    """What may follow a position, as one expression whose last group tells which alternative matched.

    `chars[group]` and `after[group]` give the character of the trace and the labels of the next row; `next[group]` is
    that row once it is lowered, the row itself where the edge leads back to it.
    """

    __slots__ = ("after", "chars", "kinds", "match", "next")

    def __init__(self, program: StreamProgram, labels: tuple[int, ...], classes: Classes) -> None:
        table = lower_row(program, labels, {}, classes)
        self.match = table.match
        self.chars = ["" if label is None else label_char(label) for label in table.labels]
        self.after = [() if label is None else program.rows[program.labels[label][0]] for label in table.labels]
        self.next: list[Row | None] = [self if after == labels else None for after in self.after]
        self.kinds = program.kinds_of(labels)


class RowTable(NamedTuple):
    """A lowered row, by group of its expression.

    `labels[group]` is the label of the alternative that the group ends (None: it ends none), `captures[group]` are the
    captures of that alternative, with their groups.
    """

    match: Callable[[str], Any]
    labels: list[int | None]
    captures: list[list[tuple[int, Capture]]]


def lower_row(
    program: StreamProgram, labels: Iterable[int], wanted: dict[int, frozenset[str]], classes: Classes = ANY_LINE
) -> RowTable:
    """Lower a row, pattern by pattern; `wanted` says for a position which captures to take on the way."""
    sources: list[str] = []
    ends: list[int | None] = [None]
    taken: list[list[tuple[int, Capture]]] = [[]]
    for label in labels:
        position = program.labels[label][0]
        for pattern in program.positions[position]["patterns"] or (None,):
            captures: list[Capture] = []
            names = wanted.get(position, frozenset())
            # A catch-all has nothing to check.
            source = "" if pattern is None else lower_line(program.patterns[pattern], names, captures, classes)
            sources.append(f"{source}()")
            groups = [(len(ends) + at, capture) for at, capture in enumerate(captures)]
            ends.extend([None] * len(captures))
            taken.extend([] for _ in captures)
            ends.append(label)
            taken.append(groups)
    return RowTable(re.compile("|".join(sources) or "(?!)").match, ends, taken)


class StreamProgram:
    """A stream of a rule. Attributes are those of `docs/pack-format.md`, rows and start as tuples of labels."""

    def __init__(self, checked: dict[str, Any]) -> None:
        self.uncoloured: bool = checked["uncoloured"]
        self.patterns: list[Ops] = checked["patterns"]
        self.positions: list[dict[str, Any]] = checked["positions"]
        self.start: tuple[int, ...] = tuple(checked["start"])
        self.rows: list[tuple[int, ...]] = [tuple(row) for row in checked["rows"]]
        self.final: frozenset[int] = frozenset(checked["final"])
        self.blank: bool = checked["blank"]
        self.labels: list[list[int]] = checked["labels"]
        self.counters: list[dict[str, str]] = checked["counters"]
        self._rows: dict[tuple[int, ...], Row] = {}
        self._clean_rows: dict[tuple[int, ...], Row] = {}
        # By what tells counted rows apart; `counted` fills it.
        self.counted_rows: dict[Any, Any] = {}
        self._readers: dict[int, Reader] = {}

    def row(self, labels: tuple[int, ...], *, clean: bool = False) -> Row:
        """Return the lowered row of these labels, for any line or for lines without control characters."""
        rows = self._clean_rows if clean else self._rows
        found = rows.get(labels)
        if found is None:
            found = rows[labels] = Row(self, labels, CLEAN_LINE if clean else ANY_LINE)
        return found

    def kinds_of(self, labels: Iterable[int]) -> tuple[str, ...]:
        """Return the kinds of labels, each once."""
        return tuple(dict.fromkeys(self.positions[self.labels[label][0]]["kind"] for label in labels))

    def position_of(self, char: str) -> int:
        """Return the position of a character of the trace."""
        return self.labels[ord(char) - LABEL_BASE][0]

    def kind_of(self, char: str) -> str:
        """Return the kind of a character of the trace."""
        return self.positions[self.position_of(char)]["kind"]

    def read(self, position: int, line: str) -> dict[str, int | str]:
        """Return the captures of a line that the position claimed, by name."""
        for pattern in self.positions[position]["patterns"]:
            reader = self._readers.get(pattern)
            if reader is None:
                reader = self._readers[pattern] = lower_reader(self.patterns[pattern])
            values = reader.read(line)
            if values is not None:
                return values
        return {}

    @cached_property
    def capturing(self) -> dict[str, frozenset[str]]:
        """For each captured name, the characters of the trace whose lines may hold it."""
        found: dict[str, set[str]] = {}
        for label, (position, _) in enumerate(self.labels):
            for pattern in self.positions[position]["patterns"]:
                for name in captured_names(self.patterns[pattern]):
                    found.setdefault(name, set()).add(label_char(label))
        return {name: frozenset(chars) for name, chars in found.items()}

    def first_characters(self, position: int) -> list[First]:
        """Return how lines of the position can begin, pattern by pattern."""
        patterns = self.positions[position]["patterns"]
        if not patterns:
            return [First(((0, 0x10FFFF),), nullable=True)]
        return [first_characters(self.patterns[pattern]) for pattern in patterns]
