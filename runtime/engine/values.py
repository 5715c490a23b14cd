"""What facts are made of: places in the output, lists, groups, and the value that is not there.

A value is an int, a text, `None` (an unknown exit code, shown as `null`), `MISSING`, a `Node`, a `Group`, a list, or a
`Capped` list.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class Missing:
    """The type of `MISSING`: what a path gives where the output has nothing. False, and shown as nothing."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class Node(NamedTuple):
    """An occurrence of a kind: lines `start` to `end` (exclusive) of reading number `stream`."""

    kind: str
    stream: int
    start: int
    end: int


WHOLE: Final = Node("", -1, 0, 0)
"""The whole output, all its streams."""


class Group(NamedTuple):
    """Occurrences that share a value, in the order of the output."""

    key: Any
    rows: list[Node]


class Capped(NamedTuple):
    """A list that shows `items` and knows how many it left out."""

    items: list[Any]
    left: int


class Exhausted(Exception):  # noqa: N818 - a bound that was reached, not an error
    """The evaluation took more steps than any rule needs. Only a hostile pack gets here."""


def elements(value: Any) -> list[Any]:
    """Return the elements of a list; anything else has none."""
    if isinstance(value, Capped):
        return value.items
    return value if isinstance(value, list) else []


def is_true(value: Any) -> bool:
    """Return the truth of a value: 0, empty, missing and null are false."""
    if isinstance(value, Capped):
        return bool(value.items)
    return bool(value)


def code_points(value: Any) -> tuple[int, int, str]:
    """Return the sort key of a text or int: what is missing first, ints by size, texts by code point."""
    if isinstance(value, int):
        return (1, value, "")
    return (2, 0, value) if isinstance(value, str) else (0, 0, "")
