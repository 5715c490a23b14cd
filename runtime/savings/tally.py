"""What is summed up of calls: of one rule or codec of one tool, of a tool, or of all.

Input: entries of the ledger, and recoveries. Output: counts and sums. All are whole numbers, so the same entries give
the same sums in any order and any grouping.

Bytes before and after are those of calls of which something else was shown; the bytes of what passed stand apart.
Estimated tokens are a quarter of the bytes, rounded towards nothing call by call.
"""

from __future__ import annotations

from .durations import Durations


class Tokens:
    """Exact counts of one encoding: in how many calls, original, shown."""

    __slots__ = ("after", "before", "calls")

    def __init__(self, calls: int = 0, before: int = 0, after: int = 0) -> None:
        self.calls = calls
        self.before = before
        self.after = after


class Tally:
    """Sums over calls."""

    __slots__ = (
        "bytes_after",
        "bytes_before",
        "bytes_passed",
        "calls",
        "compressed",
        "diagnosed",
        "durations",
        "estimated_again",
        "estimated_saved",
        "passed",
        "recovered_bytes",
        "recoveries",
        "tokens",
    )

    def __init__(self) -> None:
        self.calls = 0
        self.compressed = 0
        self.diagnosed = 0
        self.passed: dict[str, int] = {}
        self.bytes_before = 0
        self.bytes_after = 0
        self.bytes_passed = 0
        self.estimated_saved = 0
        self.tokens: dict[str, Tokens] = {}
        self.durations = Durations()
        self.recoveries = 0
        self.recovered_bytes = 0
        self.estimated_again = 0

    def add(
        self,
        outcome: str,
        reason: str,
        sizes: tuple[int, int],
        tokens: dict[str, tuple[int, int]],
        microseconds: int,
    ) -> None:
        """Take in a call."""
        self.calls += 1
        self.durations.add(microseconds)
        before, after = sizes
        if outcome == "passed":
            self.passed[reason] = self.passed.get(reason, 0) + 1
            self.bytes_passed += before
            return
        if outcome == "compressed":
            self.compressed += 1
        else:
            self.diagnosed += 1
        self.bytes_before += before
        self.bytes_after += after
        self.estimated_saved += quarter(before - after)
        for encoding, (original, shown) in tokens.items():
            self._add_tokens(encoding, Tokens(1, original, shown))

    def add_recoveries(self, count: int, size: int, estimated: int) -> None:
        """Take in originals that were shown again."""
        self.recoveries += count
        self.recovered_bytes += size
        self.estimated_again += estimated

    def merge(self, other: Tally) -> None:
        """Take in all of another tally."""
        self.calls += other.calls
        self.compressed += other.compressed
        self.diagnosed += other.diagnosed
        for reason, count in other.passed.items():
            self.passed[reason] = self.passed.get(reason, 0) + count
        self.bytes_before += other.bytes_before
        self.bytes_after += other.bytes_after
        self.bytes_passed += other.bytes_passed
        self.estimated_saved += other.estimated_saved
        for encoding, counted in other.tokens.items():
            self._add_tokens(encoding, counted)
        self.durations.merge(other.durations)
        self.add_recoveries(other.recoveries, other.recovered_bytes, other.estimated_again)

    def _add_tokens(self, encoding: str, counted: Tokens) -> None:
        ours = self.tokens.setdefault(encoding, Tokens())
        ours.calls += counted.calls
        ours.before += counted.before
        ours.after += counted.after


def quarter(size: int) -> int:
    """Return the tokens that so many bytes are estimated to be; negative sizes give negative tokens."""
    return size // 4 if size >= 0 else -(-size // 4)


def percent(part: int, whole: int) -> float:
    """Return a share in percent, with two decimals; 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0
