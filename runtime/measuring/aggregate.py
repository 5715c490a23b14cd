"""Sums over files that can be put together in any order: whole numbers under names.

Input: counts of one file. Output: an `Aggregate`, which merges with others of the same `Basis` and no others.

Invariants: merging is associative and commutative, and the empty aggregate of a basis is its neutral element; the text
of an aggregate is canonical, so equal aggregates have equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

Name = tuple[str, ...]


class MergeError(ValueError):
    """Aggregates of different measurements. The message names what differs."""


class Basis(NamedTuple):
    """What figures depend on besides the files: figures of different bases must not be added.

    `version` is that of this package, `packs` name, version and digest of each pack in use, `settings` whatever else
    decides (levels, admission, what is off).
    """

    version: str
    archive: str
    encoding: str
    limits: tuple[int, ...]
    packs: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


class Aggregate:
    """Counts of a measurement."""

    __slots__ = ("basis", "counts")

    def __init__(self, basis: Basis, counts: Iterable[tuple[Name, int]] = ()) -> None:
        self.basis = basis
        self.counts: dict[Name, int] = {}
        for name, count in counts:
            self.add(name, count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aggregate) and (self.basis, self.counts) == (other.basis, other.counts)

    __hash__ = None  # pyright: ignore[reportAssignmentType] - sums change

    def __getitem__(self, name: Name) -> int:
        return self.counts.get(name, 0)

    def add(self, name: Name, count: int) -> None:
        """Add to a count."""
        if count:
            total = self.counts.get(name, 0) + count
            if total:
                self.counts[name] = total
            else:
                del self.counts[name]

    def merge(self, other: Aggregate) -> None:
        """Add all of another aggregate. Raises MergeError for one of another basis."""
        for field, ours, theirs in zip(Basis._fields, self.basis, other.basis, strict=True):
            if ours != theirs:
                raise MergeError(f"measured with another `{field}`: {theirs!r}, not {ours!r}")
        for name, count in other.counts.items():
            self.add(name, count)

    def below(self, *prefix: str) -> dict[Name, int]:
        """Return the counts whose names begin so, by the rest of their names, ordered."""
        size = len(prefix)
        return {name[size:]: self.counts[name] for name in sorted(self.counts) if name[:size] == prefix}

    def to_bytes(self) -> bytes:
        """Return the canonical text: one JSON object, names in order."""
        from json import dumps

        counts = [[*name, self.counts[name]] for name in sorted(self.counts)]
        record = {"basis": self.basis._asdict(), "counts": counts}
        return dumps(record, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Aggregate:
        """Read what `to_bytes` wrote. Raises ValueError."""
        from json import loads

        try:
            record = loads(data)
            fields: dict[str, Any] = record["basis"]
            for name in ("limits", "packs", "settings"):
                fields[name] = tuple(fields[name])
            made = cls(Basis(**fields), (_read_count(row) for row in record["counts"]))
            whole = made.to_bytes()
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"not an aggregate: {error!r}") from None
        if whole != data:
            raise ValueError("not an aggregate in its canonical form")
        return made


def _read_count(row: list[Any]) -> tuple[Name, int]:
    *name, count = row
    if type(count) is not int or not all(isinstance(part, str) for part in name):
        raise TypeError("a count is texts and a whole number")
    return tuple(name), count
