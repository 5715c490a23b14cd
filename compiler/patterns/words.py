"""Whether two WORDs of the pack, `[prefix, runs]`, admit one word of a command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...dsl.source import Span
from .automaton import look_automaton
from .overlap import Side, common_lines
from .program import Lit, Op, Program, Run

_NOWHERE = Span(0, 0)


def overlap_words(left: list[Any], right: list[Any]) -> str | None:
    """Return a word that both admit, as short and readable as possible, or None when there is none."""
    return next(common_words(left, right), None)


def common_words(left: list[Any], right: list[Any]) -> Iterator[str]:
    """Yield some of the words that both admit, the shortest and most readable first.

    Runs are read freely: every way to share the characters out among them counts.
    """
    yield from common_lines(Side(look_automaton(_lower_word(left))), Side(look_automaton(_lower_word(right))))


def _lower_word(word: list[Any]) -> Program:
    prefix, runs = word
    ops: list[Op] = [Lit(prefix, span=_NOWHERE)] if prefix else []
    for ranges, low, high in runs:
        ops.append(Run(tuple((first, last) for first, last in ranges), low, high, span=_NOWHERE))
    return tuple(ops)
