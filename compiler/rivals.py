"""Proves that no command is accepted by two rules of a pack.

Input: the lowered commands of all rules. Output: E0703 with the shortest command both accept, verified with the
runtime's own matcher.

A command is an automaton over words: which word of its head was met, which globals were used, which needs are met, and
the second word that an option still waits for. Two commands share a line iff the product of their automata reaches a
pair of accepting states; the witness of a step is a word that both steps admit.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source, Span
from ..runtime.engine.command import accepts
from .commands import LoweredCommand
from .diagnose import error
from .patterns.words import common_words

_NO_DASH = [[0x01, 0x2C], [0x2E, 0x10FFFF]]
_ALL = [[0x01, 0x10FFFF]]
OPERAND = ["", [[_NO_DASH, 1, 1], [_ALL, 0, None]]]
MAX_PAIRS = 20_000
_HEAD = "x"
_FREE: dict[str, Any] = {
    "head": [_HEAD],
    "globals": [],
    "needs": [],
    "options": [[[["", [[_ALL, 0, None]]]]]],
    "refuse": [],
    "operand": True,
    "after": True,
}
"""A command that takes any words; with something to refuse, it tells what is refused."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A rule with its commands."""

    id: str
    tools: frozenset[str]
    commands: tuple[LoweredCommand, ...]
    span: Span
    source: Source


@dataclass(frozen=True, slots=True)
class _State:
    met: int
    globals: int
    needs: int
    pending: str | None = None
    """The WORD that must come next, as text that can be compared; `Words` knows the object."""


class _Words:
    """Steps of one command. Pending words are kept by their text, so that states compare."""

    def __init__(self, command: dict[str, Any]) -> None:
        self.command = command
        self.words: dict[str, list[Any]] = {}
        self.accepting = (1 << len(command["needs"])) - 1

    def accepts(self, state: _State) -> bool:
        return state.met == len(self.command["head"]) and state.needs == self.accepting and state.pending is None

    def steps(self, state: _State) -> Iterator[tuple[list[Any], _State]]:
        """Yield each word that may come next with the state after it."""
        if state.pending is not None:
            yield self.words[state.pending], _State(state.met, state.globals, state.needs)
            return
        head = self.command["head"]
        if state.met < len(head):
            yield [head[state.met], []], _State(state.met + 1, state.globals, state.needs)
            for number, option in enumerate(self.command["globals"] if state.met else ()):
                if not state.globals >> number & 1:
                    yield from self._option(option, _State(state.met, state.globals | 1 << number, state.needs))
            return
        for number, need in enumerate(self.command["needs"]):
            for option in need:
                yield from self._option(option, _State(state.met, state.globals, state.needs | 1 << number))
        for option in self.command["options"]:
            yield from self._option(option, state)
        if self.command["operand"]:
            yield OPERAND, state

    def _option(self, option: list[Any], state: _State) -> Iterator[tuple[list[Any], _State]]:
        for first, *second in option:
            if not second:
                yield first, state
                continue
            word = _undashed(second[0])
            key = repr(word)
            self.words[key] = word
            yield first, _State(state.met, state.globals, state.needs, key)


def _undashed(word: list[Any]) -> list[Any]:
    """Return a second word without the spellings that begin with `-`, where its first run is its beginning."""
    prefix, runs = word
    if prefix or not runs or runs[0][1] < 1:
        return word
    ranges, low, high = runs[0]
    first = [[[a, b] for a, b in _without_dash(ranges)], 1, 1]
    rest = [ranges, low - 1, None if high is None else high - 1]
    return ["", [first, *([] if rest[2] == 0 else [rest]), *runs[1:]]]


def _without_dash(ranges: list[list[int]]) -> Iterator[tuple[int, int]]:
    dash = ord("-")
    for low, high in ranges:
        if low <= dash <= high:
            if low < dash:
                yield low, dash - 1
            if high > dash:
                yield dash + 1, high
        else:
            yield low, high


