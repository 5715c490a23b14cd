"""The run of one rule over one output: a body, or the reason why the original is shown.

Input: a rule of a pack, the streams of a result, its exit code. Output: `Body` or `Refusal`.

Order: `stderr empty`, the exit code, the streams, nothing claimed at all, the claims, the summary. The first that fails
decides, and its `Cause` says where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..framing import Streams
from .claims import Failure, first_failure, holds_for_success
from .facts import Facts, Reading
from .scan import scan
from .summary import render_summary
from .tables import Place, Scan, StreamProgram
from .values import WHOLE, Exhausted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..packs.pack import RuleProgram

INVALID_OUTPUT = "invalid_output"
STDERR_PRESENT = "stderr_present"
UNRECONCILED = "unreconciled"
TOO_LARGE = "too_large"


class Cause(NamedTuple):
    """What decided against a rule, for `why`.

    `stream` and `line` (from 1) are a place in the output, `found` its line (None: its end), `kinds` those that were
    possible there. `claim` is the index of the claim that failed, `left` and `right` what it compared.
    """

    stream: str | None = None
    line: int | None = None
    found: str | None = None
    kinds: tuple[str, ...] = ()
    claim: int | None = None
    left: Any = None
    right: Any = None


class Refusal(NamedTuple):
    """The rule does not apply: `reason` is one of the closed list of reasons, `detail` says the cause in one line."""

    reason: str
    detail: str
    cause: Cause = Cause()


class Body(NamedTuple):
    """What the rule says. `success`: the claims made `when exit 0` hold, for results whose host states no success."""

    text: str
    success: bool
    readings: tuple[Reading, ...]


def evaluate(rule: RuleProgram, streams: Streams, exit_code: int | None) -> Body | Refusal:
    """Return the body of a rule over an output, or why it does not apply. Text never makes it raise.

    `streams.merged`: the two streams are one, because the host or the command (`2>&1`, `1>&2`) joined them; it stands
    in `stdout` or in `stderr`, and the other must be empty.
    """
    refused = _refuse_streams(rule, streams) or _refuse_exit(rule, exit_code)
    if refused:
        return refused
    readings = _read(rule, streams)
    if isinstance(readings, Refusal):
        return readings
    if not any(reading.lines for reading in readings):
        return Refusal(INVALID_OUTPUT, "the output has no lines")
    facts = Facts(rule, readings, exit_code)
    try:
        failure = first_failure(facts, rule.ensure, exit_code)
        if failure:
            return _unreconciled(facts, failure)
        text = render_summary(facts, rule.summary)
        success = exit_code == 0 if exit_code is not None else holds_for_success(facts, rule.ensure)
    except Exhausted:
        return Refusal(TOO_LARGE, "the rule takes more steps than its output allows")
    return Body(text, success, tuple(readings))


def explain(body: Body) -> list[tuple[str, int, str, str]]:
    """Return for each line of an accepted output its stream, number (from 1), kind and text."""
    return [
        (reading.name, number, reading.program.kind_of(char), line)
        for reading in body.readings
        for number, (char, line) in enumerate(zip(reading.trace, reading.lines, strict=True), 1)
    ]


def _refuse_streams(rule: RuleProgram, streams: Streams) -> Refusal | None:
    """Refuse what stands in a stream that must be empty."""
    stderr_empty = rule.streams.get("stderr") is None
    if streams.merged:
        if streams.stdout and streams.stderr:
            reason = STDERR_PRESENT if stderr_empty else INVALID_OUTPUT
            return Refusal(reason, "both streams hold text, though they were joined")
        # `1>&2` is no exception for a rule that allows nothing in stderr and has no grammar for joined streams.
        if streams.stderr and stderr_empty and "merged" not in rule.streams:
            return Refusal(STDERR_PRESENT, "stderr must be empty", _first_line("stderr", streams.stderr))
        return None
    if streams.stderr and stderr_empty:
        return Refusal(STDERR_PRESENT, "stderr must be empty", _first_line("stderr", streams.stderr))
    if streams.stdout and rule.streams.get("stdout") is None:
        return Refusal(INVALID_OUTPUT, "stdout must be empty", _first_line("stdout", streams.stdout))
    return None


def _first_line(name: str, text: str) -> Cause:
    return Cause(stream=name, line=1, found=text.split("\n", 1)[0])


def _refuse_exit(rule: RuleProgram, exit_code: int | None) -> Refusal | None:
    if rule.exit is None or exit_code in rule.exit:
        return None
    shown = "unknown" if exit_code is None else str(exit_code)
    return Refusal(INVALID_OUTPUT, f"the rule does not list exit code {shown}")


def streams_read(rule: RuleProgram, streams: Streams) -> dict[str, str] | None:
    """Return the texts that are read, by the stream that the rule reads them as; None: it has no `merged`."""
    if not streams.merged:
        return {"stdout": streams.stdout, "stderr": streams.stderr}
    # Where nothing may stand in one stream, what stands in the joined one is the other.
    read = [name for name in ("stdout", "stderr") if rule.streams.get(name) is not None]
    name = read[0] if "merged" not in rule.streams and len(read) == 1 else "merged"
    return None if rule.streams.get(name) is None else {name: streams.stdout or streams.stderr}


def _read(rule: RuleProgram, streams: Streams) -> list[Reading] | Refusal:
    """Scan each stream that the rule reads."""
    texts = streams_read(rule, streams)
    if texts is None:
        return Refusal(INVALID_OUTPUT, "the streams are joined, and the rule reads both: it has no `merged`")
    readings: list[Reading] = []
    for name, program, found in scan_streams(rule, texts):
        if isinstance(found, Place):
            return _unclaimed(name, found)
        readings.append(Reading(name, program, found.trace, found.lines))
    return readings


def scan_streams(rule: RuleProgram, texts: Mapping[str, str]) -> Iterator[tuple[str, StreamProgram, Scan | Place]]:
    """Yield, for each text that the rule has lines for, its name, the program and what came of the scan."""
    for name, text in texts.items():
        program = rule.streams.get(name)
        if program is not None:
            yield name, program, scan(program, text)


def _unclaimed(name: str, place: Place) -> Refusal:
    if place.control:
        detail = f"line {place.line} of {name} holds {place.control}"
    elif place.text is None:
        detail = f"{name} may not end before line {place.line}"
    else:
        detail = f"no kind claims line {place.line} of {name}"
    return Refusal(INVALID_OUTPUT, detail, Cause(name, place.line, place.text, place.kinds))


def _unreconciled(facts: Facts, failure: Failure) -> Refusal:
    detail = f"claim {failure.claim + 1} does not hold"
    if isinstance(failure.left, int) and isinstance(failure.right, int):
        detail += f": {failure.left} against {failure.right}"
    cause = Cause(claim=failure.claim, left=failure.left, right=failure.right)
    node = failure.node
    if node is not WHOLE:
        name = facts.readings[node.stream].name
        detail += f", in `{node.kind}` at line {node.start + 1} of {name}"
        cause = cause._replace(stream=name, line=node.start + 1, found=facts.line(node), kinds=(node.kind,))
    return Refusal(UNRECONCILED, detail, cause)
