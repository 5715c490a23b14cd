"""The store in a folder: one file for each original, readable by its owner alone.

Input and output as in `store`. The folder holds `key`, `lock`, `ledger` (`ledger_file`), `new` (files that are being
written) and `originals/NAMESPACE/HANDLE`, where a namespace is named by a keyed digest and a file's time of change is
the time at which it was last used, in nanoseconds.

Invariants: no path is made of the text of a tenant, a run or a handle that is not digits. A file appears under its
handle when it is whole, so a process that is killed leaves nothing but a file in `new`, which is dropped an hour later.
Whoever keeps or reads holds `lock` shared, whoever drops files holds it alone: nobody is told of an original that
another process is about to drop. The lock is the kernel's and ends with the process that had it.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from .ledger_file import LedgerFile
from .store import Retention, StoreError, digest_original, is_handle, make_handles, name_namespace

_PATIENCE_S = 2.0
_KEY_BYTES = 32
_LEFT_OVER_S = 3600
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


class _Kept(NamedTuple):
    """An original in the folder, by when it was used; of two at the same time, the greater name counts as later."""

    used_ns: int
    space: str
    handle: str
    size: int


class FileStore:
    """Keeps originals in a folder, which is made when the first one comes."""

    def __init__(self, folder: str, retention: Retention = Retention()) -> None:  # noqa: B008 - immutable
        self._folder = folder
        self._retention = retention
        # Looking through the folder takes longer than an index does, so what has expired lies there for longer.
        self._turn = max(1, min(512, retention.newest // 20))

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep a copy of an original and return its handle."""
        content = bytes(content)
        with self._failing_by_name():
            key = self._key() or self._make()
            space = name_namespace(key, tenant, run)
            with self._locked(fcntl.LOCK_SH):
                handle, known = self._find_handle(key, content, tenant, run)
                if known:
                    self._use(space, handle)
                else:
                    self._write(space, handle, content)
            # By the digits of the handle, since a process may live for one original only.
            if int(handle) % self._turn == 0 or self._retention.is_large(len(content)):
                self._prune(spared=(space, handle))
            return handle

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return the handle that `keep` would, or raise its error: the file is written and dropped. Makes the store."""
        with self._failing_by_name():
            key = self._key() or self._make()
            with self._locked(fcntl.LOCK_SH):
                os.unlink(self._write_new(content))
                return self._find_handle(key, content, tenant, run)[0]

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None. Never makes a store."""
        with self._failing_by_name():
            key = self._key()
            if key is None or not is_handle(handle):
                return None
            space = name_namespace(key, tenant, run)
            with self._locked(fcntl.LOCK_SH):
                if any((kept.space, kept.handle) == (space, handle) for kept in self._expired()):
                    return None
                content = _read(self._place(space, handle))
                if content is None:
                    return None
                if handle not in make_handles(digest_original(key, content, tenant, run)):
                    raise StoreError(f"{self._folder}: the original is damaged")
                with suppress(OSError):
                    # Where nothing can be written it can still be read.
                    self._use(space, handle)
                return content

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:
        """Drop one original, or all of a namespace; return how many were dropped."""
        with self._failing_by_name():
            key = self._key()
            if key is None:
                return 0
            space = name_namespace(key, tenant, run)
            with self._locked(fcntl.LOCK_EX):
                return self._drop([kept for kept in self._list(space) if handle in (None, kept.handle)])

    def purge(self) -> int:
        """Drop what has expired; return how many originals were dropped."""
        with self._failing_by_name():
            return 0 if self._key() is None else self._prune()

    def log(self, entry: bytes) -> None:
        """Add one entry to the ledger in the folder."""
        LedgerFile.within(self._folder).log(entry)

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first."""
        return LedgerFile.within(self._folder).entries()

    def close(self) -> None:
        """Do nothing: no file stays open."""

    # --- the folder -------------------------------------------------------------------------------------------------

    def _path(self, *names: str) -> str:
        return os.path.join(self._folder, *names)

    def _place(self, space: str, handle: str) -> str:
        return self._path("originals", space, handle)

    def _key(self) -> bytes | None:
        """Return the key of the store; None where there is no store. Raises StoreError for a damaged one."""
        try:
            status = os.lstat(self._folder)
        except FileNotFoundError:
            return None
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            raise StoreError(f"{self._folder}: not a folder of this user")
        if status.st_mode & 0o077:
            os.chmod(self._folder, 0o700)
        key = _read(self._path("key"))
        if key is not None and len(key) != _KEY_BYTES:
            raise StoreError(f"{self._folder}: the key of the store is damaged")
        return key

    def _make(self) -> bytes:
        """Make the folder and its key; whoever links a whole key first has made it."""
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        ours = {"key", "lock", "new", "ledger", "ledger.lock"}
        if any(name not in ours and not name.startswith("ledger.") for name in os.listdir(self._folder)):
            key = self._key()
            if key is not None:
                # Another process was first.
                return key
            if os.path.isdir(self._path("originals")):
                raise StoreError(f"{self._folder}: the key of the store is gone")
            raise StoreError(f"{self._folder}: a folder, but not a store of originals")
        with suppress(FileExistsError):
            os.mkdir(self._path("new"), 0o700)
        new = self._write_new(os.urandom(_KEY_BYTES))
        try:
            with suppress(FileExistsError):
                os.link(new, self._path("key"))
        finally:
            os.unlink(new)
        key = self._key()
        if key is None:
            raise StoreError(f"{self._folder}: the store could not be made")
        return key

    def _find_handle(self, key: bytes, content: bytes, tenant: str, run: str) -> tuple[str, bool]:
        """Return the handle of an original, and whether it is kept already, whole."""
        space = name_namespace(key, tenant, run)
        for handle in make_handles(digest_original(key, content, tenant, run)):
            earlier = _read(self._place(space, handle))
            if earlier is None or earlier == content:
                return handle, earlier is not None
            if handle not in make_handles(digest_original(key, earlier, tenant, run)):
                # What was kept is damaged: here it is again.
                return handle, False
        raise StoreError(f"{self._folder}: two originals have the same handle")

    def _write(self, space: str, handle: str, content: bytes) -> None:
        new = self._write_new(content)
        try:
            for folder in (self._path("originals"), self._path("originals", space)):
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o700)
            now = time.time_ns()
            os.utime(new, ns=(now, now))
            os.replace(new, self._place(space, handle))
        except BaseException:
            with suppress(OSError):
                os.unlink(new)
            raise

    def _write_new(self, content: bytes) -> str:
        """Write a file of a name that nobody else has, and return its path."""
        path = self._path("new", os.urandom(16).hex())
        descriptor = os.open(path, _WRITE, 0o600)
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        except BaseException:
            with suppress(OSError):
                os.unlink(path)
            raise
        finally:
            os.close(descriptor)
        return path

    def _use(self, space: str, handle: str) -> None:
        now = time.time_ns()
        os.utime(self._place(space, handle), ns=(now, now))

    # --- retention --------------------------------------------------------------------------------------------------

    def _list(self, *spaces: str) -> list[_Kept]:
        """Return what lies in some namespaces, or in all."""
        found = []
        for space in spaces or _names(self._path("originals")):
            with suppress(FileNotFoundError), os.scandir(self._path("originals", space)) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    found.append(_Kept(status.st_mtime_ns, space, entry.name, status.st_size))
        return found

    def _expired(self) -> list[_Kept]:
        """Return what has expired. What was used last is never beyond the number or the bytes."""
        oldest_ns = time.time_ns() - self._retention.ttl * 10**9
        kept = sorted(self._list(), reverse=True)
        total, expired = 0, []
        for number, original in enumerate(kept):
            total += original.size
            beyond = number >= self._retention.newest or total > self._retention.max_bytes
            if original.used_ns < oldest_ns or (beyond and number):
                expired.append(original)
        return expired

    def _prune(self, spared: tuple[str, str] | None = None) -> int:
        with self._locked(fcntl.LOCK_EX):
            dropped = self._drop([kept for kept in self._expired() if (kept.space, kept.handle) != spared])
            for name in _names(self._path("new")):
                with suppress(FileNotFoundError):
                    if os.lstat(self._path("new", name)).st_mtime < time.time() - _LEFT_OVER_S:
                        os.unlink(self._path("new", name))
            return dropped

    def _drop(self, originals: list[_Kept]) -> int:
        for kept in originals:
            os.unlink(self._place(kept.space, kept.handle))
        for space in {kept.space for kept in originals}:
            with suppress(OSError):
                os.rmdir(self._path("originals", space))
        return len(originals)

    # --- locks and failures -----------------------------------------------------------------------------------------

    @contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        """Hold the lock of the store. A descriptor of its own each time: threads and children exclude each other."""
        descriptor = os.open(self._path("lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            deadline = time.monotonic() + _PATIENCE_S
            while True:
                try:
                    fcntl.flock(descriptor, how | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise StoreError(f"{self._folder}: the store is locked") from None
                    time.sleep(0.001)
            yield
        finally:
            os.close(descriptor)

    @contextmanager
    def _failing_by_name(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, TypeError) as error:
            text = (isinstance(error, OSError) and error.strerror) or error
            raise StoreError(f"{self._folder}: {text}") from error


def _read(path: str) -> bytes | None:
    """Return what a regular file holds; None where there is none."""
    try:
        descriptor = os.open(path, _READ)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        return file.read()


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
