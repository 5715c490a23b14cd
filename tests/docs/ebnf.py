"""The written grammar of the language, read as a program: it recognises tokens, and makes texts.

Input: the text of `docs/grammar.ebnf`. A production is a tree of `("seq", …)`, `("alt", …)`, `("many", x)`,
`("opt", x)`, `("word", text)`, `("token", NAME)` and `("name", production)`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_PART = re.compile(r'"(?P<word>[^"]+)"|(?P<token>[A-Z]+)|(?P<name>[a-z]+)|(?P<mark>[=|.(){}\[\]])')
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_WRAPPED = {"{": "many", "[": "opt"}

Node = tuple[Any, ...]


class Token(NamedTuple):
    """A token: what the lexer calls it, and how it is written."""

    kind: str
    text: str


class Grammar:
    """The productions by name."""

    def __init__(self, page: str) -> None:
        self.productions: dict[str, Node] = {}
        parts = [(found.lastgroup, found[found.lastgroup or 0]) for found in _PART.finditer(_without_comments(page))]
        while parts:
            (_, name), (_, equals) = parts.pop(0), parts.pop(0)
            assert equals == "="
            self.productions[name] = _alternatives(parts)
            assert parts.pop(0) == ("mark", "."), name
        self._least: dict[str, int] = {}

    def recognises(self, start: str, tokens: Sequence[Token], kinds: Mapping[str, frozenset[str]]) -> bool:
        """Say whether tokens are a `start`; `kinds[NAME]` are the kinds of token that the grammar's NAME stands for."""
        return len(tokens) in _Recogniser(self.productions, tokens, kinds).ends(("name", start), 0)

    def make(self, start: str, words: Mapping[str, Sequence[str]], seed: int) -> str:
        """Return a random text of a production; `words[NAME]` are what its tokens may be."""
        chance = random.Random(seed)
        made: list[str] = []
        self._make(("name", start), words, chance, 7, made)
        return " ".join(made)

    def _make(self, node: Node, words: Any, chance: random.Random, depth: int, made: list[str]) -> None:
        kind = node[0]
        if kind == "word":
            made.append(node[1])
        elif kind == "token":
            made.append(chance.choice(words[node[1]]))
        elif kind == "name":
            self._make(self.productions[node[1]], words, chance, depth - 1, made)
        elif kind == "seq":
            for each in node[1:]:
                self._make(each, words, chance, depth, made)
        elif kind == "alt":
            least = min(map(self._height, node[1:]))
            fitting = [each for each in node[1:] if self._height(each) <= max(depth, least)]
            self._make(chance.choice(fitting), words, chance, depth, made)
        elif self._height(node[1]) <= depth:
            for _ in range(chance.choice((0, 1, 1, 2)) if kind == "many" else chance.choice((0, 1))):
                self._make(node[1], words, chance, depth, made)

    def _height(self, node: Node, above: frozenset[str] = frozenset()) -> int:
        """Return how many productions lie within one another at least."""
        kind = node[0]
        if kind == "name":
            if node[1] in above:
                return 1000
            if node[1] not in self._least or above:
                height = 1 + self._height(self.productions[node[1]], above | {node[1]})
                if above:
                    return height
                self._least[node[1]] = height
            return self._least[node[1]]
        if kind in ("seq", "alt"):
            return (max if kind == "seq" else min)(self._height(each, above) for each in node[1:])
        return 0


class _Recogniser:
    def __init__(self, productions: Any, tokens: Sequence[Token], kinds: Mapping[str, frozenset[str]]) -> None:
        self._productions, self._tokens, self._kinds = productions, tokens, kinds
        self._known: dict[tuple[str, int], frozenset[int]] = {}

    def ends(self, node: Node, at: int) -> frozenset[int]:
        """Return where the node may end that begins at token `at`."""
        kind = node[0]
        if kind in ("word", "token"):
            token = self._tokens[at] if at < len(self._tokens) else None
            if token is None:
                return frozenset()
            fits = token.text == node[1] if kind == "word" else token.kind in self._kinds[node[1]]
            return frozenset({at + 1}) if fits else frozenset()
        if kind == "name":
            key = (node[1], at)
            if key not in self._known:
                self._known[key] = self.ends(self._productions[node[1]], at)
            return self._known[key]
        if kind == "seq":
            found = frozenset({at})
            for each in node[1:]:
                found = frozenset(end for start in found for end in self.ends(each, start))
            return found
        if kind == "alt":
            return frozenset(end for each in node[1:] for end in self.ends(each, at))
        found, new = frozenset({at}), frozenset({at})
        while new:
            new = frozenset(end for start in new for end in self.ends(node[1], start)) - found
            found |= new
            if kind == "opt":
                break
        return found


def _without_comments(page: str) -> str:
    return re.sub(r"\(\*.*?\*\)", "", page, flags=re.DOTALL)


def _alternatives(parts: list[Any]) -> Node:
    found = [_sequence(parts)]
    while parts[0] == ("mark", "|"):
        parts.pop(0)
        found.append(_sequence(parts))
    return found[0] if len(found) == 1 else ("alt", *found)


def _sequence(parts: list[Any]) -> Node:
    found: list[Node] = []
    while parts[0][0] != "mark" or parts[0][1] in _CLOSING:
        kind, text = parts.pop(0)
        if kind != "mark":
            found.append((kind, text))
            continue
        inner = _alternatives(parts)
        assert parts.pop(0) == ("mark", _CLOSING[text])
        found.append((_WRAPPED[text], inner) if text in _WRAPPED else inner)
    return found[0] if len(found) == 1 else ("seq", *found)
