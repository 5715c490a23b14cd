"""Lowers the facts of a rule and of its records.

Input: the grammar and the `facts` of a rule. Output: `Facts`: lowered values in an order in which each reads only
earlier ones of its table. Reports facts that read themselves (E0504), unused ones (E0505), names that clash (E0506),
and facts that wait for one another too deeply (E0408).
INVARIANT: a fact is lowered once, on first use.
"""

from __future__ import annotations

from typing import Any

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source
from ..runtime.engine.facts import DEEPEST
from .diagnose import error, unknown
from .grammar import Grammar
from .paths import Demand, Names, PoisonedError, Typed
from .values import Values


class Facts:
    """The facts of one rule. `table` and `fields` are the JSON of the pack."""

    def __init__(self, grammar: Grammar, source: Source, report: Report) -> None:
        self.grammar = grammar
        self.source = source
        self.report = report
        self.rule_facts: dict[str, ast.Fact] = {}
        self.record_facts: dict[str, dict[str, ast.Fact]] = {}
        self.table: list[list[Any]] = []
        self.fields: dict[str, list[list[Any]]] = {}
        self._done: dict[tuple[str | None, str], Typed | None] = {}
        self._open: list[tuple[str | None, str]] = []
        self._refused_depth = False
        self.names = Names(
            grammar,
            source,
            Demand(),
            fact=lambda name: self.lower(None, name),
            fact_names=(),
            record_fact=self.lower,
            field_names=lambda kind: tuple(self.record_facts.get(kind, ())),
        )
        self.values = Values(self.names, report)

    def declare(self, nodes: tuple[ast.Fact, ...]) -> None:
        """Take in all facts by name, before any is lowered."""
        for node in nodes:
            first, *rest = node.path.names
            if not rest:
                self._declare(None, first, node)
            elif len(rest) > 1:
                error(
                    self.report,
                    "E0501",
                    f"`{node.path}` is too deep for a fact",
                    self.source,
                    node.path.span,
                    "a fact of a record is `K.name`",
                )
            elif first.text not in self.grammar.below(None) or self.grammar.definitions[first.text].role == "group":
                known = [name for name in self.grammar.below(None) if self.grammar.definitions[name].role != "group"]
                unknown(self.report, "E0501", "kind", first, known, self.source)
            else:
                self._declare(first.text, rest[0], node)
        self.names.fact_names = tuple(self.rule_facts)

    def lower_all(self) -> None:
        """Lower every fact, in the order they are written."""
        for name in self.rule_facts:
            self._try(None, name)
        for kind, facts in self.record_facts.items():
            for name in facts:
                self._try(kind, name)

    def lower(self, kind: str | None, name: str) -> Typed | None:
        """Return the lowered fact; None after a diagnostic."""
        key = (kind, name)
        if key in self._done:
            return self._done[key]
        if key in self._open:
            self._circle(key)
            return None
        if len(self._open) == DEEPEST:
            self._too_deep(key)
            return None
        self._open.append(key)
        try:
            typed = self.values.lower(self._node(key).value, kind)
        finally:
            self._open.pop()
        self._done[key] = typed
        if typed is not None:
            if kind is None:
                self.table.append([name, typed.json])
            else:
                self.names.demand.kinds.add(kind)
                self.fields.setdefault(kind, []).append([name, typed.json])
        return typed

    def check_used(self, report: Report) -> None:
        """Report facts that nothing reads."""
        for kind, facts in ((None, self.rule_facts), *self.record_facts.items()):
            for name, node in facts.items():
                written = name if kind is None else f"{kind}.{name}"
                if written not in self.names.used:
                    error(
                        report,
                        "E0505",
                        f"fact `{written}` is not used",
                        self.source,
                        node.path.span,
                        "neither the summary nor a claim nor another fact reads it",
                        help="show it, or remove it",
                    )

    def _try(self, kind: str | None, name: str) -> None:
        try:
            self.lower(kind, name)
        except PoisonedError:
            self._done[(kind, name)] = None

    def _node(self, key: tuple[str | None, str]) -> ast.Fact:
        kind, name = key
        return self.rule_facts[name] if kind is None else self.record_facts[kind][name]

    def _declare(self, kind: str | None, name: ast.Name, node: ast.Fact) -> None:
        table = self.rule_facts if kind is None else self.record_facts.setdefault(kind, {})
        written = name.text if kind is None else f"{kind}.{name.text}"
        if name.text in table:
            also = (Label(table[name.text].path.span, "first defined here"),)
            self._clash(name, f"`{written}` is defined twice", "again here", also)
        elif name.text in ("exit_code", "line"):
            self._clash(name, f"`{name.text}` is always there", "already has a meaning", ())
        elif kind is None and name.text in self.grammar.definitions:
            definition = self.grammar.definitions[name.text]
            also = (Label(definition.node.name.span, "the kind", definition.source),)
            self._clash(name, f"`{name.text}` is a kind already", "would hide it", also)
        elif kind is not None and (field := self.grammar.field(kind, name.text)) is not None:
            also = (Label(field.span, "captured here", self.grammar.definitions[kind].source),)
            self._clash(name, f"`{written}` is captured already", "would hide it", also)
        elif kind is not None and name.text in self.grammar.below(kind):
            definition = self.grammar.definitions[name.text]
            also = (Label(definition.node.name.span, "the kind", definition.source),)
            self._clash(name, f"`{kind}` has a `{name.text}` within", "would hide it", also)
        else:
            table[name.text] = node

    def _clash(self, name: ast.Name, message: str, label: str, also: tuple[Label, ...]) -> None:
        error(self.report, "E0506", message, self.source, name.span, label, also=also, help="choose another name")

    def _too_deep(self, key: tuple[str | None, str]) -> None:
        """Refuse here what the runtime would give up on; once for a rule is enough."""
        self._done[key] = None
        if self._refused_depth:
            return
        self._refused_depth = True
        node = self._node(key)
        error(
            self.report,
            "E0408",
            f"facts wait for one another more than {DEEPEST} deep",
            self.source,
            node.path.span,
            "one too many",
            help="let facts read the lines, not one another",
        )

    def _circle(self, key: tuple[str | None, str]) -> None:
        circle = [*self._open[self._open.index(key) :], key]
        shown = " → ".join(name if kind is None else f"{kind}.{name}" for kind, name in circle)
        node = self._node(key)
        error(
            self.report,
            "E0504",
            f"fact `{node.path}` reads itself",
            self.source,
            node.path.span,
            "its value depends on its value",
            notes=(f"the circle: {shown}",),
        )


def lower_facts(grammar: Grammar, nodes: tuple[ast.Fact, ...], source: Source, report: Report) -> Facts:
    """Lower all facts of a rule."""
    facts = Facts(grammar, source, report)
    facts.declare(nodes)
    facts.lower_all()
    return facts
