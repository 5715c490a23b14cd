"""What the numbers of a line count: lines that were seen, or different texts in them.

Input: the kinds and lines of a stream. Output: `Claim`s that hold for this output. One is made where number and count
agree and a word beside the number speaks of these lines, or where nothing else is so many and it is no small number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .kinds import Kind

_TELLING: Final = 4
"""From here on, that two numbers are the same is no chance where only one count is so high."""

_MEANING: Final = {
    "ok": "pass", "passed": "pass", "passing": "pass", "success": "pass", "succeeded": "pass", "failed": "fail",
    "failure": "fail", "failing": "fail", "warn": "warning", "skipped": "skip", "ignored": "skip", "case": "test",
}  # fmt: skip
_ANYTHING: Final = frozenset({"problem", "total", "item", "result", "finding", "issue", "entrie", "line"})


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that can be counted, as the language writes it, how many there are, and the words that speak of it."""

    written: str
    count: int
    words: frozenset[str]
    fact: str | None = None
    """The definition of a fact that it needs."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`counted` is what `kind.capture` says."""

    counted: Counted
    kind: str
    capture: str


def find_claims(kinds: Sequence[Kind], lines: Sequence[str]) -> list[Claim]:
    """Return the claims of a stream."""
    countable = list(_countable(kinds, lines))
    found = []
    for kind in kinds:
        if kind.role not in {"total", "title"} or kind.template is None:
            continue
        values = kind.template.values(lines[kind.lines[0]])
        for number, capture in kind.captured("int"):
            counted = _find(int(values[number]), capture, countable)
            if counted is not None:
                found.append(Claim(counted, kind.name, capture))
    return found


def _find(value: int, capture: str, countable: Sequence[Counted]) -> Counted | None:
    same = [each for each in countable if each.count == value]
    meant = _stem(re.sub(r"_[0-9]+\Z", "", capture))
    speaking = [each for each in same if meant in each.words]
    if speaking:
        return speaking[0]
    plain = len(same) == 1 and same[0].fact is None and "where" not in same[0].written
    return same[0] if plain and value >= _TELLING else None


def _countable(kinds: Sequence[Kind], lines: Sequence[str]) -> Iterator[Counted]:
    rows = [kind for kind in kinds if kind.role == "row"]
    for kind in rows:
        assert kind.template is not None
        words = {_stem(word) for word in [kind.name, *kind.name.split("_"), *kind.template.words]}
        seen = [kind.template.values(lines[number]) for number in kind.lines]
        paths = [number for number, _ in kind.captured("word") if kind.template.parts[number].sort == "path"]
        if any(len({values[number] for values in seen}) == len(seen) for number in paths):
            # Each line is about a file of its own.
            words.add("file")
        yield Counted(
            f"count {kind.name}", len(kind.lines), frozenset(words | (_ANYTHING if len(rows) == 1 else set()))
        )
        for number, capture in kind.captured("choice"):
            for verdict, count in sorted(Counter(values[number] for values in seen).items()):
                written = f'count {kind.name} where {capture} = "{verdict}"'
                yield Counted(written, count, frozenset({_stem(verdict)}))
        for number, capture in kind.captured("word"):
            if kind.template.parts[number].sort == "path":
                fact = f"distinct {kind.name}.{capture}"
                yield Counted("files", len({values[number] for values in seen}), frozenset({"file"}), fact)
    if len(rows) > 1:
        total = sum(len(kind.lines) for kind in rows)
        yield Counted(f"count {', '.join(kind.name for kind in rows)}", total, _ANYTHING)


def _stem(word: str) -> str:
    word = word.lower()
    word = _MEANING.get(word, word)
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
