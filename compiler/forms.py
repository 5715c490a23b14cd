"""What a rule's command forms admit, read from the tree a second time: the oracle that near misses are held against.

Input: a rule and the names of its file. Output: `Form`s, which say of words whether they are the rule's.

INVARIANT: shares nothing with the lowering of commands or with the runtime's matcher. Options become regular
expressions over the words, each of which ends with a line feed; what they say is the table of docs/language.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, NamedTuple

from ..dsl import ast
from ..dsl.source import Source
from .scope import Scope

Words = Sequence[str]

_TYPES: Final = {
    "int": "[0-9]{1,18}",
    "word": "[^\n]+",
    "any": "[^\n]*",
    "name": "[A-Za-z0-9_.:/@-]+",
    "path": "[A-Za-z0-9/._][A-Za-z0-9/._-]*",
    "toolchain": "[A-Za-z0-9._-]+",
}
_OPERAND: Final = "[^-\n][^\n]*\n"
_MOST_ORDERS: Final = 120


class Given(NamedTuple):
    """An option of a form: as written, in which file, in which role, and its expression."""

    option: ast.Option
    source: Source
    role: str
    pattern: str

    def stands_in(self, words: Words) -> bool:
        """Say whether it can be read anywhere behind the first word."""
        return any(re.match(self.pattern, _text(words[at:])) for at in range(1, len(words)))


@dataclass(frozen=True, slots=True)
class Form:
    """One head with the body that it shares. `needs` are those of `needs` lines, one group for each."""

    head: tuple[str, ...]
    options: tuple[Given, ...]
    needs: tuple[tuple[Given, ...], ...]
    types: dict[str, str]
    operand: bool
    after: bool

    def of_role(self, role: str) -> list[Given]:
        """Return the options of one role."""
        return [given for given in self.options if given.role == role]

    def accepts(self, words: Words) -> bool:
        """Say whether the words are a command of this form."""
        return bool(words) and not self._refuses(words) and any(self._body(rest) for rest in self.behind_head(words))

    def behind_head(self, words: Words) -> Iterator[str]:
        """Yield what follows the head, in every reading."""
        text = _text(words)
        first = f"{self.head[0]}\n"
        if text.startswith(first):
            yield from _heads(text[len(first) :], self.head[1:], tuple(self.of_role("global")))

    def _refuses(self, words: Words) -> bool:
        return any(given.stands_in(words) for given in self.of_role("refuse"))

    def _body(self, rest: str) -> bool:
        before, dashes, _ = f"\n{rest}".partition("\n--\n")
        before = (before + "\n").removeprefix("\n") if dashes else rest
        if dashes and not self.after:
            return False
        free = [given.pattern for given in self.options if given.role in {"option", "needs"}]
        items = f"(?:{'|'.join([*free, *([_OPERAND] if self.operand else [])]) or '(?!)'})*"
        groups = [f"(?:{'|'.join(given.pattern for given in need) or '(?!)'})" for need in self.needs]
        orders = [order for order, _ in zip(permutations(groups), range(_MOST_ORDERS), strict=False)]
        return any(re.fullmatch(items + "".join(group + items for group in order), before) for order in orders)


def rule_forms(rule: ast.Rule, source: Source, scope: Scope) -> tuple[Form, ...]:
    """Return the forms of a rule, one for each head."""
    types = {**_TYPES, **{name: _word(placed.node) for name, placed in scope.words.items()}}
    found: list[Form] = []
    for command in rule.commands:
        lines = list(_lines(command.lines, source, scope))
        given = [
            Given(option, place, line.role, _pattern(option, types))
            for line, place in lines
            if isinstance(line, ast.OptionLine)
            for option in line.options
        ]
        needs = [line for line, _ in lines if isinstance(line, ast.OptionLine) and line.role == "needs"]
        groups = tuple(tuple(each for each in given if each.option in need.options) for need in needs)
        operand = any(isinstance(line, ast.Operands) for line, _ in lines)
        after = any(isinstance(line, ast.AfterDashes) for line, _ in lines)
        found += [Form(head.words, tuple(given), groups, types, operand, after) for head in command.heads]
    return tuple(found)


def _lines(lines: Sequence[ast.CommandLine], source: Source, scope: Scope) -> Iterator[tuple[ast.CommandLine, Source]]:
    for line in lines:
        if isinstance(line, ast.WithOptions):
            placed = scope.options[line.name.text]
            yield from _lines(placed.node.lines, placed.source, scope)
        else:
            yield line, source


def _word(word: ast.Word) -> str:
    runs = []
    for run in word.runs:
        ranges = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in run.ranges)
        runs.append(f"(?:(?!\n)[{ranges}]){{{run.low},{'' if run.high is None else run.high}}}+")
    return "".join(runs)


def _pattern(option: ast.Option, types: dict[str, str]) -> str:
    flag = re.escape(option.flag)
    if option.value == "none":
        return f"{flag}\n"
    if option.value == "word":
        return f"{flag}\n{re.escape(option.word or '')}\n"
    assert option.type is not None
    value = types[option.type.text]
    match option.value:
        case "either":
            return f"(?:{flag}={value}\n|{flag}\n(?!-){value}\n)"
        case "split":
            return f"{flag}\n(?!-){value}\n"
        case "equals":
            return f"{flag}={value}\n"
        case _:
            return f"{flag}{value}\n"


def _heads(text: str, head: tuple[str, ...], free: tuple[Given, ...]) -> Iterator[str]:
    """Yield what follows the rest of a head, with globals before its words, each at most once."""
    if not head:
        yield text
        return
    word = f"{head[0]}\n"
    if text.startswith(word):
        yield from _heads(text[len(word) :], head[1:], free)
    for given in free:
        found = re.match(given.pattern, text)
        if found is not None:
            yield from _heads(text[found.end() :], head, tuple(other for other in free if other is not given))


def _text(words: Words) -> str:
    return "".join(f"{word}\n" for word in words)
