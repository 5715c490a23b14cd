"""Which patterns can begin alike: an index that keeps the comparison of many patterns from being one of all pairs.

Input: things with their patterns, one after the other. Output: for each, the earlier things that may share a line with
it. INVARIANT: whoever is left out shares no line: its first characters are others, or one is the empty line only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Generic, TypeVar

from .program import Enum, Lit, Program

_Thing = TypeVar("_Thing")
_PREFIX: Final = 8


class Beginnings(Generic[_Thing]):
    """An index by the literal text that patterns begin with. What begins otherwise is compared with everything."""

    def __init__(self) -> None:
        self._order: dict[int, _Thing] = {}
        self._free: dict[int, None] = {}
        self._below: dict[str, dict[int, None]] = {}
        """By each prefix of a beginning, the things that begin with it."""
        self._ends: dict[str, dict[int, None]] = {}
        """By whole beginning, things of which no more is known."""

    def add(self, thing: _Thing, programs: Sequence[Program]) -> Iterator[_Thing]:
        """Take in a thing and return the earlier ones that may share a line with it, in the order they came."""
        heads = [head for program in programs for head in _heads(program)]
        number = len(self._order)
        near: dict[int, None] = dict.fromkeys(self._order) if None in heads else dict(self._free)
        for head in heads:
            if head is None:
                continue
            near |= self._below.get(head, {})
            for size in range(len(head)):
                near |= self._ends.get(head[:size], {})
        rivals = [self._order[each] for each in sorted(near)]
        self._order[number] = thing
        for head in heads:
            if head is None:
                self._free[number] = None
                continue
            self._ends.setdefault(head, {})[number] = None
            for size in range(len(head) + 1):
                self._below.setdefault(head[:size], {})[number] = None
        return iter(rivals)


def _heads(program: Program) -> list[str | None]:
    """Return the texts of which a line of the pattern begins with one; None: with anything."""
    if not program:
        return [""]
    first = program[0]
    match first:
        case Lit(text):
            return [text[:_PREFIX]]
        case Enum(choices):
            return [choice[:_PREFIX] for choice in choices]
        case _:
            return [None]
