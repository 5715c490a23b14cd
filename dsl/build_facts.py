"""Reductions for facts and claims."""

from __future__ import annotations

from typing import Any

from lark import Token

from . import ast
from .ast import (
    Alternatives,
    Cap,
    Claim,
    Count,
    Distinct,
    Each,
    ExitIs,
    Fact,
    Name,
    Node,
    Number,
    Path,
    Pick,
    Presence,
    Relation,
    Sorted,
    Sum,
    Text,
    Trimmed,
    Where,
    Within,
)
from .build import Builder, Group, is_token, of_type
from .scan import MAX_DEPTH

_OPERANDS = Path | Text | Number


class FactBuilder(Builder):
    """What stands in `facts { … }` and `ensure { … }`."""

    def path(self, children: list[Token]) -> Path:
        """Reduce `a.b`."""
        return self.dotted(children[0])

    def text(self, children: list[Token]) -> Text:
        """Reduce `"…"`."""
        return self.string(children[0])

    def number(self, children: list[Token]) -> Number:
        """Reduce `20`."""
        return self.integer(children[0])

    def kinds(self, children: list[Token]) -> Group:
        """Reduce `K, L`."""
        return self.names(children)

    def where(self, children: list[Any]) -> Where:
        """Reduce `where f = v`."""
        value = self.name(children[3]) if is_token(children[3], "NAME") else children[3]
        return Where(self.name(children[1]), children[2].value, value, span=self.span(*children))

    def count(self, children: list[Any]) -> Count:
        """Reduce `count K, L [where …]`."""
        return Count(children[1].items, _where(children), span=self.span(*children))

    def sum_of(self, children: list[Token]) -> Sum:
        """Reduce `sum K.n`."""
        return Sum(self.dotted(children[1]), span=self.span(*children))

    def distinct(self, children: list[Any]) -> Distinct:
        """Reduce `distinct K.f, L.f`."""
        return Distinct(children[1].items, span=self.span(*children))

    def each(self, children: list[Any]) -> Each:
        """Reduce `each K, L [where …]`."""
        return Each(children[1].items, _where(children), span=self.span(*children))

    def grouped(self, children: list[Any]) -> ast.Group:
        """Reduce `group K, L [where …] by f`."""
        return ast.Group(children[1].items, self.name(children[-1]), _where(children), span=self.span(*children))

    def cap(self, children: list[Any]) -> Cap:
        """Reduce `first N of VALUE [in order]`."""
        self._bound_depth(children[3])
        in_order = is_token(children[-1], "ORDER")
        limit = self.integer(children[1])
        return Cap(children[0].value, limit, children[3], in_order, span=self.span(*children))

    def pick(self, children: list[Any]) -> Pick:
        """Reduce `last of K, L.f [or …]`."""
        return Pick(children[0].value, children[2].items, of_type(children[3:], _OPERANDS), span=self.span(*children))

    def sorted(self, children: list[Any]) -> Sorted:
        """Reduce `sorted VALUE by f`."""
        self._bound_depth(children[1])
        return Sorted(children[1], self.name(children[3]), span=self.span(*children))

    def trimmed(self, children: list[Any]) -> Trimmed:
        """Reduce `trimmed VALUE`."""
        self._bound_depth(children[1])
        return Trimmed(children[1], span=self.span(*children))

    def alternatives(self, children: list[Any]) -> Alternatives:
        """Reduce `path or path or "text"`."""
        return Alternatives(of_type(children, _OPERANDS), span=self.span(*children))

    def _bound_depth(self, value: Node) -> None:
        # INVARIANT: no value nests deeper than MAX_DEPTH, so later passes may recurse over it.
        depth, inner = 1, value
        while isinstance(inner, Cap | Sorted | Trimmed) and depth <= MAX_DEPTH + 1:
            depth, inner = depth + 1, inner.value
        if depth == MAX_DEPTH + 1:  # further out it has been said already
            self.fail(
                "E0108", f"a value nests deeper than {MAX_DEPTH} levels", value, "one level too many outside of this"
            )

    def fact(self, children: list[Any]) -> Fact:
        """Reduce `name = value`."""
        return Fact(self.dotted(children[0]), children[2], span=self.span(*children))

    def sum(self, children: list[Any]) -> Group:
        """Reduce `a + b`; a lone path stands as a path."""
        return Group(tuple(_term(c) for c in children if not isinstance(c, Token)), self.span(*children))

    def relation(self, children: list[Any]) -> Relation:
        """Reduce `a + b = c`."""
        left, operator, right = children
        return Relation(left.items, operator.value, right.items, span=self.span(*children))

    def within(self, children: list[Any]) -> Within:
        """Reduce `LIST within LIST`."""
        return Within(children[0], children[2], span=self.span(*children))

    def presence(self, children: list[Any]) -> Presence:
        """Reduce `some K, L`, `no K [where …]`."""
        some = is_token(children[0], "SOME")
        return Presence(some, children[1].items, _where(children), span=self.span(*children))

    presence_where = presence

    def exit_is(self, children: list[Any]) -> ExitIs:
        """Reduce `exit [not] 0, 1`."""
        return ExitIs(children[-1].items, is_token(children[1], "NOT"), span=self.span(*children))

    def claim(self, children: list[Any]) -> Claim:
        """Reduce `[when CONDITION:] [each K:] CLAIM`."""
        when = children[1] if is_token(children[0], "WHEN") else None
        each: Name | None = None
        if len(children) > 3 and is_token(children[-4], "EACH"):
            each = self.name(children[-3])
        return Claim(when, each, children[-1], span=self.span(*children))


def _where(children: list[Any]) -> Where | None:
    found = of_type(children, Where)
    return found[0] if found else None


def _term(node: Any) -> Any:
    alone = isinstance(node, Alternatives) and len(node.items) == 1 and isinstance(node.items[0], Path)
    return node.items[0] if alone else node
