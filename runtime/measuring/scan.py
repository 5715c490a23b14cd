"""Measures one file: a pure function of its bytes and of the work that is given.

Input: a held file, a `Work`. Output: an `Aggregate`. Runs in this process or in another one.

A file is compared with its identity before and after it is read. Where it changed, or cannot be read, nothing of what
was read of it counts: its whole length is `unscanned`. So for every file scanned + unreadable + unstable is one, and
scanned + unscanned bytes are its length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from .aggregate import Aggregate, Basis
from .events import Event, Lines, Source
from .held import UnstableError
from .limits import Limits


class File(Protocol):
    """What is measured: a held file, or one of another storage with the same promises."""

    @property
    def size(self) -> int:
        """The length in bytes."""
        ...

    def check(self) -> None:
        """Raise UnstableError where the file is not what it was."""
        ...

    def read(self, at: int, size: int) -> bytes:
        """Return bytes."""
        ...


class Work(NamedTuple):
    """What is done with each file. All of it can be sent to another process.

    `rules`: decide about each result as the packs would; else weigh the codecs of report v0. `admit` and `packs` are
    as `Compressor.default` takes them.
    """

    archive: str
    encoding: str
    limits: Limits
    basis: Basis
    rules: bool = False
    admit: str | None = None
    packs: tuple[str, ...] = ()


Reader = Callable[[Source, Lines], Iterator[Event]]


def reader_of(archive: str) -> Reader:
    """Return the reader of an archive."""
    from importlib import import_module

    module = import_module(f".read_{archive}", __package__)
    return getattr(module, f"read_{archive}")


def measure_file(file: File, work: Work) -> Aggregate:
    """Measure a file."""
    found = Aggregate(work.basis)
    lines = Lines()
    try:
        file.check()
        events = reader_of(work.archive)(Source(file, work.limits), lines)
        limited = _take(events, work, found)
        file.check()
    except UnstableError:
        return _unscanned(file, work, "unstable")
    except OSError:
        return _unscanned(file, work, "unreadable")
    found.add(("files", "scanned"), 1)
    found.add(("bytes", "scanned"), file.size)
    found.add(("files", "limit_hit"), int(limited or lines.stopped or lines.oversized > 0))
    for name, count in (
        ("lines", lines.total),
        ("valid_events", lines.valid),
        ("unknown", lines.unknown),
        ("malformed", lines.malformed),
        ("oversized", lines.oversized),
        ("cut", lines.cut),
        ("limit_hit", int(lines.stopped)),
    ):
        found.add(("jsonl", name), count)
    return found


def _take(events: Iterator[Event], work: Work, found: Aggregate) -> bool:
    if work.rules:
        from .replay import replay

        return replay(events, work, found)
    from .weighing import weigh_results

    return weigh_results(events, work, found)


def _unscanned(file: File, work: Work, why: str) -> Aggregate:
    found = Aggregate(work.basis)
    found.add(("files", why), 1)
    found.add(("bytes", "unscanned"), file.size)
    return found


def admit_results(events: Iterator[Event], limits: Limits, found: Aggregate) -> Iterator[Any]:
    """Yield events; of results only those that can be measured. Counts the others, and yields `LIMITED` for a limit.

    A result is stored once: one whose call had a result already is `invalid`, as is one that is no Unicode text.
    """
    from .events import Invalid, Result

    seen: set[Any] = set()
    total = 0
    for event in events:
        if not isinstance(event, Result | Invalid):
            yield event
            continue
        if total == limits.results:
            yield LIMITED
            return
        total += 1
        found.add(("results", "found"), 1)
        size = -1
        if isinstance(event, Result) and (event.lane, event.call) not in seen:
            seen.add((event.lane, event.call))
            size = _size(event)
        if size < 0:
            found.add(("results", "invalid"), 1)
        elif size > limits.candidate_bytes:
            found.add(("results", "skipped_limit"), 1)
            yield LIMITED
        else:
            found.add(("baseline", "content_bytes"), size)
            yield event


LIMITED = "limited"
"""Stands among events where something was left out because of a limit."""


def _size(event: Any) -> int:
    """Return the bytes of what a result shows, -1 where it is not Unicode."""
    try:
        event.call.encode()
        return len(event.content.encode())
    except UnicodeEncodeError:
        return -1
