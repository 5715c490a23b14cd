"""Routes and estimates: a function of the payload alone, whatever the payload is."""

from __future__ import annotations

import json

import pytest
from cablese.runtime.hosting.breaker import CircuitBreaker, State
from cablese.runtime.hosting.routing import BudgetRouter, Budgets, Estimate, Guard, Route, Thresholds, estimate_size
from cablese.runtime.reasons import PassThrough, Reason
from hypothesis import given, settings
from hypothesis import strategies as st

DOCUMENTED = BudgetRouter(Thresholds(inline_bytes=262_144, inline_rows=1500), Budgets(5.0, 3.0, 15.0, 0.0))
"""The figures of the documented router."""


def table(rows, columns=12):
    """Make rows whose values are unlike each other."""
    return [{f"column_{c}": row * c if c % 3 else f"value {row} of {c}" for c in range(columns)} for row in range(rows)]


@pytest.mark.parametrize(
    ("size", "level", "route"),
    [
        (Estimate(262_143, 1499), "normal", Route.INLINE),
        (Estimate(262_144, 0), "normal", Route.EXECUTOR),
        (Estimate(0, 1500), "aggressive", Route.EXECUTOR),
        (Estimate(10, 1), "none", Route.PASSTHROUGH),
        (Estimate(10, 1), "minimal", Route.INLINE),
        # Was INLINE whatever the size, which is what stalled an event loop.
        (Estimate(5_000_000, 10_000), "minimal", Route.EXECUTOR),
        # Was PASSTHROUGH without the native part; now the bound is its own, and far away.
        (Estimate(64 * 1024**2, 2_000_000), "normal", Route.EXECUTOR),
        (Estimate(64 * 1024**2 + 1, 0), "normal", Route.PASSTHROUGH),
        (Estimate(0, 2_000_001), "minimal", Route.PASSTHROUGH),
    ],
)
def test_routes(size, level, route):
    """The documented thresholds, with the rows that are changed named."""
    assert DOCUMENTED.route(size, level) is route


@pytest.mark.parametrize(
    ("route", "level", "budget"),
    [(Route.INLINE, "minimal", 5.0), (Route.INLINE, "normal", 3.0), (Route.EXECUTOR, "normal", 15.0)],
)
def test_budgets(route, level, budget):
    """The documented budgets; and what comes on top for each MiB."""
    assert DOCUMENTED.budget_ms(route, level, Estimate(1 << 20, 0)) == budget
    per_mib = BudgetRouter(budgets=DOCUMENTED.budgets._replace(per_mib_ms=100.0))
    assert per_mib.budget_ms(route, level, Estimate(3 << 19, 0)) == budget + 150


@pytest.mark.parametrize("count", [1, 100, 500, 1000, 1500])
@pytest.mark.parametrize("shape", [json.dumps, lambda rows: rows])
def test_shipped_budgets_leave_room_for_an_ordinary_table(shape, count, clock):
    """Codecs that take 600 ms a MiB, the slowest measured on a busy machine, and 5 ms more never open the breaker."""
    payload = shape(table(count))
    ms = 5 + 600 * len(json.dumps(table(count))) / 1024**2
    guard = Guard(BudgetRouter(), CircuitBreaker(clock=clock, window_calls=1))
    for level in ("minimal", "normal", "aggressive"):
        assert {run(guard, clock, 2 * ms, payload, level) for _ in range(4)} == {None}
    assert guard.breaker.state("columnar") is State.CLOSED


def test_negative_settings_are_refused():
    """Thresholds and budgets are sizes and times."""
    for wrong in ({"thresholds": Thresholds(inline_bytes=-1)}, {"budgets": Budgets(inline_ms=-1.0)}):
        with pytest.raises(ValueError, match="below 0"):
            BudgetRouter(**wrong)


@pytest.mark.parametrize("shape", [lambda rows: rows, lambda rows: {"total": 1, "rows": rows}, lambda rows: [[[rows]]]])
@pytest.mark.parametrize("count", [1, 30, 5000])
def test_estimates_of_tables_are_close(shape, count):
    """Of rows that are alike the estimate is within a third of the compact JSON, wherever the rows are."""
    payload = shape(table(count))
    true = len(json.dumps(payload, separators=(",", ":")))
    assert 0.66 * true < estimate_size(payload).bytes < 1.5 * true


@pytest.mark.parametrize(
    ("payload", "rows"),
    [([], 0), ([1] * 7, 7), ({"a": [1, 2], "b": [1] * 9, "c": 3}, 9), ({}, 0), ("[1,2]", 0), (None, 0), (b"abc", 0)],
)
def test_rows_are_those_of_the_longest_list(payload, rows):
    """A list itself, the longest list of an object, nothing else."""
    assert estimate_size(payload).rows == rows


