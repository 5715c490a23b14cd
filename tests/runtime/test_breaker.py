"""The circuit breaker: each row of its documented table, and what the documented one got wrong."""

from __future__ import annotations

import os
import threading

import pytest
from cablese.runtime.hosting.breaker import CircuitBreaker, State

SLOW, FAST, BUDGET = 50.0, 0.2, 3.0


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        """Read the clock."""
        return self.now


@pytest.fixture
def clock():
    """Give a clock that stands still."""
    return Clock()


@pytest.fixture
def breaker(clock):
    """Give a breaker on that clock."""
    return CircuitBreaker(clock=clock)


def call(breaker, ms, count=1, codec="columnar", budget=BUDGET):
    """Let calls in and report their time; fail where one is refused."""
    for _ in range(count):
        ticket = breaker.admit(codec)
        assert ticket is not None
        breaker.record(ticket, ms, budget)


def test_three_slow_windows_open_the_breaker_of_that_codec_alone(breaker, caplog):
    """300 calls of 50 ms: open, with a warning that names the codec; others are unaffected."""
    call(breaker, SLOW, 299)
    assert breaker.state("columnar") is State.CLOSED
    assert not caplog.records
    call(breaker, SLOW)
    assert breaker.state("columnar") is State.OPEN
    assert breaker.admit("columnar") is None
    assert ["`columnar`" in record.getMessage() for record in caplog.records] == [True]
    assert breaker.state("json_compact") is State.CLOSED
    assert breaker.admit("json_compact") is not None


def test_a_fast_probe_closes_it(breaker, clock):
    """After the cooldown one call of 0.2 ms closes the breaker; counters begin anew."""
    call(breaker, SLOW, 300)
    clock.now += 301
    assert breaker.state("columnar") is State.HALF_OPEN
    call(breaker, FAST)
    assert breaker.state("columnar") is State.CLOSED
    call(breaker, SLOW, 299)
    assert breaker.state("columnar") is State.CLOSED


def test_a_slow_probe_opens_it_for_another_cooldown(breaker, clock, caplog):
    """After the cooldown one call of 50 ms: open again, still so a second later, and until the cooldown is over."""
    call(breaker, SLOW, 300)
    clock.now += 301
    call(breaker, SLOW)
    for later in (0, 1, 298.9):
        clock.now += later
        assert breaker.state("columnar") is State.OPEN
        assert breaker.admit("columnar") is None
    clock.now += 1
    assert breaker.state("columnar") is State.HALF_OPEN
    assert len(caplog.records) == 2


def test_one_caller_becomes_the_probe_and_the_next_is_refused(breaker, clock):
    """Two askers after the cooldown: the first goes ahead, the second does not."""
    call(breaker, SLOW, 300)
    clock.now += 301
    assert breaker.admit("columnar").probe
    assert breaker.admit("columnar") is None


def test_exactly_half_of_a_window_is_not_over(breaker):
    """Fifty slow calls of a hundred leave the window as it should be; 51 do not."""
    for _ in range(6):
        call(breaker, SLOW, 50)
        call(breaker, FAST, 50)
    assert breaker.state("columnar") is State.CLOSED
    for _ in range(3):
        call(breaker, FAST, 49)
        call(breaker, SLOW, 51)
    assert breaker.state("columnar") is State.OPEN


def test_exactly_the_budget_is_within_it(breaker):
    """A call is slow only where it took strictly longer."""
    call(breaker, BUDGET, 1000)
    assert breaker.state("columnar") is State.CLOSED


def test_the_budget_is_that_of_the_call(breaker):
    """4 ms are within 5 and over 3."""
    call(breaker, 4.0, 300, budget=5.0)
    assert breaker.state("columnar") is State.CLOSED
    call(breaker, 4.0, 300, budget=3.0)
    assert breaker.state("columnar") is State.OPEN


def test_empty_windows_say_nothing(breaker, clock):
    """Windows without a call neither open the breaker nor end a series of slow ones."""
    for _ in range(5):
        clock.now += 61
        assert breaker.state("columnar") is State.CLOSED
    call(breaker, SLOW, 200)
    for _ in range(5):
        clock.now += 61
        assert breaker.admit("columnar") is not None
    call(breaker, SLOW, 100)
    assert breaker.state("columnar") is State.OPEN


