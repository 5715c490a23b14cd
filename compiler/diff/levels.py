"""How large a release a change deserves, by rules that are stated: each finding of a comparison is one of `FINDINGS`.

Input: findings, and the versions that packs declare. Output: a `Level`, and what is to be said of the versions.
INVARIANT: where it is not proved that a change is small, it counts as large.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Level(IntEnum):
    """What a change asks of a version. `NONE`: nothing that is compared differs."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3

    @property
    def word(self) -> str:
        """The level as it stands in reports."""
        return self.name.lower()


FINDINGS: Final[dict[str, tuple[Level, str]]] = {
    "rule_removed": (Level.MAJOR, "a rule is gone"),
    "command_moved": (Level.MAJOR, "a command goes to another rule"),
    "command_lost": (Level.MAJOR, "a command is no longer taken"),
    "commands_undecided": (Level.MAJOR, "the commands of a rule are too many to compare"),
    "exit_lost": (Level.MAJOR, "an exit code is no longer admitted"),
    "streams_changed": (Level.MAJOR, "a rule reads other streams"),
    "reading_changed": (Level.MAJOR, "not every output that was read is proved to be read as before"),
    "facts_changed": (Level.MAJOR, "a fact has another value"),
    "claims_changed": (Level.MAJOR, "other claims must hold"),
    "summary_changed": (Level.MAJOR, "the text of a summary is another"),
    "result_changed": (Level.MAJOR, "a result of the corpus has another summary"),
    "result_lost": (Level.MAJOR, "a result of the corpus no longer has a summary"),
    "admit_changed": (Level.MAJOR, "an admission entry is another, gone, or before one that was there"),
    "language_raised": (Level.MAJOR, "the pack needs a newer runtime"),
    "rule_added": (Level.MINOR, "a rule is new"),
    "command_gained": (Level.MINOR, "a command is taken that was not"),
    "exit_gained": (Level.MINOR, "an exit code is admitted that was not"),
    "reading_widened": (Level.MINOR, "more outputs are read, all earlier ones as before"),
    "facts_added": (Level.MINOR, "a fact is new, all earlier ones are as before"),
    "result_gained": (Level.MINOR, "a result of the corpus has a summary that had none"),
    "admit_added": (Level.MINOR, "an admission entry is new"),
    "requires_changed": (Level.MINOR, "other codecs are needed"),
    "commands_rewritten": (Level.PATCH, "commands are written otherwise and are the same"),
    "reading_rewritten": (Level.PATCH, "the grammar is written otherwise and reads the same"),
    "title_changed": (Level.PATCH, "the title is another"),
    "examples_changed": (Level.PATCH, "examples are others"),
    "reason_changed": (Level.PATCH, "a result of the corpus passes for another reason"),
}
"""Every finding: the least level it asks for, and its meaning."""

_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:[-+].*)?")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One difference: what it is, of which rule (empty: of the pack), and the particulars in words."""

    rule: str
    name: str
    words: str = ""

    @property
    def level(self) -> Level:
        """The least level that it asks for."""
        return FINDINGS[self.name][0]

    @property
    def meaning(self) -> str:
        """What a finding of this name says."""
        return FINDINGS[self.name][1]


def level_of(findings: Iterable[Finding]) -> Level:
    """Return the largest level that is asked for."""
    return max((finding.level for finding in findings), default=Level.NONE)


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that two packs declare, and the one that the newer deserves at least.

    `deserved` is None where the older declares no version of three numbers. `holds`: the newer declares that much.
    """

    old: str
    new: str
    deserved: str | None
    holds: bool


def weigh_versions(old: str | None, new: str | None, level: Level) -> Versions | None:
    """Compare declared versions with what a change deserves; None unless both sides declare one.

    Before 1.0.0 everything may change, so there a major change raises the second number and any other the third, as
    Semantic Versioning has it.
    """
    if old is None or new is None:
        return None
    before, after = _parse(old), _parse(new)
    if before is None:
        return Versions(old, new, None, holds=True)
    deserved = _raise(before, level)
    shown = ".".join(map(str, deserved))
    return Versions(old, new, shown, holds=after is not None and after >= deserved)


def _parse(version: str) -> tuple[int, int, int] | None:
    match = _VERSION.fullmatch(version)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))


def _raise(version: tuple[int, int, int], level: Level) -> tuple[int, int, int]:
    major, minor, patch = version
    if level == Level.NONE:
        return version
    if major == 0:
        return (0, minor + 1, 0) if level == Level.MAJOR else (0, minor, patch + 1)
    if level == Level.MAJOR:
        return (major + 1, 0, 0)
    return (major, minor + 1, 0) if level == Level.MINOR else (major, minor, patch + 1)