def test_text_is_estimated_in_bytes():
    """ASCII exactly; other text by its first characters."""
    assert estimate_size("x" * 100_000) == Estimate(100_000, 0)
    assert estimate_size("é" * 100_000) == Estimate(200_000, 0)
    assert estimate_size("\ud800" * 10) == Estimate(30, 0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(max_examples=40)
@given(JSON)
def test_any_json_has_the_same_estimate_twice(payload):
    """The estimate depends on the payload alone."""
    assert estimate_size(payload) == estimate_size(payload)


class Counting(list):
    """A list that counts how many of its elements are taken."""

    taken = 0

    def __getitem__(self, key):
        found = super().__getitem__(key)
        Counting.taken += len(found) if isinstance(key, slice) else 1
        return found


class Odd(dict):
    """A mapping that cannot be looked at."""

    def items(self):
        """Refuse."""
        raise KeyError("no")

    def values(self):
        """Refuse."""
        raise KeyError("no")


def test_the_work_is_bounded():
    """Of a matrix of a million elements a few thousand values are looked at."""
    payload = Counting(Counting(range(1000)) for _ in range(1000))
    Counting.taken = 0
    assert estimate_size(payload).rows == 1000
    assert Counting.taken < 5000


def test_nothing_raises():
    """Depth 100,000, cycles, huge integers, and classes that refuse."""
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    cycle: list = []
    cycle.append(cycle)
    for payload in (deep, cycle):
        assert DOCUMENTED.route(estimate_size(payload), "normal") is Route.EXECUTOR
    assert estimate_size(10**5000).bytes == pytest.approx(5000, rel=0.05)
    assert estimate_size(Odd(a=1)) == Estimate(0, 0)
    assert estimate_size(object()).rows == 0


# --- the guard ------------------------------------------------------------------------------------------------------


class Clock:
    """Seconds that pass only when a test says so."""

    now = 0.0

    def __call__(self):
        """Read the clock."""
        return self.now


def run(guard, clock, ms, payload="x", level="normal", error=None):
    """Make a call that takes `ms`, or return the reason for which it is refused."""
    try:
        with guard.watch("columnar", payload, level):
            clock.now += ms / 1000
            if error is not None:
                raise error
    except PassThrough as stopped:
        return stopped.reason
    except ValueError:
        return None
    return None


@pytest.fixture
def clock():
    """Give a clock that stands still."""
    return Clock()


@pytest.fixture
def guard(clock):
    """Give a guard with the documented figures and a breaker."""
    return Guard(DOCUMENTED, CircuitBreaker(clock=clock))


def test_a_slow_codec_is_left_out_and_comes_back(guard, clock):
    """300 calls of 50 ms, then `breaker_open`; after the cooldown a fast one closes it again."""
    assert {run(guard, clock, 50) for _ in range(300)} == {None}
    assert [run(guard, clock, 50) for _ in range(3)] == [Reason.BREAKER_OPEN] * 3
    clock.now += 301
    assert run(guard, clock, 0.2) is None
    assert guard.breaker.state("columnar") is State.CLOSED


def test_a_refused_call_does_not_resolve_the_probe(guard, clock):
    """While the probe works, another caller passes in no time; the breaker waits for the probe all the same."""
    for _ in range(300):
        run(guard, clock, 50)
    clock.now += 301
    with guard.watch("columnar", "x", "normal"):
        assert run(guard, clock, 0) is Reason.BREAKER_OPEN
        assert guard.breaker.state("columnar") is State.HALF_OPEN
        clock.now += 0.05
    assert guard.breaker.state("columnar") is State.OPEN


def test_what_is_too_large_is_not_recorded(guard, clock):
    """Oversize calls between slow ones do not dilute their windows."""
    guard.router = BudgetRouter(DOCUMENTED.thresholds._replace(max_bytes=1000), DOCUMENTED.budgets)
    for _ in range(300):
        assert run(guard, clock, 50) is None
        assert run(guard, clock, 0, payload="x" * 1001) is Reason.TOO_LARGE
    assert guard.breaker.state("columnar") is State.OPEN


def test_a_payload_that_is_declined_says_nothing(guard, clock):
    """A codec that declines at once neither dilutes a window nor closes the breaker; one that declines late is slow."""
    for _ in range(300):
        run(guard, clock, 0, error=ValueError())
        run(guard, clock, 50, error=ValueError())
    assert guard.breaker.state("columnar") is State.OPEN
    clock.now += 301
    run(guard, clock, 0, error=ValueError())
    assert guard.breaker.state("columnar") is State.HALF_OPEN


def test_the_level_chooses_the_budget(guard, clock):
    """4 ms are within the budget of minimal, not of normal."""
    for _ in range(300):
        run(guard, clock, 4, level="minimal")
    assert guard.breaker.state("columnar") is State.CLOSED
    for _ in range(300):
        run(guard, clock, 4)
    assert guard.breaker.state("columnar") is State.OPEN


def test_without_a_breaker_nothing_is_measured(clock):
    """The same call a thousand times: never refused, however slow."""
    guard = Guard(DOCUMENTED)
    assert {run(guard, clock, 10_000) for _ in range(1000)} == {None}
    assert run(guard, clock, 0, level="none") is Reason.LEVEL_NONE
