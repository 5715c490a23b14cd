"""Work on many rule files, shared out to all processors.

Input: a function of a module and what it is to be applied to, both fit to be sent to another process. Output: its
results, in order. Processes are forked, which costs milliseconds where everything is loaded; where that cannot be done,
or one of them dies, the work is done here.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

LEAST: Final = 100_000
"""Less text than this, in characters, is faster in one process."""

_PIECES: Final = 4
"""Pieces of work for each process: so that none waits long for the others."""


def count_processors() -> int:
    """Return how many processes may run at once: 1 where none can be forked."""
    if "fork" not in multiprocessing.get_all_start_methods() or not hasattr(os, "sched_getaffinity"):
        return 1
    return len(os.sched_getaffinity(0))


def map_on_all_processors(function: Callable[[_Item], _Result], items: Sequence[_Item]) -> Iterator[_Result]:
    """Yield the result for each item. What the function raises is raised here."""
    done = 0
    processors = min(count_processors(), len(items))
    if processors > 1:
        size = max(1, len(items) // (processors * _PIECES))
        try:
            with ProcessPoolExecutor(processors, multiprocessing.get_context("fork")) as pool:
                for result in pool.map(function, items, chunksize=size):
                    done += 1
                    yield result
        except (BrokenProcessPool, OSError):
            pass
    for item in items[done:]:
        yield function(item)
