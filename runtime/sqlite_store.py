"""The store on disk: one SQLite file in WAL mode, readable by its owner alone.

Input and output as in `store`. Tables: `meta` (the key), `original` (handle, namespace, content, order and time of
use). `PRAGMA user_version` is the version of this layout.

Invariants: the file is made with mode 0600 before SQLite sees it; connections belong to one thread of one process and
are never used across a fork; every failure of SQLite or of the file system is a StoreError.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from _thread import _local

from .store import HANDLE_DIGITS, Retention, StoreError, make_handle

_LAYOUT = 1
# Long enough for a writer in front of us, short enough not to hold a command back.
_PATIENCE_S = 2.0
_LONG_DIGITS = 18

_CREATE = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS original (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL, run TEXT NOT NULL, handle TEXT NOT NULL,
  kept_at INTEGER NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL,
  UNIQUE (tenant, run, handle)
);
"""
# The sizes run from the newest down; what lies beyond the bound goes with what is both old and not among the newest.
_PRUNE = """
DELETE FROM original WHERE place IN (
  SELECT place FROM (
    SELECT place, kept_at, row_number() OVER newest AS rank, sum(size) OVER newest AS total
    FROM original WINDOW newest AS (ORDER BY place DESC)
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
            return None if connection is None else _find(connection, tenant, run, handle)
        except (sqlite3.Error, OSError, UnicodeError, OverflowError) as error:
            raise StoreError(f"{self._path}: {error}") from error

    def _put(self, connection: sqlite3.Connection, content: bytes, tenant: str, run: str) -> str:
        key = connection.execute("SELECT value FROM meta WHERE name = 'key'").fetchone()[0]
        for digits in (HANDLE_DIGITS, _LONG_DIGITS):
            handle = make_handle(key, content, tenant, run, digits)
            earlier = _find(connection, tenant, run, handle)
            if earlier is None or earlier == content:
                connection.execute(
                    "INSERT OR REPLACE INTO original (tenant, run, handle, kept_at, size, content)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (tenant, run, handle, int(time.time()), len(content), content),
                )
                return handle
        raise StoreError(f"{self._path}: two originals have the same handle")

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
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    layout = connection.execute("PRAGMA user_version").fetchone()[0]
    if layout == _LAYOUT:
        return
    if layout != 0:
        raise StoreError(f"{path}: made by a newer version (layout {layout})")
    connection.execute("BEGIN IMMEDIATE")
    for statement in _CREATE.split(";"):
        connection.execute(statement)
    connection.execute("INSERT OR IGNORE INTO meta VALUES ('key', ?)", (os.urandom(32),))
    connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    connection.execute("COMMIT")


def _find(connection: sqlite3.Connection, tenant: str, run: str, handle: str) -> bytes | None:
    row = connection.execute(
        "SELECT content FROM original WHERE tenant = ? AND run = ? AND handle = ?", (tenant, run, handle)
    ).fetchone()
    return None if row is None else row[0]
