"""What a compressor is made of, as this process is configured: settings, packs, a store, what stands before codecs.

Input: what its host wishes, the environment, configuration files, files of packs. Output: `Made`.

Invariants: a broken configuration raises nothing, it is said with what was made; what is wrong with a pack that may be
left out is logged, and of entries that stand in front of ours once in a process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from .decision.walk import Context
from .packs.catalogue import Catalogue, PackUnusableError
from .settings import Settings, SettingsError, read_settings, set_hint
from .stores.open_store import ConfiguredStore

if TYPE_CHECKING:
    from .hosting.breaker import CircuitBreaker
    from .hosting.routing import BudgetRouter, Guard
    from .stores.store import Store

_ADMIT_LEVELS = ("exact", "value", "normal")


class Wishes(NamedTuple):
    """What settings and packs depend on beside the configuration, and the folder in which that is looked for."""

    enabled: frozenset[str] = frozenset()
    disabled: frozenset[str] = frozenset()
    admit: str | None = None
    hint: str | None = None
    debug: bool = False
    folder: str = ""

    def apply(self, settings: Settings) -> Settings:
        """Return the settings with these wishes. Raises ValueError for a malformed hint."""
        settings = settings._replace(
            enabled=settings.enabled | self.enabled,
            disabled=settings.disabled | self.disabled,
            debug=settings.debug or self.debug,
            admit=self.admit or settings.admit,
        )
        return settings if self.hint is None else set_hint(settings, self.hint)

    def read(self) -> Settings:
        """Return the settings as they are now. Raises SettingsError, OSError."""
        return self.apply(read_settings(os.environ, self.folder))


class Made(NamedTuple):
    """A context, the wishes that it was made with, and what is wrong with the configuration."""

    context: Context
    wishes: Wishes
    broken: str | None


def make_wishes(
    enable: str | Iterable[str], disable: str | Iterable[str], admit: str | None, hint: str | None, *, debug: bool
) -> Wishes:
    """Return the wishes of a host. Raises ValueError for an unknown level."""
    if admit is not None and admit not in _ADMIT_LEVELS:
        raise ValueError(f"`admit` is {admit!r}, not one of {', '.join(_ADMIT_LEVELS)}")
    return Wishes(_names(enable), _names(disable), admit, hint, debug)


def make_context(
    wishes: Wishes,
    *,
    packs: tuple[str, ...],
    store: Store | bool,
    installed: bool,
    unrecoverable_ok: bool,
    counted: bool,
    budget_tokens: int | None,
    guard: Guard | None,
) -> Made:
    """Read configuration and packs.

    Raises ValueError for a malformed hint, and a pack in `packs` that cannot be used.
    """
    broken = None
    try:
        wishes = wishes._replace(folder=os.getcwd())
        settings = read_settings(os.environ, wishes.folder)
    except (SettingsError, OSError) as error:
        settings, broken = Settings(), str(error)
    try:
        settings = wishes.apply(settings)
    except ValueError as error:
        raise ValueError(f"`hint`: {error}") from None
    named = wishes.enabled | wishes.disabled
    context = Context(
        settings=settings,
        catalogue=_open_catalogue(settings, packs, named) if installed else Catalogue(settings, packs),
        store=ConfiguredStore(settings, plugins=installed) if store is True else store or None,
        unrecoverable_ok=unrecoverable_ok,
        counted=counted,
        budget_tokens=budget_tokens,
        guard=guard,
    )
    return Made(context, wishes, broken)


def make_guard(router: BudgetRouter | None, breaker: CircuitBreaker | bool) -> Guard | None:  # noqa: FBT001 - or an object
    """Return what stands before codecs; None for what is shipped, which is loaded only where a codec is called."""
    if router is None and breaker is False:
        return None
    from .hosting.routing import BudgetRouter, Guard

    if breaker is True:
        from .hosting.breaker import CircuitBreaker

        breaker = CircuitBreaker()
    return Guard(router or BudgetRouter(), breaker or None)


_SAID: set[str] = set()
"""Which entries that stand in front of ours this process has been told of: once, however many compressors it makes."""


def _open_catalogue(settings: Settings, packs: tuple[str, ...], named: frozenset[str]) -> Catalogue:
    """Read all packs, those of installed packages included, and log what is wrong with them, and with `named` rules.

    Raises PackUnusableError for a pack that was given by hand; a fault in one of ours is for the decisions to say.
    """
    from .codecs.plugins import load_codec_plugins
    from .packs.installed import find_installed

    load_codec_plugins()
    found = find_installed()
    catalogue = Catalogue(settings, packs, tuple(found.packs.values()))
    faults = [*found.faults.values()]
    try:
        shadows = [shadow.words for shadow in catalogue.manifest().shadows]
        faults += [words for words in shadows if words not in _SAID]
        _SAID.update(shadows)
        unknown = catalogue.unknown_names(named) if named else ()
        faults += [f"`{name}` is to be switched on or off, and is no rule and no pack here" for name in unknown]
    except PackUnusableError as error:
        if str(error).startswith(tuple(f"{path}:" for path in packs)):
            raise
    faults += [remark.words for remark in catalogue.known_remarks() if remark.damaged]
    warn(faults)
    return catalogue


def _names(given: str | Iterable[str]) -> frozenset[str]:
    return frozenset((given,)) if isinstance(given, str) else frozenset(given)


def warn(faults: Iterable[str]) -> None:
    """Log faults, each once."""
    faults = dict.fromkeys(faults)
    if faults:
        import logging

        for fault in faults:
            logging.getLogger("cablese").warning("%s", fault)
