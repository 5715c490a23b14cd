"""Reductions for the entries of a file: uses, words, phrases, shared definitions, rules, examples, admissions."""

from __future__ import annotations

from typing import Any

from lark import Token

from .ast import (
    Admit,
    Claim,
    Command,
    Definition,
    Example,
    Fact,
    FileText,
    Lines,
    Name,
    Number,
    Options,
    Phrase,
    Rule,
    Run,
    Selection,
    Setting,
    Stream,
    Text,
    Use,
    Word,
)
from .build import Group, is_token, of_type
from .build_commands import CommandBuilder
from .build_facts import FactBuilder
from .build_lines import LinesBuilder
from .classes import parse_class, parse_quantity

Entry = Use | Word | Phrase | Options | Lines | Rule | Admit


class FileBuilder(LinesBuilder, CommandBuilder, FactBuilder):
    """All reductions together."""

    def start(self, children: list[Entry]) -> Entry:
        """One entry."""
        return children[0]

    def use(self, children: list[Token]) -> Use:
        """Reduce `use "x.cable"`, `use codec "x"`."""
        codec = children[1].type == "CODEC"
        return Use(self.string(children[-1]), codec, span=self.span(*children))

    def word(self, children: list[Any]) -> Word:
        """Reduce `word NAME = [class]q …`."""
        return Word(self.name(children[1]), of_type(children, Run), span=self.span(*children))

    def run(self, children: list[Token]) -> Run:
        """Reduce `[class]q`."""
        ranges = parse_class(self.source, self.span(children[0]), self.report)
        low, high = 1, 1
        if len(children) > 1:
            low, high = parse_quantity(self.source, self.span(children[1]), self.report)
        return Run(ranges, low, high, span=self.span(*children))

    def phrase(self, children: list[Token]) -> Phrase:
        """Reduce `phrase NAME = "…"`."""
        text, parts = self.line(children[3])
        return Phrase(self.name(children[1]), text, parts, span=self.span(*children))

    def options(self, children: list[Any]) -> Options:
        """Reduce `options NAME { … }`."""
        return Options(self.name(children[1]), self.option_lines(children), span=self.span(*children))

    def lines(self, children: list[Any]) -> Lines:
        """Reduce `lines NAME [with …] { … }`."""
        uses = children[2].items if isinstance(children[2], Group) else ()
        return Lines(self.name(children[1]), uses, of_type(children, Definition), span=self.span(*children))

    def tools(self, children: list[Any]) -> Group:
        """Reduce `tool bash, shell`."""
        return Group(children[1].items, self.span(*children), "tool")

    def exit(self, children: list[Any]) -> Group:
        """Reduce `exit 0, 1, unknown`."""
        return Group(children[1].items, self.span(*children), "exit")

    def facts(self, children: list[Any]) -> Group:
        """Reduce `facts { … }`."""
        return Group(of_type(children, Fact), self.span(*children), "facts")

    def ensure(self, children: list[Any]) -> Group:
        """Reduce `ensure { … }`."""
        return Group(of_type(children, Claim), self.span(*children), "ensure")

    def rule(self, children: list[Any]) -> Rule:
        """Reduce `rule ID "title" { … }`."""
        streams = of_type(children, Stream)
        self.once(((stream.name, stream) for stream in streams), "this rule")
        groups = {group.tag: group.items for group in of_type(children, Group)}
        summary = next(n for n, child in enumerate(children) if is_token(child, "SUMMARY"))
        uses, definitions = groups["lines"]
        return Rule(
            id=self.name(children[1]),
            title=self.string(children[2]),
            tools=groups["tool"],
            commands=of_type(children, Command),
            exit=groups.get("exit"),
            streams=streams,
            uses=uses,
            definitions=definitions,
            facts=groups.get("facts", ()),
            claims=groups.get("ensure", ()),
            summary=self.string(children[summary + 1]),
            selections=of_type(children, Selection),
            examples=of_type(children, Example),
            span=self.span(*children),
        )

    def selection(self, children: list[Token]) -> Selection:
        """Reduce `selects "…", "…"`; `leaves` alike."""
        commands = tuple(self.string(token) for token in children if token.type == "STRING")
        return Selection(children[0].value, commands, span=self.span(*children))

    def file_text(self, children: list[Token]) -> FileText:
        """Reduce `file "path"`."""
        return FileText(self.string(children[1]), span=self.span(*children))

    def example_part(self, children: list[Any]) -> Group:
        """Reduce `command …`, `stdout …`, `stderr …`."""
        return Group((self._given(children[1]),), self.span(*children), str(children[0]))

    def example_exit(self, children: list[Token]) -> Group:
        """Reduce `exit 1`."""
        return Group((self.integer(children[1]),), self.span(*children), "exit")

    def shows(self, children: list[Any]) -> Group:
        """Reduce `shows …`."""
        return Group((self._given(children[1]),), self.span(*children), "shows")

    def passes(self, children: list[Token]) -> Group:
        """Reduce `passes reason`."""
        return Group((self.name(children[1]),), self.span(*children), "passes")

    def example(self, children: list[Any]) -> Example:
        """Reduce `example "title" { … }`."""
        groups = of_type(children, Group)
        self.once(((group.tag, group) for group in groups), "this example")
        parts: dict[str, Any] = {group.tag: group.items[0] for group in groups}
        span = self.span(*children)
        if "command" not in parts:
            self.fail("E0101", "an example has no `command`", children[0], "this example runs nothing")
        return Example(
            title=self.string(children[1]),
            command=parts.get("command") or Text("", offsets=(span.start,), span=span),
            stdout=parts.get("stdout"),
            stderr=parts.get("stderr"),
            exit=parts.get("exit"),
            shows=parts.get("shows"),
            passes=parts.get("passes"),
            span=span,
        )

    def _given(self, child: Token | FileText) -> Text | FileText:
        return child if isinstance(child, FileText) else self.string(child)

    def setting(self, children: list[Token]) -> Setting:
        """Reduce `level normal`, `min_rows 20`, `tee`."""
        value: Text | Number | Name | None = None
        if len(children) > 1:
            value = self._setting_value(children[1])
        return Setting(self.name(children[0]), value, span=self.span(*children))

    def _setting_value(self, token: Token) -> Text | Number | Name:
        if token.type == "STRING":
            return self.string(token)
        if token.type == "INT":
            return self.integer(token)
        if token.type == "NAME":
            return self.name(token)
        # The language has no floats: a decimal is kept as it is written.
        place = self.span(token)
        return Text(str(token), offsets=tuple(range(place.start, place.end + 1)), span=place)

    def admit(self, children: list[Any]) -> Admit:
        """Reduce `admit "glob" with codec { … }`."""
        settings = of_type(children, Setting)
        self.once(((s.name.text, s) for s in settings), "this entry")
        return Admit(self.string(children[1]), self.name(children[3]), settings, span=self.span(*children))
