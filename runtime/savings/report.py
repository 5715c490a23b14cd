"""The savings report: entries of the ledger summed up by tool, and within it by rule, codec and kind.

Input: entries, as lines or as objects, in any order. Output: a `Report`, which gives its sums as a plain record
(`record.py`), and from there as text or as a page.

A recovery is set off against the row whose decision announced the handle; where several did, against the latest. Rows
are known for the latest 100,000 handles that were announced; recoveries of others are in the total, and in no row.

Invariants: the same entries give the same report in any order and any grouping (beyond 100,000 different originals that
were recovered, but for which of these are set off against rows); memory is bounded by the rows and these handles,
not by the entries. A line that is no entry is counted as unreadable and changes nothing else; an entry without a tool
is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .tally import Tally, quarter

KNOWN_HANDLES = 100_000
_OUTCOMES = frozenset({"compressed", "passed", "diagnosed"})
# What a sum of any number of entries can hold exactly in JSON readers that know floating point alone.
_LARGEST = 2**53


class Row(NamedTuple):
    """What is summed up in one row of a tool; an empty text stands for none."""

    tool: str
    rule: str = ""
    codec: str = ""
    kind: str = ""


class _Recovered(NamedTuple):
    """What was shown again of one original, and when last."""

    at: float
    times: int
    size: int
    estimated: int


class Report:
    """Sums over entries. `since` (seconds since 1970): earlier entries only say whose a handle is."""

    __slots__ = ("_lost", "_owners", "_recovered", "_tallies", "first_at", "last_at", "since", "unreadable")

    def __init__(self, since: float | None = None) -> None:
        self.since = since
        self.unreadable = 0
        self.first_at: float | None = None
        self.last_at: float | None = None
        self._tallies: dict[Row, Tally] = {}
        self._owners: dict[str, tuple[float, Row]] = {}
        self._recovered: dict[str, _Recovered] = {}
        self._lost = Tally()

    def add(self, entry: bytes | Mapping[str, Any]) -> None:
        """Take in an entry. Never raises for what it holds."""
        try:
            taken = self._take(json.loads(entry.decode()) if isinstance(entry, bytes) else entry)
        except (ValueError, TypeError, KeyError, RecursionError):
            taken = False
        self.unreadable += not taken

    def merge(self, other: Report) -> None:
        """Take in all of another report, which was made with the same `since`."""
        for row, tally in other._tallies.items():
            self._tally(row).merge(tally)
        for handle, owner in other._owners.items():
            self._learn(handle, owner)
        for handle, recovered in other._recovered.items():
            self._recover(handle, recovered)
        self._lost.merge(other._lost)
        self.unreadable += other.unreadable
        for at in (other.first_at, other.last_at):
            if at is not None:
                self._span(at)

    def copy(self) -> Report:
        """Return a report of the same entries, on which this one no longer depends."""
        twin = Report(self.since)
        twin.merge(self)
        return twin

    def rows(self) -> dict[Row, Tally]:
        """Return the sums of each row by its name, recoveries set off, ordered by name. They are the caller's own."""
        return self._settle()[0]

    def unattributed(self) -> Tally:
        """Return the recoveries that no row is known for."""
        return self._settle()[1]

    def _settle(self) -> tuple[dict[Row, Tally], Tally]:
        known = _latest(self._owners, KNOWN_HANDLES)
        rows: dict[Row, Tally] = {}
        for row, tally in self._tallies.items():
            rows.setdefault(row, Tally()).merge(tally)
        rest = Tally()
        rest.merge(self._lost)
        for handle, recovered in self._recovered.items():
            owner = known.get(handle)
            tally = rest if owner is None else rows.setdefault(owner[1], Tally())
            tally.add_recoveries(recovered.times, recovered.size, recovered.estimated)
        return {row: rows[row] for row in sorted(rows)}, rest

    def _take(self, entry: Any) -> bool:
        """Take in an entry; False where it is none. Nothing is changed before all of it is read."""
        if not isinstance(entry, Mapping):
            return False
        at = _number(entry["at"])
        handle = entry.get("recovered")
        if handle is not None:
            size = _whole(entry["bytes"])
            if not isinstance(handle, str):
                return False
            if self._counts(at):
                self._recover(handle, _Recovered(at, 1, size, quarter(size)))
            return True
        tool, outcome = entry.get("tool", ""), entry["outcome"]
        row = Row(_text(tool), *(_text(entry.get(name) or "") for name in Row._fields[1:]))
        reason, handle = _text(entry.get("reason") or ""), entry.get("handle")
        sizes = _pair(entry["bytes"])
        tokens = _tokens(entry.get("tokens"))
        microseconds = round(_number(entry["ms"]) * 1000)
        if outcome not in _OUTCOMES:
            return False
        if not tool:
            return True
        if handle is not None:
            self._learn(_text(handle), (at, row))
        if self._counts(at):
            self._tally(row).add(outcome, reason, sizes, tokens, microseconds)
        return True

    def _counts(self, at: float) -> bool:
        if self.since is not None and at < self.since:
            return False
        self._span(at)
        return True

    def _span(self, at: float) -> None:
        self.first_at = at if self.first_at is None else min(self.first_at, at)
        self.last_at = at if self.last_at is None else max(self.last_at, at)

    def _tally(self, row: Row) -> Tally:
        tally = self._tallies.get(row)
        if tally is None:
            tally = self._tallies[row] = Tally()
        return tally

    def _learn(self, handle: str, owner: tuple[float, Row]) -> None:
        earlier = self._owners.get(handle)
        self._owners[handle] = owner if earlier is None else max(owner, earlier)
        if len(self._owners) > 2 * KNOWN_HANDLES:
            self._owners = _latest(self._owners, KNOWN_HANDLES)

    def _recover(self, handle: str, recovered: _Recovered) -> None:
        earlier = self._recovered.get(handle)
        if earlier is not None:
            recovered = _Recovered(
                max(recovered.at, earlier.at),
                recovered.times + earlier.times,
                recovered.size + earlier.size,
                recovered.estimated + earlier.estimated,
            )
        self._recovered[handle] = recovered
        if len(self._recovered) > 2 * KNOWN_HANDLES:
            kept = _latest(self._recovered, KNOWN_HANDLES)
            for lost, what in self._recovered.items():
                if lost not in kept:
                    self._lost.add_recoveries(what.times, what.size, what.estimated)
            self._recovered = kept


def aggregate(entries: Iterable[bytes | Mapping[str, Any]], since: float | None = None) -> Report:
    """Sum up entries, which are read once. `since`, in seconds since 1970, leaves earlier ones out."""
    report = Report(since)
    for entry in entries:
        report.add(entry)
    return report


def _latest(known: dict[str, Any], count: int) -> dict[str, Any]:
    """Return what is latest; each value begins with its time, and the handle decides between equal times."""
    if len(known) <= count:
        return known
    ordered = sorted(known, key=lambda handle: (known[handle][0], handle), reverse=True)
    return {handle: known[handle] for handle in ordered[:count]}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text is expected")
    return str(value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LARGEST:
        raise ValueError("a number of no less than 0 is expected")
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _LARGEST:
        raise ValueError("a whole number of no less than 0 is expected")
    return value


def _tokens(value: object) -> dict[str, tuple[int, int]]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError("counts by encoding are expected")
    return {_text(name): _pair(pair) for name, pair in value.items()}


def _pair(value: Any) -> tuple[int, int]:
    first, second = value
    return _whole(first), _whole(second)
