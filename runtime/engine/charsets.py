"""Sets of code points as sorted, disjoint, closed ranges, and their spelling in a regular expression.

Expressions see lines, and no line holds LF: whether a set has it is nobody's concern, and the shorter spelling is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

Ranges = tuple[tuple[int, int], ...]

LAST: Final = 0x10FFFF
ALL: Final[Ranges] = ((0, LAST),)
LF: Final[Ranges] = ((0x0A, 0x0A),)

TEXT: Final[Ranges] = ((0x09, 0x09), (0x20, 0x7E), (0xA0, LAST))


class Classes(NamedTuple):
    """The character classes of holes, as `docs/pack-format.md` names them."""

    text: Ranges
    word: Ranges
    cell: Ranges
    raw: Ranges


ANY_LINE: Final = Classes(
    text=TEXT,
    word=((0x21, 0x7E), (0xA0, LAST)),
    cell=((0x20, 0x7E), (0xA0, LAST)),
    raw=ALL,
)
"""For any line of a scanned text, which holds neither NUL nor ESC: `raw` has nothing left to refuse."""

CLEAN_LINE: Final = Classes(
    text=ALL, word=((0, 0x08), (0x0A, 0x1F), (0x21, LAST)), cell=((0, 0x08), (0x0A, LAST)), raw=ALL
)
"""For lines without control characters but tab: what need not be told apart makes for much faster expressions."""

_CONTROLS: Final = "".join(map(chr, (*range(0x09), *range(0x0B, 0x20), 0x7F)))
_MORE_CONTROLS: Final = "".join(map(chr, range(0x80, 0xA0)))


def is_clean(text: str) -> bool:
    """Say whether a text holds no control characters but tab and LF."""
    if text.isascii():
        return not any(map(text.__contains__, _CONTROLS))
    # Searching bytes for one of them is many times faster than searching wide characters.
    data = text.encode("utf-8", "surrogatepass")
    if any(char.encode() in data for char in _CONTROLS):
        return False
    return b"\xc2" not in data or not any(char.encode() in data for char in _MORE_CONTROLS)


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
    if kept[-1][1] != LAST:
        return f"[{_spell_ranges(kept)}]"
    gaps = complement(union(kept, LF))
    # With LF among the gaps they may be one range the fewer, else leaving it out is.
    with_lf = complement(kept)
    gaps = with_lf if gaps and len(with_lf) <= len(gaps) else gaps
    return f"[^{_spell_ranges(gaps)}]" if gaps else "(?s:.)"


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
