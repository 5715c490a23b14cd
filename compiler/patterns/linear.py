"""Whether the look-ahead of a first-fit hole can read the same text from many places.

A hole tries what follows it at every place it reaches. The attempts together read each character a bounded number of
times exactly if no state `q` of the look is reachable from its start and from itself by one word that the hole can
read over (the test for infinite ambiguity, on the hole's class repeated and then the look). Where the look accepts
whatever follows, the hole ends: such states lead nowhere.
"""

from __future__ import annotations

from collections import deque

from .automaton import look_automaton
from .characters import intersect, samples
from .program import Fit, Program, Ranges


def pumping_word(fit: Fit, follow: Program) -> str | None:
    """Return a word whose repetition makes the hole quadratic, or None when it is linear."""
    look = look_automaton(follow)
    if 0 in look.opens:
        return None
    edges = tuple(
        tuple(
            (both, target)
            for ranges, target in targets
            if target not in look.opens and (both := intersect(ranges, fit.ranges))
        )
        for targets in look.edges
    )
    for state in _cyclic(edges):
        word = _word_to(edges, state)
        if word is not None:
            return word
    return None


Edges = tuple[tuple[tuple[Ranges, int], ...], ...]


def _cyclic(edges: Edges) -> list[int]:
    """Return the states that can reach themselves."""
    found: list[int] = []
    for state in range(len(edges)):
        seen: set[int] = set()
        todo = [state]
        while todo:
            for _, target in edges[todo.pop()]:
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        if state in seen:
            found.append(state)
    return found


def _word_to(edges: Edges, state: int) -> str | None:
    """Return the shortest word that leads from the start to the state and from the state to itself."""
    seen = {(0, state)}
    todo: deque[tuple[int, int, str]] = deque([(0, state, "")])
    while todo:
        left, right, word = todo.popleft()
        for ranges, target in edges[left]:
            for other, other_target in edges[right]:
                both = intersect(ranges, other)
                pair = (target, other_target)
                if both and pair not in seen:
                    longer = word + samples(both)[0][1]
                    if pair == (state, state):
                        return longer
                    seen.add(pair)
                    todo.append((*pair, longer))
    return None
