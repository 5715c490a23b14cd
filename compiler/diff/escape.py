"""Finds a command that one rule accepts and none of some others does: what is lost, or gained, between two packs.

Input: a COMMAND of `docs/pack-format.md`, and those of the others. Output: the words of a shortest such command, None
when there is none. Raises `UndecidedError` where the search grows too large.

A command is an automaton over words (see `compiler.rivals`). Here it is walked together with the set of places that
the others can be at after the same words: a command is found where the one may end and none of the others may. Words
are infinitely many, but only which WORDs of all commands admit one matters, so one word of each kind is tried.
INVARIANT: what is returned was verified with the runtime's own matcher.
"""

from __future__ import annotations

from ast import literal_eval
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from ...runtime.engine.command import accepts
from ...runtime.reasons import PassThrough
from ...runtime.shell import parse_command
from ..patterns.characters import Ranges, atoms, samples
from ..patterns.words import common_words
from ..rivals import OPERAND

Command = dict[str, Any]
Word = list[Any]
State = tuple[int, int, int, str, bool]
"""Head words met, globals used, needs met, the WORD that must come next (as text), whether `--` was met."""

Node = tuple[State, frozenset[tuple[int, State]], str]

MOST_STATES: Final = 20_000
_START: Final[State] = (0, 0, 0, "", False)
_ANY: Final[Word] = ["", [[[[0x01, 0x10FFFF]], 0, None]]]
_DASHES: Final = "--"


class UndecidedError(Exception):
    """The commands are too many to compare."""


