"""The order of versions, as Semantic Versioning 2.0.0 has it (its section 11).

Input: texts. Output: keys that sort as versions do, or None for a text that is no version of three numbers. What is
behind a `+` does not count.
"""

from __future__ import annotations

Key = tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]


def version_key(text: str) -> Key | None:
    """Return what sorts as the version does: three numbers, and before a release what leads up to it."""
    core, minus, before = text.partition("+")[0].partition("-")
    numbers = core.split(".")
    parts = before.split(".") if minus else []
    if len(numbers) != 3 or not all(map(_is_number, numbers)) or "" in parts:
        return None
    major, minor, patch = map(int, numbers)
    # Numbers go by their value and before words; more parts come after fewer.
    steps = tuple((False, int(part), "") if _is_number(part) else (True, 0, part) for part in parts)
    return (major, minor, patch), not steps, steps


def is_lower(version: str, than: str) -> bool:
    """Tell whether a version is lower than another; without an order between them it is not."""
    one, other = version_key(version), version_key(than)
    return one is not None and other is not None and one < other


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10 and (text == "0" or text[0] != "0")
