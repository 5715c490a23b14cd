"""The lines of a file as JSON objects, one at a time, within bounds.

Input: a `Source`. Output: objects with a text under `type`, or as a reader asks; counts of all lines.

Invariants: no more than one line and one block are in memory; a line longer than the limit is passed over without
being kept; blank lines are none. A last line without an end may be one that is still being written: where it is no
JSON, it is `cut` as well as malformed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .events import Lines, Source

_BLOCK = 1 << 20


def read_objects(source: Source, counts: Lines) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file, line by line. Raises UnstableError, OSError."""
    from json import loads

    for line, ended in _read_lines(source):
        if counts.total >= source.limits.lines:
            counts.stopped = True
            return
        if line is None:
            counts.oversized += 1
            continue
        try:
            found = loads(line)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            counts.valid += 1
            yield found
        else:
            counts.malformed += 1
            counts.cut += not ended


def type_of(record: Mapping[str, Any]) -> str:
    """Return what a record says it is, empty where it says nothing that could be known."""
    found = record.get("type")
    return found if isinstance(found, str) else ""


def _read_lines(source: Source) -> Iterator[tuple[bytes | None, bool]]:
    """Yield each line that is not blank, None for one that is too long, and whether it had an end."""
    from re import compile as compile_pattern

    ends: Any = compile_pattern(rb"\n+")
    most = source.limits.line_bytes
    held, at, size = source.held, 0, source.held.size
    parts: list[bytes] = []
    length = 0
    while at < size:
        block = held.read(at, _BLOCK)
        at += len(block)
        start = 0
        while (end := block.find(b"\n", start)) >= 0:
            if end == start and not length:
                start = ends.match(block, start).end()
                continue
            length += end - start
            if length > most:
                yield None, True
            else:
                line = b"".join([*parts, block[start:end]])
                if line.strip():
                    yield line, True
            parts, length, start = [], 0, end + 1
        length += len(block) - start
        if length <= most:
            parts.append(block[start:])
        else:
            parts = []
    if length > most:
        yield None, False
    elif (line := b"".join(parts)).strip():
        yield line, False
