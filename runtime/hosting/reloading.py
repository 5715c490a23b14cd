"""Exchanging the packs of a running process: all of them or none, and never in the middle of a decision.

Input: the context of a compressor, what it was made with, and the files as they are now. Output: another context, or a
`ReloadError` that says why the packs stay as they are.

Invariants: what is handed out was read and checked as a whole, so a file that is written while it is read, or changes
later, changes no decision. A pack that is used and has not changed is the same object. Where a pack that is used would
be lost to a fault (damaged, no longer trusted, not signed as is demanded, an older version), nothing is exchanged; a
pack that its owner took away, or no longer trusts, goes. Where originals are kept stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakSet

from ..packs.activation import place_of
from ..packs.catalogue import Catalogue, PackSource, PackUnusableError
from ..packs.errors import PackDowngraded, PackError, describe_fault
from ..packs.versions import is_lower
from ..settings import Settings, SettingsError, find_project, trust_list, user_file

if TYPE_CHECKING:
    from ..decision.walk import Context
    from ..making import Wishes

Print = tuple[tuple[str, int, int, int] | None, ...]


class ReloadError(ValueError):
    """The packs stay as they are. The message says why."""


class Reloader:
    """Looks after the packs of one compressor. May be used from many threads and after fork."""

    def __init__(self, read: Callable[[], Settings], folder: str, every_s: float | None = None) -> None:
        """`read` gives the settings as they are now (raises SettingsError, OSError) for a process in `folder`.

        `every_s`: `due` looks at the files at most that often; None: never.
        """
        self._read = read
        self._folder = folder
        self._every_s = every_s
        self._next = 0.0 if every_s is None else monotonic() + every_s
        self._seen: Print = ()
        self._lock = Lock()
        _reloaders.add(self)

    def begin(self, context: Context) -> None:
        """Take note of the files of a context, and read its packs as a whole. Raises nothing for what is damaged."""
        self._seen = self._look(context)
        with suppress(PackUnusableError):
            for source in context.catalogue.sources():
                with suppress(PackError, OSError):
                    source.pack.verify()

    def due(self, context: Context) -> bool:
        """Tell whether it is time to look and a file has changed. Of several threads one is told so."""
        now = monotonic()
        if self._every_s is None or now < self._next or not self._lock.acquire(blocking=False):
            return False
        try:
            self._next = now + self._every_s
            seen = self._look(context)
            changed, self._seen = seen != self._seen, seen
            return changed
        finally:
            self._lock.release()

    def exchange(
        self, current: Callable[[], Context], switch: Callable[[Context], bool], *, allow_downgrade: bool = False
    ) -> bool:
        """Hand the context with packs and configuration as they are now to `switch`, and return what that returns.

        One thread at a time: what is read later is also handed out later. Raises ReloadError before anything is.
        """
        with self._lock:
            context = current()
            seen = self._look(context)
            try:
                settings = self._read()
            except (SettingsError, OSError) as error:
                raise ReloadError(str(error)) from error
            renewed = _renew(context, settings, allow_downgrade=allow_downgrade)
            # New settings may name other files; what changes from here on is found the next time.
            self._seen = seen if renewed.settings == context.settings else self._look(renewed)
            return switch(renewed)

    def _look(self, context: Context) -> Print:
        settings, (given, installed) = context.settings, context.catalogue.files
        project = find_project(self._folder)
        own = [os.path.join(project, name) for name in ("config.toml", "pack.cablepack")] if project else []
        listed = (trust_list(os.environ), user_file(os.environ), *own, *given, *settings.packs, *settings.keys)
        return tuple(map(_print, (*listed, *installed)))


def make_reloader(wishes: Wishes | None, broken: str | None, context: Context, every_s: float | None) -> Reloader:
    """Return what reads anew what was made with these wishes. Raises ReloadError where that cannot be done."""
    if wishes is None or broken is not None:
        raise ReloadError(broken or "the compressor was made from a context of its host")
    reloader = Reloader(wishes.read, wishes.folder, every_s)
    if every_s is not None:
        reloader.begin(context)
    return reloader


def differs(before: Context, after: Context) -> bool:
    """Tell whether a context that was read anew decides otherwise than the one that is used."""
    from .offload import digests_of

    # Where a pack that has to be whole was not, nothing was summarised, and what is here now is news.
    return (
        before.catalogue.fault is not None
        or after.settings._replace(versions=before.settings.versions) != before.settings
        or digests_of(after.catalogue) != digests_of(before.catalogue)
    )


def _print(path: str) -> tuple[str, int, int, int] | None:
    """Return what changes when a file is written or replaced; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return path, status.st_mtime_ns, status.st_size, status.st_ino


def _renew(context: Context, settings: Settings, *, allow_downgrade: bool) -> Context:
    if allow_downgrade:
        settings = settings._replace(versions=())
    settings = settings._replace(store=context.settings.store, retention=context.settings.retention)
    old = context.catalogue
    new = Catalogue(settings, *old.files)
    try:
        before = _active(old)
        known = {source.pack.digest: source.pack for source in before}
        new.adopt(known)
        for source in new.sources():
            if source.pack.digest not in known:
                _verify(source)
        new.manifest()
    except PackUnusableError as error:
        raise ReloadError(str(error)) from error
    _check_losses(before, old, new)
    if not allow_downgrade:
        _check_versions(before, _active(new), settings.versions)
    return context._replace(settings=settings, catalogue=new)


def _active(catalogue: Catalogue) -> list[PackSource]:
    """Return the packs that are used; none where one that has to be whole is not."""
    try:
        return [source for source in catalogue.sources() if not source.narrows]
    except PackUnusableError:
        return []


def _verify(source: PackSource) -> None:
    """Read all of a pack. Raises ReloadError."""
    try:
        source.pack.verify()
    except (PackError, OSError) as error:
        raise ReloadError(describe_fault(source.path, error)) from error


def _check_losses(before: list[PackSource], old: Catalogue, new: Catalogue) -> None:
    """Look for a new fault in a file whose pack is used. Raises ReloadError."""
    used = {source.path for source in before}
    said = set(old.known_remarks())
    for remark in new.known_remarks():
        if remark.path in used and remark not in said:
            raise ReloadError(remark.words)


def _check_versions(
    before: list[PackSource], after: list[PackSource], trusted: tuple[tuple[str, str, str], ...]
) -> None:
    """Look for a pack that would take the place of a newer one, unless it is the one that was trusted last.

    Raises ReloadError.
    """
    staying = {source.pack.digest for source in after}
    for old in (source for source in before if source.pack.digest not in staying):
        for new in after:
            name, version, place = new.pack.name, new.pack.version, place_of(new.path)
            same = name == old.pack.name and place == place_of(old.path)
            if same and is_lower(version, old.pack.version) and (name, version, place) not in trusted:
                error = PackDowngraded(f"{name} {version}, and {old.pack.version} is in use")
                raise ReloadError(describe_fault(new.path, error)) from error


_reloaders: WeakSet[Reloader] = WeakSet()


def _unlock() -> None:
    """Give the reloaders of a forked child locks of their own: a thread that is not here might have held one."""
    for reloader in list(_reloaders):
        reloader._lock = Lock()  # noqa: SLF001 - the same module


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)
