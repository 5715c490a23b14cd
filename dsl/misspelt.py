"""Misspelt keywords that read as names, so that the parser stops only behind them.

Input: the text of an entry up to where the parser stopped. Output: the word that is meant to be a keyword. In
`running = cuont job`, `cuont` is a value, `job` begins the next fact, and the parser stops where that lacks its `=`.

Invariant: a word at the beginning of its line is left alone; there a name is what an author would write.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from .source import Source, Span
from .suggest import did_you_mean

_VALUES = ("count", "sum", "distinct", "each", "group", "first", "last", "sorted", "trimmed")
_LINKS = ("where", "by", "or", "in")
_CLAIMS = ("when", "each", "some", "no", *_VALUES)
_RELATIONS = ("where", "within", "or")

# The two words before the stop are near it; a search of the whole entry would cost as much for each entry.
_NEAR = 400

_VALUE = re.compile(r"=\s*([a-z]+)[ \t]+[\w.]+\s*\Z")
_CLAIM = re.compile(r"(?:^|[:{])[ \t]*([a-z]+)[ \t]+\Z", re.MULTILINE)
_LINK = re.compile(r"[^\s:][ \t]+([a-z]+)\s+\Z")


class Misspelt(NamedTuple):
    """A word, where it stands, and the keyword it is close to."""

    word: str
    span: Span
    meant: str


def find_misspelt(source: Source, start: int, at: int, accepted: Collection[str]) -> Misspelt | None:
    """Return the misspelt keyword before `at`, where the parser accepts only these terminals; None if none is near."""
    if set(accepted) == {"EQUAL"}:
        readings = ((_LINK, _LINKS), (_VALUE, _VALUES))
    elif "RELATION" in accepted:
        readings = ((_CLAIM, _CLAIMS), (_LINK, _RELATIONS))
    else:
        return None
    start = max(start, at - _NEAR)
    for pattern, keywords in readings:
        match = pattern.search(source.text, start, at)
        if match is None or match[1] in keywords:
            continue
        meant = did_you_mean(match[1], keywords)
        if meant is not None:
            return Misspelt(match[1], Span(match.start(1), match.end(1)), meant)
    return None
