"""Bounded "did you mean": the closest of the words that could stand somewhere, or none.

A swap of two neighbours counts as one edit. Words of up to three characters may differ by one edit, longer ones by two.
"""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate closest to `word` within the cap; among equals the first in code-point order."""
    cap = 1 if len(word) <= 3 else 2
    best: tuple[int, str] | None = None
    for candidate in sorted(set(candidates)):
        if candidate == word or abs(len(candidate) - len(word)) > cap:
            continue
        distance = _distance(word, candidate, cap)
        # Two words of which every letter differs have nothing to do with each other.
        if distance <= cap and distance < max(len(word), len(candidate)) and (best is None or distance < best[0]):
            best = distance, candidate
    return best[1] if best else None


def _distance(a: str, b: str, cap: int) -> int:
    """Optimal string alignment distance; anything above `cap` is `cap + 1`."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, char in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == b[j - 2] and a[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > cap:
            return cap + 1
    return min(row[-1], cap + 1)
