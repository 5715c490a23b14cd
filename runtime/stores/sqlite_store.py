"""The store on disk: one SQLite file in WAL mode, readable by its owner alone.

Input and output as in `store`. The connection is that of `sqlite_connection`, the tables are those of `store_layout`,
the ledger is a file beside it (`ledger_file`).

`used` numbers the uses of originals through the whole store, so it is their order; a use takes the next number. What
has expired is told by one look at an index when an original is read, and dropped at every `slack`-th use, so that
keeping an original costs the same however many are held.

Invariant: what `keep` returns a handle for is committed, and read back by any process, whatever becomes of this one.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from .sqlite_connection import SharedConnection
from .store import Retention, StoreError, digest_original, make_handles, name_namespace
from .store_layout import drop_copies

_Done = TypeVar("_Done")

# Bound as one value, SQLite would copy the bytes of a larger original several times over.
_PIECE = 1 << 20

_FIND = "SELECT id, digest FROM original WHERE space = ? AND handle = ?"
_HOLDS = "SELECT EXISTS (SELECT 1 FROM content WHERE id = ? AND bytes = ?)"
_NEXT = "SELECT coalesce(max(used), 0) + 1 FROM original"
# Nothing where the handle is taken.
_INSERT = """
INSERT OR IGNORE INTO original (space, handle, digest, used, used_at, size)
VALUES (?, ?, ?, (SELECT coalesce(max(used), 0) + 1 FROM original), ?, ?) RETURNING id, used
"""
_USE = "UPDATE original SET used = ?, used_at = ? WHERE id = ?"
_FETCH = "SELECT id, used, used_at, bytes, digest FROM original JOIN content USING (id) WHERE space = ? AND handle = ?"
# Of an original and all that were used after it. The newest is the one that was just kept.
_RANK = "SELECT count(*), sum(size), max(used) = :used FROM original WHERE used >= :used"
# The number of use below which everything has expired: the greatest of three bounds.
_BEYOND_NEWEST = "SELECT used FROM original ORDER BY used DESC LIMIT 1 OFFSET :newest"
_TOTAL = "SELECT total(size) FROM original"
_BEYOND_BYTES = """
SELECT max(used) FROM (
  SELECT used, sum(size) OVER newest AS total, row_number() OVER newest AS rank
  FROM original WINDOW newest AS (ORDER BY used DESC)
) WHERE total > :max_bytes AND rank > 1
"""
_PRUNE = "DELETE FROM original WHERE used < :newest_use AND (used <= :bound OR used_at < :oldest)"


class SqliteStore:
    """Keeps originals in a file, which is made when the first original comes."""

    def __init__(self, path: str, retention: Retention = Retention()) -> None:  # noqa: B008 - immutable
        self._path = path
        self._retention = retention
        self._shared = SharedConnection(path)

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep a copy of an original and return its handle."""
        return self._keep(content, tenant, run, "COMMIT")

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Do all that `keep` does, and take it back: the handle, or the StoreError, is the same. Makes the store."""
        return self._keep(content, tenant, run, "ROLLBACK")

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None. Never makes a store."""

        def read(connection: sqlite3.Connection) -> tuple[int, bytes] | None:
            key = self._key(connection)
            row = connection.execute(_FETCH, (_space(key, tenant, run), handle)).fetchone()
            if row is None or self._has_expired(connection, row[1], row[2]):
                return None
            number, _, _, content, digest = row
            if digest_original(key, content, tenant, run) != digest:
                raise StoreError(f"{self._path}: the original is damaged")
            return number, content

        found = self._shared.work(read, create=False)
        if found is None:
            return None
        number, content = found
        try:
            self._shared.work(lambda db: _transact(db, lambda: self._use(db, number), "COMMIT"), create=False)
        except StoreError:
            # Where nothing can be written it can still be read.
            return content
        return content

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:
        """Drop one original, or all of a namespace, bytes included; return how many were dropped."""

        def forget(connection: sqlite3.Connection) -> int:
            space = _space(self._key(connection), tenant, run)
            if handle is None:
                return self._erase(connection, "space = ?", (space,))
            return self._erase(connection, "space = ? AND handle = ?", (space, handle))

        return self._shared.work(forget, create=False) or 0

    def purge(self) -> int:
        """Drop what has expired, bytes included, and copies of earlier layouts as old; return how many were dropped."""

        def purge(connection: sqlite3.Connection) -> int:
            bound, oldest = self._bound(connection), self._oldest()
            dropped = self._erase(connection, "used <= ? OR used_at < ?", (bound, oldest))
            drop_copies(self._path, keep=0, before=oldest)
            return dropped

        return self._shared.work(purge, create=False) or 0

    def log(self, entry: bytes) -> None:
        """Add one entry to the ledger beside the store."""
        from .ledger_file import LedgerFile

        LedgerFile.beside(self._path).log(entry)

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first."""
        from .ledger_file import LedgerFile

        return LedgerFile.beside(self._path).entries()

    def close(self) -> None:
        """Close the file."""
        self._shared.close()

    def _keep(self, content: bytes, tenant: str, run: str, end: str) -> str:
        def keep(connection: sqlite3.Connection) -> str:
            return _transact(connection, lambda: self._put(connection, content, tenant, run), end)

        handle = self._shared.work(keep, create=True)
        if handle is None:
            raise StoreError(f"{self._path}: the store could not be made")
        return handle

    def _put(self, connection: sqlite3.Connection, content: bytes, tenant: str, run: str) -> str:
        key = self._key(connection)
        digest = digest_original(key, content, tenant, run)
        space = _space(key, tenant, run)
        for handle in make_handles(digest):
            place = (space, handle, digest, int(time.time()), len(content))
            new = connection.execute(_INSERT, place).fetchone()
            if new is None:
                number, earlier = connection.execute(_FIND, (space, handle)).fetchone()
                if earlier != digest:
                    continue
                if connection.execute(_HOLDS, (number, content)).fetchone()[0]:
                    self._use(connection, number)
                    return handle
                # What was kept is gone or damaged: here it is again.
                connection.execute("DELETE FROM original WHERE id = ?", (number,))
                new = connection.execute(_INSERT, place).fetchone()
            number, use = new
            _write_content(connection, number, content)
            self._prune_in_turn(connection, use, len(content))
            return handle
        raise StoreError(f"{self._path}: two originals have the same handle")

    def _key(self, connection: sqlite3.Connection) -> bytes:
        row = connection.execute("SELECT value FROM meta WHERE name = 'key'").fetchone()
        if row is None:
            raise StoreError(f"{self._path}: the key of the store is gone")
        return row[0]

    def _use(self, connection: sqlite3.Connection, number: int) -> None:
        use = connection.execute(_NEXT).fetchone()[0]
        connection.execute(_USE, (use, int(time.time()), number))
        self._prune_in_turn(connection, use, 0)

    # --- retention --------------------------------------------------------------------------------------------------

    def _oldest(self) -> int:
        return int(time.time()) - self._retention.ttl

    def _has_expired(self, connection: sqlite3.Connection, used: int, used_at: int) -> bool:
        if used_at < self._oldest():
            return True
        rank, size, is_last = connection.execute(_RANK, {"used": used}).fetchone()
        return not is_last and (rank > self._retention.newest or size > self._retention.max_bytes)

    def _prune_in_turn(self, connection: sqlite3.Connection, use: int, size: int) -> None:
        """Drop what has expired when it is time for that, never what was used last."""
        if use % self._retention.slack and not self._retention.is_large(size):
            return
        values = {"newest_use": use, "bound": self._bound(connection), "oldest": self._oldest()}
        connection.execute(_PRUNE, values)

    def _bound(self, connection: sqlite3.Connection) -> int:
        """Return the number of the last use that is beyond the newest or beyond the bytes; 0 if there is none."""
        retention = self._retention._asdict()
        bounds = [connection.execute(_BEYOND_NEWEST, retention).fetchone()]
        if connection.execute(_TOTAL).fetchone()[0] > self._retention.max_bytes:
            bounds.append(connection.execute(_BEYOND_BYTES, retention).fetchone())
        return max((bound[0] for bound in bounds if bound is not None and bound[0] is not None), default=0)

    def _erase(self, connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> int:
        """Delete originals so that their bytes are nowhere in the file or its log any more."""
        connection.execute("PRAGMA secure_delete = ON")
        try:
            delete = f"DELETE FROM original WHERE {where}"  # noqa: S608 - of constants of this module
            dropped = _transact(connection, lambda: connection.execute(delete, values).rowcount, "COMMIT")
        finally:
            connection.execute("PRAGMA secure_delete = OFF")
        # What other processes still read stays in the log until they are done.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _give_back(connection)
        return dropped


def _space(key: bytes, tenant: str, run: str) -> bytes:
    return bytes.fromhex(name_namespace(key, tenant, run))


def _transact(connection: sqlite3.Connection, work: Callable[[], _Done], end: str) -> _Done:
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = work()
        connection.execute(end)
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return done


def _write_content(connection: sqlite3.Connection, number: int, content: bytes) -> None:
    if len(content) <= _PIECE:
        connection.execute("INSERT INTO content VALUES (?, ?)", (number, content))
        return
    connection.execute("INSERT INTO content VALUES (?, zeroblob(?))", (number, len(content)))
    with connection.blobopen("content", "bytes", number) as blob:
        rest = memoryview(content)
        for start in range(0, len(content), _PIECE):
            blob.write(rest[start : start + _PIECE])


def _give_back(connection: sqlite3.Connection) -> None:
    """Return space to the file system once more of the file is empty than not; whoever is in the way decides."""
    empty = connection.execute("PRAGMA freelist_count").fetchone()[0]
    if empty * 2 <= connection.execute("PRAGMA page_count").fetchone()[0]:
        return
    try:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError:
        return
