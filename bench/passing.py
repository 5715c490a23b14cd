"""What a result costs that nobody claims: the price of the pipeline for everything that it leaves alone.

Each function returns rows `(name, ratio, detail)`: `ratio` is the median time of `Compressor.view` over that of making
and reading one frozen record of as many fields, both measured alternately in one run; `detail` holds the median in
microseconds. `FUNCTIONS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

from ..runtime import Compressor, ToolResult
from ..runtime.records import Decision, Outcome, View
from ..runtime.stores.store import MemoryStore

Row = tuple[str, float, str]

ROUNDS = 3000
TEXT = "The file was read.\nIt holds three lines of text,\nand nothing that repeats.\n"


def passing_rows() -> list[Row]:
    """Measure small text: of a tool that no rule is for, and of a command that no rule accepts."""
    compressor = Compressor.default(enable="curated", store=MemoryStore())
    results = {
        "small text of a tool, passed / a record": ToolResult("read_file", TEXT),
        "small text of a command, passed / a record": ToolResult("bash", TEXT, {"command": "ls -la"}, {"exit_code": 0}),
    }
    return [_row(name, compressor, result) for name, result in results.items()]


def _row(name: str, compressor: Compressor, result: ToolResult) -> Row:
    reason = compressor.view(result).decision.reason
    ours, baseline = _alternately(lambda: compressor.view(result), lambda: _make_record(result))
    return name, ours / baseline, f"{ours * 1e6:.1f} µs against {baseline * 1e6:.1f} µs, {reason}"


def _make_record(result: ToolResult) -> View:
    return View(result.content, Decision(Outcome.PASSED, tool=result.tool, bytes=(len(TEXT), len(TEXT))))


def _alternately(ours: Callable[[], object], baseline: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of a call of each."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for kept, call in zip(times, (ours, baseline), strict=True):
            start = perf_counter()
            call()
            kept.append(perf_counter() - start)
    return median(times[0]), median(times[1])


FUNCTIONS = (passing_rows,)