class _Refusals:
    """What either of two commands refuses: one word, or two in a row."""

    def __init__(self, one: dict[str, Any], other: dict[str, Any]) -> None:
        refuse = [*one["refuse"], *other["refuse"]]
        self.probe = {**_FREE, "refuse": refuse}
        self.pairs = {**_FREE, "refuse": [[[first]] for option in refuse for first, *second in option if second]}
        self.known: dict[tuple[str, ...], bool] = {}

    def refuses(self, before: str, word: str) -> bool:
        """Say whether a word may not stand behind another."""
        return self._hits(self.probe, (before, word))

    def matters(self, word: str) -> str:
        """Return the word if a refused pair can begin with it, else nothing."""
        return word if self._hits(self.pairs, (word,)) else ""

    def _hits(self, probe: dict[str, Any], words: tuple[str, ...]) -> bool:
        if not probe["refuse"]:
            return False
        key = (str(probe is self.pairs), *words)
        if key not in self.known:
            self.known[key] = not accepts(probe, [_HEAD, *(word for word in words if word)])
        return self.known[key]


def find_common(one: dict[str, Any], other: dict[str, Any]) -> list[str] | None:
    """Return the words of a shortest command that both accept, or None."""
    left, right = _Words(one), _Words(other)
    refusals = _Refusals(one, other)
    start: tuple[_State, _State, str] = (_State(0, 0, 0), _State(0, 0, 0), "")
    pending: deque[tuple[_State, _State, str, tuple[str, ...]]] = deque([(*start, ())])
    seen: set[tuple[_State, _State, str]] = {start}
    shared: dict[tuple[str, str], list[str]] = {}
    while pending and len(seen) < MAX_PAIRS:
        a, b, before, way = pending.popleft()
        if left.accepts(a) and right.accepts(b) and accepts(one, way) and accepts(other, way):
            return list(way)
        for word_a, next_a in left.steps(a):
            for word_b, next_b in right.steps(b):
                key = (repr(word_a), repr(word_b))
                if key not in shared:
                    shared[key] = list(common_words(word_a, word_b))
                # The head itself is never refused: it was chosen by both rules.
                word = next((each for each in shared[key] if not way or not refusals.refuses(before, each)), None)
                if word is None:
                    continue
                state = (next_a, next_b, refusals.matters(word))
                if state not in seen:
                    seen.add(state)
                    pending.append((*state, (*way, word)))
    return None


class Rivalry(NamedTuple):
    """Two rules, with the command forms of each that both accept the words of `witness`."""

    one: Contender
    a: LoweredCommand
    other: Contender
    b: LoweredCommand
    witness: list[str]


def check_rivals(contenders: Sequence[Contender], report: Report) -> None:
    """Report every pair of rules that accept one command."""
    for one, a, other, b, witness in find_rivals(contenders):
        error(
            report,
            "E0703",
            f"`{one.id}` and `{other.id}` both accept `{' '.join(witness)}`",
            other.source,
            b.span,
            "accepts it too",
            also=(Label(a.span, f"accepts `{' '.join(witness)}`", one.source),),
            notes=("one command, one rule: no order of rules decides",),
            help="let one of them need an option that the other refuses or does not list",
        )


def find_rivals(contenders: Sequence[Contender]) -> Iterator[Rivalry]:
    """Yield every pair of rules that accept one command, once, in the order of the rules."""
    # Commands whose first words differ have nothing in common: each rule meets only those that begin like it.
    beginning: dict[str, list[int]] = {}
    for number, contender in enumerate(contenders):
        for first in dict.fromkeys(command.json["head"][0] for command in contender.commands):
            beginning.setdefault(first, []).append(number)
    pairs = {
        (earlier, later) for numbers in beginning.values() for earlier, later in itertools.combinations(numbers, 2)
    }
    for earlier, later in sorted(pairs):
        one, other = contenders[earlier], contenders[later]
        found = _compare(one, other) if one.tools & other.tools else None
        if found is not None:
            yield found


def _compare(one: Contender, other: Contender) -> Rivalry | None:
    for a in one.commands:
        for b in other.commands:
            if a.json["head"][0] == b.json["head"][0]:
                witness = find_common(a.json, b.json)
                if witness is not None:
                    return Rivalry(one, a, other, b, witness)
    return None
