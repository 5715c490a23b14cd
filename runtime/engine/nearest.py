"""How far a pattern gets in a line that it does not match, and which kind gets furthest: for `why`, never for a result.

Input: the tables of a stream and a line. Output: a `Reach`: the column at which the pattern stops, what it expects
there, and how many characters it had pinned down by then.

Characters that a literal, a number, a choice or another closed part took are pinned down; what free text took says
nothing, as free text takes anything. So `{word}: {}` gets less far in `error in main` than `error {}` does.

INVARIANT: whether a pattern matches is said by the expression that the engine uses, and by nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from .charsets import ANY_LINE, Ranges, spell
from .patterns import Op, Ops, lower_line
from .tables import StreamProgram

LONGEST: Final = 4_000
"""A longer line is looked at up to here, so that looking takes no time that a person would notice."""

MOST_STEPS: Final = 50_000
"""So many operations are tried in all. Free text within optional parts within free text would take far more."""

_OPEN: Final = frozenset({"fit", "rest", "raw"})
_DIGITS: Final = ((0x30, 0x39),)
_HEX: Final = ((0x30, 0x39), (0x61, 0x66))
_BLANKS: Final = ((0x09, 0x09), (0x20, 0x20))
_CLASS_WORDS: Final = {"text": "text", "word": "text without blanks", "cell": "text without tabs"}


class Reach(NamedTuple):
    """Where a pattern stops: at `column`, from 0 and in characters, where it expects one of `expected`."""

    column: int
    pinned: int
    expected: tuple[str, ...]


class Near(NamedTuple):
    """The kind that gets furthest, and how far."""

    kind: str
    reach: Reach


def nearest_kind(program: StreamProgram, kinds: Iterable[str], line: str) -> Near | None:
    """Return which of the kinds gets furthest in a line, the first of equals; None where none has a pattern."""
    best: Near | None = None
    for kind in kinds:
        for ops in _patterns_of(program, kind):
            reach = reach_of(ops, line)
            if reach is not None and (best is None or _rank(reach) > _rank(best.reach)):
                best = Near(kind, reach)
    return best


def claiming_kinds(program: StreamProgram, line: str) -> tuple[str, ...]:
    """Return the kinds, wherever they may stand, of which a plain pattern matches the line."""
    plain = dict.fromkeys(position["kind"] for position in program.positions if not position["otherwise"])
    return tuple(kind for kind in plain if any(matches(ops, line) for ops in _patterns_of(program, kind)))


def matches(ops: Ops, line: str) -> bool:
    """Say whether a pattern matches a whole line."""
    return re.match(lower_line(ops), line) is not None


def reach_of(ops: Ops, line: str) -> Reach | None:
    """Return how far a pattern gets in a line; None where it matches it."""
    if matches(ops, line):
        return None
    walk = _Walk(line[:LONGEST])
    end = walk.run(list(ops), 0, 0, [])
    if end is not None and end[0] < len(line):
        walk.stop(end[0], end[1], ("the end of the line",))
    return walk.best


def _patterns_of(program: StreamProgram, kind: str) -> Iterator[Ops]:
    numbers = dict.fromkeys(
        number for position in program.positions if position["kind"] == kind for number in position["patterns"]
    )
    return (program.patterns[number] for number in numbers)


def _rank(reach: Reach) -> tuple[int, int]:
    return reach.pinned, reach.column


class _Walk:
    """One walk over one pattern, which remembers the furthest place at which it had to stop.

    `steps` counts down for a walk and all the trials that it makes; what is left untried is not looked at.
    """

    def __init__(self, line: str, steps: list[int] | None = None) -> None:
        self.line = line
        self.best = Reach(0, 0, ())
        self._steps = [MOST_STEPS] if steps is None else steps

    def stop(self, at: int, pinned: int, expected: tuple[str, ...]) -> None:
        """Remember a place if nothing got further; at one and the same place everything that is expected counts."""
        reach = Reach(at, pinned, expected)
        if not self.best.expected or _rank(reach) > _rank(self.best):
            self.best = reach
        elif _rank(reach) == _rank(self.best):
            self.best = reach._replace(expected=tuple(dict.fromkeys((*self.best.expected, *expected))))

    def run(self, ops: list[Op], at: int, pinned: int, after: list[Op]) -> tuple[int, int] | None:
        """Walk over operations from a place on; return where they end and what is pinned, or None where they stop."""
        for number, op in enumerate(ops):
            self._steps[0] -= 1
            if self._steps[0] < 0:
                return None
            found = self._step(op, at, pinned, [*ops[number + 1 :], *after])
            if found is None:
                return None
            at, pinned = found
        return at, pinned

    def _step(self, op: Op, at: int, pinned: int, behind: list[Op]) -> tuple[int, int] | None:
        name = op[0]
        if name == "opt":
            # A part that is absent is no fault: what follows goes on from here.
            return self.run(op[1], at, pinned, behind) or (at, pinned)
        if name == "fit":
            return self._fit(op, at, pinned, behind)
        if name in ("rest", "raw"):
            return self._take(ANY_LINE.raw if name == "raw" else ANY_LINE.text, op, at, pinned)
        if name == "lit":
            return self._literal(op[1], at, pinned)
        if name == "enum":
            return self._choice(op, at, pinned)
        if name == "group":
            return self.run([[*run[:4], None] for run in op[1]], at, pinned, behind)
        if name == "run":
            return self._run(op, at, pinned)
        return self._c_string(op, at, pinned)

    def _literal(self, text: str, at: int, pinned: int) -> tuple[int, int] | None:
        same = _common(text, self.line, at)
        if same == len(text):
            return at + same, pinned + same
        self.stop(at + same, pinned + same, (f"`{text[same:]}`",))
        return None

    def _choice(self, op: Op, at: int, pinned: int) -> tuple[int, int] | None:
        for text in op[1]:
            if self.line.startswith(text, at):
                return at + len(text), pinned + len(text)
        furthest = max(_common(text, self.line, at) for text in op[1])
        nearest = [text for text in op[1] if _common(text, self.line, at) == furthest]
        self.stop(at + furthest, pinned + furthest, tuple(f"`{text[furthest:]}`" for text in nearest))
        return None

    def _run(self, op: Op, at: int, pinned: int) -> tuple[int, int] | None:
        _, ranges, low, high, _ = op
        end = self._end_of(ranges, at, None if high is None else at + high)
        if end - at < low:
            self.stop(end, pinned + end - at, (_in_words(ranges, op),))
            return None
        return end, pinned + end - at

    def _c_string(self, op: Op, at: int, pinned: int) -> tuple[int, int] | None:
        quoted = op[0] == "quoted"
        if quoted and not self.line.startswith('"', at):
            self.stop(at, pinned, ('`"`',))
            return None
        end = at + quoted
        while end < len(self.line) and self.line[end] != '"' and _admits(ANY_LINE.text, self.line[end]):
            end += 2 if self.line[end] == "\\" else 1
        end = min(end, len(self.line))
        if quoted and not self.line.startswith('"', end):
            self.stop(end, pinned + 1, ('`"`',))
            return None
        return end + quoted, pinned + 2 * quoted

    def _take(self, admitted: Ranges, op: Op, at: int, pinned: int) -> tuple[int, int] | None:
        end = self._end_of(admitted, at, None)
        if end < len(self.line):
            self.stop(end, pinned, (_named("no control character", op),))
            return None
        return end, pinned

    def _fit(self, op: Op, at: int, pinned: int, behind: list[Op]) -> tuple[int, int] | None:
        """Take free text up to the first place where what follows fits; else stop where that gets furthest."""
        end = self._end_of(getattr(ANY_LINE, op[1]), at, None)
        if end == at:
            self.stop(at, pinned, (_named(_CLASS_WORDS[op[1]], op),))
            return None
        upto = next((number for number, each in enumerate(behind) if each[0] in _OPEN), len(behind))
        look = behind[:upto]
        best: tuple[int, Reach] | None = None
        for place in range(at + 1, end + 1):
            trial = _Walk(self.line, self._steps)
            found = trial.run(look, place, pinned, behind[upto:])
            if found is not None and (upto < len(behind) or found[0] == len(self.line)):
                return place, pinned
            if found is not None:
                trial.stop(*found, ("the end of the line",))
            # That a blank stands where one should says nothing: words are full of places for one.
            told = self.line[place : trial.best.column].strip()
            if told and trial.best.pinned > pinned and (best is None or trial.best.pinned > best[1].pinned):
                best = place, trial.best
        if best is not None:
            self.stop(*best[1])
        else:
            trial = _Walk(self.line, self._steps)
            trial.run(look, end, pinned, behind[upto:])
            self.stop(*(trial.best if trial.best.expected else Reach(end, pinned, ("the end of the line",))))
        return None

    def _end_of(self, ranges: Any, at: int, most: int | None) -> int:
        """Return where a run of characters of a class ends."""
        limit = len(self.line) if most is None else min(most, len(self.line))
        while at < limit and _admits(ranges, self.line[at]):
            at += 1
        return at


def _admits(ranges: Iterable[Any], char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in ranges)


def _common(text: str, line: str, at: int) -> int:
    """Return how many characters of a text stand in the line at a place."""
    most = min(len(text), len(line) - at)
    return next((number for number in range(most) if text[number] != line[at + number]), most)


def _in_words(ranges: list[list[int]], op: Op) -> str:
    given = tuple((low, high) for low, high in ranges)
    if given == _DIGITS:
        return _named("a digit", op)
    if given == _HEX:
        return _named("a hexadecimal digit", op)
    return _named("a blank" if given == _BLANKS else f"one of `{_shown(given)}`", op)


def _shown(ranges: Ranges) -> str:
    """Return a class of characters as the language writes it, where its characters can be seen."""
    if any(not chr(end).isprintable() for low, high in ranges for end in (low, high)):
        return spell(ranges)
    return "[" + "".join(chr(low) if low == high else f"{chr(low)}-{chr(high)}" for low, high in ranges) + "]"


def _named(words: str, op: Op) -> str:
    """Add the name of the capture, where the pack knows one."""
    return words if op[-1] is None else f"{words} for `{op[-1][0]}`"
