"""From the grammar to position automata (Glushkov), one per stream, with the nesting of records on every edge.

Input: a `Grammar`. Output: an `Automaton` per stream that has lines. Reports one transition with two nestings (E0403),
a grammar that grows too large (E0408), and counters nobody captures (E0406).

A position is one leaf of the fully expanded expression; its `path` names the records open there. An edge arises at one
node of the expanded expression; the records around that node stay open over it, all others close: that number is
`keep`.
INVARIANT: an edge has one `keep`; rows list plain kinds first, then `otherwise` kinds in the order of definition.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source, Span
from .diagnose import error
from .grammar import Alt, Definition, Expr, Grammar, Leaf, Ref, Rep, Seq, StreamGrammar, leaf_field

MAX_POSITIONS = 2000


@dataclass(frozen=True, slots=True)
class Position:
    """A leaf in its place: who claims the line, the records open there, the counters it sets and spends."""

    leaf: Leaf
    path: tuple[str, ...]
    span: Span
    source: Source
    sets: tuple[int, ...] = ()
    spends: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counter:
    """An int that a record's own line sets and lines inside lower to zero."""

    name: str
    record: str


@dataclass(frozen=True, slots=True)
class Edge:
    """The way to a position: how many of the open records stay open."""

    position: int
    keep: int


@dataclass(slots=True)
class Automaton:
    """The table of one stream."""

    stream: StreamGrammar
    positions: list[Position] = field(default_factory=list)
    start: list[Edge] = field(default_factory=list)
    rows: list[list[Edge]] = field(default_factory=list)
    final: list[int] = field(default_factory=list)
    blank: bool = False
    counters: list[Counter] = field(default_factory=list)

    def labels(self) -> list[Edge]:
        """Return every distinct edge, in order of position."""
        edges = {edge for row in (self.start, *self.rows) for edge in row}
        return sorted(edges, key=lambda edge: (edge.position, edge.keep))


@dataclass(frozen=True, slots=True)
class _Fragment:
    nullable: bool
    first: tuple[int, ...]
    last: tuple[int, ...]


class _TooLargeError(Exception):
    """The expansion passed its bound."""


def build_automata(grammar: Grammar, source: Source, report: Report) -> dict[str, Automaton]:
    """Return the automaton of every stream that may have lines."""
    automata = {}
    for name, stream in grammar.streams.items():
        if stream.expr is not None:
            try:
                automata[name] = _Builder(grammar, stream, source, report).build()
            except _TooLargeError:
                error(
                    report,
                    "E0408",
                    f"the grammar of `{name}` is too large",
                    source,
                    stream.node.span,
                    f"expands to more than {MAX_POSITIONS} places where a line may stand",
                    help="say repetition with `*` and `+` instead of repeating names",
                )
    return automata


