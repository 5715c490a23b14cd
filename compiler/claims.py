"""Lowers `ensure`: what must hold before a summary is shown.

Input: claims, lowered facts. Output: the CLAIMs of `docs/pack-format.md`. Reports paths that may be missing in a sum
(E0502), wrong types (E0503) and claims that say nothing (E0507).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..dsl import ast
from ..dsl.diagnostics import Report
from ..dsl.source import Span
from .diagnose import error
from .facts import Facts
from .kinds import INT, Listed, Node, Plain
from .paths import PoisonedError, Typed


@dataclass(frozen=True, slots=True)
class LoweredClaim:
    """A claim of the pack and where it was written. `each` over a group gives one for every member."""

    json: list[Any]
    node: ast.Claim


def lower_claims(rule: ast.Rule, facts: Facts, report: Report) -> tuple[LoweredClaim, ...]:
    """Lower all claims of a rule."""
    lowered = []
    for node in rule.claims:
        try:
            lowered += [LoweredClaim(json, node) for json in _Claims(rule, facts, report).lower(node)]
        except PoisonedError:
            continue
    return tuple(lowered)


class _Claims:
    """Lowers the claims of one rule; what is wrong with values goes to the same report."""

    def __init__(self, rule: ast.Rule, facts: Facts, report: Report) -> None:
        self.rule = rule
        self.facts = facts
        self.report = report
        self.values = type(facts.values)(facts.names, report)

    def lower(self, claim: ast.Claim) -> list[list[Any]]:
        """Return the claims of the pack for one written claim."""
        when = None
        if claim.when is not None:
            when = self._when(claim.when)
            if when is None:
                return []
        scopes: tuple[str | None, ...] = (None,)
        if claim.each is not None:
            kinds = self.values.kinds((claim.each,), None)
            if kinds is None:
                return []
            scopes = kinds
        bodies = [(scope, self._body(claim.body, scope)) for scope in scopes]
        return [[when, scope, body] for scope, body in bodies if body is not None]

    def _when(self, when: ast.ExitIs | ast.Presence) -> list[Any] | None:
        if isinstance(when, ast.ExitIs):
            admitted = self.rule.exit
            if admitted is not None and all((code in when.codes) == when.negated for code in admitted):
                self._say(
                    "E0507",
                    "this condition never holds",
                    when.span,
                    "the rule admits no such exit code",
                    help_="admit the code in `exit`, or remove the claim",
                )
                return None
            return ["exit", when.negated, list(when.codes)]
        kinds = self.values.kinds(when.kinds, None)
        return None if kinds is None else ["some" if when.some else "no", list(kinds)]

    def _body(self, body: ast.Relation | ast.Within | ast.Presence, scope: str | None) -> list[Any] | None:
        match body:
            case ast.Presence(some=some, kinds=names, where=where):
                kinds = self.values.kinds(names, scope)
                if kinds is None:
                    return None
                good, condition = self.values.where(where, kinds)
                return ["some" if some else "no", list(kinds), condition] if good else None
            case ast.Within():
                return self._within(body, scope)
            case ast.Relation(left=left, operator=operator, right=right):
                if all(isinstance(term, ast.Number) for term in (*left, *right)):
                    self._say("E0507", "this claim says nothing about the output", body.span, "only numbers")
                    return None
                sides = [[self._term(term, scope) for term in side] for side in (left, right)]
                return None if any(None in side for side in sides) else ["rel", operator, *sides]

    def _within(self, body: ast.Within, scope: str | None) -> list[Any] | None:
        sides = []
        for value in (body.left, body.right):
            typed = self.values.lower(value, scope)
            if typed is None:
                return None
            if not isinstance(typed.type, Listed) or not isinstance(typed.type.element, Plain):
                self._say(
                    "E0503",
                    "`within` compares lists of texts",
                    value.span,
                    f"this is {typed.type}",
                    help_="say `distinct K.f`",
                )
                return None
            if typed.type.capped:
                self._say(
                    "E0503",
                    "a capped list can only be shown",
                    value.span,
                    "knows only a part",
                    help_="claim over the whole list",
                )
                return None
            sides.append(typed)
        if sides[0].type != sides[1].type:
            self._say("E0503", "`within` compares like with like", body.span, "one side is text, the other numbers")
            return None
        return ["within", sides[0].json, sides[1].json]

    def _term(self, term: ast.Number | ast.Path | ast.Value, scope: str | None) -> list[Any] | None:
        if isinstance(term, ast.Number):
            return ["const", term.value]
        if isinstance(term, ast.Path):
            typed = self.facts.names.resolve(term.names, scope, self.report)
            return typed and self._number(typed, ["path", typed.json], term.span, str(term))
        typed = self.values.lower(term, scope)
        return typed and self._number(typed, typed.json, term.span, None)

    def _number(self, typed: Typed, json: list[Any], span: Span, path: str | None) -> list[Any] | None:
        kind = typed.type
        shown = f"`{path}`" if path else "this"
        if isinstance(kind, Listed):
            if path and isinstance(kind.element, Node) and json[1][-1][0] == "all":
                self._say("E0503", f"{shown} may stand more than once", span, "no number", help_=f"say `count {path}`")
            elif kind.capped:
                self._say("E0503", f"{shown} is a capped list", span, "knows only a part", help_="count the whole list")
            else:
                return json
            return None
        if kind != INT:
            name = path.rpartition(".")[2] if path else None
            self._say(
                "E0503",
                f"{shown} is {kind}, not a number",
                span,
                "only numbers add up",
                help_=f"capture it as an int: `{{{name}:int}}`" if name and isinstance(kind, Plain) else None,
            )
            return None
        if not typed.present:
            self._say(
                "E0502",
                f"{shown} may be missing",
                span,
                "not in every output the rule accepts",
                notes=("a sum over a missing number would say nothing",),
                help_=f"say `sum {path}`: absent ones count nothing" if path and "." in path else None,
            )
            return None
        return json

    def _say(
        self, code: str, message: str, span: Span, label: str, *, notes: tuple[str, ...] = (), help_: str | None = None
    ) -> None:
        error(self.report, code, message, self.facts.source, span, label, notes=notes, help=help_)
