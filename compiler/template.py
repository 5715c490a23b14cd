"""Lowers the summary template and proves it total.

Input: the template of a rule, its facts. Output: the NODEs of `docs/pack-format.md`. Parsed by Jinja; every node type
that is not lowered here is refused. Reports nesting without end (E0108), syntax and constructs outside the language
(E0601), paths that may be missing (E0602), capped lists that are not disclosed (E0603), lists and records where text is
needed (E0604), unknown names (E0605).
INVARIANT: what is lowered can be rendered for every accepted output, and says what it leaves out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jinja2
from jinja2 import nodes

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.scan import MAX_DEPTH
from .diagnose import error
from .facts import Facts
from .kinds import Listed, Node, Type
from .paths import PoisonedError, Typed
from .template_depth import find_too_deep
from .template_syntax import Fault, Place, find_fault
from .template_text import Word, environment, layout
from .template_values import NONE, Context, Expressions, Proofs, dotted, place_of, prefixes, span_of


def lower_summary(summary: ast.Text, facts: Facts, report: Report) -> list[Any]:
    """Return the lowered template; empty after a diagnostic that leaves nothing to lower."""
    jinja = environment()
    text = summary.value if summary.value.endswith("\n") else summary.value + "\n"
    try:
        deep = find_too_deep(jinja.tokens(text))
        if deep is not None:
            _say_depth(summary, text, deep, facts, report)
            return []
        tree = jinja.parse(text)
        pieces = layout(text, jinja.tokens(text))
    except jinja2.TemplateSyntaxError as failure:
        _say_syntax(summary, text, failure, find_fault(text, jinja), facts, report)
        return []
    return _Template(summary, text, pieces, facts, report).lower(tree)


def _say_depth(summary: ast.Text, text: str, deep: int, facts: Facts, report: Report) -> None:
    end = text.find("\n", deep)
    error(
        report,
        "E0108",
        f"the template nests deeper than {MAX_DEPTH} levels",
        facts.source,
        place_of(summary, deep, end),
        "one level too many",
    )


def _say_syntax(
    summary: ast.Text, text: str, failure: jinja2.TemplateSyntaxError, fault: Fault | None, facts: Facts, report: Report
) -> None:
    if fault is None:
        lines = text.split("\n")
        number = max(0, min(failure.lineno - 1, len(lines) - 1))
        start = sum(len(line) + 1 for line in lines[:number])
        line = lines[number]
        begin = start + len(line) - len(line.lstrip())
        fault = Fault("the template cannot be parsed", Place(begin, start + len(line), "this cannot be read"))
    also = [Label(place_of(summary, other.start, other.end), other.label) for other in [fault.other] if other]
    place = place_of(summary, fault.place.start, fault.place.end)
    error(report, "E0601", fault.message, facts.source, place, fault.place.label, also=also, help=fault.help)


class _Template(Expressions):
    """One walk over one template."""

    def lower(self, tree: nodes.Template) -> list[Any]:
        """Lower the whole template."""
        for refused in self.refused:
            self._refuse(refused.what, place_of(self.summary, refused.start, refused.end))
        if self.refused:
            return []
        lowered = self._body(tree.body, Context({}, {}, NONE, ()))
        self._check_disclosed()
        if not self.values and not self.report:
            self._say(
                "E0601", "the summary shows nothing of the output", self.summary.span, "the same text for every output"
            )
        return lowered

    # --- bodies ---------------------------------------------------------------------------------------------------

    def _body(self, body: list[nodes.Node], context: Context) -> list[Any]:
        lowered: list[Any] = []
        for node in body:
            match node:
                case nodes.Output():
                    for part in node.nodes:
                        self._part(part, context, lowered)
                case nodes.For():
                    lowered += self._for(node, context)
                case nodes.If():
                    lowered += self._if(node, context)
                case _:
                    self._refuse(f"`{type(node).__name__.lower()}` tags", self._line(node))
        return lowered

    def _part(self, part: nodes.Node, context: Context, lowered: list[Any]) -> None:
        if isinstance(part, nodes.TemplateData):
            text = next(self.texts)
            if text and lowered and lowered[-1][0] == "text":
                lowered[-1] = ["text", lowered[-1][1] + text]
            elif text:
                lowered.append(["text", text])
            return
        tag = next(self.tags)
        self.values += 1
        try:
            out = self._out(part, tag, context)
        except PoisonedError:
            out = None
        if out is not None:
            lowered.append([*out, tag.indent])

    def _inner(self, context: Context, proved: Proofs) -> Context:
        self.blocks += 1
        return replace(context, proved=context.proved | proved, block=(*context.block, self.blocks))

    def _for(self, node: nodes.For, context: Context) -> list[Any]:
        if not isinstance(node.target, nodes.Name):
            self._refuse("loops over pairs", self._line(node))
            return []
        variable = self._find(node.target.name, node)
        if node.test is not None or node.recursive:
            self._refuse("`if` and `recursive` in a loop" if node.recursive else "`if` in a loop", self._line(node))
            return []
        path = self._path(node.iter)
        if path is None:
            return []
        try:
            typed = self._resolve(path, context)
        except PoisonedError:
            typed = None
        element: Type | None = None
        if typed is not None:
            typed, element = self._iterated(typed, path, context)
        name = node.target.name
        if (
            name in context.variables
            or name in self.facts.rule_facts
            or name in self.facts.grammar.definitions
            or name == "exit_code"
        ):
            self._say(
                "E0605",
                f"`{name}` means something already",
                span_of(self.summary, [variable]),
                "would be hidden",
                help_="choose another name",
            )
            element = None
        if typed is None or element is None:
            self._skip(node.body, node.else_)
            return []
        inner = self._inner(context, frozenset(prefixes(path)[:-1]))
        inner = replace(
            inner,
            variables={**context.variables, name: element},
            bindings={**context.bindings, name: self.blocks},
        )
        body = self._body(node.body, inner)
        otherwise = self._body(node.else_, self._inner(context, NONE))
        return [["for", name, ["path", typed.json], body, otherwise]]

    def _iterated(self, typed: Typed, path: list[Word], context: Context) -> tuple[Typed | None, Type | None]:
        if isinstance(typed.type, Listed):
            if typed.type.capped:
                self.shown.append(self._showing(path, context))
            return typed, typed.type.element
        last = typed.json[-1]
        if isinstance(typed.type, Node) and last[0] == "kind":
            return Typed([*typed.json[:-1], ["all", [last[1]]]], typed.type), typed.type
        self._say(
            "E0604",
            f"`{dotted(path)}` is {typed.type}, not a list",
            span_of(self.summary, path),
            "only lists can be looped over",
        )
        return None, None

    def _skip(self, *bodies: list[nodes.Node]) -> None:
        """Pass over bodies that cannot be read, so that what follows them is found in its place."""
        for body in bodies:
            for part in nodes.Template(body).find_all((nodes.TemplateData, nodes.Output, nodes.Name)):
                if isinstance(part, nodes.TemplateData):
                    next(self.texts, None)
                elif isinstance(part, nodes.Output):
                    for inner in part.nodes:
                        if not isinstance(inner, nodes.TemplateData):
                            next(self.tags, None)
                            self.values += 1
                else:
                    self._find(part.name, part)

    def _if(self, node: nodes.If, context: Context) -> list[Any]:
        branches: list[Any] = []
        refuted: Proofs = NONE
        for branch in (node, *node.elif_):
            test, proved, disproved = self._test(branch.test, replace(context, proved=context.proved | refuted))
            body = self._body(branch.body, self._inner(context, refuted | proved))
            if test is not None:
                branches.append([test, body])
            refuted |= disproved
        otherwise = self._body(node.else_, self._inner(context, refuted))
        return [["if", branches, otherwise]]

    def _test(self, node: nodes.Node, context: Context) -> tuple[Any, Proofs, Proofs]:
        """Return a lowered test, what is proved where it holds and what where it does not."""
        match node:
            case nodes.Not():
                test, proved, refuted = self._test(node.node, context)
                return test and ["not", test], refuted, proved
            case nodes.And() | nodes.Or():
                one = self._test(node.left, context)
                other = self._test(node.right, context)
                test = [one[0], other[0]] if one[0] and other[0] else None
                if isinstance(node, nodes.And):
                    return test and ["and", test], one[1] | other[1], one[2] & other[2]
                return test and ["or", test], one[1] & other[1], one[2] | other[2]
            case _:
                path = self._path(node)
                if path is None:
                    return None, NONE, NONE
                try:
                    typed = self._resolve(path, context)
                except PoisonedError:
                    typed = None
                self.values += 1
                return (None if typed is None else ["path", typed.json]), frozenset(prefixes(path)), NONE

    def _check_disclosed(self) -> None:
        for showing in self.shown:
            same = [each for each in self.disclosed if each.key == showing.key]
            if any(showing.block[: len(each.block)] == each.block for each in same):
                continue
            self._say(
                "E0603",
                f"`{showing.path}` does not say what it leaves out",
                showing.span,
                "a capped list is shown",
                also=[Label(each.span, "says so only sometimes") for each in same],
                notes=("where elements are left out, the reader must see how many",),
                help_=f"add a line `{{{{ {showing.path} | more }}}}` behind it, in the same block; "
                f"for `last N of`, `{{{{ {showing.path} | earlier }}}}` before it",
            )
