"""What stands in the tags of a summary: paths, alternatives and filters, typed and proved present.

Input: expression nodes of Jinja, where they stand. Output: the EXPRs and filters of `docs/pack-format.md`, with their
types.
INVARIANT: nodes are visited in the order of the template, so that each name is found at its own place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from ..dsl import ast
from ..dsl.diagnostics import Edit, Label, Report
from ..dsl.source import Span
from .diagnose import error
from .facts import Facts
from .kinds import INT, TEXT, Grouped, Listed, Node, Plain, Type
from .paths import SUMMARY_CODES, Typed
from .template_text import Layout, Tag, Word

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


class Expressions:
    """The state of one walk over a template, and the lowering of what its tags hold."""

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

    # --- values ---------------------------------------------------------------------------------------------------

    def _out(self, node: nodes.Node, tag: Tag, context: Context) -> list[Any] | None:
        filters: list[nodes.Filter] = []
        while isinstance(node, nodes.Filter) and node.node is not None:
            filters.insert(0, node)
            node = node.node
        found: list[tuple[Typed, list[Word]]] = []
        for item in alternatives(node):
            one = self._alternative(item, context)
            if one is None:
                return None
            found.append(one)
        span = place_of(self.summary, tag.start, tag.end)
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
        span = span_of(self.summary, [word])
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
                "E0604", f"`{node.name}` needs a list", span, f"`{dotted(path)}` is {kind}" if path else "no list"
            )
            return None
        if node.name in ("more", "earlier"):
            if not kind.capped:
                self._say(
                    "E0604",
                    f"`{dotted(path)}` leaves nothing out",
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
                    f"the length of `{dotted(path)}` says nothing",
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
        names = tuple(ast.Name(word.text, span=span_of(self.summary, [word])) for word in path)
        first = names[0]
        if first.text == "loop" and first.text not in {*context.variables, *self.facts.names.candidates(None)}:
            self._say(
                "E0605",
                "unknown name `loop`",
                first.span,
                "templates do not count their rounds",
                help_="show what stands in the output; a number of things is a fact: `count …`",
            )
            return None
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
        return place_of(self.summary, start + len(line) - len(line.lstrip()), start + len(line.rstrip()))

    def _showing(self, path: list[Word], context: Context) -> Showing:
        binding = context.bindings.get(path[0].text)
        key = (binding, *(word.text for word in path))
        return Showing(key, context.block, span_of(self.summary, path), dotted(path))

    def _missing(self, found: list[tuple[Typed, list[Word]]], span: Span, context: Context, *, filtered: bool) -> None:
        path = next((where for _, where in found if where), [])
        written = dotted(path)
        at = span_of(self.summary, path) if path else span
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
        written = dotted(path) or "this"
        helps = {Node: f"its text is `{written}.line`", Grouped: f"show `{written}.key` or `{written}.count`"}
        default = "loop over it, or join it"
        self._say(
            "E0604",
            f"`{written}` is {value.type}, not text",
            span_of(self.summary, path) if path else span,
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


def place_of(summary: ast.Text, start: int, end: int) -> Span:
    """Return the span of `[start, end)` of a template, whose last line end may be added."""
    last = len(summary.value)
    return summary.place(min(start, last), min(end, last))


def alternatives(node: nodes.Node) -> list[nodes.Node]:
    """Return what `or` stands between."""
    if isinstance(node, nodes.Or):
        return [*alternatives(node.left), *alternatives(node.right)]
    return [node]


def prefixes(path: list[Word]) -> list[tuple[str, ...]]:
    """Return a path and everything it goes through."""
    names = tuple(word.text for word in path)
    return [names[: index + 1] for index in range(len(names))]


def dotted(path: list[Word]) -> str:
    """Return a path as written."""
    return ".".join(word.text for word in path)


def span_of(summary: ast.Text, path: list[Word]) -> Span:
    """Return the span of a path."""
    return place_of(summary, path[0].start, path[-1].end)


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
