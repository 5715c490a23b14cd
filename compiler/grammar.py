"""The resolved grammar of a rule's output: definitions and stream expressions, names tied to what they mean.

Role: the form between the syntax tree and the automata; multiplicities are read off it.
INVARIANT: a grammar holds only names that are defined, and no definition contains itself.

Three roles of a definition:

* a **line** kind is a pattern, a catch-all or a choice of patterns;
* a **record** is a sequence or a repetition;
* a **group** is any other choice, or one name. It opens nothing; where all its options are names, it stands for them
  wherever kinds are listed. Its strings are lines of nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..dsl import ast
from ..dsl.source import Source, Span
from .patterns.program import Program, captures

MANY = 2
"""Multiplicities count 0, 1, many."""


@dataclass(frozen=True, slots=True)
class Often:
    """How often something occurs: `low` to `high`, each 0, 1 or `MANY`."""

    low: int
    high: int

    def __add__(self, other: Often) -> Often:
        return Often(min(self.low + other.low, MANY), min(self.high + other.high, MANY))

    def __or__(self, other: Often) -> Often:
        return Often(min(self.low, other.low), max(self.high, other.high))

    def repeated(self, operator: str) -> Often:
        """Return how often it occurs under `*`, `+` or `?`."""
        return Often(self.low if operator == "+" else 0, self.high if operator == "?" else min(self.high * MANY, MANY))


NEVER = Often(0, 0)
ONCE = Often(1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """One line: the kind that claims it and its alternatives, tried in order. No programs: a catch-all.

    `kind` is the definition's name, or `OWNER#n` for the n-th string of a record, group or stream.
    """

    kind: str
    programs: tuple[Program, ...]
    otherwise: bool
    span: Span
    source: Source

    @property
    def catches_all(self) -> bool:
        """Say whether it claims any line."""
        return not self.programs


@dataclass(frozen=True, slots=True, eq=False)
class Ref:
    """A definition by name."""

    name: str
    span: Span
    source: Source


@dataclass(frozen=True, slots=True, eq=False)
class Seq:
    """In a row."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Alt:
    """One of these."""

    options: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rep:
    """`*`, `+` or `?`."""

    item: Expr
    operator: Literal["*", "+", "?"]


Expr = Leaf | Ref | Seq | Alt | Rep


