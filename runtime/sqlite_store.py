"""The store on disk: one SQLite file in WAL mode, readable by its owner alone.

Input and output as in `store`. The tables are those of `store_layout`.

Invariants: the file is made with mode 0600 before SQLite sees it; a store has one connection, which one thread at a
time uses; every failure of SQLite or of the file system is a StoreError.

INVARIANT: once the file exists, nobody but SQLite opens it. Closing any descriptor of a file gives up all the locks
that the process has on it, those of SQLite too, and other processes would then write over each other.
INVARIANT: no connection is open while the process forks. SQLite remembers by file, not by connection, which locks the
process has; a child would believe that it has those of its parent.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from _thread import allocate_lock
from _weakref import ref

from .store import Retention, StoreError, digest_original, make_handles
from .store_layout import prepare_layout

# Long enough for a writer in front of us, short enough not to hold a command back.
_PATIENCE_S = 2.0
_PIECE = 1 << 20
_FAILURES = (sqlite3.Error, OSError, ValueError, TypeError, OverflowError)

_FIND = "SELECT id, digest FROM original WHERE tenant = ? AND run = ? AND handle = ?"
_HOLDS = "SELECT EXISTS (SELECT 1 FROM content WHERE id = ? AND bytes = ?)"
_FETCH = "SELECT bytes, digest FROM content JOIN original USING (id) WHERE tenant = ? AND run = ? AND handle = ?"
# The sizes run from the newest down; what lies beyond the bound goes with what is both old and not among the newest.
_PRUNE = """
DELETE FROM original WHERE id IN (
  SELECT id FROM (
    SELECT id, kept_at, row_number() OVER newest AS rank, sum(size) OVER newest AS total
    FROM original WINDOW newest AS (ORDER BY used DESC)
  ) WHERE rank > 1 AND (total > :max_bytes OR (rank > :newest AND kept_at < :oldest))
)
"""


class SqliteStore:
    """Keeps originals in a file, which is made when the first original comes."""

    def __init__(self, path: str, retention: Retention = Retention()) -> None:  # noqa: B008 - immutable
        self._path = path
        self._retention = retention
        self._lock = allocate_lock()
        self._open: tuple[int, tuple[int, int] | None, sqlite3.Connection] | None = None
        self._abandoned: list[sqlite3.Connection] = []
        _STORES[:] = [known for known in _STORES if known() is not None]
        _STORES.append(ref(self))

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep an original and return its handle."""
        try:
            with self._lock:
                return self._keep(content, tenant, run, "COMMIT")
        except _FAILURES as error:
            raise StoreError(_describe(self._path, error)) from error

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Do all that `keep` does, and take it back: the handle, or the StoreError, is the same. Makes the store."""
        try:
            with self._lock:
                return self._keep(content, tenant, run, "ROLLBACK")
        except _FAILURES as error:
            raise StoreError(_describe(self._path, error)) from error

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None. Never makes a store."""
        try:
            with self._lock:
                connection = self._connection(create=False)
                if connection is None:
                    return None
                row = connection.execute(_FETCH, (tenant, run, handle)).fetchone()
                if row is None:
                    return None
                content, digest = row
                intact = digest_original(self._key(connection), content, tenant, run) == digest
        except _FAILURES as error:
            raise StoreError(_describe(self._path, error)) from error
        if not intact:
            raise StoreError(f"{self._path}: the original is damaged")
        return content

    def _keep(self, content: bytes, tenant: str, run: str, end: str) -> str:
        connection = self._connection(create=True)
        if connection is None:
            raise StoreError(f"{self._path}: the store could not be made")
        connection.execute("BEGIN IMMEDIATE")
        try:
            handle = self._put(connection, content, tenant, run)
            self._prune(connection)
            connection.execute(end)
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return handle

    def _put(self, connection: sqlite3.Connection, content: bytes, tenant: str, run: str) -> str:
        digest = digest_original(self._key(connection), content, tenant, run)
        for handle in make_handles(digest):
            earlier = connection.execute(_FIND, (tenant, run, handle)).fetchone()
            if earlier is not None and earlier[1] != digest:
                continue
            if earlier is not None and not connection.execute(_HOLDS, (earlier[0], content)).fetchone()[0]:
                # What was kept is gone or damaged: here it is again.
                connection.execute("DELETE FROM original WHERE id = ?", (earlier[0],))
                earlier = None
            number = _write(connection, content, (tenant, run, handle, digest)) if earlier is None else earlier[0]
            connection.execute(
                "UPDATE original SET kept_at = ?, used = (SELECT max(used) + 1 FROM original) WHERE id = ?",
                (int(time.time()), number),
            )
            return handle
        raise StoreError(f"{self._path}: two originals have the same handle")

    def _key(self, connection: sqlite3.Connection) -> bytes:
        row = connection.execute("SELECT value FROM meta WHERE name = 'key'").fetchone()
        if row is None:
            raise StoreError(f"{self._path}: the key of the store is gone")
        return row[0]

    def _prune(self, connection: sqlite3.Connection) -> None:
        retention = self._retention
        connection.execute(
            _PRUNE,
            {
                "max_bytes": retention.max_bytes,
                "newest": retention.newest,
                "oldest": int(time.time()) - retention.ttl,
            },
        )

    def _connection(self, *, create: bool) -> sqlite3.Connection | None:
        """Return the connection of this process, or None where there is no store and none is to be made."""
        if self._open is not None:
            owner, identity, connection = self._open
            if (owner, identity) == (os.getpid(), _identity(self._path)):
                return connection
            self._drop()
        if not _claim_file(self._path, create=create):
            return None
        connection = sqlite3.connect(self._path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
        try:
            prepare_layout(connection, self._path, patience_s=_PATIENCE_S, create=create)
        except BaseException:
            connection.close()
            raise
        self._open = (os.getpid(), _identity(self._path), connection)
        return connection

    def _drop(self) -> None:
        """Close the connection; one that is another process's, or that fails to close, is only never used again."""
        if self._open is None:
            return
        owner, _, connection = self._open
        self._open = None
        if owner == os.getpid():
            try:
                connection.close()
            except sqlite3.Error:
                self._abandoned.append(connection)
        else:
            self._abandoned.append(connection)

    def before_fork(self) -> bool:
        """Close the connection and let nobody open one until `after_fork`; False where a thread does not let go."""
        if not self._lock.acquire(timeout=2 * _PATIENCE_S):
            return False
        self._drop()
        return True

    def after_fork(self, *, held: bool, child: bool) -> None:
        """Go on. In a child, the thread that holds the lock may be one that is not there."""
        if held:
            self._lock.release()
        elif child:
            self._lock = allocate_lock()


_STORES: list[ref[SqliteStore]] = []
_forking: list[tuple[SqliteStore, bool]] = []


def _before_fork() -> None:
    stores = [store for known in _STORES if (store := known()) is not None]
    _forking[:] = [(store, store.before_fork()) for store in stores]


def _after_fork(*, child: bool) -> None:
    for store, held in _forking:
        store.after_fork(held=held, child=child)
    _forking.clear()


os.register_at_fork(
    before=_before_fork,
    after_in_parent=lambda: _after_fork(child=False),
    after_in_child=lambda: _after_fork(child=True),
)


def _describe(path: str, error: Exception) -> str:
    """Say what failed in the words of the system, with the path once."""
    return f"{path}: {(isinstance(error, OSError) and error.strerror) or error}"


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells this file from another one at the same path: a store may be removed under a long process."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _claim_file(path: str, *, create: bool) -> bool:
    """Make sure that the file is ours and private; False when it does not exist and is not to be made."""
    if create:
        _make_file(path)
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        if create:
            raise
        return False
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        raise StoreError(f"{path}: not a regular file of this user")
    if status.st_mode & 0o077:
        os.chmod(path, 0o600)
    return True


def _make_file(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    except FileExistsError:
        raise StoreError(f"{path}: Not a directory") from None
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    os.close(descriptor)


def _write(connection: sqlite3.Connection, content: bytes, place: tuple[str, str, str, bytes]) -> int:
    """Write an original and return its number. Bound as one value, SQLite would copy its bytes several times over."""
    number = connection.execute(
        "INSERT INTO original (tenant, run, handle, digest, used, kept_at, size) VALUES (?, ?, ?, ?, 0, 0, ?)",
        (*place, len(content)),
    ).lastrowid
    assert number is not None
    connection.execute("INSERT INTO content VALUES (?, zeroblob(?))", (number, len(content)))
    with connection.blobopen("content", "bytes", number) as blob:
        rest = memoryview(content)
        for start in range(0, len(content), _PIECE):
            blob.write(rest[start : start + _PIECE])
    return number
