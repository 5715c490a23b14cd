"""The ledger and the report: what writing a decision down costs, and what summing many up does.

Each function returns rows `(name, ratio, detail)`; `FUNCTIONS` lists them in order. Times are the least of several
rounds in one run, memory is the peak of a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from time import perf_counter

from ..runtime import Compressor, MemoryStore, SessionReport, SqliteStore, ToolResult
from ..runtime.hosting.ledger import encode_entry, recovery_entry
from ..runtime.savings import aggregate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Row = tuple[str, float, str]

ROUNDS = 7
VIEWS = 500
ENTRIES = 20_000
MANY = 500_000
PEAK = """
import resource, sys
from cablese.bench.savings import _entries
from cablese.runtime.savings import aggregate, report_record
count = int(sys.argv[1])
assert report_record(aggregate(_entries(count)))["total"]["calls"] == count
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def least(run: Callable[[], object]) -> float:
    """Return the least seconds of several rounds."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)


def listening_rows() -> list[Row]:
    """Measure views of a small text that no rule claims: with a ledger, with a listener, against neither."""
    result = ToolResult("read", "a short text that nobody claims\n" * 3)
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder:
        plain = Compressor.default(enable="curated", store=MemoryStore())
        listening = Compressor.default(enable="curated", store=MemoryStore())
        listening.subscribe(SessionReport().handle)
        memory = Compressor.default(enable="curated", store=MemoryStore(), ledger=True)
        file = Compressor.default(enable="curated", store=SqliteStore(f"{folder}/store.sqlite"), ledger=True)
        times = {
            name: least(lambda c=compressor: [c.view(result) for _ in range(VIEWS)]) / VIEWS * 1e6
            for name, compressor in (("plain", plain), ("session", listening), ("memory", memory), ("file", file))
        }
    words = {"session": "a session report", "memory": "a ledger in memory", "file": "a ledger in a file"}
    return [
        (f"view of a small text with {told} / without", times[name] / times["plain"], _against(times, name))
        for name, told in words.items()
    ]


def _against(times: dict[str, float], name: str) -> str:
    return f"{times[name]:.1f} µs against {times['plain']:.1f} µs"


def _entries(count: int) -> Iterator[bytes]:
    """Give entries as a long session would leave them: many rules, every handle another, some shown again."""
    for number in range(count):
        handle = f"{number:015}"
        entry = {
            "at": 1.7e9 + number, "tool": "bash", "rule": f"bash.rule_{number % 40}", "outcome": "compressed",
            "level": "normal", "guarantee": "summary", "handle": handle, "pack": "curated 1.0.0 9c41e0",
            "bytes": [4000 + number % 977, 400], "ms": (number % 500) / 100,
        }  # fmt: skip
        yield encode_entry(entry)
        if number % 16 == 0:
            yield encode_entry(recovery_entry(handle, 1000, 1.7e9 + number))


def report_rows() -> list[Row]:
    """Measure summing entries up, against reading their JSON; and the memory that a million of them take."""
    lines = list(_entries(ENTRIES))
    ours, baseline = least(lambda: aggregate(lines)), least(lambda: [json.loads(line) for line in lines])
    detail = f"{ours / len(lines) * 1e6:.1f} µs against {baseline / len(lines) * 1e6:.1f} µs an entry"
    peaks = [_peak(count) for count in (MANY // 2, MANY)]
    grown = f"{peaks[1] / 1e6:.0f} MB against {peaks[0] / 1e6:.0f} MB, every handle another"
    return [
        ("report: sum up entries / read their JSON", ours / baseline, detail),
        (f"memory: report of {MANY:,} entries / of half as many", peaks[1] / peaks[0], grown),
    ]


def _peak(count: int) -> int:
    """Return the peak memory in bytes of a process that sums up so many entries."""
    done = subprocess.run([sys.executable, "-c", PEAK, str(count)], capture_output=True, text=True, check=True)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)


FUNCTIONS = (listening_rows, report_rows)
