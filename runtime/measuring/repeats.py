"""Lines that a session had been shown before: the ceiling for references to earlier results.

Input: the texts of results, in the order of the session. Output: how many lines each has, and how many of them stand in
runs of at least `RUN` lines that an earlier result of the same session held in the same order.

A window of `RUN` lines is known by the hash of its lines. Invariants: a line is counted once, however many windows it
is in; a result is compared with earlier ones, never with itself; memory is bounded by `MOST` windows a session, after
which later results are still compared, and no longer learned from.
"""

from __future__ import annotations

RUN = 8
"""How many lines a repetition has at least."""
MOST = 500_000
"""How many windows of a session are remembered."""


class Repeats:
    """The windows of one session. `full`: there were more than are remembered."""

    __slots__ = ("_known", "full")

    def __init__(self) -> None:
        self._known: set[int] = set()
        self.full = False

    def take(self, text: str) -> tuple[int, int]:
        """Take in a result; return its lines, and how many of them are repeated."""
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        hashes = list(map(hash, lines))
        windows = [hash(tuple(hashes[at : at + RUN])) for at in range(len(hashes) - RUN + 1)]
        repeated = end = 0
        for at, window in enumerate(windows):
            if window in self._known:
                repeated += at + RUN - max(at, end)
                end = at + RUN
        room = MOST - len(self._known)
        if room < len(windows):
            self.full = True
        self._known.update(windows[:room])
        return len(lines), repeated
