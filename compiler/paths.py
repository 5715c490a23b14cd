"""What a path means: resolved against the grammar, the facts and the loop variables, typed, and proved present or not.

Input: a path as written and where it stands. Output: the PATH of `docs/pack-format.md` with its type, or a diagnostic.
Demand is taken down here: only what some path reads will be captured.
INVARIANT: `present` is claimed only when every accepted output has the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source
from .diagnose import error, unknown
from .grammar import Grammar, Often, Target
from .kinds import INT, TEXT, Grouped, Listed, Node, Plain, Type


@dataclass(frozen=True, slots=True)
class Typed:
    """A lowered value: the JSON of the pack, its type, and whether it is there in every accepted output."""

    json: Any
    type: Type
    present: bool = True


@dataclass(slots=True)
class Demand:
    """What facts, claims and the summary read: kinds, and captures of kinds."""

    kinds: set[str] = field(default_factory=set)
    captures: set[tuple[str, str]] = field(default_factory=set)

    def wanted(self, leaf_kind: str) -> frozenset[str]:
        """Return the captures that are read of the lines of a leaf."""
        owner = leaf_kind.partition("#")[0]
        return frozenset(name for kind, name in self.captures if kind == owner)


@dataclass(frozen=True, slots=True)
class PathCodes:
    """The diagnostic codes of the place where a path stands: an unknown name, a wrong type."""

    unknown: str
    type: str


FACT_CODES = PathCodes("E0501", "E0503")
SUMMARY_CODES = PathCodes("E0605", "E0604")


@dataclass(slots=True)
class Names:
    """Everything a path can name in one rule."""

    grammar: Grammar
    source: Source
    demand: Demand
    fact: Callable[[str], Typed | None]
    """Lower a fact of the rule; None after a diagnostic."""
    fact_names: tuple[str, ...]
    record_fact: Callable[[str, str], Typed | None]
    """Lower a fact of a record."""
    field_names: Callable[[str], tuple[str, ...]]
    used: set[str] = field(default_factory=set)
    """Facts that were read, fields as `K.name`."""

    def resolve(
        self,
        path: tuple[ast.Name, ...],
        scope: str | None,
        report: Report,
        *,
        codes: PathCodes = FACT_CODES,
        variables: Mapping[str, Type] | None = None,
        proved: frozenset[tuple[str, ...]] = frozenset(),
    ) -> Typed | None:
        """Resolve a whole path; a kind that may stand more than once gives a list.

        `proved` holds paths that are known to be there where this one stands.
        """
        walk = _Walk(self, path, report, codes)
        current = walk.root(scope, variables or {})
        for index, name in enumerate(path):
            if current is not None and index > 0:
                current = walk.step(current, name)
            if current is None:
                return None
            if tuple(each.text for each in path[: index + 1]) in proved:
                current = Typed(current.json, current.type)
        return current

    def candidates(self, scope: str | None) -> list[str]:
        """Return the names with which a path may begin."""
        found = [*self.fact_names, "exit_code", *self.grammar.below(scope)]
        if scope is not None:
            found += [*self.field_names(scope), *self.grammar.field_names(scope)]
        return found

    def occurs(self, within: str | None, kinds: tuple[str, ...]) -> Often:
        """Return how often any of the kinds occurs within another, or within the whole output."""
        return self.grammar.occurs(within, frozenset(Target((kind,)) for kind in kinds))

    def field_of(self, kind: str, name: str) -> tuple[Plain | Type, Often, Any] | None:
        """Return type, multiplicity and place of a field of a kind (a capture or a fact), taking down the demand."""
        if name == "line":
            return TEXT, Often(1, 1), None
        if name in self.field_names(kind):
            self.used.add(f"{kind}.{name}")
            typed = self.record_fact(kind, name)
            if typed is None:
                raise PoisonedError
            return typed.type, Often(1 if typed.present else 0, 1), None
        capture = self.grammar.field(kind, name)
        if capture is None:
            return None
        self.demand.captures.add((kind, name))
        return (INT if capture.type == "int" else TEXT), capture.often, capture.span


class PoisonedError(Exception):
    """What is read was refused already; nothing more is said about it."""


class _Walk:
    """One path, name by name."""

    def __init__(self, names: Names, path: tuple[ast.Name, ...], report: Report, codes: PathCodes) -> None:
        self.names = names
        self.path = path
        self.report = report
        self.codes = codes

    def root(self, scope: str | None, variables: Mapping[str, Type]) -> Typed | None:
        name = self.path[0]
        if name.text in variables:
            return Typed([["var", name.text]], variables[name.text])
        if scope is not None:
            found = self.part(Typed([["scope"]], Node((scope,))), name)
            if found is not None:
                return found
        if name.text in self.names.fact_names:
            self.names.used.add(name.text)
            fact = self.names.fact(name.text)
            if fact is None:
                raise PoisonedError
            return Typed([["fact", name.text]], fact.type, fact.present)
        if name.text == "exit_code":
            return Typed([["exit"]], INT)
        if scope is None and name.text in self.names.grammar.below(None):
            return self.inner(Typed([["scope"]], Node(())), None, name)
        unknown(
            self.report,
            self.codes.unknown,
            "name",
            name,
            self.names.candidates(scope),
            self.names.source,
            first=[*variables, *self.names.fact_names] if scope is None else variables,
        )
        return None

    def step(self, current: Typed, name: ast.Name) -> Typed | None:
        if isinstance(current.type, Grouped):
            return self.group_part(current, current.type, name)
        if isinstance(current.type, Node):
            found = self.part(current, name)
            if found is None:
                kinds = current.type.kinds
                known = ["line"]
                for kind in kinds:
                    known += [*self.names.field_names(kind), *self.names.grammar.field_names(kind)]
                    known += self.names.grammar.below(kind)
                unknown(self.report, self.codes.unknown, f"part of {_listed(kinds)}:", name, known, self.names.source)
            return found
        written = ".".join(part.text for part in self.path[: self.path.index(name)])
        if isinstance(current.type, Listed):
            error(
                self.report,
                self.codes.type,
                f"`{written}` may stand more than once",
                self.names.source,
                name.span,
                "which of them?",
                help=self.which(written),
            )
        else:
            error(
                self.report,
                self.codes.type,
                f"`{written}` is {current.type} and has no parts",
                self.names.source,
                name.span,
                "a part of it is asked for",
            )
        return None

    def which(self, written: str) -> str:
        """Say how to come to one of many: in a summary by a fact, as `first of` is no part of the template."""
        first = self.path[0].text
        if self.codes is not SUMMARY_CODES:
            return f"take its parts in a loop, or say which: `first of {written}`, `last of {written}`"
        if first in self.names.fact_names or first not in self.names.grammar.below(None):
            return f"take its parts in a loop: `{{% for each in {written} %}}`"
        whole = ".".join(part.text for part in self.path)
        return f"add a fact, such as `top = first of {whole}` in `facts`, and show `top`; or loop over `{written}`"

    def group_part(self, current: Typed, group: Grouped, name: ast.Name) -> Typed | None:
        parts: dict[str, Type] = {
            "key": group.key,
            "count": INT,
            "first": Node(group.kinds),
            "rows": Listed(Node(group.kinds)),
        }
        if name.text not in parts:
            unknown(self.report, self.codes.unknown, "part of a group:", name, parts, self.names.source)
            return None
        return Typed([*current.json, [name.text]], parts[name.text], current.present)

    def part(self, current: Typed, name: ast.Name) -> Typed | None:
        """Return a part of a record: a field where its kinds have one, else the kinds of that name within it."""
        assert isinstance(current.type, Node)
        if name.text == "line":
            return Typed([*current.json, ["line"]], TEXT, current.present)
        fields = [self.names.field_of(kind, name.text) for kind in current.type.kinds]
        inner = [kind for kind in current.type.kinds if name.text in self.names.grammar.below(kind)]
        present = [each for each in fields if each is not None]
        if not present:
            return self.inner(current, tuple(inner), name) if inner else None
        if inner:
            error(
                self.report,
                self.codes.type,
                f"`{name.text}` is both a field and a kind of {_listed(current.type.kinds)}",
                self.names.source,
                name.span,
                "which one?",
                also=[Label(each[2], "the capture") for each in present if each[2] is not None][:1],
                help="rename the capture",
            )
            raise PoisonedError
        types = {each[0] for each in present}
        if any(each[1].high > 1 for each in present):
            error(
                self.report,
                self.codes.type,
                f"`{name.text}` is captured by several lines of {_listed(current.type.kinds)}",
                self.names.source,
                name.span,
                "which of them?",
                help="give the captures different names, or use `distinct`",
            )
            raise PoisonedError
        certain = current.present and all(each is not None and each[1].low > 0 for each in fields)
        kind = types.pop() if len(types) == 1 else TEXT
        return Typed([*current.json, ["field", name.text]], kind, certain)

    def inner(self, current: Typed, within: tuple[str, ...] | None, name: ast.Name) -> Typed | None:
        """Step to the kinds of a name within a record, or (`within` None) within the whole output."""
        kinds = self.names.grammar.members(name.text)
        if kinds is None:
            error(
                self.report,
                self.codes.type,
                f"`{name.text}` is a part of the grammar, no kind",
                self.names.source,
                name.span,
                "cannot be counted or shown",
                help="name the kinds in it, or make it a record by writing it as a sequence",
            )
            raise PoisonedError
        self.names.demand.kinds.update(kinds)
        if within is None:
            often = self.names.occurs(None, kinds)
            certain = current.present and often.low > 0
        else:
            assert isinstance(current.type, Node)
            each = [self.names.occurs(kind, kinds) for kind in within]
            often = each[0]
            for other in each[1:]:
                often |= other
            certain = current.present and often.low > 0 and len(within) == len(current.type.kinds)
        if often.high > 1 or len(kinds) != 1:
            return Typed([*current.json, ["all", list(kinds)]], Listed(Node(kinds)), certain)
        return Typed([*current.json, ["kind", kinds[0]]], Node(kinds), certain)


def _listed(kinds: tuple[str, ...]) -> str:
    return ", ".join(f"`{kind}`" for kind in kinds)
