"""Classes of code points, and text mapped to one representative character per class.

Role: let a stdlib regex over a small alphabet cut text as the encodings' Unicode patterns do. Input is any text without
surrogates; `CLASS_TEXT` is a table for `str.translate` that maps each character beyond ASCII to the representative of
its class and leaves ASCII as it is, so the result has the same length and the same cuts. The classes are those of
tiktoken's pattern engine, probed by `generate.py`: this interpreter's own Unicode version does not matter.
"""

from __future__ import annotations

import os
import sys
from bisect import bisect_right

from .ranks import DATA, RankDataError

RANGES = "codepoints.ranges"


class Class:
    """What the patterns of both encodings tell apart; values are those of the data file."""

    OTHER = 0
    UPPER = 1
    LOWER = 2
    OTHER_LETTER = 3
    MARK = 4
    NUMBER = 5
    SPACE = 6
    LONG_S = 7


OTHER_LETTER = "\x80"
MARK = "\x81"

# U+017F folds to `s`, so it takes part in contractions: its representative is the letter itself.
_REPRESENTATIVE = (".", "A", "a", OTHER_LETTER, MARK, "0", "\t", "s")


_REMEMBERED = 1 << 16


class _ClassText(dict[int, str]):
    """Code point to representative, filled as code points are met."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        super().__init__((point, chr(point)) for point in range(128))
        self._words: memoryview | list[int] | None = None

    def __missing__(self, point: int) -> str:
        words = self._words
        if words is None:
            words = self._words = load_ranges()
        kind = words[bisect_right(words, point << 4 | 15) - 1] & 15
        found = _REPRESENTATIVE[kind]
        if len(self) < _REMEMBERED:
            self[point] = found
        return found


def load_ranges(directory: str = DATA) -> memoryview | list[int]:
    """Return the runs of `codepoints.ranges`, ascending words of first code point times 16 plus class."""
    try:
        with open(os.path.join(directory, RANGES), "rb") as file:
            raw = file.read()
    except OSError as error:
        raise RankDataError(f"{error.strerror}: {error.filename}") from error
    if len(raw) < 4 or len(raw) % 4 or raw[:4] != bytes(4):
        raise RankDataError(f"{RANGES} is damaged")
    words = memoryview(raw).cast("I")
    if sys.byteorder == "big":
        return [int.from_bytes(raw[at : at + 4], "little") for at in range(0, len(raw), 4)]
    return words


CLASS_TEXT = _ClassText()


def count_surrogates(text: str) -> int:
    """Return how many code units of `text` are surrogates, paired or alone."""
    if text.isascii():
        return 0
    try:
        text.encode()
    except UnicodeEncodeError:
        return len(text) - len(text.encode(errors="ignore").decode())
    return 0


def without_surrogates(text: str) -> str:
    """Return `text` as tiktoken counts it: surrogate pairs joined, lone surrogates as U+FFFD."""
    if not count_surrogates(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
