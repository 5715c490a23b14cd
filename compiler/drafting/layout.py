"""In which order the kinds of a stream may stand: an expression over them.

Input: the kind of each line. Output: `Layout`s, the most exact one first. A kind that stands in several places makes
one group of all that lies between; a group whose stretches all begin with one kind is written as such stretches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from .kinds import Kind

_Run = tuple[Kind, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """An expression, and the names of the kinds that stand exactly once in what it admits."""

    expression: str
    once: frozenset[str]


def make_layouts(order: Sequence[Kind]) -> list[Layout]:
    """Return layouts for lines of these kinds in this order, from the most exact to the most lenient."""
    runs = [(kind, len(list(same))) for kind, same in groupby(order, key=lambda kind: kind.name)]
    by_name = {kind.name: kind for kind in order}
    named: list[_Run] = [(by_name[name], count) for name, count in runs]
    names = list(by_name)
    lenient = Layout(_any(names) + "+", frozenset())
    found = [_lay_out(named, stretches=True), _lay_out(named, stretches=False), lenient]
    return list({layout.expression: layout for layout in found}.values())


def _lay_out(runs: list[_Run], *, stretches: bool) -> Layout:
    written: list[str] = []
    once: set[str] = set()
    at = 0
    for start, end in [*_find_groups(runs), (len(runs), len(runs))]:
        for number in range(at, start):
            kind, count = runs[number]
            beside = {runs[near][0].name for near in (number - 1, number + 1) if 0 <= near < len(runs)}
            if count > 1 or kind.role == "row" or kind.catch_all:
                written.append(f"{kind.name}+")
            elif kind.role == "todo" and len(beside) > 1:
                written.append(f"{kind.name}?")
            else:
                written.append(kind.name)
                once.add(kind.name)
        if start < len(runs):
            written.append(_group(runs[start : end + 1], stretches=stretches))
        at = end + 1
    several = [kind.name for kind, _ in runs]
    return Layout(" ".join(written), frozenset(name for name in once if several.count(name) == 1))


def _find_groups(runs: list[_Run]) -> list[tuple[int, int]]:
    """Return first and last run of each group, in order."""
    ends: dict[str, tuple[int, int]] = {}
    for number, (kind, _) in enumerate(runs):
        if kind.role != "blank":
            ends[kind.name] = (ends.get(kind.name, (number, number))[0], number)
    found: list[tuple[int, int]] = []
    for start, end in sorted(span for span in ends.values() if span[0] < span[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return [_with_blanks(runs, start, end) for start, end in found]


def _with_blanks(runs: list[_Run], start: int, end: int) -> tuple[int, int]:
    """Take blank lines beside a group into it where it has some: nobody could tell which are whose."""
    if any(kind.role == "blank" for kind, _ in runs[start : end + 1]):
        if start and runs[start - 1][0].role == "blank":
            start -= 1
        if end + 1 < len(runs) and runs[end + 1][0].role == "blank":
            end += 1
    return start, end


def _group(runs: list[_Run], *, stretches: bool) -> str:
    names = list(dict.fromkeys(kind.name for kind, _ in runs))
    head = runs[0][0]
    inside = [name for name in names if name != head.name]
    counts = [count for kind, count in runs if kind.name == head.name]
    if stretches and head.role != "blank" and max(counts) == 1 and len(counts) > 1 and inside:
        return f"({head.name} {_any(inside)}*)+"
    return f"{_any(names)}+"


def _any(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"({' | '.join(names)})"
