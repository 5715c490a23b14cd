"""Sets of characters as sorted, merged, closed ranges of code points, and which character of a set to show."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Final

from .program import Ranges

_TASTE: Final = (
    ((0x61, 0x7A),),  # a letter
    ((0x30, 0x39),),  # a digit
    ((0x41, 0x5A),),  # a capital
    ((0x20, 0x20),),
    ((0x2D, 0x2E), (0x5F, 0x5F)),  # - . _
    ((0x21, 0x7E),),
    ((0xC0, 0x24F),),  # a letter of another alphabet
    ((0x09, 0x09),),
)


@cache
def intersect(left: Ranges, right: Ranges) -> Ranges:
    """Return the characters in both."""
    found: list[tuple[int, int]] = []
    for low, high in left:
        for other_low, other_high in right:
            start, end = max(low, other_low), min(high, other_high)
            if start <= end:
                found.append((start, end))
    return tuple(sorted(found))


@cache
def subtract(left: Ranges, right: Ranges) -> Ranges:
    """Return the characters of the first that are not in the second."""
    pieces = list(left)
    for low, high in right:
        pieces = [
            piece
            for start, end in pieces
            for piece in ((start, min(end, low - 1)), (max(start, high + 1), end))
            if piece[0] <= piece[1]
        ]
    return tuple(pieces)


@cache
def unite(left: Ranges, right: Ranges) -> Ranges:
    """Return the characters in either."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(left + right):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def single(char: str) -> Ranges:
    """Return the set of one character."""
    return ((ord(char), ord(char)),)


@cache
def samples(ranges: Ranges) -> tuple[tuple[int, str], ...]:
    """Return a few characters of a set, the most readable first, each with its penalty (0 is best)."""
    shown: list[tuple[int, str]] = []
    left = ranges
    for penalty, taste in enumerate(_TASTE):
        here = intersect(left, taste)
        if here:
            shown.append((penalty, chr(here[0][0])))
            left = subtract(left, taste)
    if left:
        shown.append((len(_TASTE), chr(left[0][0])))
    return tuple(shown)


def atoms(sets: list[Ranges]) -> list[Ranges]:
    """Return the coarsest partition of all characters of the sets in which each set is a union of parts."""
    cuts = sorted({cut for ranges in sets for low, high in ranges for cut in (low, high + 1)})
    pieces = [(low, nxt - 1) for low, nxt in itertools.pairwise(cuts)]
    parts: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for low, high in pieces:
        key = tuple(i for i, ranges in enumerate(sets) if any(a <= low and high <= b for a, b in ranges))
        if key:
            parts.setdefault(key, []).append((low, high))
    return [tuple(part) for part in parts.values()]
