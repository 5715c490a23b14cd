"""The streams of a result: from its metadata, or from `stdout:` / `stderr:` framing of its content.

Input: a `ToolResult`. Output: `Streams`.

Invariant: no stream is invented. What is missing, half there or ambiguous passes (`missing_stream`).
"""

from __future__ import annotations

from typing import NamedTuple

from .reasons import PassThrough, Reason
from .records import ToolResult

_STDOUT = "stdout:\n"
_STDERR = "\nstderr:\n"


class Streams(NamedTuple):
    """What was captured. `merged`: the streams are one; the text stands in one of the two, the other is empty."""

    stdout: str
    stderr: str
    merged: bool = False


def obtain_streams(result: ToolResult) -> Streams:
    """Return both streams. Raises PassThrough: `missing_stream`, or `invalid_output` for cut or timed-out ones."""
    _check_complete(result)
    metadata = result.metadata
    stdout, stderr, merged = metadata.get("stdout"), metadata.get("stderr"), metadata.get("merged")
    if merged is not None:
        if not isinstance(merged, str) or stdout is not None or stderr is not None:
            raise PassThrough(Reason.MISSING_STREAM, "`merged` is not text, or stands beside `stdout` or `stderr`")
        return Streams(merged, "", merged=True)
    if isinstance(stdout, str) and isinstance(stderr, str):
        return Streams(stdout, stderr)
    if stdout is not None or stderr is not None:
        raise PassThrough(Reason.MISSING_STREAM, "the metadata holds one stream as text, not both")
    if not isinstance(result.content, str):
        raise PassThrough(Reason.MISSING_STREAM, "no streams in the metadata, and the content is not text")
    return parse_framing(result.content)


def parse_framing(content: str) -> Streams:
    r"""Read `stdout:\n` S `\nstderr:\n` E, nothing trimmed. Raises PassThrough (`missing_stream`)."""
    if not content.startswith(_STDOUT):
        raise PassThrough(Reason.MISSING_STREAM, "no streams in the metadata, no framing in the content")
    stdout, separator, stderr = content[len(_STDOUT) :].partition(_STDERR)
    if not separator:
        raise PassThrough(Reason.MISSING_STREAM, "the framing has no `stderr:` line")
    # Neighbouring separators share a line end, so each side is searched together with the one before it.
    if content.startswith(_STDOUT + "stderr:\n") or _STDERR in "\n" + stderr:
        raise PassThrough(Reason.MISSING_STREAM, "the framing has more than one `stderr:` line")
    return Streams(stdout, stderr)


def _check_complete(result: ToolResult) -> None:
    """Refuse a result whose end was not seen."""
    for flag, words in (
        ("timed_out", "the command ran into its time limit"),
        ("stdout_truncated", "stdout was cut"),
        ("stderr_truncated", "stderr was cut"),
        ("merged_truncated", "the output was cut"),
    ):
        # Anything a host puts there but `false` or nothing is taken as true.
        if result.metadata.get(flag) not in (None, False):
            raise PassThrough(Reason.INVALID_OUTPUT, words)
