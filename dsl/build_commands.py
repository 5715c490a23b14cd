"""Reductions for commands: heads, options, operands."""

from __future__ import annotations

from typing import Any

from lark import Token

from .ast import AfterDashes, Command, CommandLine, Head, Name, Operands, Option, OptionLine, WithOptions
from .build import Builder, Group, of_type
from .source import Span


class CommandBuilder(Builder):
    """What stands in `command … { … }` and `options NAME { … }`."""

    def command(self, children: list[Any]) -> Command:
        """Reduce `command HEAD | HEAD { … }`."""
        return Command(of_type(children, Head), self.option_lines(children), span=self.span(*children))

    def head(self, children: list[Token]) -> Head:
        """Reduce `git log`."""
        return Head(tuple(str(t) for t in children), span=self.span(*children))

    def option_line(self, children: list[Any]) -> OptionLine:
        """Reduce `option a, b`; `global` and `refuse` alike."""
        return OptionLine(children[0].value, of_type(children, Option), span=self.span(*children))

    def needs_line(self, children: list[Any]) -> OptionLine:
        """Reduce `needs a | b`."""
        return OptionLine("needs", of_type(children, Option), span=self.span(*children))

    def with_options(self, children: list[Any]) -> Group:
        """Reduce `with a, b`: one node for each name."""
        return Group(tuple(WithOptions(name, span=name.span) for name in children[1].items), self.span(*children))

    def option_lines(self, children: list[Any]) -> tuple[CommandLine, ...]:
        """Return the lines of a body, those of `with` one by one."""
        lines: list[CommandLine] = []
        for child in children:
            if isinstance(child, Group):
                lines.extend(of_type(child.items, WithOptions))
            elif isinstance(child, CommandLine):
                lines.append(child)
        return tuple(lines)

    def operands(self, children: list[Token]) -> Operands:
        """Reduce `operand any`."""
        return Operands(span=self.span(*children))

    def after_dashes(self, children: list[Token]) -> AfterDashes:
        """Reduce `after -- any`."""
        return AfterDashes(span=self.span(*children))

    def option(self, children: list[Token]) -> Option:
        """One option. Whether a type stands right behind the flag or after a blank tells how its value is written."""
        flag, span = str(children[0]), self.span(*children)
        if len(children) == 1:
            return Option(flag, "none", span=span)
        follower = children[1]
        if follower.type != "TYPE":
            return Option(flag, "word", word=str(follower), span=span)
        place = self.span(follower)
        kind = Name(str(follower)[1:-1], span=Span(place.start + 1, place.end - 1))
        attached = self.span(children[0]).end == place.start
        if not attached:
            return Option(flag, "either" if flag.startswith("--") else "split", kind, span=span)
        if flag.endswith("="):
            return Option(flag[:-1], "equals", kind, span=span)
        return Option(flag, "attached", kind, span=span)
