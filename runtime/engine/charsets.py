"""Sets of code points as sorted, disjoint, closed ranges, and their spelling in a regular expression.

Invariant: every spelling leaves out LF, which no line holds, so that an expression may also run over a whole text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Ranges = tuple[tuple[int, int], ...]

LAST: Final = 0x10FFFF
ALL: Final[Ranges] = ((0, LAST),)
LF: Final[Ranges] = ((0x0A, 0x0A),)

TEXT: Final[Ranges] = ((0x09, 0x09), (0x20, 0x7E), (0xA0, LAST))
CELL: Final[Ranges] = ((0x20, 0x7E), (0xA0, LAST))
WORD: Final[Ranges] = ((0x21, 0x7E), (0xA0, LAST))
RAW: Final[Ranges] = ((0x01, 0x09), (0x0B, 0x1A), (0x1C, LAST))
FIT_CLASSES: Final = {"text": TEXT, "word": WORD, "cell": CELL}


def normal(ranges: list[tuple[int, int]]) -> Ranges:
    """Return the ranges sorted, with overlapping and touching ones joined."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def complement(ranges: Ranges) -> Ranges:
    """Return every other code point."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in ranges:
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        gaps.append((start, LAST))
    return tuple(gaps)


def union(left: Ranges, right: Ranges) -> Ranges:
    """Return what is in either."""
    return normal([*left, *right])


def common(left: Ranges, right: Ranges) -> Ranges:
    """Return what is in both."""
    return complement(union(complement(left), complement(right)))


def without(left: Ranges, right: Ranges) -> Ranges:
    """Return what is in the first and not in the second."""
    return common(left, complement(right))


def spell(ranges: Ranges) -> str:
    """Return the regular expression of one character of the set; of none, an expression that never matches."""
    kept = without(ranges, LF)
    if not kept:
        return "(?!)"
    if len(kept) == 1 and kept[0][0] == kept[0][1]:
        return spell_literal(chr(kept[0][0]))
    # A set that runs to the last code point is spelt by its gaps: its table would span every plane.
    if kept[-1][1] == LAST:
        return f"[^{_spell_ranges(complement(kept))}]"
    return f"[{_spell_ranges(kept)}]"


def one_of(chars: Iterable[str]) -> str:
    """Return the regular expression of one of these characters."""
    return spell(normal([(ord(char), ord(char)) for char in chars]))


def spell_literal(text: str) -> str:
    """Return the regular expression of a text."""
    return "".join(char if char.isalnum() or char in " _" else _escape(ord(char)) for char in text)


def _spell_ranges(ranges: Ranges) -> str:
    return "".join(_escape(low) if low == high else f"{_escape(low)}-{_escape(high)}" for low, high in ranges)


def _escape(point: int) -> str:
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
