"""The circuit breaker: a codec that keeps taking too long is left out for a while.

Input: for each call of a codec the time it took and the time it was allowed, both in milliseconds. Output: whether the
next call may go ahead.

Calls are counted in windows. A window ends with its hundredth call, or once a minute has passed since it began, and is
*over* when more than half of its calls took longer than they were allowed. After three windows in a row that were over,
the breaker of that codec opens: its calls are refused for five minutes. Then one call goes ahead as the probe while all
others are still refused, and the probe alone decides whether the breaker closes or stays open for another five minutes.

Invariants: a call is counted by the ticket it was let in with, so what was refused counts nowhere, and neither a
refused call nor one that began before the breaker opened can stand in for the probe. A probe that never comes back
blocks for one cooldown at most. The clock is given, and is the only one that is asked. May be used from many threads
and after fork.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from threading import Lock
from time import monotonic
from typing import NamedTuple
from weakref import WeakSet

_REMEMBERED = 1000


class State(StrEnum):
    """Where the breaker of a codec stands. `half_open`: the cooldown is over, and no probe has come back yet."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Ticket(NamedTuple):
    """The permission for one call. `period` tells calls apart that began before and after the breaker changed."""

    codec: str
    period: int
    probe: bool


class _Codec:
    """What is known of one codec."""

    __slots__ = ("calls", "durations", "over", "period", "probe_since", "since", "slow_windows", "started")

    def __init__(self, now: float) -> None:
        self.period = 0
        self.started = now
        self.calls = 0
        self.over = 0
        self.slow_windows = 0
        self.since: float | None = None
        self.probe_since: float | None = None
        self.durations: deque[float] = deque(maxlen=_REMEMBERED)


class CircuitBreaker:
    """Lets the calls of each codec in, or refuses them."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = monotonic,
        window_calls: int = 100,
        window_s: float = 60.0,
        windows: int = 3,
        cooldown_s: float = 300.0,
    ) -> None:
        """Make a breaker that is closed for every codec; `clock` gives seconds that never go back.

        Raises ValueError where a count is below 1 or a time is not above 0.
        """
        if window_calls < 1 or windows < 1 or not window_s > 0 or not cooldown_s > 0:
            raise ValueError("counts of a breaker are at least 1, times above 0")
        self.clock = clock
        self._window_calls = window_calls
        self._window_s = window_s
        self._windows = windows
        self._cooldown_s = cooldown_s
        self._codecs: dict[str, _Codec] = {}
        self._lock = Lock()
        _breakers.add(self)

    def admit(self, codec: str) -> Ticket | None:
        """Let a call in, or return None. Whoever is let in reports back by `record` or `release`."""
        with self._lock:
            now = self.clock()
            known = self._find(codec, now)
            state = self._state(known, now)
            if state is State.CLOSED:
                opened = self._roll(known, now)
                if not opened:
                    return Ticket(codec, known.period, probe=False)
            elif state is State.OPEN or known.probe_since is not None:
                return None
            else:
                known.probe_since = now
                known.period += 1
                return Ticket(codec, known.period, probe=True)
        self._warn(codec)
        return None

    def record(self, ticket: Ticket, ms: float, budget_ms: float) -> None:
        """Count a call that took `ms` and was allowed `budget_ms`; exactly the budget is within it."""
        with self._lock:
            now = self.clock()
            known = self._find(ticket.codec, now)
            known.durations.append(ms)
            if ticket.period != known.period:
                return
            over = ms > budget_ms
            if ticket.probe:
                opened = self._resolve(known, now, over=over)
            else:
                opened = self._roll(known, now) or self._count(known, now, over=over)
        if opened:
            self._warn(ticket.codec)

    def release(self, ticket: Ticket) -> None:
        """Take back a call that says nothing about speed; a probe makes room for the next."""
        with self._lock:
            known = self._find(ticket.codec, self.clock())
            if ticket.probe and ticket.period == known.period:
                known.probe_since = None

    def state(self, codec: str) -> State:
        """Tell where the breaker of a codec stands, without letting a call in."""
        with self._lock:
            now = self.clock()
            return self._state(self._find(codec, now), now)

    def p99_ms(self, codec: str) -> float | None:
        """Return the 99th percentile, by nearest rank, of the last 1,000 calls; None where there were none."""
        with self._lock:
            known = self._codecs.get(codec)
            durations = sorted(known.durations) if known else []
        return durations[round(0.99 * (len(durations) - 1))] if durations else None

    def _find(self, codec: str, now: float) -> _Codec:
        known = self._codecs.get(codec)
        if known is None:
            known = self._codecs[codec] = _Codec(now)
        return known

    def _state(self, known: _Codec, now: float) -> State:
        if known.since is None:
            return State.CLOSED
        if now - known.since < self._cooldown_s:
            return State.OPEN
        if known.probe_since is not None and now - known.probe_since >= self._cooldown_s:
            known.probe_since = None
        return State.HALF_OPEN

    # The following return whether they opened the breaker.

    def _roll(self, known: _Codec, now: float) -> bool:
        """End the window whose time has passed. A window without calls says nothing."""
        if now - known.started < self._window_s:
            return False
        if known.calls:
            return self._end_window(known, now)
        known.started = now
        return False

    def _count(self, known: _Codec, now: float, *, over: bool) -> bool:
        known.calls += 1
        known.over += over
        return known.calls >= self._window_calls and self._end_window(known, now)

    def _end_window(self, known: _Codec, now: float) -> bool:
        known.slow_windows = known.slow_windows + 1 if 2 * known.over > known.calls else 0
        known.started, known.calls, known.over = now, 0, 0
        return known.slow_windows >= self._windows and self._resolve(known, now, over=True)

    def _resolve(self, known: _Codec, now: float, *, over: bool) -> bool:
        """Open or close the breaker of a codec; either way counting begins anew."""
        known.period += 1
        known.since = now if over else None
        known.probe_since = None
        known.started, known.calls, known.over, known.slow_windows = now, 0, 0, 0
        return over

    def _warn(self, codec: str) -> None:
        import logging

        seconds = self._cooldown_s
        logging.getLogger(__name__).warning("codec `%s` keeps taking too long; left out for %g s", codec, seconds)


_breakers: WeakSet[CircuitBreaker] = WeakSet()


def _unlock() -> None:
    """Give the breakers of a forked child locks of their own: one might have been held by a thread that is not here."""
    for breaker in list(_breakers):
        breaker._lock = Lock()  # noqa: SLF001 - the same module


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)
