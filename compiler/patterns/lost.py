"""Lines that a final choice loses: another choice would have read them.

A choice point is where a match decides for good: a run that goes on taking, a text of a list, an optional part.
With TAKEN what the choice takes there and AFTER what follows (up to the next open hole or the end of the line), a line
is lost when AFTER would have read it, TAKEN stands at its beginning, and TAKEN AFTER does not read it:
in AFTER and in TAKEN·any, not in TAKEN·AFTER. The automata find it. An open hole in AFTER may have to read what is
TAKEN for that (`{? [*]} {message}` on ` [*]`): authors mean that loss, so only `keeps_all` counts it.
INVARIANT: where `keeps_all` holds, the committed look and the free reading of it agree on every line.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import Final

from ...dsl.source import Span
from .automaton import Automaton, is_exact, look_automaton
from .characters import atoms, intersect, samples, single, subtract, unite
from .program import OPEN, TEXT, CString, Enum, Fit, Group, Lit, Op, Opt, Program, Quoted, Ranges, Run, walk

_NOWHERE: Final = Span(0, 0)
_ANYTHING: Final = Fit("text", span=_NOWHERE)
_WORK_LIMIT: Final = 10_000
"""Three times what the longest patterns of real rules take: beyond it a pattern is accepted without the proof."""

_DONE: Final = -1
"""A state that has accepted, whatever follows."""

_PLAIN: Final = subtract(TEXT, unite(single('"'), single("\\")))


@dataclass(frozen=True, slots=True)
class Lost:
    """A lost line: the operation that takes too much, what it takes it from, the text from the operation on.

    `line` is None when the search was given up: nothing is proved.
    """

    op: Op
    follow: Program
    line: str | None


@dataclass(frozen=True, slots=True)
class _Point:
    """A choice point: `lead` is the text read before it, `taken` what is preferred, `more` what it may go on taking."""

    lead: str
    taken: Program
    more: Program
    after: Program


def lost_lines(ops: Program, follow: Program = ()) -> Iterator[Lost]:
    """Yield what the choice points of the operations lose, in the order of the text."""
    for index, op in enumerate(ops):
        after = ops[index + 1 :] + follow
        for point in _points(op, after):
            found, line = _lost(point, strict=False)
            if found:
                yield Lost(op, point.after, None if line is None else point.lead + line)
                break
        if isinstance(op, Opt):
            yield from lost_lines(op.ops, after)


@lru_cache(maxsize=4096)
def keeps_all(ops: Program) -> bool:
    """Say whether it is proved that no choice up to the next open hole or the end of the line loses a line."""
    for index, op in enumerate(ops):
        if isinstance(op, OPEN):
            return True
        after = ops[index + 1 :]
        if not is_exact(op) or any(_lost(point, strict=True)[0] for point in _points(op, after)):
            return False
        if isinstance(op, Opt) and not keeps_all(op.ops + after):
            return False
    return True


def _points(op: Op, after: Program) -> Iterator[_Point]:
    match op:
        case Run(ranges, low, high):
            yield from _run_points(ranges, low, high, after)
        case Group(runs):
            lead = ""
            for index, run in enumerate(runs):
                for point in _run_points(run.ranges, run.low, run.high, runs[index + 1 :] + after):
                    yield _Point(lead + point.lead, point.taken, point.more, point.after)
                lead += samples(run.ranges)[0][1] * run.low
        case Enum(choices):
            for choice in choices:
                for shorter in choices:
                    if choice.startswith(shorter) and choice != shorter:
                        yield _Point(shorter, (_text(choice[len(shorter) :]),), (), after)
        case Opt(ops) if ops and not any(isinstance(inner, OPEN) for inner, _ in walk(ops)):
            yield _Point("", ops, (), after)
        case CString():
            yield _Point("", (_one(_PLAIN),), (op,), after)
            yield _Point("", (_text("\\"), _one(TEXT)), (op,), after)
        case Quoted():
            yield from _points(CString(span=op.span), (_text('"'), *after))
        case _:
            pass


def _run_points(ranges: Ranges, low: int, high: int | None, after: Program) -> Iterator[_Point]:
    if high == low:
        return
    char = samples(ranges)[0][1]
    if high is None:
        yield _Point(char * low, (_one(ranges),), (Run(ranges, 0, None, span=_NOWHERE),), after)
        return
    # The last place where it may stop is the one where least is left to take: nothing lost there, nothing lost at all.
    for stop in sorted({low, high - 1}):
        more = Run(ranges, 0, high - stop - 1, span=_NOWHERE)
        yield _Point(char * stop, (_one(ranges),), (more,), after)


def _text(text: str) -> Lit:
    return Lit(text, span=_NOWHERE)


def _one(ranges: Ranges) -> Run:
    return Run(ranges, 1, 1, span=_NOWHERE)


@lru_cache(maxsize=4096)
def _lost(point: _Point, *, strict: bool) -> tuple[bool, str | None]:
    """Search for the shortest lost line of a choice point; (True, None) when the search was given up.

    `strict`: also where an open hole of what follows reads into what is taken.
    """
    if not strict and point.after and isinstance(point.after[0], OPEN):
        return False, None
    skip = look_automaton(point.after)
    taken = look_automaton((*point.taken, _ANYTHING))
    if not strict and not _may_begin_alike(skip, taken):
        return False, None
    both = look_automaton((*point.taken, *point.more, *point.after))
    classes = [ranges for auto in (skip, taken, both) for edges in auto.edges for ranges, _ in edges]
    letters = [(samples(part)[0], part) for part in atoms(list(dict.fromkeys(classes)))]
    skip_to, taken_to, both_to = (_targets(automaton) for automaton in (skip, taken, both))
    ticket = count()
    heap: list[tuple[int, int, str, int, int, frozenset[int]]] = [(0, 0, "", 0, 0, frozenset((0,)))]
    seen: dict[tuple[int, int], list[frozenset[int]]] = {}
    work = 0
    while heap:
        cost, _, line, before, here, reached = heapq.heappop(heap)
        known = seen.setdefault((before, here), [])
        # Where fewer states of the preferred reading lost nothing, more of them do not.
        if reached & both.opens or any(fewer <= reached for fewer in known):
            continue
        known.append(reached)
        work += 1 + len(reached)
        if work > _WORK_LIMIT:
            return True, None
        here = _DONE if here in taken.opens else here
        if before in skip.opens and (strict or here == _DONE):
            before = _DONE
        if here == _DONE and (before == _DONE or before in skip.ends) and not reached & both.ends:
            return True, line
        for (penalty, char), part in letters:
            lefts, rights = skip_to(before, part), taken_to(here, part)
            if lefts and rights:
                after = frozenset(target for state in reached for target in both_to(state, part))
                for left in lefts:
                    for right in rights:
                        heapq.heappush(heap, (cost + 100 + penalty, next(ticket), line + char, left, right, after))
    return False, None


def _may_begin_alike(skip: Automaton, taken: Automaton) -> bool:
    """Say whether some character begins both."""
    return 0 in taken.opens or any(
        intersect(ranges, other) for ranges, _ in skip.edges[0] for other, _ in taken.edges[0]
    )


def _targets(automaton: Automaton) -> Callable[[int, Ranges], tuple[int, ...]]:
    """Return the moves of an automaton on a part of the characters, remembered."""

    @cache
    def find(state: int, part: Ranges) -> tuple[int, ...]:
        if state == _DONE:
            return (_DONE,)
        return tuple(target for ranges, target in automaton.edges[state] if intersect(ranges, part))

    return find
