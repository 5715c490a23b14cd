"""The store that a configuration names: a file, or the URL of a store of another kind.

Input: the path of an SQLite file, or a URL. Output: a store; nothing is opened before it is used.

| form | is |
|---|---|
| `/abs/store.sqlite3`, `sqlite:///abs/store.sqlite3` | one SQLite file |
| `files:///abs/folder` | a folder with a file for each original |
| `redis://host:port/db`, `rediss://…`, `unix:///path/socket?db=0` | a Redis server, as redis-py reads it |

Other schemes come from entry points of the group `cablese.stores`: each is named like its scheme and loads a callable
that takes the URL and a `Retention` and returns a store. They are looked for in Python hosts only, and only for a
scheme that is not one of ours.

Invariant: what is not used is not loaded; an entry of the ledger of a file or a folder loads neither of their stores.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from .store import Retention, Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..settings import Settings

GROUP = "cablese.stores"
SCHEMES = ("sqlite", "files", "redis", "rediss", "unix")


def scheme_of(url: str) -> str | None:
    """Return the scheme of a URL; None for a path."""
    scheme, colon, _ = url.partition("://")
    known = scheme[:1].isalpha() and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum()
    return scheme.lower() if colon and scheme.isascii() and known else None


def open_store(url: str, retention: Retention = Retention(), *, plugins: bool = False) -> Store:  # noqa: B008
    """Return the store at a path or URL. `plugins`: schemes of installed packages are known, too. Raises StoreError."""
    scheme = scheme_of(url)
    if scheme in (None, "sqlite"):
        from .sqlite_store import SqliteStore

        return SqliteStore(url if scheme is None else _path(url), retention)
    if scheme == "files":
        from .file_store import FileStore

        return FileStore(_path(url), retention)
    if scheme in SCHEMES:
        from .redis_store import RedisStore

        return RedisStore(url, retention)
    return _open_plugin(cast("str", scheme), url, retention, plugins=plugins)


class ConfiguredStore:
    """The store that the settings name, loaded when the first original is kept: most results pass, and need none."""

    def __init__(self, settings: Settings, *, plugins: bool = False) -> None:
        self._url = settings.store
        self._retention = settings.retention
        self._plugins = plugins
        self._store: Store | None = None
        self._ledger: Any = None

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep a copy of an original and return its handle."""
        return self._open().keep(content, tenant=tenant, run=run)

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return the handle, or raise the error, that `keep` would; keep nothing."""
        return self._open().rehearse(content, tenant=tenant, run=run)

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None."""
        return self._open().fetch(handle, tenant=tenant, run=run)

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:
        """Drop one original, or all of a namespace; return how many were dropped."""
        return self._open().forget(handle, tenant=tenant, run=run)

    def purge(self) -> int:
        """Drop what has expired; return how many originals were dropped."""
        return self._open().purge()

    def log(self, entry: bytes) -> None:
        """Add an entry to the ledger."""
        self._open_ledger().log(entry)

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first."""
        return self._open_ledger().entries()

    def close(self) -> None:
        """Let go of files and connections."""
        if self._store is not None:
            self._store.close()

    def _open(self) -> Store:
        if self._store is None:
            self._store = open_store(self._url, self._retention, plugins=self._plugins)
        return self._store

    def _open_ledger(self) -> Any:
        if self._ledger is None:
            self._ledger = _ledger_at(self._url) or self._open()
        return self._ledger


def _ledger_at(url: str) -> Any:
    """Return the ledger that is a file of its own; None where the store itself holds it."""
    scheme = scheme_of(url)
    if scheme not in (None, "sqlite", "files"):
        return None
    from .ledger_file import LedgerFile

    path = url if scheme is None else _path(url)
    return LedgerFile.within(path) if scheme == "files" else LedgerFile.beside(path)


def _path(url: str) -> str:
    """Return the absolute path in a URL without a host. Raises StoreError."""
    path = url.partition("://")[2]
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path, errors="surrogateescape")
    if not os.path.isabs(path) or "\0" in path:
        raise StoreError(f"{url}: an absolute path is expected, as in `{scheme_of(url)}:///var/lib/cablese/…`")
    return path


def _open_plugin(scheme: str, url: str, retention: Retention, *, plugins: bool) -> Store:
    known = list(SCHEMES)
    if plugins:
        from importlib.metadata import entry_points

        found = {entry.name: entry for entry in entry_points(group=GROUP)}
        if scheme in found:
            try:
                return found[scheme].load()(url, retention)
            except StoreError:
                raise
            except Exception as error:
                from ..error_words import name_error

                raise StoreError(f"the store for `{scheme}://` cannot be opened: {name_error(error)}") from error
        known += sorted(found.keys() - set(known))
    # Without what stands behind the scheme, which may hold a password.
    raise StoreError(f"no store is known for `{scheme}://`; known are {', '.join(known)}")
