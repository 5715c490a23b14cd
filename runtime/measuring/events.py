"""What readers make of an archive: a stream of events in the order in which the session had them.

A reader takes a file and a `Lines` to count in, and yields events. `lane` tells apart what runs beside each other in
one file (a subagent, another session of a database); it never leaves a measurement.

Invariants of readers: they keep no more of a file than one line and the calls whose results are still to come (where
the format allows it); what they do not know is counted and left out; nothing but UnstableError and OSError is raised.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = {}


class Turn(NamedTuple):
    """The model answered: one request that carried everything before it. The same `request` again is no new one."""

    lane: Hashable = None
    request: str | None = None


class Input(NamedTuple):
    """Something that is no answer of the model and no result, a question of the user say: the next answer is a turn."""

    lane: Hashable = None


class Compacted(NamedTuple):
    """Later requests no longer carry what was there before."""

    lane: Hashable = None


class Result(NamedTuple):
    """A result as it was stored.

    `content` is the text that the model saw. `arguments` and `metadata` are those of a `ToolResult`; `body` is the part
    of `content` that a tool had printed, where the host had put more around it. `legacy`: an older form of the event.
    """

    call: str
    tool: str
    content: str
    success: bool | None = None
    arguments: Mapping[str, Any] = NOTHING
    metadata: Mapping[str, Any] = NOTHING
    body: str | None = None
    lane: Hashable = None
    legacy: bool = False


class Invalid(NamedTuple):
    """A result that lacks a field that it must have, or is no text."""

    lane: Hashable = None


Event = Turn | Input | Compacted | Result | Invalid


class Lines:
    """Counts of the lines of a file, or of the records of one that has no lines.

    `malformed` and `oversized` lines are no events; of the others (`valid`) `unknown` mean nothing to the reader.
    `cut`: the last line is malformed and has no end. `stopped`: there were more lines than are read.
    """

    __slots__ = ("cut", "malformed", "oversized", "stopped", "unknown", "valid")

    def __init__(self) -> None:
        self.valid = 0
        self.unknown = 0
        self.malformed = 0
        self.oversized = 0
        self.cut = 0
        self.stopped = False

    @property
    def total(self) -> int:
        """All lines that were read."""
        return self.valid + self.malformed + self.oversized


class Source:
    """A file as readers see it: its length, its bytes, the limits that hold for it. `held` has `read` and `size`."""

    __slots__ = ("held", "limits")

    def __init__(self, held: Any, limits: Any) -> None:
        self.held = held
        self.limits = limits