def test_a_window_also_ends_with_its_minute(breaker, clock):
    """Three calls, a minute apart, are three windows; the third ends, and opens, when somebody asks."""
    for _ in range(3):
        call(breaker, SLOW)
        clock.now += 60
    assert breaker.admit("columnar") is None
    assert breaker.state("columnar") is State.OPEN


def test_a_window_within_its_budget_ends_a_series(breaker):
    """Two slow windows, a good one and two slow ones do not open the breaker."""
    for ms in (SLOW, SLOW, FAST, SLOW, SLOW):
        call(breaker, ms, 100)
    assert breaker.state("columnar") is State.CLOSED


def test_only_the_probe_decides_about_itself(breaker, clock):
    """Calls from before, refused calls and a second report of a ticket change nothing while the probe is out."""
    early = breaker.admit("columnar")
    call(breaker, SLOW, 300)
    breaker.record(early, FAST, BUDGET)
    assert breaker.state("columnar") is State.OPEN
    clock.now += 301
    probe = breaker.admit("columnar")
    assert breaker.admit("columnar") is None
    breaker.record(early, FAST, BUDGET)
    breaker.release(early)
    assert breaker.state("columnar") is State.HALF_OPEN
    assert breaker.admit("columnar") is None
    breaker.record(probe, SLOW, BUDGET)
    breaker.record(probe, FAST, BUDGET)
    assert breaker.state("columnar") is State.OPEN


def test_a_probe_that_says_nothing_makes_room(breaker, clock):
    """A released probe neither opens nor closes; the next asker is the probe."""
    call(breaker, SLOW, 300)
    clock.now += 301
    breaker.release(breaker.admit("columnar"))
    assert breaker.state("columnar") is State.HALF_OPEN
    assert breaker.admit("columnar").probe


def test_a_lost_probe_blocks_for_one_cooldown(breaker, clock):
    """Where a probe never comes back there is another after the cooldown, and the lost one counts no more."""
    call(breaker, SLOW, 300)
    clock.now += 301
    lost = breaker.admit("columnar")
    clock.now += 299
    assert breaker.admit("columnar") is None
    clock.now += 1
    second = breaker.admit("columnar")
    breaker.record(lost, FAST, BUDGET)
    assert breaker.state("columnar") is State.HALF_OPEN
    breaker.record(second, FAST, BUDGET)
    assert breaker.state("columnar") is State.CLOSED


def test_released_calls_are_not_counted(breaker):
    """What says nothing about speed does not dilute a window."""
    for _ in range(300):
        breaker.release(breaker.admit("columnar"))
        call(breaker, SLOW)
    assert breaker.state("columnar") is State.OPEN


def test_the_percentile_is_by_nearest_rank(breaker):
    """Index round(0.99 (n - 1)) of the last thousand; None where nothing was recorded."""
    assert breaker.p99_ms("columnar") is None
    call(breaker, 7.0)
    assert breaker.p99_ms("columnar") == 7.0
    for ms in range(2000):
        call(breaker, float(ms), budget=1e9)
    assert breaker.p99_ms("columnar") == 1000 + round(0.99 * 999)


@pytest.mark.parametrize("wrong", [{"window_calls": 0}, {"windows": 0}, {"window_s": 0}, {"cooldown_s": float("nan")}])
def test_settings_that_mean_nothing_are_refused(wrong):
    """No window of no calls, no time of no length."""
    with pytest.raises(ValueError, match="at least 1"):
        CircuitBreaker(**wrong)


def test_threads_share_it(breaker, clock):
    """Eight threads lose no call: 8 x 37 + 4 calls are three windows; after the cooldown exactly one is the probe."""

    def work(count):
        call(breaker, SLOW, count)

    def run(target, *arguments):
        threads = [threading.Thread(target=target, args=arguments) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    run(work, 37)
    call(breaker, SLOW, 3)
    assert breaker.state("columnar") is State.CLOSED
    call(breaker, SLOW)
    assert breaker.state("columnar") is State.OPEN
    clock.now += 301
    tickets = []
    run(lambda: tickets.append(breaker.admit("columnar")))
    assert sum(ticket is not None for ticket in tickets) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_it_works_after_a_fork_that_met_it_locked(breaker):
    """A child is not blocked by a thread of its parent."""
    with breaker._lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if breaker.admit("columnar") is not None else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
