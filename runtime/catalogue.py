"""The packs that a process may use, in the order in which they are asked: project, third-party, curated.

Input: the settings, and packs given by hand. Output: a `Claim`, the first rule that accepts a command.

Packs are read when the first command comes that needs one. Invariants: a project's or a third party's pack is used only
when its digest is trusted, and it can only add: where it is damaged, it is left out, with a remark for those who ask.
A pack that was given by hand, or a curated one, has to be whole: with a fault in it, the original is shown.
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


class PackUnusableError(Exception):
    """A pack that has to be whole is not. The message names its file and its fault."""


class Remark(NamedTuple):
    """Something about a project's or a third party's pack that is not used: what is to be said of it.

    `damaged` False: it is whole, and not trusted.
    """

    path: str
    words: str
    damaged: bool


class _Source(NamedTuple):
    """A pack and its file. `needed`: a fault in it is an error, not a remark."""

    pack: Pack
    path: str
    needed: bool


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
        self._sources: tuple[_Source, ...] | None = None
        self._remarks: list[Remark] = []
        self.fault: str | None = None
        """The last fault of a pack that has to be whole, once it was met."""

    def packs(self) -> tuple[Pack, ...]:
        """Return the packs in the order of precedence. Raises PackUnusableError."""
        return tuple(source.pack for source in self._load())

    def remarks(self) -> tuple[Remark, ...]:
        """Return what is to be said of the packs that were found and are not used. Raises PackUnusableError."""
        self._load()
        return tuple(dict.fromkeys(self._remarks))

    def claim(self, tool: str, words: tuple[str, ...]) -> Claim:
        """Return the first rule that accepts the command and is on. Raises PassThrough: `no_rule`,
        `disabled`; PackUnusableError.
        """
        off: str | None = None
        for source in self._load():
            pack = source.pack
            for number in pack.find(words):
                rule = self._rule(source, number)
                if rule is None or tool not in rule.tools or not rule.accepts(words):
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

        claims = [
            Claim(source.pack, number, rule)
            for source in self._load()
            for number in source.pack.find(words)
            if (rule := self._rule(source, number)) is not None
        ]
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

    def _rule(self, source: _Source, number: int) -> RuleProgram | None:
        """Return a rule, or None where its pack may be left out and is damaged there."""
        from .pack_errors import PackError, describe_fault

        try:
            return source.pack.rule(number)
        except (PackError, OSError) as error:
            fault = describe_fault(source.path, error)
            if not source.needed:
                self._remark(source.path, fault, damaged=True)
                return None
            self.fault = fault
            raise PackUnusableError(fault) from error

    def _load(self) -> tuple[_Source, ...]:
        if self._sources is None:
            try:
                self._sources = self._open()
            except PackUnusableError as error:
                self.fault = str(error)
                raise
        return self._sources

    def _open(self) -> tuple[_Source, ...]:
        settings = self._settings
        sources = [_Source(open_pack_file(path), path, needed=True) for path in self._given]
        project = () if settings.project_pack is None else (settings.project_pack,)
        for path in (*project, *settings.packs):
            try:
                pack = open_pack_file(path)
            except PackUnusableError as error:
                self._remark(path, str(error), damaged=True)
                continue
            if pack.digest in settings.trusted:
                sources.append(_Source(pack, path, needed=False))
            else:
                self._remark(path, f"{path} is here and not trusted: cablese trust {path}", damaged=False)
        own = (CURATED_PACK, EXTRA_PACK) if "extra" in settings.enabled else (CURATED_PACK,)
        return (*sources, *(_Source(open_pack_file(path), path, needed=True) for path in own))

    def _remark(self, path: str, words: str, *, damaged: bool) -> None:
        self._remarks.append(Remark(path, words, damaged))


def open_pack_file(path: str) -> Pack:
    """Return the pack of a file. Raises PackUnusableError, with what to do about it where that is known."""
    from .pack import PackError, open_pack
    from .pack_errors import describe_fault

    try:
        return open_pack(path)
    except (PackError, OSError) as error:
        if isinstance(error, FileNotFoundError) and path in (CURATED_PACK, EXTRA_PACK):
            raise PackUnusableError(f"{path} is missing; make it with `make pack` in the source tree") from None
        raise PackUnusableError(describe_fault(path, error)) from error