class _Walker:
    """One command as an automaton."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.waiting: dict[str, Word] = {}
        self.all_met = (1 << len(command["needs"])) - 1
        self._next: dict[tuple[State, str], frozenset[State]] = {}

    def ends(self, state: State) -> bool:
        """Say whether the command may end here."""
        met, _, needs, pending, dashed = state
        return dashed or (met == len(self.command["head"]) and needs == self.all_met and not pending)

    def offers(self, state: State) -> Iterator[tuple[Word, State]]:
        """Yield each WORD that may come next, with the state after it."""
        met, used, needs, pending, dashed = state
        head = self.command["head"]
        if dashed:
            yield _ANY, state
        elif pending:
            yield self.waiting[pending], (met, used, needs, "", False)
        elif met < len(head):
            yield [head[met], []], (met + 1, used, needs, "", False)
            for number, option in enumerate(self.command["globals"] if met else ()):
                if not used >> number & 1:
                    yield from self._option(option, (met, used | 1 << number, needs, "", False))
        else:
            for number, need in enumerate(self.command["needs"]):
                for option in need:
                    yield from self._option(option, (met, used, needs | 1 << number, "", False))
            for option in self.command["options"]:
                yield from self._option(option, state)
            if self.command["operand"]:
                yield OPERAND, state
            if self.command["after"] and needs == self.all_met:
                yield [_DASHES, []], (met, used, needs, "", True)

    def _option(self, option: list[list[Word]], after: State) -> Iterator[tuple[Word, State]]:
        for first, *second in option:
            if not second:
                yield first, after
                continue
            key = repr(second[0])
            self.waiting[key] = second[0]
            yield first, (*after[:3], key, False)

    def read(self, state: State, word: str) -> frozenset[State]:
        """Return the states after a word."""
        known = self._next.get((state, word))
        if known is None:
            pending = bool(state[3])
            known = frozenset(after for offer, after in self.offers(state) if _takes(offer, word, pending=pending))
            self._next[state, word] = known
        return known


def _takes(offer: Word, word: str, *, pending: bool) -> bool:
    """Say whether a WORD admits a word where it stands: a value without a prefix never begins with `-`."""
    if pending and not offer[0] and word.startswith("-"):
        return False
    return _fits(repr(offer), word) if offer[1] else offer[0] == word


_FREE: Final[Command] = {
    "head": ["x"],
    "globals": [],
    "needs": [],
    "options": [[[_ANY]]],
    "refuse": [],
    "operand": True,
    "after": True,
}
"""A command that takes any words; with something to refuse, it tells what is refused."""


@cache
def _probe(offer: str) -> Command:
    """Return a command that takes one word, which this WORD admits."""
    return {**_FREE, "options": [[[literal_eval(offer)]]], "operand": False, "after": False}


@cache
def _fits(offer: str, word: str) -> bool:
    return accepts(_probe(offer), ("x", word))


class _Refusals:
    """What a command refuses: one word, or two in a row. The first word of a command is never refused."""

    def __init__(self, command: Command) -> None:
        self.probe = {**_FREE, "refuse": command["refuse"]}

    def hits(self, before: str, word: str) -> bool:
        """Say whether a word is refused, given the one before it (empty: that one does not matter)."""
        return bool(self.probe["refuse"]) and not accepts(self.probe, ("x", *([before] if before else []), word))


def find_escape(one: Command, others: Sequence[Command]) -> tuple[str, ...] | None:
    """Return the words of a shortest command that `one` accepts and none of the `others`, or None."""
    if any(other == one for other in others):
        return None
    rivals = [other for other in others if other["head"][0] == one["head"][0]]
    return _Search(one, rivals).run()


class _Search:
    """One search. A node is a state of the one command, what the others can be at, and a word that still matters."""

    def __init__(self, one: Command, others: list[Command]) -> None:
        self.one, self.others = one, others
        self.walker = _Walker(one)
        self.walkers = [_Walker(other) for other in others]
        self.refusals = [_Refusals(command) for command in (one, *others)]
        self.words = _Kinds([one, *others])

    def run(self) -> tuple[str, ...] | None:
        """Search breadth first."""
        start: Node = (_START, frozenset((number, _START) for number in range(len(self.others))), "")
        seen: set[Node] = {start}
        pending: deque[tuple[Node, tuple[str, ...]]] = deque([(start, ())])
        while pending:
            (state, places, before), way = pending.popleft()
            if self.walker.ends(state) and self._escapes(places, way):
                return way
            for offer, after in self.walker.offers(state):
                for word in self.words.of(offer):
                    if not _takes(offer, word, pending=bool(state[3])) or (way and self.refusals[0].hits(before, word)):
                        continue
                    node = (
                        after,
                        self._read(places, before, word, first=not way),
                        self.words.kept(word) if way else "",
                    )
                    if node not in seen:
                        if len(seen) >= MOST_STATES:
                            raise UndecidedError
                        seen.add(node)
                        pending.append((node, (*way, word)))
        return None

    def _escapes(self, places: frozenset[tuple[int, State]], way: tuple[str, ...]) -> bool:
        if any(self.walkers[number].ends(at) for number, at in places):
            return False
        return accepts(self.one, way) and not any(accepts(other, way) for other in self.others)

    def _read(
        self, places: frozenset[tuple[int, State]], before: str, word: str, *, first: bool
    ) -> frozenset[tuple[int, State]]:
        living = {number for number, _ in places}
        if not first:
            living = {number for number in living if not self.refusals[number + 1].hits(before, word)}
        return frozenset(
            (number, after)
            for number, state in places
            if number in living
            for after in self.walkers[number].read(state, word)
        )


@cache
def can_be_typed(word: str) -> bool:
    """Say whether a word of a command line can be this one: what needs quotes is not read."""
    try:
        return tuple(parse_command(f"x {word}").words) == ("x", word)
    except PassThrough:
        return False


def _unreadable(word: str) -> tuple[int, int, str]:
    return len(word), sum(not char.isalnum() for char in word), word


class _Kinds:
    """The words to try for a WORD: one of each kind, a kind being which WORDs of all the commands admit it."""

    def __init__(self, commands: list[Command]) -> None:
        self.all: dict[str, Word] = {repr(word): word for word in (OPERAND, [_DASHES, []])}
        self.begins_pair: list[Word] = []
        for command in commands:
            options = [*command["globals"], *command["options"], *command["refuse"]]
            options += [option for need in command["needs"] for option in need]
            words = [word for option in options for alternative in option for word in alternative]
            self.all |= {repr(word): word for word in [*words, *([text, []] for text in command["head"])]}
            self.begins_pair += [way[0] for option in command["refuse"] for way in option if len(way) == 2]
        ranges: list[Ranges] = [
            tuple((low, high) for low, high in run[0]) for word in self.all.values() for run in word[1] if run[0]
        ]
        literals: list[Ranges] = [((ord(char), ord(char)),) for char in "-="]
        self.characters = [samples(part)[0][1] for part in atoms([*dict.fromkeys(ranges), *literals])]
        self._known: dict[str, tuple[str, ...]] = {}

    def kept(self, word: str) -> str:
        """Return the word if a refused pair can begin with it, else nothing."""
        return word if any(_takes(first, word, pending=False) for first in self.begins_pair) else ""

    def of(self, offer: Word) -> tuple[str, ...]:
        """Return one word of each kind that an offer admits, as many kinds as are found, the shortest first."""
        if not offer[1]:
            return (offer[0],)
        key = repr(offer)
        if key not in self._known:
            found: dict[tuple[bool, ...], str] = {}
            for word in sorted(set(self._candidates(offer)), key=_unreadable):
                if word and _fits(key, word) and can_be_typed(word):
                    kind = (word.startswith("-"), *(_takes(each, word, pending=False) for each in self.all.values()))
                    found.setdefault(kind, word)
            self._known[key] = tuple(found.values())
        return self._known[key]

    def _candidates(self, offer: Word) -> Iterator[str]:
        for other in self.all.values():
            if other[1]:
                yield from (word for word, _ in zip(common_words(offer, other), range(2), strict=False))
            else:
                yield other[0]
        prefix, runs = offer
        parts = [next(self._fitting(run), "") * run[1] for run in runs]
        yield prefix + "".join(parts)
        for number, (run, part) in enumerate(zip(runs, parts, strict=True)):
            head, tail = prefix + "".join(parts[:number]), "".join(parts[number + 1 :])
            for char in self._fitting(run):
                for least in {max(run[1], 1), run[1] + 1, *self._lengths(run)}:
                    if run[2] is None or least <= run[2]:
                        yield head + char * least + tail
                        yield head + part[:-1] + char + tail

    def _fitting(self, run: list[Any]) -> Iterator[str]:
        return (char for char in self.characters if any(low <= ord(char) <= high for low, high in run[0]))

    def _lengths(self, run: list[Any]) -> set[int]:
        """Return lengths at which some other WORD ends, one more, and one less."""
        ends = {end for word in self.all.values() for _, low, high in word[1] for end in (low, high) if end is not None}
        near = {each for end in ends for each in (end - 1, end, end + 1) if run[1] <= each <= 200}
        return near or {max(run[1], 1)}
