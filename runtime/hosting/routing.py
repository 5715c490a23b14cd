"""Where a payload is worked on: where it came in, off the event loop, or nowhere.

Input: a payload, the level, the name of a codec. Output: a `Route`, and for codecs a `Watch`, which lets a call in and
reports how long it took, or PassThrough with `too_large` or `breaker_open`.

- INLINE: in the thread that asks. EXECUTOR: off the event loop, in another process where it can be sent there, else in
  a thread (`offload.py`). `Compressor.view` has no event loop to protect, so for it EXECUTOR means the thread that
  asks, too, with the longer budget. PASSTHROUGH: the original.
- The route depends on payload and level alone; what is installed does not change it.

Invariants: an estimate looks at a bounded number of values, however large or deep or odd the payload is, and never
raises; the same payload has the same estimate on every machine. Without a breaker no clock is read, and every decision
depends on the payload alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..reasons import PassThrough, Reason

if TYPE_CHECKING:
    from types import TracebackType

    from .breaker import CircuitBreaker, Ticket

_SAMPLE = 2048
"""How many values of a payload an estimate looks at."""
_CHARACTERS = 4096
"""How many characters of a text that is not ASCII it looks at."""
_DEEPEST = 64
_BURIED = 1 << 20
"""What counts for a value that is nested deeper than that: enough to go off the event loop."""
_SCALAR = 8


class Route(StrEnum):
    """Where a payload is worked on."""

    INLINE = "inline"
    EXECUTOR = "executor"
    PASSTHROUGH = "passthrough"


class Estimate(NamedTuple):
    """How large a payload is: bytes of its text or of its JSON, and the rows of its longest list; both roughly."""

    bytes: int
    rows: int


class Thresholds(NamedTuple):
    """INLINE below both of the first two; PASSTHROUGH above either of the last two; EXECUTOR between them."""

    inline_bytes: int = 64 * 1024
    inline_rows: int = 500
    max_bytes: int = 64 * 1024**2
    max_rows: int = 2_000_000


class Budgets(NamedTuple):
    """How long a codec may take before its call counts as slow, in milliseconds.

    The first three are for level `minimal` inline, for other levels inline, and for EXECUTOR; `per_mib_ms` comes on top
    of each for every MiB of the estimate. They allow a codec some five times what it takes in pure Python on a slow and
    busy machine, 200 to 600 ms a MiB (`bench/heartbeat.py` measures it): a breaker opens for what is stuck, not for
    what is large.
    """

    minimal_ms: float = 50.0
    inline_ms: float = 50.0
    executor_ms: float = 100.0
    per_mib_ms: float = 2500.0


class BudgetRouter:
    """Gives payloads their routes. Has no state."""

    def __init__(
        self,
        thresholds: Thresholds = Thresholds(),  # noqa: B008 - immutable
        budgets: Budgets = Budgets(),  # noqa: B008 - immutable
    ) -> None:
        """Raise ValueError for a threshold or budget below 0."""
        if min(*thresholds, *budgets) < 0:
            raise ValueError("thresholds and budgets are not below 0")
        self.thresholds = thresholds
        self.budgets = budgets

    def route(self, estimate: Estimate, level: str) -> Route:
        """Return where a payload of this size is worked on."""
        limits = self.thresholds
        if level == "none" or estimate.bytes > limits.max_bytes or estimate.rows > limits.max_rows:
            return Route.PASSTHROUGH
        if estimate.bytes < limits.inline_bytes and estimate.rows < limits.inline_rows:
            return Route.INLINE
        return Route.EXECUTOR

    def budget_ms(self, route: Route, level: str, estimate: Estimate) -> float:
        """Return how long a codec may take on this route."""
        budgets = self.budgets
        base = budgets.executor_ms
        if route is Route.INLINE:
            base = budgets.minimal_ms if level == "minimal" else budgets.inline_ms
        return base + budgets.per_mib_ms * estimate.bytes / 1024**2


class Guard:
    """What stands before each call of a codec: the router, and the breaker where one is switched on."""

    def __init__(self, router: BudgetRouter, breaker: CircuitBreaker | None = None) -> None:
        self.router = router
        self.breaker = breaker
        # Text of no more characters is below every bound, and nobody asks for its size: most results are that.
        self._short = router.thresholds.max_bytes // 4 if breaker is None and type(router) is BudgetRouter else -1

    def watch(self, codec: str, payload: Any, level: str) -> Watch | _Unwatched:
        """Let a call in: `with guard.watch(name, payload, level): codec.compress(…)`. Raises PassThrough."""
        if type(payload) is str and len(payload) <= self._short and level != "none":
            return _UNWATCHED
        estimate = estimate_size(payload)
        ticket, budget_ms = self.admit(codec, estimate, level)
        if ticket is None or self.breaker is None:
            return _UNWATCHED
        return Watch(self, self.breaker.clock, ticket, budget_ms)

    def admit(self, codec: str, estimate: Estimate, level: str) -> tuple[Ticket | None, float]:
        """Let a call in with its ticket (None without a breaker) and its budget. Raises PassThrough."""
        route = self.router.route(estimate, level)
        if route is Route.PASSTHROUGH:
            if level == "none":
                raise PassThrough(Reason.LEVEL_NONE, "nothing is compressed at level `none`")
            limits = self.router.thresholds
            words = f"some {estimate.bytes} bytes and {estimate.rows} rows; the most that is worked on is"
            raise PassThrough(Reason.TOO_LARGE, f"{words} {limits.max_bytes} and {limits.max_rows}")
        if self.breaker is None:
            return None, 0.0
        ticket = self.breaker.admit(codec)
        if ticket is None:
            raise PassThrough(Reason.BREAKER_OPEN, f"the codec `{codec}` keeps taking too long and is left out")
        return ticket, self.router.budget_ms(route, level, estimate)

    def settle(self, ticket: Ticket, ms: float, budget_ms: float, *, declined: bool) -> None:
        """Report a call. One that quickly declined the payload says nothing about how long the work takes."""
        if self.breaker is None:
            return
        if declined and ms <= budget_ms:
            self.breaker.release(ticket)
        else:
            self.breaker.record(ticket, ms, budget_ms)


DEFAULT_GUARD = Guard(BudgetRouter())
"""The shipped figures, and no breaker."""


def stays_inline(result: Any, guard: Guard | None, level: str | None) -> bool:
    """Tell whether a result is small enough to be decided about on an event loop. Never raises."""
    try:
        content, metadata = estimate_size(result.content), estimate_size(result.metadata)
        size = Estimate(content.bytes + metadata.bytes, max(content.rows, metadata.rows))
        return (guard or DEFAULT_GUARD).router.route(size, level or "minimal") is Route.INLINE
    except Exception:  # noqa: BLE001 - a router of the host, or no result at all
        return False


class _Unwatched:
    """Measures nothing."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


