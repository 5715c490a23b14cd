"""Streams with counted records: what is content is said by the counts of the record, never by the look of a line.

Input: the tables of a stream that has counters, and its lines. Output: as `scan`.

Which edges of a row are possible depends on which counters are above zero: a row has one `Variant` for each such set.
Runs of content whose first character decides (`+`, `-`, a space) are taken many lines at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, Final

from .patterns import Capture, First
from .tables import Place, Scan, StreamProgram, label_char, lower_row

RowKey = tuple[tuple[str, ...], tuple[int, ...]]
"""The records that are open, and the labels that may follow: what tells counted rows apart."""

Setting = tuple[int, int, int]
"""A counter, the group that holds its number, and its number where that part of the line is absent."""

_NO_LINE: Final = "\n"
"""Stands for the first character of an empty line; no line holds it."""


class CountedEdge:
    """One edge of a stream with counters. Masks have bit `c` for counter `c`.

    `zero`: counters that must be zero, as their record closes. `above`: counters that must be above zero.
    """

    __slots__ = ("above", "counts", "label", "next", "opens", "position", "possible", "sets", "spends", "zero")

    def __init__(self, program: StreamProgram, path: tuple[str, ...], label: int) -> None:
        position, keep = program.labels[label]
        target = program.positions[position]
        closed, kept, opened = path[keep:], path[:keep], target["path"][keep:]
        owners = [counter["record"] for counter in program.counters]
        self.label = label
        self.position = position
        self.next: CountedRow | None = None
        self.sets: tuple[int, ...] = tuple(target["sets"])
        self.spends: tuple[int, ...] = tuple(target["spends"])
        self.opens = tuple(at for at, owner in enumerate(owners) if owner in opened)
        self.counts = bool(self.sets or self.spends or self.opens)
        self.zero = _mask(at for at, owner in enumerate(owners) if owner in closed)
        self.above = _mask(self.spends)
        # A counter of a record that this edge opens is zero, so nothing can spend it here.
        self.possible = all(owners[at] in kept for at in self.spends)


class CountedRow:
    """A row of a stream with counters, lowered for each set of counters that are above zero."""

    __slots__ = ("edges", "key", "program", "variants")

    def __init__(self, program: StreamProgram, key: RowKey) -> None:
        self.program = program
        self.key = key
        self.edges = [CountedEdge(program, key[0], label) for label in key[1]]
        self.variants: dict[int, Variant] = {}

    def variant(self, above: int) -> Variant:
        """Return the row as it is while the counters of the mask `above`, and no others, are above zero."""
        found = self.variants.get(above)
        if found is None:
            found = self.variants[above] = Variant(self, above)
        return found


class Variant:
    """The possible edges of a counted row as one expression, and what its lines of content begin with.

    `body` holds the characters that alone decide for an edge that stays in this row and spends something; `span` takes
    as many as there are, `first_labels` writes them as labels, `spenders[c]` are the indexes of those that spend
    counter `c`. Empty where counters have more than one record, as then one might close in the middle of a stretch.
    """

    __slots__ = ("body", "chars", "clears", "edges", "first_labels", "kinds", "match", "sets", "span", "spenders")

    def __init__(self, row: CountedRow, above: int) -> None:
        program = row.program
        edges = [edge for edge in row.edges if edge.possible and not edge.zero & above and not edge.above & ~above]
        labels = [edge.label for edge in edges]
        names = {
            edge.position: frozenset(program.counters[counter]["name"] for counter in edge.sets)
            for edge in edges
            if edge.sets
        }
        table = lower_row(program, labels, names)
        by_label = {edge.label: edge for edge in edges}
        positions = [None if label is None else program.labels[label][0] for label in table.labels]
        self.match = table.match
        self.sets = [
            _sets(program, position, captures) for position, captures in zip(positions, table.captures, strict=True)
        ]
        self.edges: list[Any] = [None if label is None else by_label[label] for label in table.labels]
        # A counter that the line's pattern does not capture is zero, as are those of the records that it opens.
        self.clears = [() if edge is None else (*edge.opens, *edge.sets) for edge in self.edges]
        self.chars = ["" if label is None else label_char(label) for label in table.labels]
        self.kinds = program.kinds_of(labels)
        body = _body(row, edges) if above and len({counter["record"] for counter in program.counters}) == 1 else {}
        self.first_labels = {ord(char): label_char(edge.label) for char, edge in body.items()}
        self.body = "".join(body)
        self.span: Callable[[str, int, int], Any] = re.compile(
            f"[{''.join(map(re.escape, body))}]*+" if body else ""
        ).match
        self.spenders = [
            [at for at, edge in enumerate(body.values()) if counter in edge.spends]
            for counter in range(len(program.counters))
        ]


def _sets(program: StreamProgram, position: int | None, captures: list[tuple[int, Capture]]) -> list[Setting]:
    """Return what a line sets. Of two captures of one name the first counts."""
    if position is None:
        return []
    groups = {
        capture.name: (group, max(capture.default or 0, 0)) for group, capture in reversed(captures) if capture.is_int
    }
    names = ((counter, program.counters[counter]["name"]) for counter in program.positions[position]["sets"])
    return [(counter, *groups[name]) for counter, name in names if name in groups]


def _body(row: CountedRow, edges: list[CountedEdge]) -> dict[str, CountedEdge]:
    """Return the edges that stay in the row and spend, by each first character that decides for them."""
    found: dict[str, CountedEdge] = {}
    earlier: list[First] = []
    for edge in edges:
        for char in _deciding(row, edge):
            if not any(_may_begin(first, char) for first in earlier):
                found[char] = edge
        earlier.extend(row.program.first_characters(edge.position))
    return found


def _deciding(row: CountedRow, edge: CountedEdge) -> list[str]:
    """Return the characters (or `_NO_LINE`) with which any line is one of the edge."""
    program = row.program
    stays = program.labels[edge.label][1] == len(row.key[0]) and _row_key(program, edge.position) == row.key
    if edge.sets or not edge.spends or not stays:
        return []
    chars: list[str] = []
    for pattern in program.positions[edge.position]["patterns"]:
        ops = program.patterns[pattern]
        if not ops:
            chars.append(_NO_LINE)
        elif len(ops) == 2 and ops[0][0] == "lit" and len(ops[0][1]) == 1 and ops[1][0] == "raw":
            chars.append(ops[0][1])
    return chars


def _may_begin(first: First, char: str) -> bool:
    return first.nullable if char == _NO_LINE else any(low <= ord(char) <= high for low, high in first.ranges)


def _row_key(program: StreamProgram, position: int) -> RowKey:
    return tuple(program.positions[position]["path"]), program.rows[position]


def _row(program: StreamProgram, key: RowKey) -> CountedRow:
    """Return the lowered row of a key."""
    found = program.counted_rows.get(key)
    if found is None:
        found = program.counted_rows[key] = CountedRow(program, key)
    return found


def _lead(program: StreamProgram, edge: CountedEdge) -> CountedRow:
    """Return the row behind an edge, and remember it there."""
    edge.next = _row(program, _row_key(program, edge.position))
    return edge.next


def scan_counted(program: StreamProgram, lines: list[str]) -> Scan | Place:
    """Return the trace of lines, at least one, or the place at which the stream refuses them."""
    values = [0] * len(program.counters)
    above = 0
    row = _row(program, ((), program.start))
    variant = row.variant(0)
    trace: list[str] = []
    append = trace.append
    firsts = ""
    # The first characters, written as the labels that they decide for in a variant.
    contents: dict[Variant, str] = {}
    at, total = 0, len(lines)
    while at < total:
        if variant.body:
            firsts = firsts or _first_characters(lines)
            end = _content_end(variant, firsts, at, values)
            if end > at:
                content = contents.get(variant)
                if content is None:
                    content = contents[variant] = firsts.translate(variant.first_labels)
                append(content[at:end])
                at = end
                above = _above(values) if any(values) else 0
                variant = row.variants.get(above) or row.variant(above)
                continue
        found = variant.match(lines[at])
        if found is None:
            return Place(at + 1, lines[at], variant.kinds, trace="".join(trace))
        group = found.lastindex
        edge = variant.edges[group]
        append(variant.chars[group])
        at += 1
        if edge.counts:
            for counter in edge.spends:
                values[counter] -= 1
            for counter in variant.clears[group]:
                values[counter] = 0
            for counter, holding, default in variant.sets[group]:
                text = found[holding]
                values[counter] = default if text is None else int(text)
            above = _above(values)
        row = edge.next or _lead(program, edge)
        variant = row.variants.get(above) or row.variant(above)
    if above or program.position_of(trace[-1][-1]) not in program.final:
        return Place(total + 1, None, variant.kinds, trace="".join(trace))
    return Scan("".join(trace), lines)


def _first_characters(lines: list[str]) -> str:
    if "" in lines:
        return "".join([line[:1] or _NO_LINE for line in lines])
    return "".join(map(itemgetter(0), lines))


def _content_end(variant: Variant, firsts: str, at: int, values: list[int]) -> int:
    """Return where the content that begins at line `at` surely ends (or sooner), and lower `values` by it.

    While no counter falls below zero on the way, each of these lines was possible when it came. The record cannot have
    been free to close before the last of them either: each line that follows would have had to spend a counter.
    """
    end = variant.span(firsts, at, at + sum(values)).end()
    while end > at:
        counts = [firsts.count(char, at, end) for char in variant.body]
        left: list[int] = []
        for value, spenders in zip(values, variant.spenders, strict=True):
            rest = value
            for spender in spenders:
                rest -= counts[spender]
            left.append(rest)
        if min(left) >= 0:
            values[:] = left
            return end
        end = _first_overspent(variant, firsts, at, values)
    return at


def _first_overspent(variant: Variant, firsts: str, at: int, values: list[int]) -> int:
    """Return the index of the first line that spends a counter which is zero by then."""
    left = list(values)
    while True:
        which = variant.body.index(firsts[at])
        for counter, spenders in enumerate(variant.spenders):
            if which in spenders:
                if not left[counter]:
                    return at
                left[counter] -= 1
        at += 1


def _above(values: list[int]) -> int:
    """Return the mask of the counters that are above zero."""
    mask = 0
    for counter, value in enumerate(values):
        if value:
            mask |= 1 << counter
    return mask


def _mask(counters: Iterable[int]) -> int:
    mask = 0
    for counter in counters:
        mask |= 1 << counter
    return mask