@dataclass(frozen=True, slots=True)
class Field:
    """A capture as a field: what it is, how often it is there, where it is captured."""

    type: Literal["int", "text"]
    often: Often
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A named part of the grammar. `expr` of a line kind is its leaf."""

    name: str
    role: Literal["line", "record", "group"]
    expr: Expr
    node: ast.Definition
    source: Source

    @property
    def spends(self) -> tuple[ast.Name, ...]:
        """The counters that each line of this kind lowers."""
        return self.node.spends


@dataclass(frozen=True, slots=True)
class StreamGrammar:
    """One stream clause. `expr` None: the stream must be empty."""

    node: ast.Stream
    expr: Expr | None


@dataclass(slots=True)
class Grammar:
    """All definitions a rule can use, in order (taken-in lines first), and its streams."""

    definitions: Mapping[str, Definition]
    streams: Mapping[str, StreamGrammar]
    _memo: dict[tuple[int, frozenset[Target]], Often] = field(default_factory=dict)

    def order(self, kind: str) -> tuple[int, int]:
        """Return the place of a kind in the order of definition; strings of streams come last."""
        name, _, number = kind.partition("#")
        names = list(self.definitions)
        return (names.index(name) if name in self.definitions else len(names), int(number or 0))

    def leaves(self, name: str) -> tuple[Leaf, ...]:
        """Return the lines a kind captures from: the leaf of a line kind, the strings of a record."""
        return tuple(own_leaves(self.definitions[name].expr))

    def below(self, name: str | None) -> tuple[str, ...]:
        """Return every name that can occur within a kind, or within the whole output, in the order of the text."""
        found: dict[str, None] = {}
        pending = list(self.roots(name))[::-1]
        while pending:
            expr = pending.pop()
            for ref in refs(expr):
                if ref not in found:
                    found[ref] = None
                    pending.append(self.definitions[ref].expr)
        return tuple(found)

    def roots(self, name: str | None) -> tuple[Expr, ...]:
        """Return the expressions that make up a kind, or the whole output."""
        if name is not None:
            return (self.definitions[name].expr,)
        return tuple(stream.expr for stream in self.streams.values() if stream.expr is not None)

    def members(self, name: str) -> tuple[str, ...] | None:
        """Return the kinds a name stands for: itself, or the members of a group; None where a group holds more than
        names.
        """
        definition = self.definitions[name]
        if definition.role != "group":
            return (name,)
        found: dict[str, None] = {}
        options = definition.expr.options if isinstance(definition.expr, Alt) else (definition.expr,)
        for option in options:
            if not isinstance(option, Ref):
                return None
            inner = self.members(option.name)
            if inner is None:
                return None
            found.update(dict.fromkeys(inner))
        return tuple(found)

    def field(self, kind: str, name: str) -> Field | None:
        """Return the capture of a kind's own lines under that name, or None where no line captures it."""
        found: list[Field] = []
        for leaf in self.leaves(kind):
            capture = leaf_field(leaf, name)
            if capture is not None:
                found.append(capture)
        if not found:
            return None
        kinds = {each.type for each in found}
        often = self._own(self.definitions[kind].expr, name)
        return Field("int" if kinds == {"int"} else "text", often, found[0].span)

    def field_names(self, kind: str) -> tuple[str, ...]:
        """Return the names that a kind's own lines capture."""
        names: dict[str, None] = {}
        for leaf in self.leaves(kind):
            for program in leaf.programs:
                names.update(dict.fromkeys(captures(program)))
        return tuple(names)

    def _own(self, expr: Expr, name: str) -> Often:
        match expr:
            case Leaf():
                capture = leaf_field(expr, name)
                return capture.often if capture else NEVER
            case Ref():
                return NEVER
            case _:
                return combine(expr, lambda inner: self._own(inner, name))

    def nullable(self, expr: Expr) -> bool:
        """Say whether an expression can match no line at all."""
        match expr:
            case Leaf():
                return False
            case Ref(name):
                return self.nullable(self.definitions[name].expr)
            case Seq(items):
                return all(self.nullable(item) for item in items)
            case Alt(options):
                return any(self.nullable(option) for option in options)
            case Rep(item, operator):
                return operator != "+" or self.nullable(item)

    def occurs(self, within: str | None, targets: frozenset[Target]) -> Often:
        """Return how often any of the targets occurs within a kind, or within the whole output.

        The whole output is `stdout` and `stderr` in a row, or `merged` in place of both: what holds must hold for
        either.
        """
        if within is not None:
            return self._occurs(self.definitions[within].expr, targets)
        both = NEVER
        for name in ("stdout", "stderr"):
            stream = self.streams.get(name)
            if stream is not None and stream.expr is not None:
                both += self._occurs(stream.expr, targets)
        merged = self.streams.get("merged")
        return both if merged is None or merged.expr is None else both | self._occurs(merged.expr, targets)

    def _occurs(self, expr: Expr, targets: frozenset[Target]) -> Often:
        key = (id(expr), targets)
        if key not in self._memo:
            self._memo[key] = self._count(expr, targets)
        return self._memo[key]

    def _count(self, expr: Expr, targets: frozenset[Target]) -> Often:
        match expr:
            case Leaf():
                return NEVER
            case Ref(name):
                here = NEVER
                inner = set(targets)
                for target in targets:
                    if target.kinds[0] != name:
                        continue
                    if len(target.kinds) > 1:
                        inner.add(Target(target.kinds[1:], target.field, target.often))
                    else:
                        here += target.often or Often(0 if self.nullable(expr) else 1, 1)
                return here + self._occurs(self.definitions[name].expr, frozenset(inner))
            case _:
                return combine(expr, lambda inner: self._occurs(inner, targets))


@dataclass(frozen=True, slots=True)
class Target:
    """What is counted: the last of `kinds`, each within the one before; with a field, how often that is there in
    one.
    """

    kinds: tuple[str, ...]
    field: str | None = None
    often: Often | None = None


def combine(expr: Seq | Alt | Rep, count) -> Often:  # noqa: ANN001 - a function from expressions to `Often`
    """Sequence adds, choice takes least and most, repetition gives many."""
    match expr:
        case Seq(items):
            total = NEVER
            for item in items:
                total += count(item)
            return total
        case Alt(options):
            total = count(options[0])
            for option in options[1:]:
                total |= count(option)
            return total
        case Rep(item, operator):
            return count(item).repeated(operator)


def leaf_field(leaf: Leaf, name: str) -> Field | None:
    """Return a capture of a line: there for certain only if every alternative has it for certain."""
    found = [captures(program).get(name) for program in leaf.programs]
    present = [capture for capture in found if capture is not None]
    if not present:
        return None
    low = min(capture.low if capture else 0 for capture in found)
    kind = "int" if all(capture.type == "int" for capture in present) else "text"
    return Field(kind, Often(low, max(capture.high for capture in present)), present[0].span)


def own_leaves(expr: Expr) -> Iterator[Leaf]:
    """Yield the lines written in an expression itself."""
    match expr:
        case Leaf():
            yield expr
        case Ref():
            pass
        case Seq(items) | Alt(items):
            for item in items:
                yield from own_leaves(item)
        case Rep(item, _):
            yield from own_leaves(item)


def refs(expr: Expr) -> Iterator[str]:
    """Yield the names written in an expression itself, in order, with repetitions."""
    match expr:
        case Leaf():
            pass
        case Ref(name):
            yield name
        case Seq(items) | Alt(items):
            for item in items:
                yield from refs(item)
        case Rep(item, _):
            yield from refs(item)
