"""Values for the tests of what is sent to other processes: plain ones, and what a host may have besides."""

from __future__ import annotations

from enum import IntEnum

from hypothesis import strategies as st

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=20)
)


class Own(dict):
    """A class of the host."""


class Number(IntEnum):
    """An integer of the host."""

    ONE = 1


def deep():
    """Make a list that is nested too deeply to be copied."""
    value: list = []
    for _ in range(50_000):
        value = [value]
    return value
