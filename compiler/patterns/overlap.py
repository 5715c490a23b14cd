"""Whether two patterns can claim one line, with such a line to show.

Input: two programs. Output: a line both claim, as short and readable as possible, or None when there is none.
INVARIANT: never None when a line exists. The quick product of the two automata admits a little more than the committed
match does, so each candidate is verified by the reference. Where none of the first candidates is real, a second product
also remembers where the first-fit holes must not end; what it still finds is returned, verified or not, for the author
to decide.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final

from .automaton import Automaton, line_automaton, look_automaton
from .characters import atoms, intersect, samples
from .lost import keeps_all
from .program import Enum, Lit, Op, Program, Ranges, Run
from .reference import match_line

CANDIDATES: Final = 64
"""How many lines are tried before the shortest unverified one is returned."""

_EXPANSIONS: Final = 4000
_PAIR_LIMIT: Final = 20_000
_LENGTH_COST: Final = 100

Barred = frozenset[tuple[int, int]]
"""Looks that must not come true: (state of the hole, state of its look)."""

Place = tuple[int, Barred]
"""How far one pattern has read: a state, and what is barred there. Plain tuples: they are hashed all the time."""

Pair = tuple[Place, Place]
Moves = dict[Pair, list[tuple[Ranges, Pair]]]
_NONE_BARRED: Final[Barred] = frozenset()
_START: Final[Pair] = ((0, _NONE_BARRED), (0, _NONE_BARRED))


class _TooLargeError(Exception):
    """The product has too many states."""


def overlap(left: Program, right: Program) -> str | None:
    """Return a line that both patterns claim, or None when there is none.

    Where no real line was found and none is excluded (see above), or the search grew too large, the answer is a line
    that at least one of them does not claim, perhaps the empty one: `match_line` tells.
    """
    if _clearly_apart(left, right):
        return None
    first: str | None = None
    for exact in (False, True):
        candidates: list[str] = []
        try:
            for line in common_lines(_side(left, exact=exact), _side(right, exact=exact)):
                if match_line(left, line) is not None and match_line(right, line) is not None:
                    return line
                candidates.append(line)
        except _TooLargeError:
            return first or ""
        if not candidates:
            return None
        first = candidates[0]
    return first


class Side:
    """One language in the product: an automaton, and the looks that must not come true where a hole goes on."""

    def __init__(self, automaton: Automaton, looks: Mapping[int, Automaton] | None = None) -> None:
        self.automaton = automaton
        self.looks = looks or {}
        self._moves: dict[Place, list[tuple[Ranges, Place]]] = {}

    def ends(self, place: Place) -> bool:
        """Say whether the line may end here."""
        state, barred = place
        return state in self.automaton.ends and not any(at in self.looks[hole].ends for hole, at in barred)

    def moves(self, place: Place) -> list[tuple[Ranges, Place]]:
        """Return the moves from a place."""
        known = self._moves.get(place)
        if known is None:
            known = self._moves[place] = list(self._find_moves(*place))
        return known

    def _find_moves(self, state: int, barred: Barred) -> Iterator[tuple[Ranges, Place]]:
        for ranges, target in self.automaton.edges[state]:
            here = barred
            if target == state and state in self.looks:
                if 0 in self.looks[state].opens:
                    continue
                here = barred | {(state, 0)}
            if not here:
                yield ranges, (target, _NONE_BARRED)
                continue
            classes = [edge for hole, at in here for edge, _ in self.looks[hole].edges[at]]
            for part in atoms([ranges, *dict.fromkeys(classes)]):
                after = self._advance(here, part) if intersect(part, ranges) else None
                if after is not None:
                    yield part, (target, after)

    def _advance(self, barred: Barred, part: Ranges) -> Barred | None:
        """Move the barred looks on; None when one of them has come true."""
        after: set[tuple[int, int]] = set()
        for hole, state in barred:
            look = self.looks[hole]
            for ranges, target in look.edges[state]:
                if intersect(ranges, part):
                    if target in look.opens:
                        return None
                    after.add((hole, target))
        return frozenset(after)


def _side(program: Program, *, exact: bool) -> Side:
    automaton = line_automaton(program)
    if not exact:
        return Side(automaton)
    return Side(automaton, {at: look_automaton(rest) for at, rest in automaton.holes.items() if keeps_all(rest)})


def common_lines(left: Side, right: Side) -> Iterator[str]:
    """Yield up to `CANDIDATES` lines that both sides accept, the shortest and most readable first."""
    moves = _explore(left, right)
    away = _distances([pair for pair in moves if left.ends(pair[0]) and right.ends(pair[1])], moves)
    if _START not in away:
        return
    first = _walk(moves, away)
    yield first
    lines = {first}
    ticket = count()
    heap: list[tuple[int, int, int, str, Pair]] = [(away[_START], 0, 0, "", _START)]
    for _ in range(_EXPANSIONS):
        if not heap or len(lines) >= CANDIDATES:
            return
        _, cost, _, line, pair = heapq.heappop(heap)
        if left.ends(pair[0]) and right.ends(pair[1]) and line not in lines:
            lines.add(line)
            yield line
        for ranges, target in moves[pair]:
            if target in away:
                for penalty, char in samples(ranges):
                    total = cost + _LENGTH_COST + penalty
                    heapq.heappush(heap, (total + away[target], total, next(ticket), line + char, target))


def _walk(moves: Moves, away: dict[Pair, int]) -> str:
    """Return the cheapest line: at each pair the move that leads to the end for what it costs."""
    chars: list[str] = []
    pair = _START
    while away[pair]:
        for ranges, target in moves[pair]:
            penalty, char = samples(ranges)[0]
            if target in away and away[target] + _LENGTH_COST + penalty == away[pair]:
                chars.append(char)
                pair = target
                break
    return "".join(chars)


def _explore(left: Side, right: Side) -> Moves:
    """Return the product, reached pairs only."""
    moves: Moves = {_START: []}
    todo: list[Pair] = [_START]
    while todo:
        pair = todo.pop()
        here = moves[pair]
        others = list(right.moves(pair[1]))
        for ranges, target in left.moves(pair[0]):
            for other, other_target in others:
                both = intersect(ranges, other)
                if both:
                    reached = (target, other_target)
                    here.append((both, reached))
                    if reached not in moves:
                        moves[reached] = []
                        todo.append(reached)
        if len(moves) > _PAIR_LIMIT:
            raise _TooLargeError
    return moves


def _distances(accepting: list[Pair], moves: Moves) -> dict[Pair, int]:
    """Return the cost of the cheapest line from each pair that leads to the end."""
    back: dict[Pair, list[tuple[int, Pair]]] = {}
    for pair, steps in moves.items():
        for ranges, target in steps:
            back.setdefault(target, []).append((_LENGTH_COST + samples(ranges)[0][0], pair))
    away: dict[Pair, int] = {}
    ticket = count()
    heap = [(0, next(ticket), pair) for pair in accepting]
    heapq.heapify(heap)
    while heap:
        cost, _, pair = heapq.heappop(heap)
        if pair in away:
            continue
        away[pair] = cost
        for price, source in back.get(pair, ()):
            if source not in away:
                heapq.heappush(heap, (cost + price, next(ticket), source))
    return away


def _clearly_apart(left: Program, right: Program) -> bool:
    """Say whether what a line begins or ends with rules a common line out."""
    if not left or not right:
        return False
    return _apart(left[0], right[0], starts=True) or _apart(left[-1], right[-1], starts=False)


def _apart(one: Op, other: Op, *, starts: bool) -> bool:
    if isinstance(other, Lit) and not isinstance(one, Lit):
        one, other = other, one
    if not isinstance(one, Lit):
        return False
    match other:
        case Lit(text):
            short, long = sorted((one.text, text), key=len)
            return not (long.startswith(short) if starts else long.endswith(short))
        case Run(ranges, low, _) if low > 0:
            return not intersect(ranges, ((ord(one.text[0 if starts else -1]),) * 2,))
        case Enum(choices) if all(choices):
            return all(_apart(one, Lit(choice, span=other.span), starts=starts) for choice in choices)
        case _:
            return False