class _Builder:
    """Builds one automaton."""

    def __init__(self, grammar: Grammar, stream: StreamGrammar, source: Source, report: Report) -> None:
        self.grammar = grammar
        self.source = source
        self.report = report
        self.automaton = Automaton(stream)
        self.follow: dict[tuple[int, int], int] = {}
        self.refused: set[tuple[str, str]] = set()

    def build(self) -> Automaton:
        """Expand, link, order."""
        table = self.automaton
        expr = table.stream.expr
        assert expr is not None
        whole = self._expand(expr, ())
        table.blank = whole.nullable
        table.final = sorted(whole.last)
        rows: list[list[Edge]] = [[] for _ in table.positions]
        for (source, target), keep in self.follow.items():
            rows[source].append(Edge(target, keep))
        table.start = self._ordered(Edge(position, 0) for position in whole.first)
        table.rows = [self._ordered(row) for row in rows]
        self._resolve_counters()
        return table

    def _ordered(self, edges: Iterable[Edge]) -> list[Edge]:
        def key(edge: Edge) -> tuple[bool, tuple[int, int], int]:
            leaf = self.automaton.positions[edge.position].leaf
            return (leaf.otherwise, self.grammar.order(leaf.kind) if leaf.otherwise else (0, 0), edge.position)

        return sorted(edges, key=key)

    def _expand(self, expr: Expr, path: tuple[str, ...], use: Ref | None = None) -> _Fragment:
        match expr:
            case Leaf():
                return self._place(expr, path, use or expr)
            case Ref(name):
                return self._expand_name(self.grammar.definitions[name], path, expr)
            case Seq(items):
                whole = self._expand(items[0], path)
                for item in items[1:]:
                    following = self._expand(item, path)
                    self._link(whole.last, following.first, len(path))
                    whole = _Fragment(
                        whole.nullable and following.nullable,
                        whole.first + following.first if whole.nullable else whole.first,
                        whole.last + following.last if following.nullable else following.last,
                    )
                return whole
            case Alt(options):
                parts = [self._expand(option, path) for option in options]
                return _Fragment(
                    any(part.nullable for part in parts),
                    tuple(position for part in parts for position in part.first),
                    tuple(position for part in parts for position in part.last),
                )
            case Rep(item, operator):
                inner = self._expand(item, path)
                if operator != "?":
                    self._link(inner.last, inner.first, len(path))
                return _Fragment(inner.nullable or operator != "+", inner.first, inner.last)

    def _expand_name(self, definition: Definition, path: tuple[str, ...], use: Ref) -> _Fragment:
        match definition.role:
            case "line":
                return self._expand(definition.expr, path, use)
            case "record":
                return self._expand(definition.expr, (*path, definition.name))
            case "group":
                return self._expand(definition.expr, path)

    def _place(self, leaf: Leaf, path: tuple[str, ...], use: Leaf | Ref) -> _Fragment:
        number = len(self.automaton.positions)
        if number >= MAX_POSITIONS:
            raise _TooLargeError
        self.automaton.positions.append(Position(leaf, path, use.span, use.source))
        return _Fragment(False, (number,), (number,))  # noqa: FBT003 - a line is never nothing

    def _link(self, sources: tuple[int, ...], targets: tuple[int, ...], keep: int) -> None:
        for source in sources:
            for target in targets:
                known = self.follow.setdefault((source, target), keep)
                if known != keep:
                    self._refuse(source, target, known, keep)

    def _refuse(self, source: int, target: int, one: int, other: int) -> None:
        before, after = self.automaton.positions[source], self.automaton.positions[target]
        key = (before.leaf.kind, after.leaf.kind)
        if key in self.refused:
            return
        self.refused.add(key)
        outer, inner = sorted((one, other))
        record = after.path[outer] if outer < len(after.path) else before.path[outer]
        definition = self.grammar.definitions[record]
        error(
            self.report,
            "E0403",
            f"after `{shown(before)}`, a `{shown(after)}` either stays in `{record}` or begins another",
            self.source,
            self.automaton.stream.node.span,
            f"`{record}` repeats here",
            also=(Label(definition.node.span, "and its lines repeat here", definition.source),),
            notes=(
                f"the same two lines could leave {outer} or {inner} records open, so `{record}` could not be counted",
            ),
            help="let each record begin with a line that nothing in it repeats, or repeat in one of the places only",
        )

    def _resolve_counters(self) -> None:
        """Tie every `spends` to the record that captures the int."""
        table = self.automaton
        numbers: dict[Counter, int] = {}
        spends: list[tuple[int, ...]] = []
        for position in table.positions:
            definition = self.grammar.definitions.get(position.leaf.kind)
            found = []
            for name in definition.spends if definition else ():
                counter = self._counter(name.text, position.path)
                if counter is None:
                    assert definition is not None
                    self._no_counter(name.text, name.span, position, definition)
                else:
                    found.append(numbers.setdefault(counter, len(numbers)))
            spends.append(tuple(sorted(set(found))))
        table.counters = list(numbers)
        for index, position in enumerate(table.positions):
            sets = tuple(
                number
                for counter, number in numbers.items()
                if position.leaf.kind.startswith(f"{counter.record}#")
                and leaf_field(position.leaf, counter.name) is not None
            )
            table.positions[index] = replace(position, sets=sets, spends=spends[index])

    def _counter(self, name: str, path: tuple[str, ...]) -> Counter | None:
        for record in reversed(path):
            capture = self.grammar.field(record, name)
            if capture is not None:
                usable = capture.type == "int" and all(
                    found.often.low for leaf in self.grammar.leaves(record) if (found := leaf_field(leaf, name))
                )
                return Counter(name, record) if usable else None
        return None

    def _no_counter(self, name: str, span: Span, position: Position, definition: Definition) -> None:
        also = []
        why = "no enclosing record captures it as an int"
        for record in reversed(position.path):
            capture = self.grammar.field(record, name)
            if capture is not None:
                why = "it may be absent; give it a value: `{name:int = 1}`" if capture.type == "int" else "it is no int"
                also.append(Label(capture.span, why, self.grammar.definitions[record].source))
                break
        around = ", ".join(f"`{record}`" for record in position.path) or "none"
        error(
            self.report,
            "E0406",
            f"`{definition.name}` cannot spend `{name}`",
            definition.source,
            span,
            why,
            also=also,
            notes=(f"the records around it: {around}",),
            help=None if also else f"capture `{{{name}:int}}` in the first line of the record",
        )


def shown(position: Position) -> str:
    """Return how a position is called in messages."""
    return position.leaf.kind.partition("#")[0]


def kinds_in(automata: Iterable[Automaton]) -> set[str]:
    """Return every definition that can claim a line or be open."""
    return {
        name
        for automaton in automata
        for position in automaton.positions
        for name in (position.leaf.kind.partition("#")[0], *position.path)
    }
