"""Which commands change hands: taken by one rule before and by another, or by none, after.

Input: two sides. Output: `Handover`s, each with a shortest command as its witness, and findings.

Rules of a pack share no command, so a command of the older rule A goes to the newer rule B exactly where both accept
it. What goes to none is what A accepts and no rule of the newer pack does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..rivals import find_common
from .changes import describe_commands
from .escape import UndecidedError, find_escape
from .levels import Finding
from .side import Side

Section = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Handover:
    """Commands that change hands, one of them as `command`. `old` or `new` None: no rule. `tools`: where they do."""

    old: str | None
    new: str | None
    command: str
    tools: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the finding."""
        if self.new is None:
            return "command_lost"
        return "command_gained" if self.old is None else "command_moved"

    @property
    def finding(self) -> Finding:
        """What the handover counts as."""
        ends = [f"`{end}`" if end is not None else "none" for end in (self.old, self.new)]
        return Finding(self.old or self.new or "", self.name, f"`{self.command}`: {ends[0]} → {ends[1]}")


def find_handovers(old: Side, new: Side) -> tuple[tuple[Handover, ...], tuple[Finding, ...]]:
    """Return what changes hands, and findings about commands that could not be compared or are the same after all."""
    found: dict[tuple[str | None, str | None, str], list[str]] = {}
    undecided: set[str] = set()
    for tool in sorted({tool for side in (old, new) for rule in side.rules.values() for tool in rule["tools"]}):
        one, other = (
            {name: rule["commands"] for name, rule in side.rules.items() if tool in rule["tools"]}
            for side in (old, new)
        )
        for start, end, words in _handovers(one, other, undecided):
            found.setdefault((start, end, " ".join(words)), []).append(tool)
    handovers = tuple(
        Handover(start, end, command, tuple(tools))
        for (start, end, command), tools in sorted(found.items(), key=lambda each: tuple(map(str, each[0])))
    )
    return handovers, tuple(_about_writing(old, new, handovers, undecided))


def _handovers(
    old: dict[str, list[Section]], new: dict[str, list[Section]], undecided: set[str]
) -> Iterator[tuple[str | None, str | None, tuple[str, ...]]]:
    """Yield a witness for each pair of rules of one tool between which commands change hands."""
    # A rule that is as it was shared no command with the others before, either.
    ends = [end for end in sorted(new) if old.get(end) != new[end]]
    for start in sorted(old):
        for end in ends:
            words = None if start == end else _common(old[start], new[end])
            if words is not None:
                yield start, end, words
    for mine, others, lost in ((old, new, True), (new, old, False)):
        everything = [command for commands in others.values() for command in commands]
        for name in sorted(mine):
            if mine[name] == others.get(name):
                continue
            try:
                words = _escape(mine[name], everything)
            except UndecidedError:
                undecided.add(name)
                continue
            if words is not None:
                yield (name, None, words) if lost else (None, name, words)


def _common(one: list[Section], other: list[Section]) -> tuple[str, ...] | None:
    found = [
        words for a in one for b in other if a["head"][0] == b["head"][0] and (words := find_common(a, b)) is not None
    ]
    return tuple(min(found, key=lambda words: (len(words), words))) if found else None


def _escape(commands: list[Section], others: list[Section]) -> tuple[str, ...] | None:
    found = [words for command in commands if (words := find_escape(command, others)) is not None]
    return min(found, key=lambda words: (len(words), words)) if found else None


def _about_writing(old: Side, new: Side, handovers: tuple[Handover, ...], undecided: set[str]) -> Iterator[Finding]:
    moved = {name for handover in handovers for name in (handover.old, handover.new)}
    for name in sorted(undecided):
        yield Finding(name, "commands_undecided", "more than can be compared")
    for name in sorted(old.rules.keys() & new.rules.keys()):
        one, other = old.rules[name], new.rules[name]
        if name not in moved | undecided and (one["commands"], one["tools"]) != (other["commands"], other["tools"]):
            words = "; ".join(describe_commands(one, other)) or "in another order"
            yield Finding(name, "commands_rewritten", words)
