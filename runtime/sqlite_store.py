"""The store on disk: one SQLite file in WAL mode, readable by its owner alone.

Input and output as in `store`. Tables: `meta` (the key), `original` (namespace, handle, digest, order and time of
use), `content` (the bytes). `PRAGMA user_version` is the version of this layout.

Invariants: the file is made with mode 0600 before SQLite sees it; connections belong to one thread of one process and
are never used across a fork; every failure of SQLite or of the file system is a StoreError.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from _thread import _local

from .store import Retention, StoreError, digest_original, make_handles

_LAYOUT = 1
# Long enough for a writer in front of us, short enough not to hold a command back.
_PATIENCE_S = 2.0
_PIECE = 1 << 20

_CREATE = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    """
    CREATE TABLE original (
      id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, run TEXT NOT NULL, handle TEXT NOT NULL, digest BLOB NOT NULL,
      used INTEGER NOT NULL, kept_at INTEGER NOT NULL, size INTEGER NOT NULL,
      UNIQUE (tenant, run, handle)
    )
    """,
    # Apart, because a row is rewritten as a whole when a field of it changes.
    "CREATE TABLE content (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
    "CREATE TRIGGER dropped AFTER DELETE ON original BEGIN DELETE FROM content WHERE id = old.id; END",
)
_FIND = "SELECT id, digest FROM original WHERE tenant = ? AND run = ? AND handle = ?"
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
        self._open = _local()

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep an original and return its handle."""
        try:
            connection = self._connection(create=True)
            if connection is None:
                raise StoreError(f"{self._path}: the store could not be made")
            connection.execute("BEGIN IMMEDIATE")
            try:
                handle = self._put(connection, content, tenant, run)
                self._prune(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except (sqlite3.Error, OSError, UnicodeError, OverflowError) as error:
            raise StoreError(f"{self._path}: {error}") from error
        return handle

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None. Never makes a store."""
        try:
            connection = self._connection(create=False)
            if connection is None:
                return None
            row = connection.execute(_FETCH, (tenant, run, handle)).fetchone()
            if row is None:
                return None
            content, digest = row
            intact = digest_original(self._key(connection), content, tenant, run) == digest
        except (sqlite3.Error, OSError, UnicodeError, OverflowError, TypeError) as error:
            raise StoreError(f"{self._path}: {error}") from error
        if not intact:
            raise StoreError(f"{self._path}: the original is damaged")
        return content

    def _put(self, connection: sqlite3.Connection, content: bytes, tenant: str, run: str) -> str:
        digest = digest_original(self._key(connection), content, tenant, run)
        for handle in make_handles(digest):
            earlier = connection.execute(_FIND, (tenant, run, handle)).fetchone()
            if earlier is None:
                number = _write(connection, content, (tenant, run, handle, digest))
            elif earlier[1] == digest:
                number = earlier[0]
            else:
                continue
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
        """Return the connection of this thread in this process, or None where there is no store and none is to be."""
        found = getattr(self._open, "connection", None)
        if found is not None and self._open.owner == (os.getpid(), _identity(self._path)):
            return found
        if not _claim_file(self._path, create=create):
            return None
        # A connection inherited through fork is replaced, not closed: closing it would touch the parent's files.
        self._open.inherited = found
        connection = sqlite3.connect(self._path, timeout=_PATIENCE_S, isolation_level=None)
        try:
            _prepare(connection, self._path)
        except BaseException:
            connection.close()
            raise
        self._open.connection, self._open.owner = connection, (os.getpid(), _identity(self._path))
        return connection


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
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT if create else 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileNotFoundError:
        if create:
            raise
        return False
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise StoreError(f"{path}: not a regular file of this user")
        if status.st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)
    return True


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    """Set the modes of a connection; make the layout and the key where they are missing."""
    _enter_wal(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    layout = connection.execute("PRAGMA user_version").fetchone()[0]
    if layout == _LAYOUT:
        return
    if layout != 0:
        raise StoreError(f"{path}: made by a newer version (layout {layout})")
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have been first while this one waited.
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in _CREATE:
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('key', ?)", (os.urandom(32),))
        connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    connection.execute("COMMIT")


def _enter_wal(connection: sqlite3.Connection) -> None:
    """Set the journal mode. Where several make the store at once, SQLite refuses this step instead of waiting."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


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
