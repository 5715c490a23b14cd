"""The candidate of a rule: what the rule that claims a command says of its output.

Input: a result, its command, the claim. Output: `Candidate`, the documented header and the body, or PassThrough.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import engine
from ..framing import Streams, obtain_streams
from ..reasons import PassThrough, Reason
from ..records import ToolResult, is_text, is_unicode, text_size
from ..shell import Command
from .header import Header, begins_like_ours, render_view

if TYPE_CHECKING:
    from ..packs.catalogue import Claim

_SHIPPED = ("curated", "extra")
"""The names of our own packs."""

Note = Callable[[str, Any], None]


class Candidate(NamedTuple):
    """A summary before it is weighed: the documented header, the body of the rule."""

    header: Header
    body: str


def make_candidate(result: ToolResult, command: Command, claim: Claim, note: Note) -> Candidate:
    """Let the rule read the streams and say what it learned."""
    if not is_text(result.content):
        raise PassThrough(Reason.NOT_APPLICABLE, "the content is not text")
    streams = obtain_streams(result)
    note("streams", streams)
    _check_streams(result, streams)
    if command.merges:
        streams = streams._replace(merged=True)
    verdict = engine.evaluate(claim.rule, streams, result.exit_code)
    note("verdict", verdict)
    if isinstance(verdict, engine.Refusal):
        raise PassThrough(Reason(verdict.reason), verdict.detail)
    # Where the host states nothing, an output that contradicts exit 0 is no success.
    stated = result.stated_success
    header = Header(
        tool=result.tool,
        rule=claim.rule.id,
        command=command.text,
        success=verdict.success if stated is None else stated,
        exit_code=result.exit_code,
        raw_stdout_bytes=text_size(streams.stdout),
        raw_stderr_bytes=text_size(streams.stderr),
        compression="curated" if claim.pack.name in _SHIPPED else "rule",
    )
    return Candidate(header, verdict.text)


def render_summary(candidate: Candidate, hint: str, handle: str | None) -> tuple[str, str]:
    """Return header and body, with the pointer as last line, twice: the content of the view is its own text.

    `hint` holds `{handle}` and nothing else to fill in.
    """
    text = render_view(candidate.header, candidate.body, None if handle is None else hint.replace("{handle}", handle))
    return text, text


def _check_streams(result: ToolResult, streams: Streams) -> None:
    code = result.metadata.get("exit_code")
    if code is not None and result.exit_code is None:
        raise PassThrough(Reason.INVALID_OUTPUT, "the exit code is not an integer")
    if not isinstance(result.stated_success, bool | None):
        raise PassThrough(Reason.INVALID_OUTPUT, "`success` is neither true nor false")
    if result.stated_success is False and not streams.stdout and not streams.stderr:
        raise PassThrough(Reason.MISSING_STREAM, "the command failed, and its streams are empty")
    if not (is_unicode(streams.stdout) and is_unicode(streams.stderr)):
        raise PassThrough(Reason.INVALID_OUTPUT, "the output is not UTF-8")
    if begins_like_ours(streams.stdout):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the output begins with the header of a summary")
