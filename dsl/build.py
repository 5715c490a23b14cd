"""What the parser's reductions share: spans from children, names, texts, and how a mistake is reported.

The tree is built while parsing (Lark calls these methods at each reduction), so deep input costs no recursion.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from lark import Token, Transformer

from .ast import Name, Node, Number, Part, Path, Text
from .diagnostics import Diagnostic, Label, Report
from .pattern import parse_parts
from .source import Source, Span
from .text import decode_block, decode_string


@dataclass(frozen=True, slots=True)
class Group:
    """An intermediate result: nodes with the span of all that was written for them, and a word that says what it is."""

    items: tuple[Any, ...]
    span: Span
    tag: str = ""


Child = Token | Node | Group


class Builder(Transformer[Token, Any]):
    """Base of the reductions. `begin` must be called before each parse."""

    source: Source
    report: Report
    offset: int

    def begin(self, source: Source, report: Report, offset: int) -> None:
        """Set the source, where diagnostics go, and the offset at which the parsed piece begins."""
        self.source, self.report, self.offset = source, report, offset

    def span(self, *children: Child) -> Span:
        """Return the span from the first to the last of the children, all in written order."""
        return Span(self._start(children[0]), self._end(children[-1]))

    def _start(self, child: Child) -> int:
        return self.offset + cast(int, child.start_pos) if isinstance(child, Token) else child.span.start

    def _end(self, child: Child) -> int:
        return self.offset + cast(int, child.end_pos) if isinstance(child, Token) else child.span.end

    def name(self, token: Token) -> Name:
        """Return a token as a name."""
        return Name(str(token), span=self.span(token))

    def dotted(self, token: Token) -> Path:
        """Return a token `a.b` as a path; each name keeps its own place."""
        names: list[Name] = []
        at = self.span(token).start
        for part in token.split("."):
            names.append(Name(part, span=Span(at, at + len(part))))
            at += len(part) + 1
        return Path(tuple(names), span=self.span(token))

    def integer(self, token: Token) -> Number:
        """Return a token as a number."""
        return Number(int(token), span=self.span(token))

    def string(self, token: Token) -> Text:
        """Return a `STRING` or `BLOCK` token as a text."""
        if token.type == "BLOCK":
            return decode_block(self.source, self.span(token))
        return decode_string(self.source, self.span(token), self.report)

    def line(self, token: Token) -> tuple[Text, tuple[Part, ...]]:
        """Return a `STRING` token as a pattern: its text and its parts, none when it is malformed."""
        text = decode_string(self.source, self.span(token), self.report, pattern=True)
        return text, parse_parts(text, self.source, self.report) or ()

    def fail(self, code: str, message: str, place: Child, label: str, **more: Any) -> None:
        """Report a mistake at a child."""
        self.report.add(Diagnostic(code, message, self.source, Label(self.span(place), label), **more))

    def once(self, children: Iterable[tuple[str, Node | Group]], where: str) -> None:
        """Report what is said twice; `children` are the words that name each thing, and where it stands."""
        seen: dict[str, Node | Group] = {}
        for word, child in children:
            if word in seen:
                first = Label(seen[word].span, "first said here")
                self.fail("E0106", f"`{word}` is said twice in {where}", child, "said again", secondary=(first,))
            seen.setdefault(word, child)

    def names(self, children: list[Token]) -> Group:
        """Reduce `a, b`."""
        found = tuple(self.name(t) for t in children if t.type == "NAME")
        return Group(found, self.span(*children))

    def uses(self, children: list[Any]) -> Group:
        """`with a, b`."""
        return Group(children[1].items, self.span(*children))

    def paths(self, children: list[Token]) -> Group:
        """`a.b, c.d`."""
        found = tuple(self.dotted(t) for t in children if t.type == "PATH")
        return Group(found, self.span(*children))

    def codes(self, children: list[Token]) -> Group:
        """`0, 1, unknown`; None is `unknown`."""
        found = tuple(None if t.type == "UNKNOWN" else int(t) for t in children if t.type in {"INT", "UNKNOWN"})
        return Group(found, self.span(*children))


def is_token(child: object, *types: str) -> bool:
    """Tell whether a child is a token of one of the types."""
    return isinstance(child, Token) and child.type in types


def of_type(children: Iterable[Any], kind: Any) -> tuple[Any, ...]:
    """Return the children of one class (or union of classes), in order."""
    return tuple(child for child in children if isinstance(child, kind))
