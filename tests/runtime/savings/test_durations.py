"""Durations: exact sums, percentiles within the resolution that is stated, in any order and grouping."""

import pytest
from cablese.runtime.savings.durations import Durations
from hypothesis import given
from hypothesis import strategies as st

TIMES = st.lists(st.integers(0, 10**12) | st.integers(0, 5000), min_size=1, max_size=60)


def collect(times):
    """Make the histogram of times."""
    durations = Durations()
    for time in times:
        durations.add(time)
    return durations


def state(durations):
    """Return all that a histogram holds."""
    return {name: getattr(durations, name) for name in Durations.__slots__}


@given(TIMES, st.integers(0, 100))
def test_percentiles_are_within_the_stated_resolution(times, percent):
    """Nearest rank, within 1.6 % of the duration that has it; count, sum and ends are exact."""
    durations = collect(times)
    exact = sorted(times)[round(percent / 100 * (len(times) - 1))]
    assert durations.percentile(percent) == pytest.approx(exact, rel=1 / 64, abs=0.5)
    assert (durations.count, durations.total) == (len(times), sum(times))
    assert (durations.least, durations.greatest) == (min(times), max(times))


@given(TIMES, TIMES, TIMES)
def test_grouping_and_order_do_not_matter(first, second, third):
    """Merged from the right, from the left, and collected backwards: the same histogram."""
    whole = collect(reversed(first + second + third))
    left, right = collect(first), collect(second)
    left.merge(collect(second))
    left.merge(collect(third))
    right.merge(collect(third))
    other = collect(first)
    other.merge(right)
    assert state(left) == state(other) == state(whole)


def test_of_nothing_there_is_no_percentile():
    """An empty histogram has none, and adds nothing to another."""
    assert Durations().percentile(50) is None
    durations = collect([7])
    durations.merge(Durations())
    assert state(durations) == state(collect([7]))
    empty = Durations()
    empty.merge(collect([7]))
    assert empty.percentile(99) == 7


def test_memory_is_bounded():
    """A hundred thousand different durations, from microseconds to an hour, take some hundred buckets."""
    durations = collect(number**2 for number in range(1, 60_000))
    assert len(durations.buckets) <= 32 * 32
