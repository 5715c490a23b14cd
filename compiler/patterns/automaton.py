"""Programs as nondeterministic automata over character classes.

Two readings of a program:

* *line* (`line_automaton`): all lines the committed match may claim, and as few others as one character of look-ahead
  can tell: a hole that takes all it can is not followed by a character it would have taken.
  INVARIANT: never fewer lines than the match claims.
* *look* (`look_automaton`): every reading of the operations up to the next open hole (`opens`: whatever follows) or
  the end of the line (`ends`), nothing committed. What the checks of one pattern work on.

States are small ints, 0 is the start; there are no empty moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from .characters import single, subtract, unite
from .program import OPEN, RAW, TEXT, CString, Enum, Fit, Group, Lit, Op, Opt, Program, Quoted, Ranges, Raw, Rest, Run

LONGEST_UNROLLED: Final = 80
"""A bound above this is read as no bound: the set of lines only grows."""

_PLAIN_INSIDE: Final = subtract(TEXT, unite(single('"'), single("\\")))
_QUOTE: Final = single('"')
_BACKSLASH: Final = single("\\")


@dataclass(frozen=True, slots=True)
class Automaton:
    """`edges[s]` = (class, target) pairs; `ends`: states that accept at the end of the line, `opens`: anywhere.

    `holes`: states inside a first-fit hole, with what follows it; their move to themselves says that the hole goes on.
    """

    edges: tuple[tuple[tuple[Ranges, int], ...], ...]
    ends: frozenset[int]
    opens: frozenset[int]
    holes: Mapping[int, Program]


@lru_cache(maxsize=4096)
def line_automaton(program: Program) -> Automaton:
    """Return the automaton of the lines that a pattern may claim."""
    builder = _Builder(committed=True, stops=False)
    builder.finish(builder.sequence(program, builder.start))
    return builder.build()


@lru_cache(maxsize=4096)
def look_automaton(ops: Program) -> Automaton:
    """Return the automaton of every reading of the operations up to the next open hole or the end of the line."""
    builder = _Builder(committed=False, stops=True)
    builder.finish(builder.sequence(ops, builder.start))
    return builder.build()


def is_exact(op: Op) -> bool:
    """Say whether the automata count the characters of an operation exactly."""
    runs = op.runs if isinstance(op, Group) else (op,)
    return all(max(run.low, run.high or 0) <= LONGEST_UNROLLED for run in runs if isinstance(run, Run))


@dataclass(slots=True)
class _Builder:
    """Thompson's construction with guarded empty moves: a guard is what the next character must not be."""

    committed: bool
    stops: bool
    moves: list[list[tuple[Ranges, int]]] = field(default_factory=lambda: [[]])
    empty: list[list[tuple[Ranges, int]]] = field(default_factory=lambda: [[]])
    final: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    holes: dict[int, Program] = field(default_factory=dict)
    start: int = 0

    def node(self) -> int:
        self.moves.append([])
        self.empty.append([])
        return len(self.moves) - 1

    def step(self, source: int, ranges: Ranges, target: int | None = None) -> int:
        """Add a move on a class; return its target."""
        target = self.node() if target is None else target
        self.moves[source].append((ranges, target))
        return target

    def skip(self, source: int, target: int, guard: Ranges = ()) -> None:
        """Add an empty move."""
        self.empty[source].append((guard if self.committed else (), target))

    def finish(self, last: int | None) -> None:
        if last is not None:
            self.final.add(last)

    def sequence(self, ops: Program, at: int | None, follow: Program = ()) -> int | None:
        """Add operations in a row; return the last node, or None when an open hole stopped the reading."""
        for index, op in enumerate(ops):
            if at is None:
                return None
            at = self.single(op, at, ops[index + 1 :] + follow)
        return at

    def single(self, op: Op, at: int, follow: Program) -> int | None:
        if self.stops and isinstance(op, OPEN):
            self.opened.add(at)
            return None
        match op:
            case Lit(text):
                return self.text(text, at)
            case Run(ranges, low, high):
                return self.run(ranges, low, high, at)
            case Group(runs):
                return self.sequence(runs, at)
            case Fit():
                inside = self.step(at, op.ranges)
                self.holes[inside] = follow
                return self.step(inside, op.ranges, inside)
            case Enum(choices):
                after = self.node()
                for choice in choices:
                    guard: Ranges = ()
                    for other in choices:
                        if len(other) == len(choice) + 1 and other.startswith(choice):
                            guard = unite(guard, single(other[-1]))
                    self.skip(self.text(choice, at), after, guard)
                return after
            case Opt(ops):
                after = self.node()
                inner = self.node()
                self.skip(at, inner)
                last = self.sequence(ops, inner, follow)
                if last is not None:
                    self.skip(last, after)
                self.skip(at, after, _one_character(ops))
                return after
            case Rest() | Raw():
                inside = self.node()
                self.skip(at, inside)
                return self.step(inside, TEXT if isinstance(op, Rest) else RAW, inside)
            case CString():
                return self.inside(at)
            case Quoted():
                return self.step(self.inside(self.step(at, _QUOTE)), _QUOTE)

    def text(self, text: str, at: int) -> int:
        for char in text:
            at = self.step(at, single(char))
        return at

    def run(self, ranges: Ranges, low: int, high: int | None, at: int) -> int:
        for _ in range(min(low, LONGEST_UNROLLED)):
            at = self.step(at, ranges)
        after = self.node()
        if high is None or high > LONGEST_UNROLLED:
            inside = self.node()
            self.skip(at, inside)
            self.step(inside, ranges, inside)
            # A bounded run may leave characters of its own class behind: no guard.
            self.skip(inside, after, ranges if high is None else ())
            return after
        for _ in range(low, high):
            self.skip(at, after, ranges)
            at = self.step(at, ranges)
        self.skip(at, after)
        return after

    def inside(self, at: int) -> int:
        body = self.node()
        self.skip(at, body)
        self.step(body, _PLAIN_INSIDE, body)
        self.step(self.step(body, _BACKSLASH), TEXT, body)
        after = self.node()
        self.skip(body, after, _PLAIN_INSIDE)
        return after

    def build(self) -> Automaton:
        """Remove the empty moves and the nodes that only they reach."""
        number = {self.start: 0}
        order = [self.start]
        edges: list[tuple[tuple[Ranges, int], ...]] = []
        ends: set[int] = set()
        opens: set[int] = set()
        for node in order:
            here: dict[tuple[Ranges, int], None] = {}
            for reached, guard in self.closure(node):
                if reached in self.final:
                    ends.add(number[node])
                if reached in self.opened:
                    opens.add(number[node])
                for ranges, target in self.moves[reached]:
                    left = subtract(ranges, guard) if guard else ranges
                    if not left:
                        continue
                    if target not in number:
                        number[target] = len(order)
                        order.append(target)
                    here[left, number[target]] = None
            edges.append(tuple(here))
        holes = {number[node]: follow for node, follow in self.holes.items() if node in number}
        return Automaton(tuple(edges), frozenset(ends), frozenset(opens), holes)

    def closure(self, node: int) -> dict[tuple[int, Ranges], None]:
        """Return the nodes that empty moves reach, each with every guard it is reached under."""
        seen: dict[tuple[int, Ranges], None] = {(node, ()): None}
        todo: list[tuple[int, Ranges]] = [(node, ())]
        while todo:
            at, guard = todo.pop()
            for more, target in self.empty[at]:
                entry = (target, unite(guard, more) if more else guard)
                if entry not in seen:
                    seen[entry] = None
                    todo.append(entry)
        return seen


def _one_character(ops: Program) -> Ranges:
    """Return what an optional part takes when it is sure to fit on one character, else nothing."""
    if len(ops) == 1:
        match ops[0]:
            case Lit(text) if len(text) == 1:
                return single(text)
            case Run(ranges, low, _) if low <= 1:
                return ranges
            case Enum(choices) if all(len(choice) == 1 for choice in choices):
                guard: Ranges = ()
                for choice in choices:
                    guard = unite(guard, single(choice))
                return guard
    return ()
