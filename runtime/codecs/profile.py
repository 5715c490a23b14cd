"""What the values at one place of a structure have in common: counts, ranges, distinct texts, fields.

Input: values of the exact model, one after another. Output: a `Profile`, of a size that does not grow with theirs: at
most `MAX_FIELDS` fields of an object, `MAX_DISTINCT` texts of a place, `MAX_LEVELS` levels.
"""

from __future__ import annotations

from typing import Any

from .json_text import Number, Pairs, write_json

MAX_FIELDS = 200
MAX_DISTINCT = 1_000
MAX_LEVELS = 8


class Profile:
    """The values at one place.

    `low`, `high`: the least and the greatest number, as they came. `again`: how many of the values stand under a key
    that their object has before. `sizes`, `widths`: of lists and objects, the fewest and the most that they hold.
    """

    __slots__ = (
        "again", "booleans", "count", "distinct", "fields", "fractions", "high", "items", "lists", "longest", "low",
        "more_fields", "nulls", "numbers", "objects", "shortest", "sizes", "texts", "widths",
    )  # fmt: skip

    def __init__(self) -> None:
        self.count = self.again = self.nulls = self.numbers = self.texts = self.objects = self.lists = 0
        self.booleans = [0, 0]
        self.low: Any = None
        self.high: Any = None
        self.fractions = False
        self.distinct: dict[str, int] = {}
        self.shortest, self.longest = 0, 0
        self.fields: dict[str, Profile] = {}
        self.more_fields = 0
        self.items: Profile | None = None
        self.sizes = self.widths = (0, 0)

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
            if kind is Pairs:
                self._note_repeated_keys(value)

    def _add_number(self, value: Any) -> None:
        self.fractions = self.fractions or not (type(value) is int or _is_integer(value))
        if not self.numbers or is_less(value, self.low):
            self.low = value
        if not self.numbers or is_less(self.high, value):
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
        width = len(pairs)
        self.widths = (min(self.widths[0], width), max(self.widths[1], width)) if self.objects else (width, width)
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

    def _note_repeated_keys(self, pairs: Pairs) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen and key in self.fields:
                self.fields[key].again += 1
            seen.add(key)


def _is_integer(value: Any) -> bool:
    return type(value) is Number and "." not in value and "e" not in value and "E" not in value


def is_less(one: Any, other: Any) -> bool:
    """Tell whether a number is less than another, exactly, however they are spelled."""
    if type(one) is int and type(other) is int:
        return one < other
    first, second = _nearest(one), _nearest(other)
    return first < second if first != second else one != other and _is_less_exactly(one, other)


def _nearest(value: Any) -> float:
    """Return the nearest float, infinity for what is beyond: never less for what is greater."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _is_less_exactly(one: Any, other: Any) -> bool:
    try:
        (sign, size), (other_sign, other_size) = (_read(each) for each in (one, other))
    except ValueError:
        # An exponent of thousands of digits: none is taken for the greater.
        return False
    if sign != other_sign:
        return sign < other_sign
    return size < other_size if sign > 0 else other_size < size


def _read(value: Any) -> tuple[int, tuple[int, str]]:
    """Return the sign of a number, and what numbers of this sign are ordered by: magnitude, digits."""
    text = (value if type(value) is Number else write_json(value)).lower()
    digits, _, exponent = text.removeprefix("-").partition("e")
    whole, _, fraction = digits.partition(".")
    significant = (whole + fraction).lstrip("0")
    if not significant:
        return 0, (0, "")
    magnitude = len(significant) - len(fraction) + int(exponent or 0)
    return -1 if text.startswith("-") else 1, (magnitude, significant.rstrip("0"))