_UNWATCHED = _Unwatched()


class Watch:
    """Measures one call by the clock of the breaker."""

    __slots__ = ("_budget_ms", "_clock", "_guard", "_start", "_ticket")

    def __init__(self, guard: Guard, clock: Callable[[], float], ticket: Ticket, budget_ms: float) -> None:
        self._guard = guard
        self._clock = clock
        self._ticket = ticket
        self._budget_ms = budget_ms
        self._start = 0.0

    def __enter__(self) -> None:
        self._start = self._clock()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ms = (self._clock() - self._start) * 1000
        self._guard.settle(self._ticket, ms, self._budget_ms, declined=kind is not None)


def estimate_size(payload: Any) -> Estimate:
    """Estimate bytes and rows from a bounded sample. Never raises; what cannot be looked at counts as nothing."""
    try:
        return Estimate(_estimate_bytes(payload, _SAMPLE, 0), _count_rows(payload))
    except Exception:  # noqa: BLE001 - classes of a host may do anything
        return Estimate(0, 0)


def _estimate_bytes(value: Any, allowance: int, depth: int) -> int:
    """Return roughly how long the JSON of a value is, looking at no more than about `allowance` values."""
    if isinstance(value, str):
        return _text_bytes(value) + 2 * (depth > 0)
    if isinstance(value, bytes | bytearray | memoryview):
        return len(value)
    if isinstance(value, int):
        return max(1, value.bit_length() * 3 // 10) if not isinstance(value, bool) else 5
    if isinstance(value, Mapping):
        seen, count = list(islice(value.items(), max(1, allowance // 2))), len(value)
        keys = sum(len(key) + 4 if isinstance(key, str) else _SCALAR for key, _ in seen)
        children = [child for _, child in seen]
    elif isinstance(value, list | tuple):
        # Few elements, evenly spaced, and each looked at closely: rows are alike, their fields are not.
        count = len(value)
        children = value[:: max(1, -(-count // max(4, allowance // 32)))]
        keys = len(children)
    else:
        return _SCALAR
    if not children:
        return 2
    if allowance <= 0 or depth >= _DEEPEST:
        return _BURIED if depth >= _DEEPEST else _SCALAR * count
    share = allowance // len(children) if len(children) > 1 else allowance - 1
    total = keys + sum(_estimate_bytes(child, share, depth + 1) for child in children)
    return 2 + total * count // len(children)


def _text_bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    head = text[:_CHARACTERS]
    return len(text) * len(head.encode("utf-8", "surrogatepass")) // len(head)


def _count_rows(payload: Any) -> int:
    if isinstance(payload, list):
        return len(payload)
    if isinstance(payload, Mapping):
        return max((len(value) for value in islice(payload.values(), _SAMPLE) if isinstance(value, list)), default=0)
    return 0
