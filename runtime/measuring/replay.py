"""`--rules` of one file: every stored result decided about again, as the packs in use would today.

Input: events of a file. Output: counts in an `Aggregate`:

    row, outcome, rule, codec, kind, reason, what    results, tokens before and after, saved once and over turns
    unclaimed, shape, what                           results and tokens of commands that no rule claims
    repeats, what                                    lines, and those that the session had been shown already
    turns                                            requests to the model

Saved once is what a request with the result would have been shorter by; over turns, that times the requests that still
came in the session before it was compacted, each of which carried the result.

Invariants: found = decided + already_compressed + invalid + skipped_limit; decisions are those of `Compressor.decide`
with a store that keeps nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

from .events import Compacted, Event, Input, Invalid, Result, Turn
from .repeats import Repeats
from .scan import LIMITED, admit_results

if TYPE_CHECKING:
    from ..compressor import Compressor
    from ..records import Decision
    from .aggregate import Aggregate, Name
    from .scan import Work

_ENVELOPE = '{"codec":"'
_POINTER = "original: cablese show "


class _Lane:
    """What runs in one lane: its requests so far, and what its results would save with each of them."""

    __slots__ = ("answering", "repeats", "request", "turns", "waiting")

    def __init__(self) -> None:
        self.turns = 0
        self.request: str | None = None
        self.answering = False
        self.repeats = Repeats()
        self.waiting: dict[Name, list[int]] = {}
        """By the name of a count: the tokens, and the tokens times the requests before them."""

    def answer(self, request: str | None) -> None:
        """Count a request, unless this is a part of the answer to the last one."""
        if (request != self.request) if request is not None else not self.answering:
            self.turns += 1
        self.request = request
        self.answering = True

    def wait(self, name: Name, tokens: int) -> None:
        """Count tokens with each request from now on."""
        sums = self.waiting.setdefault(name, [0, 0])
        sums[0] += tokens
        sums[1] += tokens * self.turns

    def settle(self, found: Aggregate) -> None:
        """Write down what was waiting: later requests no longer carry it."""
        for name, (tokens, before) in self.waiting.items():
            found.add(name, tokens * self.turns - before)
        self.waiting.clear()


def replay(events: Iterator[Event], work: Work, found: Aggregate) -> bool:
    """Decide about the results among events; tell whether a limit left something out."""
    from .basis import compressor_for

    compressor = compressor_for(work)
    lanes: dict[Hashable, _Lane] = {}
    limited = False
    for event in admit_results(events, work.limits, found):
        if event is LIMITED:
            limited = True
            continue
        lane = lanes.get(event.lane)
        if lane is None:
            lane = lanes[event.lane] = _Lane()
        if isinstance(event, Turn):
            lane.answer(event.request)
            continue
        lane.answering = False
        if isinstance(event, Compacted):
            lane.settle(found)
        elif isinstance(event, Result):
            _decide(event, lane, compressor, work.encoding, found)
        else:
            assert isinstance(event, Input | Invalid)
    for lane in lanes.values():
        lane.settle(found)
        found.add(("turns",), lane.turns)
        found.add(("repeats", "limit_hit"), int(lane.repeats.full))
    return limited


def _decide(result: Result, lane: _Lane, compressor: Compressor, encoding: str, found: Aggregate) -> None:
    from ..reasons import Reason
    from ..records import ToolResult

    text = result.content if result.body is None else result.body
    lines, repeated = lane.repeats.take(text)
    found.add(("repeats", "lines"), lines)
    found.add(("repeats", "repeated_lines"), repeated)
    tool_result = ToolResult(result.tool, text, result.arguments, result.metadata, result.success)
    decision = compressor.decide(tool_result).decision
    if decision.reason is Reason.ALREADY_COMPRESSED or is_ours(text):
        found.add(("results", "already_compressed"), 1)
        return
    found.add(("results", "decided"), 1)
    found.add(("results", "legacy"), int(result.legacy))
    before, after = (decision.tokens or {}).get(encoding, (0, 0))
    row = ("row", *_names(decision))
    for what, count in (
        ("results", 1),
        ("bytes_before", decision.bytes[0]),
        ("bytes_after", decision.bytes[1]),
        ("tokens_before", before),
        ("tokens_after", after),
    ):
        found.add((*row, what), count)
    lane.wait((*row, "tokens_before_over_turns"), before)
    lane.wait((*row, "tokens_saved_over_turns"), before - after)
    if decision.reason is Reason.NO_RULE and tool_result.command is not None:
        from .shapes import shape_of

        shape = ("unclaimed", shape_of(tool_result.command))
        found.add((*shape, "results"), 1)
        found.add((*shape, "tokens"), before)
        lane.wait((*shape, "tokens_over_turns"), before)


def _names(decision: Decision) -> tuple[str, str, str, str, str]:
    return (
        decision.outcome.value,
        decision.rule or "",
        decision.codec or "",
        decision.kind or "",
        "" if decision.reason is None else decision.reason.value,
    )


def is_ours(text: str) -> bool:
    """Tell whether a text is a view that we made: an envelope of a codec, or with a pointer as its last line."""
    return text.startswith(_ENVELOPE) or text.rpartition("\n")[2].startswith(_POINTER)
