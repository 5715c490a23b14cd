"""A measurement from beginning to end: find, choose, measure each file, put the figures together.

Input: the folder of an archive, a `Work`. Output: an `Aggregate` of discovery and of all files.

Files may be measured by any executor that shares this process's open files (none, or a pool of forked processes): the
figures are sums, so they are the same in any order. Nothing is written, and nothing is opened again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from .aggregate import Aggregate
from .archives import ARCHIVES
from .held import SUPPORTED, open_root
from .sampling import Sample, raise_open_limit, take_sample
from .scan import Work, measure_file

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Told = Callable[[int, int, int, int], None]
"""Told after each file: files done and of how many, bytes done and of how many."""

_SMALL = 1 << 20


class UnsupportedSystemError(Exception):
    """Files cannot be opened here in the way that is needed."""


class LostProcessError(Exception):
    """A process of the pool ended before its work was done."""


def find_sessions(folder: str, work: Work) -> Sample:
    """Find and choose the files of an archive. Raises UnsafeError, TooManyFilesError, UnsupportedSystemError."""
    import os

    if not SUPPORTED:
        raise UnsupportedSystemError("this system cannot open files in a held folder without following links")
    raise_open_limit(work.limits.max_files)
    root = open_root(os.path.expanduser(folder))
    try:
        return take_sample(root, ARCHIVES[work.archive], work.limits)
    finally:
        os.close(root)


def measure_sample(sample: Sample, work: Work, executor: Executor | None = None, told: Told | None = None) -> Aggregate:
    """Measure the files of a sample. Raises LostProcessError."""
    total = Aggregate(work.basis, discovery_of(sample))
    done_bytes = 0
    whole = sample.planned_bytes
    for done, found in enumerate(_results(sample, work, executor), 1):
        total.merge(found)
        done_bytes += found["bytes", "scanned"] + found["bytes", "unscanned"]
        if told is not None:
            told(done, len(sample.selected), done_bytes, whole)
    return total


def _results(sample: Sample, work: Work, executor: Executor | None):  # noqa: ANN202 - an iterator of aggregates
    if executor is None:
        for file in sample.selected:
            yield measure_file(file, work)
        return
    from concurrent.futures import BrokenExecutor, as_completed

    # The largest first, so that none of them is left for one process at the end.
    files = sorted(sample.selected, key=lambda file: -file.size)
    try:
        pending = {executor.submit(measure_file, file, work) for file in files}
        for future in as_completed(pending):
            yield future.result()
    except BrokenExecutor:
        raise LostProcessError("a process ended before its work was done; --jobs 1 needs less memory") from None


def make_pool(jobs: int, sample: Sample) -> ProcessPoolExecutor | None:
    """Return a pool that shares the open files, or None where one process does as well, or none can be forked."""
    import multiprocessing

    jobs = min(jobs, len(sample.selected))
    if jobs < 2 or sample.planned_bytes < _SMALL or "fork" not in multiprocessing.get_all_start_methods():
        return None
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork"))


def discovery_of(sample: Sample) -> list[tuple[tuple[str, ...], int]]:
    """Return the counts of what was found and chosen."""
    selected, planned = len(sample.selected), sample.planned_bytes
    return [
        (("files", "discovered"), sample.discovered_files),
        (("files", "selected"), selected),
        (("files", "sampled_out"), sample.discovered_files - selected),
        (("files", "skipped"), sample.skipped),
        (("files", "limit_hit"), sample.over_cap),
        (("bytes", "discovered"), sample.discovered_bytes),
        (("bytes", "planned"), planned),
        (("bytes", "sampled_out"), sample.discovered_bytes - planned),
    ]
