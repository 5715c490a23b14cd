"""The packs that a process may use, in the order in which they are asked: project, third-party, curated.

Input: the settings, and packs given by hand. Output: a `Claim`, the first rule that accepts a command.

Packs are read when the first command comes that needs one. Invariant: a project's or a third party's pack is used only
when its digest is trusted; a pack that cannot be read leaves the walk with a named error, and the original is shown.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from .reasons import PassThrough, Reason
from .settings import Settings

if TYPE_CHECKING:
    from .pack import Pack, RuleProgram

_HERE = os.path.dirname(__file__)
CURATED_PACK = os.path.join(_HERE, "curated.cablepack")
EXTRA_PACK = os.path.join(_HERE, "extra.cablepack")


class PackMissingError(Exception):
    """A pack file that should be there is not. The message says how to make it."""


class Claim(NamedTuple):
    """The rule that a command belongs to, and the pack it comes from (`number` is its place there)."""

    pack: Pack
    number: int
    rule: RuleProgram


class Catalogue:
    """Finds the rule for a command. May be used from many threads: what is built twice at worst is built the same."""

    def __init__(self, settings: Settings, given: tuple[str, ...] = ()) -> None:
        self._settings = settings
        self._given = given
        self._packs: tuple[Pack, ...] | None = None

    def packs(self) -> tuple[Pack, ...]:
        """Return the packs in the order of precedence. Raises PackMissingError, PackError, OSError."""
        if self._packs is None:
            self._packs = self._load()
        return self._packs

    def claim(self, tool: str, words: tuple[str, ...]) -> Claim:
        """Return the first rule that accepts the command and is on. Raises PassThrough: `no_rule`, `disabled`."""
        from .engine.command import accepts

        off: str | None = None
        for pack in self.packs():
            for number in pack.find(words):
                rule = pack.rule(number)
                if tool not in rule.tools or not any(accepts(command, words) for command in rule.commands):
                    continue
                if self._is_on(pack.name, rule.id):
                    return Claim(pack, number, rule)
                off = off or rule.id
        if off is not None:
            raise PassThrough(Reason.DISABLED, f"the rule `{off}` is not enabled")
        raise PassThrough(Reason.NO_RULE, f"no rule of tool `{tool}` accepts this command")

    def obstacles(self, tool: str, words: tuple[str, ...]) -> list[tuple[Claim, str]]:
        """Return the rules that a command is nearly for, each with what keeps it from them. For `why`."""
        from .engine.command import find_obstacle

        claims = [Claim(pack, number, pack.rule(number)) for pack in self.packs() for number in pack.find(words)]
        found = [
            (claim, next(filter(None, (find_obstacle(command, words) for command in claim.rule.commands)), None))
            for claim in claims
            if tool in claim.rule.tools
        ]
        return [(claim, obstacle) for claim, obstacle in found if obstacle is not None]

    def _is_on(self, pack: str, rule: str) -> bool:
        settings = self._settings
        on = not settings.enabled.isdisjoint(("curated", pack, rule))
        return on and settings.disabled.isdisjoint((pack, rule))

    def _load(self) -> tuple[Pack, ...]:
        settings = self._settings
        packs = [open_pack_file(path) for path in self._given]
        project = () if settings.project_pack is None else (settings.project_pack,)
        for path in (*project, *settings.packs):
            pack = open_pack_file(path)
            if pack.digest in settings.trusted:
                packs.append(pack)
        packs.append(open_pack_file(CURATED_PACK))
        if "extra" in settings.enabled:
            packs.append(open_pack_file(EXTRA_PACK))
        return tuple(packs)


def open_pack_file(path: str) -> Pack:
    """Return the pack of a file. Raises PackMissingError with what to do about it, PackError, OSError."""
    from .pack import open_pack

    try:
        return open_pack(path)
    except FileNotFoundError:
        if path not in (CURATED_PACK, EXTRA_PACK):
            raise PackMissingError(f"there is no pack at {path}") from None
        raise PackMissingError(f"{path} is missing; make it with `make pack` in the source tree") from None
