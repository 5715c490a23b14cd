"""How much is read at most: what a caller may choose, and what is fixed.

Output: `Limits`. Two sets: of the report v0, as documented, and of `--rules`, which reads larger archives. Sizes are in
bytes.
"""

from __future__ import annotations

from typing import NamedTuple

MIB = 1 << 20
GIB = 1 << 30


class LimitError(ValueError):
    """A limit outside of its range. The message names the range."""


class Limits(NamedTuple):
    """What bounds a measurement.

    `max_files` and `max_bytes` bound the sample, `file_bytes` a file, `whole_bytes` a file that can only be read whole
    (a database, one JSON value). Within a file: `line_bytes` a line, `lines`, `results`, and `candidate_bytes` the
    content of a result.
    """

    max_files: int
    max_bytes: int
    file_bytes: int
    whole_bytes: int
    line_bytes: int = 8 * MIB
    lines: int = 200_000
    results: int = 100_000
    candidate_bytes: int = MIB


class Range(NamedTuple):
    """The least and the most that a caller may choose."""

    least: int
    most: int


FILES = Range(1, 10_000)
REPORT_BYTES = Range(MIB, GIB)
RULES_BYTES = Range(MIB, 64 * GIB)
REPORT_LIMITS = Limits(100, 128 * MIB, file_bytes=64 * MIB, whole_bytes=64 * MIB)
RULES_LIMITS = Limits(1_000, GIB, file_bytes=GIB, whole_bytes=64 * MIB, lines=2_000_000)


def choose_limits(*, rules: bool, max_files: int | None = None, max_bytes: int | None = None) -> Limits:
    """Return the limits with what the caller chose. Raises LimitError."""
    limits = RULES_LIMITS if rules else REPORT_LIMITS
    if max_files is not None:
        limits = limits._replace(max_files=_within("--max-files", max_files, FILES))
    if max_bytes is not None:
        limits = limits._replace(max_bytes=_within("--max-bytes", max_bytes, RULES_BYTES if rules else REPORT_BYTES))
    return limits


def _within(name: str, value: int, allowed: Range) -> int:
    if not allowed.least <= value <= allowed.most:
        raise LimitError(f"{name}: {value} is not from {allowed.least} to {allowed.most}")
    return value
