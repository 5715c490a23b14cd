"""Writes and reads numbers of rows as text: `0-28,30`.

Input and output: increasing numbers from 0, one at least. There is one text for them, and only that is read.
"""

from __future__ import annotations

from .codec import DecodeError


def write_ranges(numbers: list[int]) -> str:
    """Return increasing numbers as text."""
    parts: list[str] = []
    first = last = numbers[0]
    for number in [*numbers[1:], -1]:
        if number == last + 1:
            last = number
            continue
        parts.append(str(first) if first == last else f"{first}-{last}")
        first = last = number
    return ",".join(parts)


def read_ranges(text: str, end: int) -> list[int]:
    """Return the numbers, all less than `end`. Raises DecodeError."""
    numbers: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not (_is_number(first) and (_is_number(last) or not dash)):
            raise DecodeError("not numbers of rows")
        low, high = int(first), int(last or first)
        if high >= end or low > high or (numbers and low <= numbers[-1]):
            raise DecodeError("numbers of rows that are not there, or not in order")
        numbers += range(low, high + 1)
    if write_ranges(numbers) != text:
        raise DecodeError("numbers of rows in a form that no encoder writes")
    return numbers


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 20
