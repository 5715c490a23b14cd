"""Durations in bounded memory: a histogram with buckets that grow with the durations.

Input: whole microseconds. Output: their number, sum, least and greatest, all exact, and percentiles, which are within
1.6 % of a duration that was given: each octave is cut into 32 equal buckets, and a percentile is the middle of one.

Invariants: the same durations give the same histogram in any order and any grouping, on every machine (no logarithm is
taken, no fractions are added); memory is bounded by 32 buckets an octave.
"""

from __future__ import annotations

from math import frexp, ldexp

_PER_OCTAVE = 32


class Durations:
    """Durations in microseconds, as counts by bucket."""

    __slots__ = ("buckets", "count", "greatest", "least", "total")

    def __init__(self) -> None:
        self.buckets: dict[int, int] = {}
        self.count = 0
        self.total = 0
        self.least = 0
        self.greatest = 0

    def add(self, microseconds: int) -> None:
        """Take in a duration of no less than 0."""
        fraction, exponent = frexp(microseconds)
        bucket = exponent * _PER_OCTAVE + int(fraction * 2 * _PER_OCTAVE) - _PER_OCTAVE if microseconds else -1
        self.buckets[bucket] = self.buckets.get(bucket, 0) + 1
        self.least = min(self.least, microseconds) if self.count else microseconds
        self.greatest = max(self.greatest, microseconds)
        self.count += 1
        self.total += microseconds

    def merge(self, other: Durations) -> None:
        """Take in all of another histogram."""
        if not other.count:
            return
        for bucket, count in other.buckets.items():
            self.buckets[bucket] = self.buckets.get(bucket, 0) + count
        self.least = min(self.least, other.least) if self.count else other.least
        self.greatest = max(self.greatest, other.greatest)
        self.count += other.count
        self.total += other.total

    def percentile(self, percent: float) -> float | None:
        """Return the duration at the nearest rank, in microseconds; None where there is none."""
        rank = round(percent / 100 * (self.count - 1))
        for bucket in sorted(self.buckets):
            rank -= self.buckets[bucket]
            if rank < 0:
                return min(max(_middle(bucket), self.least), self.greatest)
        return None


def _middle(bucket: int) -> float:
    if bucket < 0:
        return 0.0
    exponent, place = divmod(bucket, _PER_OCTAVE)
    return ldexp((place + _PER_OCTAVE + 0.5) / (2 * _PER_OCTAVE), exponent)
