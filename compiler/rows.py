"""Proves that every line has at most one claimant, and that every kind can claim one.

Input: automata. Reports, per row of an automaton: two plain kinds that share a line (E0401, with the shortest such
line), a kind that stands there twice (E0402), an `otherwise` kind behind a catch-all (E0405); and, for the rule,
definitions that nothing can reach (E0404).
INVARIANT: two plain kinds of one row either share no line or are told apart by the counters.

A choice of n kinds that may repeat has n equal rows of n kinds: equal rows are checked once, and in a row only kinds
that can begin alike are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source
from .automaton import Automaton, Edge, kinds_in, shown
from .diagnose import error
from .grammar import Grammar, Leaf
from .patterns import overlap
from .patterns.beginnings import Beginnings

Overlaps = dict[tuple[int, int], str | None]
"""Witness lines by the identities of two leaves: each pair is decided once."""


def check_rows(automata: Mapping[str, Automaton], source: Source, report: Report) -> None:
    """Check every row of every stream."""
    seen: Overlaps = {}
    told: set[tuple[int, int]] = set()
    for automaton in automata.values():
        rows = [(None, automaton.start), *enumerate(automaton.rows)]
        first_of = {tuple(row): (before, row) for before, row in reversed(rows)}
        for before, row in sorted(first_of.values(), key=lambda each: -1 if each[0] is None else each[0]):
            _check_row(automaton, before, row, source, seen, told, report)


def check_reachable(grammar: Grammar, automata: Mapping[str, Automaton], own: Iterable[str], report: Report) -> None:
    """Report the rule's own definitions that no stream uses."""
    reached = kinds_in(automata.values()) | set(grammar.below(None))
    for name in own:
        if name not in reached:
            definition = grammar.definitions[name]
            error(
                report,
                "E0404",
                f"nothing can reach `{name}`",
                definition.source,
                definition.node.name.span,
                "no stream uses it",
                help="name it in a stream or in a record, or remove it",
            )


def _check_row(
    automaton: Automaton,
    before: int | None,
    row: list[Edge],
    source: Source,
    seen: Overlaps,
    told: set[tuple[int, int]],
    report: Report,
) -> None:
    kinds: dict[str, Edge] = {}
    plain: Beginnings[Edge] = Beginnings()
    catch_all: Leaf | None = None
    for edge in row:
        leaf = automaton.positions[edge.position].leaf
        first = kinds.setdefault(leaf.kind, edge)
        if first is not edge:
            if _once(told, leaf, leaf):
                _twice(automaton, before, first, edge, source, report)
            continue
        if leaf.otherwise:
            if catch_all is not None and _once(told, catch_all, leaf):
                _behind(automaton, before, catch_all, leaf, report)
            if leaf.catches_all:
                catch_all = leaf
            continue
        for other in plain.add(edge, leaf.programs):
            if _told_apart(automaton, other, edge):
                continue
            rival = automaton.positions[other.position].leaf
            witness = _witness(rival, leaf, seen)
            if witness is not None and _once(told, rival, leaf):
                _share(automaton, before, rival, leaf, witness, report)


def _once(told: set[tuple[int, int]], one: Leaf, other: Leaf) -> bool:
    key = (min(id(one), id(other)), max(id(one), id(other)))
    if key in told:
        return False
    told.add(key)
    return True


def _told_apart(automaton: Automaton, one: Edge, other: Edge) -> bool:
    """Say whether counters keep the two from being possible at once.

    A spending kind needs a counter above zero; an edge that closes the counter's record needs it at zero.
    """
    return _excludes(automaton, one, other) or _excludes(automaton, other, one)


def _excludes(automaton: Automaton, spending: Edge, leaving: Edge) -> bool:
    position = automaton.positions[spending.position]
    return any(
        leaving.keep <= position.path.index(automaton.counters[counter].record) < spending.keep
        for counter in position.spends
    )


def _witness(one: Leaf, other: Leaf, seen: Overlaps) -> str | None:
    key = (id(one), id(other))
    if key not in seen:
        found = [line for a in one.programs for b in other.programs if (line := overlap(a, b)) is not None]
        seen[key] = min(found, key=lambda line: (len(line), line)) if found else None
    return seen[key]


def _where(automaton: Automaton, before: int | None) -> str:
    if before is None:
        return f"at the beginning of `{automaton.stream.node.name}`"
    return f"after `{shown(automaton.positions[before])}`"


def _share(automaton: Automaton, before: int | None, one: Leaf, other: Leaf, witness: str, report: Report) -> None:
    first, second = one.kind.partition("#")[0], other.kind.partition("#")[0]
    error(
        report,
        "E0401",
        f"`{first}` and `{second}` share a line",
        other.source,
        other.span,
        f"claims {_quoted(witness)} too",
        also=(Label(one.span, f"claims {_quoted(witness)}", one.source),),
        notes=(f"both are possible {_where(automaton, before)}",),
        help="make one pattern more exact, or mark the more general one `otherwise`: it then gets what others leave"
        if first != second
        else "join them in one kind: its patterns are tried in order",
    )


def _quoted(line: str) -> str:
    shown_line = line if len(line) <= 60 else line[:59] + "…"
    return "the empty line" if not line else f"`{shown_line}`"


def _twice(automaton: Automaton, before: int | None, first: Edge, second: Edge, source: Source, report: Report) -> None:
    one, other = automaton.positions[first.position], automaton.positions[second.position]
    name = shown(one)
    open_there = [
        " inside ".join(f"`{record}`" for record in reversed(each.path)) or "no record" for each in (one, other)
    ]
    error(
        report,
        "E0402",
        f"`{name}` may stand in two places at once",
        source,
        automaton.stream.node.span,
        f"{_where(automaton, before)} a `{name}` could belong to {open_there[0]} or to {open_there[1]}",
        also=(Label(one.span, "one place", one.source), Label(other.span, "the other", other.source)),
        help="remove one of the places, or put a line that cannot be mistaken between them",
    )


def _behind(automaton: Automaton, before: int | None, catch_all: Leaf, leaf: Leaf, report: Report) -> None:
    first, second = catch_all.kind.partition("#")[0], leaf.kind.partition("#")[0]
    error(
        report,
        "E0405",
        f"`{second}` can never claim a line {_where(automaton, before)}",
        leaf.source,
        leaf.span,
        f"is tried after `{first}`",
        also=(Label(catch_all.span, "claims every line that is left", catch_all.source),),
        notes=("`otherwise` kinds are tried in the order of their definitions, taken-in ones first",),
        help=f"define `{second}` before `{first}`",
    )
