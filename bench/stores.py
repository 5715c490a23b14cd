"""Stores: keeping originals of 10 KB while 10,000 are held, and reading them again.

Each function returns rows `(name, ratio, detail)`. The baseline is the least that a kept original costs: its bytes
appended to a file by one write, without waiting for the disk, as the store does not wait for it either (what was
written is the kernel's, and survives the process). `ratio` is the median time of one over that of the other, batches
of both taken alternately in one run; `detail` says how many a second that is, and how long the processor was at one,
which a busy machine changes least. `FUNCTIONS` lists the functions.
"""

from __future__ import annotations

import os
import tempfile
from statistics import median
from time import perf_counter, process_time

from ..runtime.stores.file_store import FileStore
from ..runtime.stores.sqlite_store import SqliteStore
from ..runtime.stores.store import MemoryStore, Store

Row = tuple[str, float, str]

HELD = 10_000
SIZE = 10_000
BATCH = 250
ROUNDS = 12


def keep_rows() -> list[Row]:
    """Measure how long keeping takes in a store that is full, so that each original pushes out another one."""
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder:
        stores = {
            "SQLite": SqliteStore(f"{folder}/store.sqlite3"),
            "files": FileStore(f"{folder}/store"),
            "memory": MemoryStore(),
        }
        return [
            _measure(f"keep 10 KB, {name}, {HELD:,} held / append", store, folder) for name, store in stores.items()
        ]


def _measure(name: str, store: Store, folder: str) -> Row:
    for _ in range(HELD):
        store.keep(os.urandom(SIZE))
    times: tuple[list[float], list[float]] = ([], [])
    descriptor = os.open(f"{folder}/appended", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    processor = 0.0
    for _ in range(ROUNDS):
        contents = [os.urandom(SIZE) for _ in range(BATCH)]
        start, busy = perf_counter(), process_time()
        for content in contents:
            store.keep(content)
        times[0].append(perf_counter() - start)
        processor += process_time() - busy
        start = perf_counter()
        for content in contents:
            os.write(descriptor, content)
        times[1].append(perf_counter() - start)
    os.close(descriptor)
    store.close()
    ours, baseline = (median(taken) / BATCH for taken in times)
    # Of all rounds together: the time in which SQLite moves its log into the file belongs to it.
    rate = ROUNDS * BATCH / sum(times[0])
    at_one = processor / (ROUNDS * BATCH)
    words = f"{rate:,.0f} a second, {ours * 1e6:.0f} µs against {baseline * 1e6:.0f} µs"
    return name, ours / baseline, f"{words}, {at_one * 1e6:.0f} µs of the processor"


FUNCTIONS = (keep_rows,)


if __name__ == "__main__":
    for row in keep_rows():
        print(*row, sep="\t")
