r"""A pattern string to its parts: literal text, holes, optional parts, phrases.

Input: a decoded `Text`, whose offsets give every part its exact place. Output: the parts, or None after reporting
E0104. A character written as an escape stands for itself: `\u{7b}` is a brace like `{{`.
"""

from __future__ import annotations

import re
from typing import NoReturn

from .ast import Hole, LiteralText, Name, Number, OptionalPart, Part, PhraseUse, Text
from .diagnostics import Diagnostic, Edit, Label, Report
from .scan import MAX_DEPTH
from .source import Source, Span

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TYPED = re.compile(r"\{[A-Za-z_]*[A-Za-z0-9_]*:[A-Za-z_(]")
_WIDTH = re.compile(r"\(([0-9]{1,6})(?:\.\.([0-9]{1,6}))?\)")
_DEFAULT = re.compile(r" *= *([0-9]{1,18})(?![0-9])")


class _PatternError(Exception):
    """The first thing wrong with a pattern; never leaves this module."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def parse_parts(text: Text, source: Source, report: Report) -> tuple[Part, ...] | None:
    """Return the parts of a pattern or phrase; None when it is malformed, which is then in the report."""
    try:
        return _Reader(text, source).read()
    except _PatternError as error:
        report.add(error.diagnostic)
        return None


class _Reader:
    """Walks the value once; open optional parts stand on a stack, so depth costs no recursion."""

    def __init__(self, text: Text, source: Source) -> None:
        self.text, self.source, self.value = text, source, text.value
        self.at = 0
        self.stack: list[tuple[int, list[Part]]] = [(0, [])]

    def read(self) -> tuple[Part, ...]:
        """Return the parts of the whole value."""
        while self.at < len(self.value):
            start = self.at
            literal = self._literal()
            if literal:
                self._add(LiteralText(literal, span=self._span(start, self.at)))
            elif self._is("}"):
                self._close()
            elif self._is("?", 1):
                self.at += 2
                self.stack.append((start, []))
                if len(self.stack) > MAX_DEPTH:
                    self._fail("optional parts are nested too deeply", start, self.at, "one too many")
            elif self._is("=", 1):
                self._add(self._phrase())
            else:
                self._add(self._hole())
        if len(self.stack) > 1:
            opener = self.stack[-1][0]
            self._fail("an optional part is never closed", opener, opener + 2, "opened here, and no `}` follows")
        return tuple(self.stack[0][1])

    def _add(self, part: Part) -> None:
        self.stack[-1][1].append(part)

    def _literal(self) -> str:
        """Take text up to the next brace that is not doubled.

        Inside an optional part every `}` closes, as `{? package{?s}}` must end two of them.
        """
        taken: list[str] = []
        while self.at < len(self.value):
            if self._is("{"):
                if not self._is("{", 1):
                    break
                self.at += 1
            elif self._is("}"):
                if len(self.stack) > 1 or not self._is("}", 1):
                    break
                self.at += 1
            taken.append(self.value[self.at])
            self.at += 1
        return "".join(taken)

    def _close(self) -> None:
        if len(self.stack) == 1:
            self._fail(
                "a `}` closes nothing here",
                self.at,
                self.at + 1,
                "no hole or optional part is open",
                brace="}}",
            )
        start, parts = self.stack.pop()
        self.at += 1
        if not parts:
            self._fail("an optional part is empty", start, self.at, "nothing stands in it")
        self._add(OptionalPart(tuple(parts), span=self._span(start, self.at)))

    def _phrase(self) -> PhraseUse:
        start = self.at
        match = _NAME.match(self.value, self.at + 2)
        if match is None:
            self._fail("a phrase is named here", start, start + 2, "expected `{=name}`")
        self.at = match.end()
        if not self._is("}"):
            self._fail("the use of a phrase is never closed", start, start + 2, "expected `}` after the name")
        self.at += 1
        return PhraseUse(self._name(match), span=self._span(start, self.at))

    def _hole(self) -> Hole:
        start = self.at
        self.at += 1
        match = _NAME.match(self.value, self.at)
        name = self._name(match) if match else None
        if match:
            self.at = match.end()
        if not (self._is(":") or self._is("}") or self._is(" ") or self._is("=")):
            self._not_a_hole(start)
        kind, choices, width = self._type(start) if self._is(":") else (None, (), None)
        default = None
        if match := _DEFAULT.match(self.value, self.at):
            default = Number(int(match[1]), span=self._span(match.start(1), match.end()))
            self.at = match.end()
        if not self._is("}"):
            self._not_a_hole(start)
        self.at += 1
        span = self._span(start, self.at)
        if default and (kind is None or kind.text != "int"):
            self._fail(
                "only an `int` hole has a value for when it is absent", start, self.at, "its default is a number"
            )
        return Hole(name, kind or Name("text", span=span), choices, width, default, span=span)

    def _type(self, hole: int) -> tuple[Name, tuple[str, ...], tuple[int, int] | None]:
        """Read `:type`; return its name, the choices of an `enum`, the width of a `hex`."""
        self.at += 1
        if self._is("("):
            return self._choices(hole)
        match = _NAME.match(self.value, self.at)
        if match is None:
            self._fail("a type is named after the colon", hole, self.at, "expected a type such as `int` or `word`")
        kind = self._name(match)
        self.at = match.end()
        width = None
        if kind.text == "hex":
            arguments = _WIDTH.match(self.value, self.at)
            if arguments is None:
                self._fail("a `hex` hole says how many digits it takes", hole, self.at, "expected `hex(4..64)`")
            low, high = int(arguments[1]), int(arguments[2] or arguments[1])
            if not 1 <= low <= high:
                self._fail(
                    "no text has this many digits", arguments.start(), arguments.end(), "from 1 up, the lower first"
                )
            width, self.at = (low, high), arguments.end()
        elif self._is("("):
            self._fail(f"the type `{kind.text}` takes nothing in parentheses", hole, self.at + 1, "only `hex` does")
        return kind, (), width

    def _choices(self, hole: int) -> tuple[Name, tuple[str, ...], None]:
        start = self.at
        self.at += 1
        choices = [""]
        while not self._is(")"):
            if self.at >= len(self.value):
                self._fail("the choices of a hole are never closed", hole, start + 1, "expected `)` and `}`")
            if self._is("|"):
                choices.append("")
            else:
                if self._is("{") or self._is("}"):
                    if not self._is(self.value[self.at], 1):
                        self._fail(
                            "a brace among choices is doubled", self.at, self.at + 1, "a lone brace cannot stand here"
                        )
                    self.at += 1
                choices[-1] += self.value[self.at]
            self.at += 1
        self.at += 1
        if "" in choices:
            self._fail(
                "a choice of a hole is empty",
                start,
                self.at,
                "each needs at least one character",
                hint="make the hole optional: `{?{…}}`",
            )
        return Name("enum", span=self._span(start, self.at)), tuple(choices), None

    def _is(self, char: str, ahead: int = 0) -> bool:
        """Tell whether this very character was written at the place; an escape is never special."""
        at = self.at + ahead
        if at >= len(self.value) or self.value[at] != char:
            return False
        return self.text.block or self.text.offsets[at + 1] - self.text.offsets[at] == 1

    def _name(self, match: re.Match[str]) -> Name:
        return Name(match[0], span=self._span(match.start(), match.end()))

    def _span(self, start: int, end: int) -> Span:
        return self.text.place(start, end)

    def _not_a_hole(self, start: int) -> NoReturn:
        closing = self.value.find("}", start)
        following = self.value.find("{", start + 1)
        alone = closing < 0 or 0 <= following < closing
        typed = _TYPED.match(self.value, start, self.at) is not None
        if self.at > start + 1 and (alone or (typed and len(self.stack) > 1)):
            self._unclosed(start)
        if closing < 0:
            self._fail(
                "a hole is never closed",
                start,
                start + 1,
                "opened here, and no `}` follows",
                brace="{{",
            )
        self._fail(
            "this is not a hole",
            start,
            closing + 1,
            "expected `{name}`, `{name:type}` or `{:type}`",
            brace="{{",
        )

    def _unclosed(self, start: int) -> NoReturn:
        """Refuse what reads as a hole up to here, and goes on as text; the brace is missing, not one too many."""
        written = self.value[start : self.at]
        place = Label(self._span(start, self.at), "no `}` follows it")
        self._refuse("a hole has no `}`", place, f"close it: `{written}}}`", Edit(self._span(self.at, self.at), "}"))

    def _fail(
        self, message: str, start: int, end: int, label: str, *, hint: str | None = None, brace: str = ""
    ) -> NoReturn:
        """Give up on this pattern; `brace` replaces the single brace at `start` when the fix is applied."""
        end = min(max(end, start + 1), len(self.value))
        place = self._span(min(start, end), end)
        fix = "double the brace to mean one" if brace else hint
        self._refuse(message, Label(place, label), fix, Edit(self._span(start, start + 1), brace) if brace else None)

    def _refuse(self, message: str, place: Label, help_: str | None, edit: Edit | None) -> NoReturn:
        edits = (edit,) if edit else ()
        raise _PatternError(Diagnostic("E0104", message, self.source, place, help=help_, edits=edits))
