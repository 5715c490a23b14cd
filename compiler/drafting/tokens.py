"""A line becomes tokens, each of a sort: numbers, durations, paths, quoted words, words, marks.

Input: a line. Output: tokens whose texts joined are the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_BARS: Final = "=-_*#~+─━═"
_SORTS: Final = (
    ("tree", r"[│├└┬─ ]*[├└┬][│├└┬─ ]*"),
    ("space", r"[ \t]+"),
    ("bar", "|".join(f"[{mark}]{{4,}}" for mark in map(re.escape, _BARS))),
    ("quoted", r"(?<!\w)(?:\"[^\"]*\"|`[^`]*`|'[^']*')(?!\w)"),
    ("url", r"[a-z]{3,8}://[^\s\"'`<>)\]},]+"),
    ("package", r"[A-Za-z@][\w.]*(?:-[A-Za-z_]\w*)*-[0-9]+(?:\.[0-9]\w*)+(?![\w.-])"),
    ("version", r"v?[0-9]+(?:\.[0-9]+){2,}(?:[-+.][0-9A-Za-z.+-]*[0-9A-Za-z])?(?!\w)"),
    ("path", r"(?:~|\.{1,2})?/?(?:[\w@.+-]+/)+[\w@+-]*(?:\.[\w@+-]+)*|/[\w@+-]+(?:\.[\w@+-]+)*"),
    ("path", r"\.?[\w@+-]+(?:\.[\w@+-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}(?!\w)"),
    ("duration", r"(?:[0-9]+m[ ]?)?[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|ms|s|sec|secs|m|min|h)(?!\w)"),
    ("size", r"[0-9]+(?:\.[0-9]+)?(?:[KMGTP]i?B?|kB|B)(?!\w)"),
    ("percent", r"[0-9]+(?:\.[0-9]+)?%"),
    ("number", r"[0-9]+\.[0-9]+(?!\w)|[0-9]{1,3}(?:,[0-9]{3})+(?!\w)"),
    ("int", r"[0-9]{1,18}(?!\w)"),
    ("hex", r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,64}(?!\w)"),
    ("word", r"\w+(?:[-']\w+)*"),
    ("mark", r"."),
)
_TOKEN: Final = re.compile(
    "|".join(f"(?P<s{number}>{pattern})" for number, (_, pattern) in enumerate(_SORTS)), re.DOTALL
)

NUMERIC: Final = frozenset({"duration", "size", "percent", "number", "int"})
"""Sorts that measure something."""

FREE: Final = frozenset({"word", "mark", "space"})
"""Sorts that may be fixed text; of all others, only that there is one is taken for fixed."""


_LETTERS: Final = {"path": "p", "int": "i", "space": "s", "word": "w"}
_TOLD: Final = re.compile(r"(p:i:(?:i:)?|si?s?\|)(?:s(w(?:sw)?):)?")


class Token(NamedTuple):
    """A piece of a line and its sort."""

    sort: str
    text: str


def told_from(tokens: Sequence[Token]) -> int:
    """Return at which token a message begins: behind a place (`a.c:3:1:`), or the gutter of a quoted line (`  3 |`).

    0 where there is none. What a message says may be anything, however often its words come again.
    """
    found = _TOLD.match(_letters(tokens))
    return found.end(1) if found else 0


def label_of(tokens: Sequence[Token]) -> str:
    """Return how the message behind a place is labelled (`error`, `fatal error`); empty where it is not."""
    found = _TOLD.match(_letters(tokens))
    return "".join(token.text for token in tokens[found.start(2) : found.end(2)]) if found and found[2] else ""


def _letters(tokens: Sequence[Token]) -> str:
    return "".join(_LETTERS.get(token.sort, token.text if token.text in {":", "|"} else "?") for token in tokens[:11])


def cut_line(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line."""
    return tuple(Token(_SORTS[int((match.lastgroup or "s0")[1:])][0], match[0]) for match in _TOKEN.finditer(line))
