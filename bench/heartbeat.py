"""The event loop of a host: how late it comes to its other work while a large result is decided about.

Each function returns rows `(name, ratio, detail)`. A heartbeat sleeps 5 ms at a time and notes how late it wakes. The
baseline is the same heartbeat on a loop that does nothing else, in the same run; `ratio` is how many times later the
99th percentile is. The detail names both in milliseconds, and what a thread of the same process does to the loop, which
is what `view_async` would use if there were no helper processes. `FUNCTIONS` lists them in order.

The last row is the other side of the same question: what an ordinary table takes of the time that a breaker allows.
"""

from __future__ import annotations

import asyncio
import json
import os
from statistics import median
from time import perf_counter

from ..runtime import Compressor, ToolResult, native
from ..runtime.codecs.codec import NotApplicableError, Request
from ..runtime.codecs.registry import find_codec
from ..runtime.hosting.routing import BudgetRouter, estimate_size
from ..runtime.records import parse_result
from ..runtime.stores.store import MemoryStore
from .corpus.generate import CORPUS
from .corpus.stores import stores_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

Row = tuple[str, float, str]

BEAT_S = 0.005
ROUNDS = 3
ROWS = 26_000
"""So many rows of the stores are 5 MB of JSON."""
TOOL = "dq_execute_database_query"
"""A tool whose entry in the core manifest names `columnar` at level normal."""


async def lateness(work: Callable[[], Awaitable[object]]) -> list[float]:
    """Return how late a heartbeat woke while the work was done, in milliseconds, sorted."""
    late: list[float] = []
    done = asyncio.Event()

    async def beat() -> None:
        while not done.is_set():
            start = perf_counter()
            await asyncio.sleep(BEAT_S)
            late.append((perf_counter() - start - BEAT_S) * 1e3)

    heart = asyncio.create_task(beat())
    await asyncio.sleep(BEAT_S)
    for _ in range(ROUNDS):
        await work()
    done.set()
    await heart
    return sorted(late)


def p99(late: list[float]) -> float:
    """Return the 99th percentile by nearest rank, never 0."""
    return max(late[round(0.99 * (len(late) - 1))], 1e-3)


def results() -> Iterator[tuple[str, ToolResult]]:
    """Return 5 MB of each kind of payload."""
    text = stores_json(ROWS)
    yield "JSON text, columnar", ToolResult(TOOL, text)
    yield "rows, columnar", ToolResult(TOOL, json.loads(text))
    yield "`git diff`, a rule", parse_result(CORPUS["git_diff_5mb"]())


async def measure(compressor: Compressor, name: str, result: ToolResult) -> Row:
    """Measure one payload three ways: an idle loop, `view_async`, `view` in a thread."""
    start = perf_counter()
    view = await compressor.view_async(result)
    seconds = perf_counter() - start
    idle = p99(await lateness(lambda: asyncio.sleep(seconds)))
    ours = p99(await lateness(lambda: compressor.view_async(result)))
    thread = p99(await lateness(lambda: asyncio.to_thread(compressor.view, result)))
    shown = view.decision.reason or view.decision.outcome
    detail = f"{shown}; p99 {ours:.1f} ms late against {idle:.1f} ms, {thread:.1f} ms with a thread in its place"
    return f"heartbeat, 5 MB {name} / an idle loop", ours / idle, detail


def heartbeat_rows() -> list[Row]:
    """Measure `view_async` on 5 MB of JSON text, of rows in memory, and of shell text that a rule claims.

    JSON text twice where the native codec is there: with it, and in Python alone.
    """

    async def rows_of(found: Iterable[tuple[str, ToolResult]]) -> list[Row]:
        async with Compressor.default(enable="curated", store=MemoryStore()) as compressor:
            return [await measure(compressor, name, result) for name, result in found]

    rows = asyncio.run(rows_of(results()))
    if native.codec() is not None:
        # Helper processes find it in their environment.
        os.environ["CABLESE_PURE"] = "1"
        native.forget()
        try:
            name, result = next(results())
            rows += asyncio.run(rows_of([(f"{name}, Python alone", result)]))
        finally:
            del os.environ["CABLESE_PURE"]
            native.forget()
    return rows


def budget_rows() -> list[Row]:
    """Measure the slowest of the codecs' median times on ordinary tables against what the shipped budgets allow."""
    router = BudgetRouter()
    shares = []
    for count in (500, 1500):
        text = stores_json(count)
        for payload in (text, json.loads(text)):
            size = estimate_size(payload)
            for name, level in (("json_compact", "minimal"), ("columnar", "minimal"), ("columnar", "normal")):
                taken = median(_time(name, level, payload) for _ in range(5))
                shares.append((taken / router.budget_ms(router.route(size, level), level, size), taken, name, count))
    share, taken, name, count = max(shares)
    detail = f"`{name}` on {count} rows by 12 takes {taken:.1f} ms"
    return [("codec on an ordinary table, the slowest / what a breaker allows", share, detail)]


def _time(name: str, level: str, payload: object) -> float:
    codec = find_codec(name)
    assert codec is not None
    start = perf_counter()
    try:
        codec.compress(payload, Request(level, recoverable=True))
    except NotApplicableError:
        # Found out after the work: it takes as long.
        return (perf_counter() - start) * 1e3
    return (perf_counter() - start) * 1e3


FUNCTIONS = (heartbeat_rows, budget_rows)
