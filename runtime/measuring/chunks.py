"""Files in chunks, for archives that outgrow one machine: a manifest, and what has been measured of it.

Input: a `Sample` of stored files, a `Work`, an executor of any kind, a checkpoint. Output: an `Aggregate`.

A chunk is named by a digest of what is measured and of its files, with the lengths and marks that they had when they
were listed. A checkpoint is a file of lines, each the name of a chunk and its sums, appended whole. So what was
measured is not measured again, a chunk counts once however often it stands there, one of other files or of another
measurement has another name, and a line that was cut off is none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any, NamedTuple

from .aggregate import Aggregate
from .run import LostProcessError, Told, discovery_of
from .sampling import Sample
from .scan import Work, measure_file

CHUNK_BYTES = 64 << 20
_DIGITS = 64
"""Of the name of a chunk."""


class CheckpointError(Exception):
    """A checkpoint that cannot be read or written. The message says why."""


class Chunk(NamedTuple):
    """Files that are measured together. `name` is the digest of what they are and of how they are measured."""

    name: str
    files: tuple[Any, ...]

    @property
    def size(self) -> int:
        """The lengths of the files together, in bytes."""
        return sum(file.size for file in self.files)


def make_manifest(sample: Sample, work: Work, most: int = CHUNK_BYTES) -> tuple[Chunk, ...]:
    """Put files, ordered by name, into chunks of up to `most` bytes; a larger file is a chunk of its own."""
    groups: list[list[Any]] = []
    size = 0
    for file in sorted(sample.selected, key=lambda file: file.order):
        if not groups or size + file.size > most:
            groups.append([])
            size = 0
        groups[-1].append(file)
        size += file.size
    return tuple(Chunk(_name(files, work), tuple(files)) for files in groups)


def _name(files: list[Any], work: Work) -> str:
    from ..digests import sha256

    told = repr((work.rules, Aggregate(work.basis).to_bytes(), [(file.url, file.size, file.mark) for file in files]))
    return sha256(told.encode("utf-8", "backslashreplace")).hexdigest()


def measure_chunk(chunk: Chunk, work: Work) -> Aggregate:
    """Measure the files of a chunk: a pure function, for any process on any machine."""
    found = Aggregate(work.basis)
    for file in chunk.files:
        found.merge(measure_file(file, work))
    return found


def measure_chunks(
    sample: Sample, work: Work, executor: Executor | None, checkpoint: str | None = None, told: Told | None = None
) -> Aggregate:
    """Measure a sample, chunk by chunk, going on from a checkpoint. Raises CheckpointError, LostProcessError."""
    total = Aggregate(work.basis, discovery_of(sample))
    chunks = make_manifest(sample, work)
    known = {} if checkpoint is None else read_checkpoint(checkpoint, work)
    done = size = 0
    for chunk, found in _results(chunks, work, executor, known):
        total.merge(found)
        if checkpoint is not None and chunk.name not in known:
            append_checkpoint(checkpoint, chunk, found)
        done += len(chunk.files)
        size += chunk.size
        if told is not None:
            told(done, len(sample.selected), size, sample.planned_bytes)
    return total


def _results(
    chunks: tuple[Chunk, ...], work: Work, executor: Executor | None, known: dict[str, Aggregate]
) -> Iterator[tuple[Chunk, Aggregate]]:
    waiting = [chunk for chunk in chunks if chunk.name not in known]
    for chunk in chunks:
        if chunk.name in known:
            yield chunk, known[chunk.name]
    if executor is None:
        for chunk in waiting:
            yield chunk, measure_chunk(chunk, work)
        return
    from concurrent.futures import BrokenExecutor, as_completed

    failed: Exception | None = None
    pending = {executor.submit(measure_chunk, chunk, work): chunk for chunk in waiting}
    for future in as_completed(pending):
        try:
            found = future.result()
        except Exception as error:  # noqa: BLE001 - raised again, once the other chunks are in the checkpoint
            failed = failed or error
        else:
            yield pending[future], found
    if isinstance(failed, BrokenExecutor):
        raise LostProcessError("a process ended before its work was done") from failed
    if failed is not None:
        raise failed


def read_checkpoint(path: str, work: Work) -> dict[str, Aggregate]:
    """Return the sums of the chunks in a checkpoint by their names. Raises CheckpointError."""
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CheckpointError(f"the checkpoint cannot be read: {error.strerror or error}") from None
    first = next(filter(None, lines), b"")[:_DIGITS]
    if first.strip(b"0123456789abcdef"):
        raise CheckpointError("the file of the checkpoint holds something else, and is left as it is")
    known: dict[str, Aggregate] = {}
    for line in lines:
        name, _, sums = line.partition(b" ")
        try:
            found = Aggregate.from_bytes(sums)
        except ValueError:
            # Cut off, or of something else: what it would have told is measured again.
            continue
        if found.basis == work.basis:
            known[name.decode("ascii", "replace")] = found
    return known


def append_checkpoint(path: str, chunk: Chunk, found: Aggregate) -> None:
    """Append the sums of a chunk, as one line. Raises CheckpointError."""
    line = b"\n" + chunk.name.encode() + b" " + found.to_bytes() + b"\n"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if os.write(descriptor, line) != len(line):
                raise CheckpointError("the checkpoint cannot be written in full")
        finally:
            os.close(descriptor)
    except OSError as error:
        raise CheckpointError(f"the checkpoint cannot be written: {error.strerror or error}") from None
