"""The checks of a pack's patterns and stream tables.

INVARIANT: what passes here, the engine lowers and steps through without looking at an index again.
"""

from __future__ import annotations

from typing import Any, Final

from .strict_json import (
    fail,
    take_bool,
    take_index,
    take_int,
    take_list,
    take_object,
    take_ranges,
    take_row,
    take_text,
    take_word,
)

MOST_LABELS: Final = 0xD000
"""A label is one character of a trace, below the surrogates."""

MOST_COUNTERS: Final = 16
MOST_REPEATS: Final = 65_535
MOST_OPERATIONS: Final = 2_000
INT_DIGITS: Final = 18
MOST_COST: Final = 100_000
"""How many operations the expression of one row may have, with what holes look at counted in."""

_STREAM_KEYS: Final = frozenset(
    {"uncoloured", "patterns", "positions", "start", "rows", "final", "blank", "labels", "counters"}
)
_POSITION_KEYS: Final = frozenset({"kind", "patterns", "otherwise", "path", "sets", "spends"})
_COUNTER_KEYS: Final = frozenset({"name", "record"})
_SIZES: Final = {"lit": 2, "run": 5, "fit": 3, "enum": 3, "opt": 2, "group": 3}
_WORDS: Final = frozenset({*_SIZES, "rest", "raw", "cstring", "quoted"})
_OPEN: Final = frozenset({"fit", "rest", "raw"})
_FIT_CLASSES: Final = frozenset({"text", "word", "cell"})
_CAP_TYPES: Final = frozenset({"int", "text"})


def check_stream(value: Any, where: str) -> dict[str, Any]:
    """Check the tables of a stream. Raises PackOutOfBounds."""
    stream = take_object(value, _STREAM_KEYS, where)
    take_bool(stream["uncoloured"], where)
    take_bool(stream["blank"], where)
    counters = take_list(stream["counters"], f"{where} counters", most=MOST_COUNTERS)
    for counter in counters:
        take_object(counter, _COUNTER_KEYS, f"{where} counters")
        take_text(counter["name"], f"{where} counters", empty=False)
        take_text(counter["record"], f"{where} counters", empty=False)
    costs = [
        check_pattern(pattern, f"{where} pattern {at}")
        for at, pattern in enumerate(take_list(stream["patterns"], where))
    ]
    positions = take_list(stream["positions"], where, least=1)
    for at, position in enumerate(positions):
        _check_position(position, len(costs), counters, f"{where} position {at}")
    labels = take_list(stream["labels"], where, most=MOST_LABELS)
    for label in labels:
        position, keep = take_row(label, 2, f"{where} labels")
        path = positions[take_index(position, len(positions), f"{where} labels")]["path"]
        take_int(keep, f"{where} labels", 0, len(path))
    weights = [1 + sum(costs[pattern] for pattern in position["patterns"]) for position in positions]
    _check_row(stream["start"], [], stream, weights, f"{where} start")
    rows = take_row(stream["rows"], len(positions), f"{where} rows")
    for at, row in enumerate(rows):
        _check_row(row, positions[at]["path"], stream, weights, f"{where} row {at}")
    for position in take_list(stream["final"], where):
        take_index(position, len(positions), f"{where} final")
    return stream


def _check_position(value: Any, patterns: int, counters: list[Any], where: str) -> None:
    position = take_object(value, _POSITION_KEYS, where)
    take_text(position["kind"], where, empty=False)
    take_bool(position["otherwise"], where)
    for pattern in take_list(position["patterns"], where):
        take_index(pattern, patterns, where)
    path = take_list(position["path"], where, most=64)
    for record in path:
        take_text(record, where, empty=False)
    if len(set(path)) != len(path):
        raise fail(where, "a record stands within itself")
    for counter in (*take_list(position["sets"], where), *take_list(position["spends"], where)):
        if counters[take_index(counter, len(counters), where)]["record"] not in path:
            raise fail(where, "a counter of a record that is not open")
    if len(set(position["spends"])) != len(position["spends"]):
        raise fail(where, "a counter is spent twice by one line")


def _check_row(value: Any, path: list[str], stream: dict[str, Any], weights: list[int], where: str) -> None:
    """Check a row: what stays open along an edge is open at both its ends."""
    cost = 0
    for label in take_list(value, where):
        position, keep = stream["labels"][take_index(label, len(stream["labels"]), where)]
        if path[:keep] != stream["positions"][position]["path"][:keep] or keep > len(path):
            raise fail(where, "an edge keeps a record open that is not")
        cost += weights[position]
    if cost > MOST_COST:
        raise fail(where, "too large to be one expression")


