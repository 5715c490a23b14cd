"""The packs that a process may use, in the order in which they are asked: project, third-party, curated.

Input: the settings, packs given by hand, packs of installed packages. Output: a `Claim`, the first rule that accepts a
command; and the packs themselves, for their admission entries (`manifest.py`).

Packs are read when the first result comes that needs one. Invariants: a project's pack, and one of the list of trusted
packs, is used only when its digest is trusted; packs of installed packages and of modules that the user's file names
are used as they are. All of these can only add: where one is damaged, or may not be used (`activation.py`), it is left
out, with a remark for those who ask. No two packs that are used own one rule.
A pack that was given by hand, or a curated one, has to be whole: with a fault in it, the original is shown.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..reasons import PassThrough, Reason
from ..settings import Settings

if TYPE_CHECKING:
    from .manifest import Manifest
    from .pack import Pack, RuleProgram

_HERE = os.path.dirname(os.path.dirname(__file__))
CURATED_PACK = os.path.join(_HERE, "curated.cablepack")
EXTRA_PACK = os.path.join(_HERE, "extra.cablepack")


class PackUnusableError(ValueError):
    """A pack that has to be whole is not. The message names its file and its fault."""


class Remark(NamedTuple):
    """Something about a project's or a third party's pack that is not used: what is to be said of it.

    `damaged` False: it is whole, and not trusted.
    """

    path: str
    words: str
    damaged: bool


class PackSource(NamedTuple):
    """A pack and its file.

    `needed`: a fault in it is an error, not a remark. `own`: it ships with us. `narrows`: it is a project's pack that
    is not trusted, whose rules are not asked and whose entries can only lower a level.
    """

    pack: Pack
    path: str
    needed: bool
    own: bool = False
    narrows: bool = False

    @property
    def title(self) -> str:
        """Name, version and the beginning of the digest, as records show them."""
        return f"{self.pack.name} {self.pack.version} {self.pack.digest[:6]}"


class Claim(NamedTuple):
    """The rule that a command belongs to, and the pack it comes from (`number` is its place there)."""

    pack: Pack
    number: int
    rule: RuleProgram


class Catalogue:
    """Finds the rule for a command. May be used from many threads: what is built twice at worst is built the same."""

    def __init__(self, settings: Settings, given: tuple[str, ...] = (), installed: tuple[str, ...] = ()) -> None:
        self._settings = settings
        self._given = given
        self._installed = installed
        self._sources: tuple[PackSource, ...] | None = None
        self._narrowing: tuple[PackSource, ...] = ()
        self._manifest: Manifest | None = None
        self._remarks: list[Remark] = []
        self.fault: str | None = None
        """The last fault of a pack that has to be whole, once it was met."""

    @property
    def files(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The files of packs that were given by hand, and of those of installed packages."""
        return self._given, self._installed

    @property
    def only_own(self) -> bool:
        """Whether there is no pack but those that ship with us. Reads nothing."""
        settings = self._settings
        return not (self._given or self._installed or settings.project_pack or settings.packs or settings.modules)

    def sources(self) -> tuple[PackSource, ...]:
        """Return the packs with their files, in the order of precedence, those that can only narrow at the end.

        Raises PackUnusableError.
        """
        return (*self._load(), *self._narrowing)

    def adopt(self, packs: Mapping[str, Pack]) -> None:
        """Use packs that are open already, by digest, in place of those that were opened anew.

        Raises PackUnusableError.
        """
        sources = self._load()
        self._sources = tuple(source._replace(pack=packs.get(source.pack.digest, source.pack)) for source in sources)

    def manifest(self) -> Manifest:
        """Return the admission entries of the packs. Raises PackUnusableError."""
        if self._manifest is None:
            from .manifest import load_manifest

            self._manifest = load_manifest(self)
        return self._manifest

    def register_codecs(self) -> None:
        """Make the codecs of the list of trusted packs known; nothing is imported."""
        if not self._settings.codecs:
            return
        from ..codecs.registry import register_plugin

        for name, target in self._settings.codecs:
            try:
                register_plugin(name, target)
            except ValueError as error:
                self.remark(target, str(error), damaged=True)

    def remark(self, path: str, words: str, *, damaged: bool) -> None:
        """Note something about a pack that is left out."""
        self._remarks.append(Remark(path, words, damaged))

    def packs(self) -> tuple[Pack, ...]:
        """Return the packs in the order of precedence. Raises PackUnusableError."""
        return tuple(source.pack for source in self._load())

    def remarks(self) -> tuple[Remark, ...]:
        """Return what is to be said of the packs that were found and are not used. Raises PackUnusableError."""
        self._load()
        return self.known_remarks()

    def known_remarks(self) -> tuple[Remark, ...]:
        """Return the remarks so far. Reads nothing."""
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
        from ..engine.command import find_obstacle

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

    def unknown_names(self, names: Iterable[str] | None = None) -> list[str]:
        """Return those names that are no rule and no pack here, used or not, and no content kind, in their order.

        Without `names`, those that the settings switch on and off. Raises PackUnusableError.
        """
        known = {"curated", "extra"}
        packs = [source.pack for source in self.sources()]
        for pack in (*packs, open_pack_file(EXTRA_PACK)):
            known.update((pack.name, *pack.rules))
        given = self._settings.enabled | self._settings.disabled if names is None else names
        return sorted(name for name in given if name not in known and not name.startswith("kind."))

    def _is_on(self, pack: str, rule: str) -> bool:
        settings = self._settings
        on = not settings.enabled.isdisjoint(("curated", pack, rule))
        return on and settings.disabled.isdisjoint((pack, rule))

    def _rule(self, source: PackSource, number: int) -> RuleProgram | None:
        """Return a rule, or None where its pack may be left out and is damaged there."""
        from .errors import PackError, describe_fault

        try:
            return source.pack.rule(number)
        except (PackError, OSError) as error:
            fault = describe_fault(source.path, error)
            if not source.needed:
                self.remark(source.path, fault, damaged=True)
                return None
            self.fault = fault
            raise PackUnusableError(fault) from error

    def _load(self) -> tuple[PackSource, ...]:
        if self._sources is None:
            try:
                self._sources = self._open()
            except PackUnusableError as error:
                self.fault = str(error)
                raise
        return self._sources

    def _open(self) -> tuple[PackSource, ...]:
        settings = self._settings
        sources = [PackSource(self._open_given(path), path, needed=True) for path in self._given]
        project, narrowing = self._open_checked([settings.project_pack] if settings.project_pack else [])
        self._narrowing = tuple(source._replace(narrows=True) for source in narrowing)
        sources += project
        sources += self._open_checked(settings.packs)[0]
        sources += self._open_checked((*self._installed, *self._beside_modules()), trusted=True)[0]
        own = (CURATED_PACK, EXTRA_PACK) if "extra" in settings.enabled else (CURATED_PACK,)
        sources += [PackSource(open_pack_file(path), path, needed=True, own=True) for path in own]
        # A pack that is found in two ways is one pack, where it comes first.
        found = tuple({source.pack.digest: source for source in reversed(sources)}.values())[::-1]
        return found if all(source.own for source in found) else self._settle(found)

    def _open_given(self, path: str) -> Pack:
        """Return a pack that was given by hand. Raises PackUnusableError."""
        pack = open_pack_file(path)
        if self._settings.require_signature:
            from .activation import check_signed
            from .errors import PackError, describe_fault

            try:
                check_signed(pack, self._settings)
            except PackError as error:
                raise PackUnusableError(describe_fault(path, error)) from error
        return pack

    def _settle(self, found: tuple[PackSource, ...]) -> tuple[PackSource, ...]:
        """Return the packs that own their rules alone. Raises PackUnusableError."""
        from .activation import settle_clashes

        kept, left = settle_clashes(found)
        for source, words in left:
            self.remark(source.path, words, damaged=True)
        return kept

    def _open_checked(
        self, paths: Iterable[str], *, trusted: bool = False
    ) -> tuple[list[PackSource], list[PackSource]]:
        """Return the packs that are trusted, and those that are whole and not trusted.

        A pack that is trusted and may not be used all the same (without the signature that is demanded, downgraded) is
        left out as a damaged one is.
        """
        paths = tuple(paths)
        if not paths:
            return [], []
        from .activation import check_signed, check_version
        from .errors import PackError, describe_fault

        used: list[PackSource] = []
        unused: list[PackSource] = []
        for path in paths:
            try:
                source = PackSource(open_pack_file(path), path, needed=False)
                if not trusted and source.pack.digest not in self._settings.trusted:
                    unused.append(source)
                    self.remark(path, f"{path} is here and not trusted: cablese trust {path}", damaged=False)
                    continue
                check_signed(source.pack, self._settings)
                check_version(source.pack, path, () if trusted else self._settings.versions)
            except PackUnusableError as error:
                self.remark(path, str(error), damaged=True)
            except PackError as error:
                self.remark(path, describe_fault(path, error), damaged=True)
            else:
                used.append(source)
        return used, unused

    def _beside_modules(self) -> list[str]:
        if not self._settings.modules:
            return []
        from .module_packs import find_module_packs

        return find_module_packs(self._settings.modules)


def open_pack_file(path: str) -> Pack:
    """Return the pack of a file. Raises PackUnusableError, with what to do about it where that is known."""
    from .errors import describe_fault
    from .pack import PackError, open_pack

    try:
        return open_pack(path)
    except (PackError, OSError) as error:
        if isinstance(error, FileNotFoundError) and path in (CURATED_PACK, EXTRA_PACK):
            raise PackUnusableError(f"{path} is missing; make it with `make pack` in the source tree") from None
        raise PackUnusableError(describe_fault(path, error)) from error
