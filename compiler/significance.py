"""Which lines of an accepted output its summary cannot be silent about.

Input: a rule section of a pack, readings of the engine. Output: the significant lines, in order. A line is significant
when it is an occurrence of a kind that an unconditional `count`, `each` or `group` of a shown fact takes in: with one
more or one fewer, the text must differ. Sums, picks and distinct values may rightly stay the same, so their lines are
not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..runtime.engine.facts import Reading
from ..runtime.engine.tables import LABEL_BASE


def significant_lines(section: dict[str, Any], readings: Iterable[Reading]) -> list[tuple[str, str]]:
    """Return kind and text of every significant line."""
    kinds = significant_kinds(section)
    found = []
    for reading in readings:
        labels: dict[int, str] = {}
        for kind in kinds:
            places = section["kinds"][kind]
            for label in (places["lines"] if "lines" in places else places["open"]).get(reading.name, ()):
                labels.setdefault(label, kind)
        for char, line in zip(reading.trace, reading.lines, strict=True):
            kind = labels.get(ord(char) - LABEL_BASE)
            if kind is not None:
                found.append((kind, line))
    return found


def significant_kinds(section: dict[str, Any]) -> tuple[str, ...]:
    """Return the kinds whose occurrences the summary counts or lists, in order of name."""
    facts = dict(section["facts"])
    kinds: set[str] = set()
    for name in shown_facts(section["summary"]):
        kinds.update(_counted(facts[name], facts))
    return tuple(sorted(kinds))


def shown_facts(nodes: list[Any], guard: str | None = None) -> Iterator[str]:
    """Yield the facts that a template shows in every output, or whenever they are not empty."""
    for node in nodes:
        match node[0]:
            case "out":
                for expression in node[1]:
                    yield from _plain_fact(expression, guard)
            case "for":
                yield from _plain_fact(node[2], guard)
            case "if" if guard is None:
                test, body = node[1][0]
                tested = next(_plain_fact(test, None), None)
                if tested is not None:
                    yield from shown_facts(body, tested)
            case _:
                pass


def _plain_fact(expression: list[Any], guard: str | None) -> Iterator[str]:
    if expression[0] == "path" and len(expression[1]) == 1 and expression[1][0][0] == "fact":
        name = expression[1][0][1]
        if guard in (None, name):
            yield name


def _counted(value: list[Any], facts: dict[str, Any]) -> Iterator[str]:
    match value[0]:
        case "count" | "each" | "group" if value[2] is None:
            yield from value[1]
        case "cap":
            yield from _counted(value[3], facts)
        case "sorted" | "trimmed":
            yield from _counted(value[1], facts)
        case "alt" if len(value[1]) == 1:
            for name in _plain_fact(value[1][0], None):
                yield from _counted(facts[name], facts)
        case _:
            pass
