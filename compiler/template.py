"""Lowers the summary template and proves it total.

Input: the template of a rule, its facts. Output: the NODEs of `docs/pack-format.md`. Parsed by Jinja; every node type
that is not lowered here is refused. Reports syntax and constructs outside the language (E0601), paths that may be
missing (E0602), capped lists that are not disclosed (E0603), lists and records where text is needed (E0604), unknown
names (E0605).
INVARIANT: what is lowered can be rendered for every accepted output, and says what it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import jinja2
from jinja2 import nodes

from ..dsl import ast
from ..dsl.diagnostics import Edit, Label, Report
from ..dsl.source import Span
from .diagnose import error
from .facts import Facts
from .kinds import INT, TEXT, Grouped, Listed, Node, Plain, Type
from .paths import SUMMARY_CODES, PoisonedError, Typed
from .template_text import Layout, Tag, Word, layout

Proofs = frozenset[tuple[str, ...]]
NONE: Proofs = frozenset()
_ALLOWED = "allowed are `{{ path }}`, `or`, `for`, `if`, `not`, `and` and the filters clip, join, length, more, earlier"


@dataclass(frozen=True, slots=True)
class Context:
    """Where a node stands: the loop variables and what they are bound to, what is proved there, the blocks around
    it.
    """

    variables: dict[str, Type]
    bindings: dict[str, int]
    proved: Proofs
    block: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Showing:
    """A capped list that is shown or disclosed: which, in which block, where."""

    key: tuple[object, ...]
    block: tuple[int, ...]
    span: Span
    path: str


def lower_summary(summary: ast.Text, facts: Facts, report: Report) -> list[Any]:
    """Return the lowered template; empty after a diagnostic that leaves nothing to lower."""
    environment = jinja2.Environment(keep_trailing_newline=True, autoescape=False)  # noqa: S701 - text for a model, never HTML
    text = summary.value if summary.value.endswith("\n") else summary.value + "\n"
    try:
        tree = environment.parse(text)
        pieces = layout(text, environment)
    except jinja2.TemplateSyntaxError as failure:
        _say_syntax(summary, text, failure, facts, report)
        return []
    return _Template(summary, text, pieces, facts, report).lower(tree)


def _say_syntax(
    summary: ast.Text, text: str, failure: jinja2.TemplateSyntaxError, facts: Facts, report: Report
) -> None:
    lines = text.split("\n")
    number = max(0, min(failure.lineno - 1, len(lines) - 1))
    start = sum(len(line) + 1 for line in lines[:number])
    line = lines[number]
    begin = start + len(line) - len(line.lstrip())
    message = (failure.message or "cannot be read").rstrip(".")
    error(
        report,
        "E0601",
        "the template cannot be parsed",
        facts.source,
        _place(summary, begin, start + len(line)),
        message[:1].lower() + message[1:],
    )


def _place(summary: ast.Text, start: int, end: int) -> Span:
    last = len(summary.value)
    return summary.place(min(start, last), min(end, last))


class _Template:
    """One walk over one template."""

    def __init__(self, summary: ast.Text, text: str, pieces: Layout, facts: Facts, report: Report) -> None:
        self.summary = summary
        self.text = text
        self.facts = facts
        self.report = report
        self.refused = pieces.refused
        self.texts: Iterator[str] = iter(pieces.texts)
        self.tags: Iterator[Tag] = iter(pieces.variables)
        self.words = pieces.words
        self.word = 0
        self.blocks = 0
        self.shown: list[Showing] = []
        self.disclosed: list[Showing] = []
        self.values = 0

    def lower(self, tree: nodes.Template) -> list[Any]:
        """Lower the whole template."""
        for refused in self.refused:
            self._refuse(refused.what, _place(self.summary, refused.start, refused.end))
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
                _words(self.summary, [variable]),
                "would be hidden",
                help_="choose another name",
            )
            element = None
        if typed is None or element is None:
            self._skip(node.body, node.else_)
            return []
        inner = self._inner(context, frozenset(_prefixes(path)[:-1]))
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
            f"`{_dotted(path)}` is {typed.type}, not a list",
            _words(self.summary, path),
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
                return (None if typed is None else ["path", typed.json]), frozenset(_prefixes(path)), NONE

    # --- values ---------------------------------------------------------------------------------------------------

    def _out(self, node: nodes.Node, tag: Tag, context: Context) -> list[Any] | None:
        filters: list[nodes.Filter] = []
        while isinstance(node, nodes.Filter) and node.node is not None:
            filters.insert(0, node)
            node = node.node
        found: list[tuple[Typed, list[Word]]] = []
        for item in _alternatives(node):
            one = self._alternative(item, context)
            if one is None:
                return None
            found.append(one)
        span = _place(self.summary, tag.start, tag.end)
        if len(found) > 1:
            for typed, path in found:
                if not isinstance(typed.type, Plain):
                    self._not_text(typed, path, span)
                    return None
        elif not found[0][1]:
            self._say("E0601", "a text needs no braces", span, "the same for every output", help_="write it as it is")
            return None
        value, path = (
            found[0] if len(found) == 1 else (Typed(None, TEXT, any(one[0].present for one in found)), found[0][1])
        )
        lowered = []
        for each in filters:
            word = self._find(each.name, each)
            applied = self._filter(each, word, value, path, context)
            if applied is None:
                return None
            lowered.append(applied[0])
            value = Typed(value.json, applied[1], value.present or isinstance(value.type, Listed))
        if not isinstance(value.type, Plain):
            self._not_text(value, path, span)
            return None
        if not value.present:
            self._missing(found, span, context, filtered=bool(filters))
            return None
        expressions = [["const", one.json] if not where else ["path", one.json] for one, where in found]
        return ["out", expressions, lowered]

    def _alternative(self, node: nodes.Node, context: Context) -> tuple[Typed, list[Word]] | None:
        if isinstance(node, nodes.Const) and isinstance(node.value, str | int) and not isinstance(node.value, bool):
            return Typed(node.value, TEXT if isinstance(node.value, str) else INT), []
        if isinstance(node, nodes.Filter):
            self._refuse(
                "filters inside `or`", self._line(node), help_="put the alternatives in parentheses: `(a or b) | clip`"
            )
            return None
        path = self._path(node)
        if path is None:
            return None
        typed = self._resolve(path, context)
        return None if typed is None else (typed, path)

    def _filter(
        self, node: nodes.Filter, word: Word, value: Typed, path: list[Word], context: Context
    ) -> tuple[list[Any], Type] | None:
        span = _words(self.summary, [word])
        arguments = [*node.args, *node.kwargs]
        if node.name not in {"clip", "join", "length", "more", "earlier"}:
            self._refuse(f"the filter `{node.name}`", span)
            return None
        if node.dyn_args is not None or node.dyn_kwargs is not None or (arguments and node.name != "join"):
            self._refuse(f"arguments of `{node.name}`", span)
            return None
        kind = value.type
        if node.name == "clip":
            if isinstance(kind, Plain):
                return ["clip"], TEXT
            self._not_text(value, path, span)
            return None
        if not isinstance(kind, Listed):
            self._say(
                "E0604", f"`{node.name}` needs a list", span, f"`{_dotted(path)}` is {kind}" if path else "no list"
            )
            return None
        if node.name in ("more", "earlier"):
            if not kind.capped:
                self._say(
                    "E0604",
                    f"`{_dotted(path)}` leaves nothing out",
                    span,
                    "the list has no cap",
                    help_="remove the filter",
                )
                return None
            self.disclosed.append(self._showing(path, context))
            return [node.name], TEXT
        if node.name == "length":
            if kind.capped:
                self._say(
                    "E0604",
                    f"the length of `{_dotted(path)}` says nothing",
                    span,
                    "the list is capped",
                    help_="make the number a fact: `count …`",
                )
                return None
            return ["length"], INT
        return self._join(node, kind, span, path, context)

    def _join(
        self, node: nodes.Filter, kind: Listed, span: Span, path: list[Word], context: Context
    ) -> tuple[list[Any], Type] | None:
        separator = node.args[0] if len(node.args) == 1 and not node.kwargs else None
        if not isinstance(separator, nodes.Const) or not isinstance(separator.value, str):
            self._refuse("`join` without one text", span, help_='write `join(", ")`')
            return None
        if not isinstance(kind.element, Plain):
            self._say(
                "E0604",
                "only texts can be joined",
                span,
                f"a list of {kind.element}s",
                help_="loop over it, or take `distinct K.f`",
            )
            return None
        if kind.capped:
            self.shown.append(self._showing(path, context))
        return ["join", separator.value], TEXT

    # --- paths ----------------------------------------------------------------------------------------------------

    def _path(self, node: nodes.Node) -> list[Word] | None:
        names: list[str] = []
        current = node
        while isinstance(current, nodes.Getattr):
            names.insert(0, current.attr)
            current = current.node
        if not isinstance(current, nodes.Name):
            self._refuse(_construct(node), self._line(node))
            return None
        names.insert(0, current.name)
        return [self._find(name, node) for name in names]

    def _resolve(self, path: list[Word], context: Context) -> Typed | None:
        names = tuple(ast.Name(word.text, span=_words(self.summary, [word])) for word in path)
        return self.facts.names.resolve(
            names, None, self.report, codes=SUMMARY_CODES, variables=context.variables, proved=context.proved
        )

    def _find(self, name: str, node: nodes.Node) -> Word:
        """Return the next place of a name; nodes are visited in the order of the template."""
        for index in range(self.word, len(self.words)):
            if self.words[index].text == name:
                self.word = index + 1
                return self.words[index]
        return Word(name, self._line_start(node.lineno))

    def _line_start(self, number: int) -> int:
        starts = [0, *(i + 1 for i, ch in enumerate(self.text) if ch == "\n")]
        return starts[min(number, len(starts)) - 1]

    def _line(self, node: nodes.Node) -> Span:
        """Return the place of the tag a node stands in, as near as Jinja says it: its line without the white space
        around.
        """
        start = self._line_start(node.lineno)
        line = self.text[start : self.text.index("\n", start)]
        return _place(self.summary, start + len(line) - len(line.lstrip()), start + len(line.rstrip()))

    # --- proofs and messages ----------------------------------------------------------------------------------------

    def _showing(self, path: list[Word], context: Context) -> Showing:
        binding = context.bindings.get(path[0].text)
        key = (binding, *(word.text for word in path))
        return Showing(key, context.block, _words(self.summary, path), _dotted(path))

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
                help_=f"add a line `{{{{ {showing.path} | more }}}}` after the loop, in the same block",
            )

    def _missing(self, found: list[tuple[Typed, list[Word]]], span: Span, context: Context, *, filtered: bool) -> None:
        path = next((where for _, where in found if where), [])
        written = _dotted(path)
        at = _words(self.summary, path) if path else span
        edits: tuple[Edit, ...] = ()
        if len(found) == 1:
            edits = (Edit(Span(at.end, at.end), ' or ""'),)
            if filtered:
                edits = (Edit(Span(at.start, at.start), "("), Edit(Span(at.end, at.end), ' or "")'))
        self._say(
            "E0602",
            f"`{written}` may be missing",
            at,
            "not in every output the rule accepts",
            also=self._origin(path, context),
            notes=("a summary must be able to show every output that the rule accepts",),
            help_=f'give a fallback: `{written} or ""`, or guard it with `{{% if {written} %}}`',
            edits=edits,
        )

    def _origin(self, path: list[Word], context: Context) -> list[Label]:
        """Return the place that lets a path be missing: a fact, an optional kind, an optional capture."""
        grammar = self.facts.grammar
        for index, word in enumerate(path):
            fact = self.facts.rule_facts.get(word.text)
            if index == 0 and fact is not None and word.text not in context.variables:
                return [Label(fact.path.span, "this fact may be missing")]
            if word.text in grammar.definitions and word.text not in context.variables:
                definition = grammar.definitions[word.text]
                return [Label(definition.node.name.span, "may be absent", definition.source)]
            before = self._resolve(path[:index], context) if index else None
            for kind in before.type.kinds if before is not None and isinstance(before.type, Node) else ():
                field = grammar.field(kind, word.text)
                if field is not None and field.often.low == 0:
                    return [Label(field.span, "may be absent", grammar.definitions[kind].source)]
        return []

    def _not_text(self, value: Typed, path: list[Word], span: Span) -> None:
        written = _dotted(path) or "this"
        helps = {Node: f"its text is `{written}.line`", Grouped: f"show `{written}.key` or `{written}.count`"}
        default = "loop over it, or join it"
        self._say(
            "E0604",
            f"`{written}` is {value.type}, not text",
            _words(self.summary, path) if path else span,
            "cannot be shown as it is",
            help_=helps.get(type(value.type), default),
        )

    def _refuse(self, what: str, span: Span, *, help_: str | None = None) -> None:
        self._say(
            "E0601", f"{what} cannot be used in a summary", span, "outside the language", notes=(_ALLOWED,), help_=help_
        )

    def _say(
        self,
        code: str,
        message: str,
        span: Span,
        label: str,
        *,
        also: list[Label] | None = None,
        notes: tuple[str, ...] = (),
        help_: str | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> None:
        error(
            self.report,
            code,
            message,
            self.facts.source,
            span,
            label,
            also=also or (),
            notes=notes,
            help=help_,
            edits=edits,
        )


def _alternatives(node: nodes.Node) -> list[nodes.Node]:
    if isinstance(node, nodes.Or):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    return [node]


def _prefixes(path: list[Word]) -> list[tuple[str, ...]]:
    names = tuple(word.text for word in path)
    return [names[: index + 1] for index in range(len(names))]


def _dotted(path: list[Word]) -> str:
    return ".".join(word.text for word in path)


def _words(summary: ast.Text, path: list[Word]) -> Span:
    return _place(summary, path[0].start, path[-1].end)


def _construct(node: nodes.Node) -> str:
    names = {
        "Getitem": "indexing",
        "Compare": "comparisons",
        "Call": "calls",
        "Filter": "filters in a test",
        "CondExpr": "`a if b`",
        "Test": "`is`",
        "Const": "constants",
        "Concat": "`~`",
        "And": "`and` in a value",
        "Not": "`not` in a value",
    }
    return names.get(type(node).__name__, "calculations")
