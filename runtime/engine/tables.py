"""The tables of a stream, lowered row by row when the first line asks for them.

Input: the stream of a rule as the pack holds it, checked. Output: rows that `scan` steps through.

A label is written as one character of the trace (`label_char`), so that facts can count and search it as text.
INVARIANT: positions whose rows hold the same labels share one `Row`; `scan` leaves its inner loop only when the row
changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from .charsets import Ranges, common
from .patterns import Ops, Reader, captured_names, first_characters, lower_line, lower_reader

LABEL_BASE: Final = 0x21
"""The first character of a trace: visible, and far enough from the surrogates for `MOST_LABELS`."""

MOST_LABELS: Final = 0xD000


def label_char(label: int) -> str:
    """Return the character that stands for a label in a trace."""
    return chr(LABEL_BASE + label)


class Row:
    """What may follow a position, as one expression: group `n` says that edge `n - 1` claimed the line.

    `chars[n]` and `after[n]` give the character of the trace and the labels of the next row; index 0 is unused.
    """

    __slots__ = ("after", "chars", "kinds", "labels", "match", "next")

    def __init__(self, program: StreamProgram, labels: tuple[int, ...]) -> None:
        self.labels = labels
        positions = [program.labels[label][0] for label in labels]
        self.match: Callable[[str], Any] = re.compile(_alternation(program, positions)).match
        self.chars = ["", *map(label_char, labels)]
        self.after = [(), *(program.rows[position] for position in positions)]
        # Filled by `scan` as edges are taken; the row itself where the edge leads back to it.
        self.next: list[Row | None] = [None, *(self if after == labels else None for after in self.after[1:])]
        self.kinds = tuple(dict.fromkeys(program.positions[position]["kind"] for position in positions))


class CountedEdge:
    """One edge of a stream with counters. Masks have bit `c` for counter `c`.

    `zero`: counters that must be zero, as their record closes. `above`: counters that must be above zero.
    """

    __slots__ = ("above", "label", "next", "opens", "position", "possible", "sets", "spends", "zero")

    def __init__(self, program: StreamProgram, path: list[str], label: int) -> None:
        position, keep = program.labels[label]
        target = program.positions[position]
        closed, kept, opened = path[keep:], path[:keep], target["path"][keep:]
        owners = [counter["record"] for counter in program.counters]
        self.label = label
        self.next: CountedRow | None = None
        self.position = position
        self.sets = tuple(target["sets"])
        self.spends = tuple(target["spends"])
        self.opens = tuple(at for at, owner in enumerate(owners) if owner in opened)
        self.zero = _mask(at for at, owner in enumerate(owners) if owner in closed)
        self.above = _mask(self.spends)
        # A counter of a record that this edge opens is zero, so nothing can spend it here.
        self.possible = all(owners[at] in kept for at in self.spends)


class CountedRow:
    """A row of a stream with counters; which of its edges are possible depends on which counters are above zero."""

    __slots__ = ("edges", "key", "path", "program", "variants")

    def __init__(self, program: StreamProgram, path: list[str], labels: tuple[int, ...]) -> None:
        self.program = program
        self.path = path
        self.key = (tuple(path), labels)
        self.edges = [CountedEdge(program, path, label) for label in labels]
        self.variants: dict[int, Variant] = {}

    def variant(self, above: int) -> Variant:
        """Return the row as it is while the counters of the mask `above`, and no others, are above zero."""
        found = self.variants.get(above)
        if found is None:
            found = self.variants[above] = Variant(self, above)
        return found


class Variant:
    """The possible edges of a counted row as one expression, and what its lines of content begin with.

    `body` holds the characters that alone decide for an edge that stays in this row; `body_labels` translates them to
    the trace, `spenders[c]` are those that spend counter `c`. Empty where counters have more than one record, as then
    a record might close in the middle of a stretch.
    """

    __slots__ = ("body", "body_labels", "chars", "edges", "kinds", "match", "spenders")

    def __init__(self, row: CountedRow, above: int) -> None:
        program = row.program
        self.edges = [edge for edge in row.edges if edge.possible and not edge.zero & above and not edge.above & ~above]
        positions = [edge.position for edge in self.edges]
        self.match: Callable[[str], Any] = re.compile(_alternation(program, positions)).match
        self.chars = ["", *(label_char(edge.label) for edge in self.edges)]
        self.kinds = tuple(dict.fromkeys(program.positions[position]["kind"] for position in positions))
        body: dict[str, CountedEdge] = {}
        if above and len({counter["record"] for counter in program.counters}) == 1:
            taken: list[Ranges] = []
            for edge in self.edges:
                char = self._stays(row, edge)
                if char and not any(common(first, ((ord(char), ord(char)),)) for first in taken):
                    body[char] = edge
                taken.extend(program.first_characters(edge.position))
        self.body = "".join(body)
        self.body_labels = {ord(char): label_char(edge.label) for char, edge in body.items()}
        self.spenders = [
            [char for char, edge in body.items() if counter in edge.spends] for counter in range(len(program.counters))
        ]

    @staticmethod
    def _stays(row: CountedRow, edge: CountedEdge) -> str:
        """Return the character that begins every line of the edge, if it is all that the edge asks for."""
        program = row.program
        if edge.sets or program.labels[edge.label][1] != len(row.path):
            return ""
        if program.row_key(edge.position) != row.key:
            return ""
        patterns = program.positions[edge.position]["patterns"]
        if len(patterns) != 1:
            return ""
        ops = program.patterns[patterns[0]]
        plain = len(ops) == 2 and ops[0][0] == "lit" and len(ops[0][1]) == 1 and ops[1][0] == "raw"
        return ops[0][1] if plain else ""


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
        self._counted: dict[tuple[tuple[str, ...], tuple[int, ...]], CountedRow] = {}
        self._readers: dict[int, Reader] = {}

    def row(self, labels: tuple[int, ...]) -> Row:
        """Return the lowered row of these labels."""
        found = self._rows.get(labels)
        if found is None:
            found = self._rows[labels] = Row(self, labels)
        return found

    def row_key(self, position: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return what tells the counted row behind a position from others: the open records and the labels."""
        return tuple(self.positions[position]["path"]), self.rows[position]

    def counted_row(self, position: int | None) -> CountedRow:
        """Return the lowered counted row behind a position, or of the beginning (None)."""
        key = ((), self.start) if position is None else self.row_key(position)
        found = self._counted.get(key)
        if found is None:
            found = self._counted[key] = CountedRow(self, list(key[0]), key[1])
        return found

    def lead(self, edge: CountedEdge) -> CountedRow:
        """Return the row behind an edge, and remember it there."""
        edge.next = self.counted_row(edge.position)
        return edge.next

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

    def first_characters(self, position: int) -> list[Ranges]:
        """Return the characters with which a line of the position can begin, pattern by pattern."""
        patterns = self.positions[position]["patterns"]
        if not patterns:
            return [((0, 0x10FFFF),)]
        return [first_characters(self.patterns[pattern]).ranges for pattern in patterns]


def _alternation(program: StreamProgram, positions: list[int]) -> str:
    """Return one expression with an empty group behind each position's own: its number tells which one matched."""
    return "|".join(f"{_position(program, position)}()" for position in positions) or "(?!)"


def _position(program: StreamProgram, position: int) -> str:
    patterns = program.positions[position]["patterns"]
    if not patterns:
        return ""
    lines = [lower_line(program.patterns[pattern]) for pattern in patterns]
    return lines[0] if len(lines) == 1 else f"(?:{'|'.join(lines)})"


def _mask(counters: Any) -> int:
    mask = 0
    for counter in counters:
        mask |= 1 << counter
    return mask
