"""What the values at one place of a structure have in common: counts, ranges, distinct texts, fields.

Input: values of the exact model, one after another. Output: a `Profile`, of a size that does not grow with theirs: at
most `MAX_FIELDS` fields of an object, `MAX_DISTINCT` texts of a place, `MAX_LEVELS` levels.
"""

from __future__ import annotations

from typing import Any

from .json_text import Number, Pairs

MAX_FIELDS = 200
MAX_DISTINCT = 1_000
MAX_LEVELS = 8
_LONG = 300


class Profile:
    """The values at one place. `low`, `high`: the least and the greatest number, as they came."""

    __slots__ = (
        "booleans", "count", "distinct", "fields", "fractions", "high", "items", "lists", "longest", "low",
        "more_fields", "nulls", "numbers", "objects", "shortest", "sizes", "texts",
    )  # fmt: skip

    def __init__(self) -> None:
        self.count = self.nulls = self.numbers = self.texts = self.objects = self.lists = 0
        self.booleans = [0, 0]
        self.low: Any = None
        self.high: Any = None
        self.fractions = False
        self.distinct: dict[str, int] = {}
        self.shortest, self.longest = 0, 0
        self.fields: dict[str, Profile] = {}
        self.more_fields = 0
        self.items: Profile | None = None
        self.sizes = (0, 0)

    def add(self, value: Any, levels: int = MAX_LEVELS) -> None:
        """Take one more value into account, down to so many levels."""
        self.count += 1
        kind = type(value)
        if value is None:
            self.nulls += 1
        elif kind is bool:
            self.booleans[value] += 1
        elif kind is Number or kind is int or kind is float:
            self._add_number(value)
        elif kind is str:
            self._add_text(value)
        elif kind is list:
            self._add_list(value, levels)
        elif kind is dict or kind is Pairs:
            self._add_object(value.items() if kind is dict else value, levels)

    def _add_number(self, value: Any) -> None:
        order = _order(value)
        self.fractions = self.fractions or not (type(value) is int or _is_integer(value))
        if not self.numbers or order < _order(self.low):
            self.low = value
        if not self.numbers or order > _order(self.high):
            self.high = value
        self.numbers += 1

    def _add_text(self, value: str) -> None:
        size = len(value)
        self.shortest = min(self.shortest, size) if self.texts else size
        self.longest = max(self.longest, size)
        self.texts += 1
        if value in self.distinct:
            self.distinct[value] += 1
        elif len(self.distinct) <= MAX_DISTINCT:
            self.distinct[value] = 1

    def _add_list(self, value: list[Any], levels: int) -> None:
        size = len(value)
        self.sizes = (min(self.sizes[0], size), max(self.sizes[1], size)) if self.lists else (size, size)
        self.lists += 1
        if value and levels > 0:
            items = self.items = self.items or Profile()
            for each in value:
                items.add(each, levels - 1)

    def _add_object(self, pairs: Any, levels: int) -> None:
        self.objects += 1
        if levels <= 0:
            return
        for key, value in pairs:
            field = self.fields.get(key)
            if field is None:
                if len(self.fields) >= MAX_FIELDS:
                    self.more_fields += 1
                    continue
                field = self.fields[key] = Profile()
            field.add(value, levels - 1)


def _is_integer(value: Any) -> bool:
    return type(value) is Number and "." not in value and "e" not in value and "E" not in value


def _order(value: Any) -> int | float:
    """Return a number to compare by: exact for integers that are not very long, else the nearest float."""
    if type(value) is not Number:
        return value
    if _is_integer(value) and len(value) < _LONG:
        return int(value)
    return float(value)
