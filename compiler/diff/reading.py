"""Whether one stream reads every output that another reads, line by line in the same way.

Input: streams of two rule sections (`docs/pack-format.md`). Output: true where it is proved. A walk over pairs of
positions: what the older takes next, the newer must take next with the same kind, patterns, records and counters, and
nothing that the newer has besides may come first. Plain kinds at one point never share a line (the compiler proves
that), so what is added plainly only comes before what was `otherwise`.
INVARIANT: false says nothing; true is a proof for every output.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Stream = dict[str, Any]
Signature = tuple[Any, ...]
Caps = dict[str, list[Any]]
_CAPS: dict[str, int] = {"run": 4, "fit": 2, "enum": 2, "rest": 1, "raw": 1, "cstring": 1, "quoted": 1}


def reads_the_same(old: Stream | str, new: Stream | str) -> bool:
    """Say whether each output that `old` reads is proved to be read by `new`, each line as the same kind."""
    if isinstance(old, str):
        return isinstance(new, str) or bool(new["blank"])
    if isinstance(new, str):
        return False
    if (old["uncoloured"] and not new["uncoloured"]) or (old["blank"] and not new["blank"]):
        return False
    return _Walk(old, new).holds()


def without_captures(stream: Stream | str) -> Any:
    """Return a stream as what it admits: captures left out, patterns in their places."""
    if isinstance(stream, str):
        return stream
    shapes = [_shape(pattern) for pattern in stream["patterns"]]
    positions = [
        {**position, "patterns": [shapes[number] for number in position["patterns"]]}
        for position in stream["positions"]
    ]
    return {**stream, "patterns": None, "positions": positions}


def kinds_of(streams: dict[str, Stream | str]) -> frozenset[str]:
    """Return the names of line kinds and records that occur in the streams of a rule."""
    names: set[str] = set()
    for stream in streams.values():
        for position in () if isinstance(stream, str) else stream["positions"]:
            names.update((position["kind"].partition("#")[0], *position["path"]))
    return frozenset(names)


class _Walk:
    """One comparison of two streams."""

    def __init__(self, old: Stream, new: Stream) -> None:
        self.old, self.new = old, new
        self.signatures = [_signatures(stream) for stream in (old, new)]
        self.caps = [[_captures(pattern) for pattern in stream["patterns"]] for stream in (old, new)]

    def holds(self) -> bool:
        """Follow all pairs of positions from the beginning on."""
        pairs: set[tuple[int, int]] = set()
        pending = self._follow(self.old["start"], self.new["start"])
        if pending is None:
            return False
        while pending:
            pair = pending.pop()
            if pair in pairs:
                continue
            pairs.add(pair)
            one, other = pair
            if one in self.old["final"] and other not in self.new["final"]:
                return False
            more = self._follow(self.old["rows"][one], self.new["rows"][other])
            if more is None:
                return False
            pending += more
        return True

    def _follow(self, olds: list[int], news: list[int]) -> list[tuple[int, int]] | None:
        """Return the pairs of positions behind two rows; None where one does not read what the other does."""
        pairs: list[tuple[int, int]] = []
        at = 0
        added: list[int] = []
        for label in olds:
            wanted = self.signatures[0][label]
            while at < len(news) and self.signatures[1][news[at]] != wanted:
                added.append(news[at])
                at += 1
            if at == len(news):
                return None
            one, other = self.old["labels"][label][0], self.new["labels"][news[at]][0]
            if not self._captures_agree(one, other):
                return None
            pairs.append((one, other))
            at += 1
        catching = any(self._catches(self.old, label) for label in olds)
        # What is added before something of the older must not take its lines.
        if any(catching or self._catches(self.new, label) for label in added):
            return None
        if catching and any(not self._catches(self.new, label) for label in news[at:]):
            return None
        return pairs

    @staticmethod
    def _catches(stream: Stream, label: int) -> bool:
        """Say whether what stands behind a label takes lines that others may have, too."""
        position = stream["positions"][stream["labels"][label][0]]
        return position["otherwise"] or not position["patterns"]

    def _captures_agree(self, one: int, other: int) -> bool:
        """Say whether what both capture under a name is the same."""
        for first, second in zip(
            self.old["positions"][one]["patterns"], self.new["positions"][other]["patterns"], strict=True
        ):
            before, after = self.caps[0][first], self.caps[1][second]
            if any(before[name] != after[name] for name in before.keys() & after.keys()):
                return False
        return True


def _signatures(stream: Stream) -> list[Signature]:
    """Return for each label what it reads and what it does: equal ones can stand for one another."""
    shapes = [repr(_shape(pattern)) for pattern in stream["patterns"]]
    counters = [(counter["name"], counter["record"]) for counter in stream["counters"]]
    found: list[Signature] = []
    for number, keep in stream["labels"]:
        position = stream["positions"][number]
        found.append(
            (
                position["kind"],
                tuple(shapes[each] for each in position["patterns"]),
                position["otherwise"],
                tuple(position["path"]),
                keep,
                tuple(sorted(counters[each] for each in position["sets"])),
                tuple(sorted(counters[each] for each in position["spends"])),
            )
        )
    return found


def _shape(operations: list[list[Any]]) -> list[list[Any]]:
    """Return a pattern without its captures; runs that are captured together stand alone."""
    shape: list[list[Any]] = []
    for operation in operations:
        name = operation[0]
        if name == "group":
            shape += _shape(operation[1])
        elif name == "opt":
            shape.append([name, _shape(operation[1])])
        elif name in _CAPS:
            shape.append([*operation[: _CAPS[name]], None])
        else:
            shape.append(operation)
    return shape


def _captures(operations: list[list[Any]]) -> Caps:
    """Return where each capture of a pattern stands, with its type and default."""
    return dict(_find_captures(operations, ()))


def _find_captures(operations: list[list[Any]], where: tuple[int, ...]) -> Iterator[tuple[str, list[Any]]]:
    at = 0
    for operation in operations:
        name = operation[0]
        if name == "opt":
            yield from _find_captures(operation[1], (*where, at))
        elif name in _CAPS or name == "group":
            cap = operation[2] if name == "group" else operation[_CAPS[name]]
            if cap is not None:
                yield cap[0], [*where, at, len(operation[1]) if name == "group" else 1, *cap[1:]]
        at += len(operation[1]) if name == "group" else 1