# --- patterns -------------------------------------------------------------------------------------------------------


def check_pattern(value: Any, where: str) -> int:
    """Check the operations of a pattern; return what its expression costs. Raises PackOutOfBounds."""
    _check_ops(value, where)
    cost = _cost(value, (), where)
    if cost > MOST_COST:
        raise fail(where, "too large to be one expression")
    return cost


def _check_ops(value: Any, where: str) -> None:
    for op in take_list(value, where, most=MOST_OPERATIONS):
        if not isinstance(op, list) or not op:
            raise fail(where, "not an operation")
        name = take_word(op[0], _WORDS, where)
        take_row(op, _SIZES.get(name, 2), where)
        if name == "lit":
            take_text(op[1], where, empty=False)
        elif name == "opt":
            _check_ops(op[1], where)
        elif name == "run":
            _check_run(op, where)
        else:
            if name == "fit":
                take_word(op[1], _FIT_CLASSES, where)
            elif name == "enum":
                for text in take_list(op[1], where, least=1, most=10_000):
                    take_text(text, where, empty=False)
            elif name == "group":
                for run in take_list(op[1], where, least=1, most=1_000):
                    if not isinstance(run, list) or not run or run[0] != "run":
                        raise fail(where, "a group of something else than runs")
                    take_row(run, 5, where)
                    _check_run(run, where)
                    if run[4] is not None:
                        raise fail(where, "a capture within a capture")
            _check_cap(op[-1], where, is_int=False)


def _check_run(op: list[Any], where: str) -> None:
    ranges = take_ranges(op[1], where)
    low = take_int(op[2], where, 0, MOST_REPEATS)
    if op[3] is not None:
        take_int(op[3], where, max(low, 1), MOST_REPEATS)
    digits = all(low_end >= 0x30 and high_end <= 0x39 for low_end, high_end in ranges)
    _check_cap(op[4], where, is_int=digits and low >= 1 and op[3] is not None and op[3] <= INT_DIGITS)


def _check_cap(value: Any, where: str, *, is_int: bool) -> None:
    if value is None:
        return
    name, kind, default = take_row(value, 3, where)
    take_text(name, where, empty=False)
    if take_word(kind, _CAP_TYPES, where) == "int" and not is_int:
        raise fail(where, "an int of something else than 1 to 18 digits")
    if default is not None:
        take_int(default, where)


def _cost(ops: list[Any], after: tuple[Any, ...], where: str) -> int:
    """Return how many operations the expression of a pattern has; `after` follows behind it."""
    cost = 0
    for at, op in enumerate(ops):
        cost += _cost_of(op)
        if op[0] == "opt":
            cost += _cost(op[1], (*ops[at + 1 :], *after), where)
        elif op[0] == "fit":
            cost += 2 * _look_cost((*ops[at + 1 :], *after), where)
        if cost > MOST_COST:
            raise fail(where, "too large to be one expression")
    return cost


def _look_cost(ops: tuple[Any, ...], where: str) -> int:
    """Return how many operations a hole looks at. Where open holes stand in nested optional parts they double."""
    cost = 0
    waiting = [ops]
    while waiting:
        rest = waiting.pop()
        cost += 1 + (len(rest) >> 4)
        for at, op in enumerate(rest):
            cost += 1
            if op[0] in _OPEN:
                break
            if op[0] == "opt" and _holds_open(op[1]):
                waiting.append((*op[1], *rest[at + 1 :]))
                waiting.append(rest[at + 1 :])
                break
            cost += _cost_of(op)
            if op[0] == "opt":
                cost += _cost(op[1], (), where)
        if cost > MOST_COST:
            raise fail(where, "too large to be one expression")
    return cost


def _cost_of(op: list[Any]) -> int:
    if op[0] == "lit":
        return 1 + (len(op[1]) >> 3)
    if op[0] == "enum":
        return 1 + sum(1 + (len(text) >> 3) for text in op[1])
    if op[0] == "run":
        return 1 + len(op[1])
    return 1 + sum(1 + len(run[1]) for run in op[1]) if op[0] == "group" else 1


def _holds_open(ops: list[Any]) -> bool:
    return any(op[0] in _OPEN or (op[0] == "opt" and _holds_open(op[1])) for op in ops)
