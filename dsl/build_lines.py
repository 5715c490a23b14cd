"""Reductions for line expressions, definitions and streams."""

from __future__ import annotations

from typing import Any

from lark import Token

from .ast import CatchAll, Choice, Definition, Expr, Pattern, Reference, Repeat, Sequence, Stream
from .build import Builder, Group, is_token


class LinesBuilder(Builder):
    """What stands in `lines { … }` and after `stdout`, `stderr`, `merged`."""

    def reference(self, children: list[Token]) -> Reference:
        """Reduce `name`."""
        return Reference(self.name(children[0]), span=self.span(*children))

    def pattern(self, children: list[Token]) -> Pattern:
        """Reduce `[otherwise] "…"`."""
        text, parts = self.line(children[-1])
        return Pattern(text, parts, otherwise=len(children) > 1, span=self.span(*children))

    def catch_all(self, children: list[Token]) -> CatchAll:
        """Reduce `otherwise`."""
        return CatchAll(span=self.span(*children))

    def group(self, children: list[Any]) -> Expr:
        """Reduce `( … )`: the expression inside; parentheses leave no trace."""
        return children[1]

    def repeat(self, children: list[Any]) -> Repeat:
        """Reduce `item*`."""
        item, operator = children
        return Repeat(item, operator.value, span=self.span(*children))

    def sequence(self, children: list[Any]) -> Sequence:
        """Reduce `a b c`."""
        return Sequence(tuple(children), span=self.span(*children))

    def choice(self, children: list[Any]) -> Choice:
        """Reduce `a | b`."""
        return Choice(tuple(c for c in children if not isinstance(c, Token)), span=self.span(*children))

    def definition(self, children: list[Any]) -> Definition:
        """Reduce `name = expr [spends a, b]`."""
        spends = children[3].items if len(children) > 3 else ()
        return Definition(self.name(children[0]), children[2], spends, span=self.span(*children))

    def spends(self, children: list[Token]) -> Group:
        """Reduce `spends a, b`."""
        return Group(tuple(self.name(t) for t in children if t.type == "NAME"), self.span(*children))

    def stream(self, children: list[Any]) -> Stream:
        """Reduce `stdout empty`, `stdout [uncoloured] expr`."""
        expr = None if is_token(children[-1], "EMPTY") else children[-1]
        uncoloured = is_token(children[1], "UNCOLOURED")
        return Stream(children[0].value, expr, uncoloured, span=self.span(*children))

    def rule_lines(self, children: list[Any]) -> Group:
        """Reduce `lines [with a, b] [{ … }]`: its items are the names taken in, then the definitions."""
        uses = tuple(name for child in children if isinstance(child, Group) for name in child.items)
        definitions = tuple(child for child in children if isinstance(child, Definition))
        return Group((uses, definitions), self.span(*children), "lines")
