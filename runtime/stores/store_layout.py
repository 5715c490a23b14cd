"""The tables of the store on disk, and what becomes of a file with other ones.

Input: a fresh connection. Output: the same, in WAL mode and with the tables below, or StoreError.

Tables: `meta` (the key), `original` (namespace, handle, digest, order and time of use), `content` (the bytes).
`PRAGMA user_version` is the version of this layout.

INVARIANT: a file whose tables are not ours is never changed. One of an earlier layout is copied beside itself, by
SQLite, before its tables are replaced in one transaction: a file that is renamed while other processes have it open
would leave them writing to each other's logs. No more than the last three such copies stay.
"""

from __future__ import annotations

import os
import sqlite3
import time

from .store import StoreError

LAYOUT = 3
_COPIES = 3
# Pages that are written ahead before they go into the file itself: 32 MB, so that the two fsyncs which come with that
# are one in some thousand originals of 10 KB. More of them gains nothing.
_AHEAD = 8000
_CREATE = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    """CREATE TABLE original (
      id INTEGER PRIMARY KEY, space BLOB NOT NULL, handle TEXT NOT NULL, digest BLOB NOT NULL,
      used INTEGER NOT NULL, used_at INTEGER NOT NULL, size INTEGER NOT NULL,
      UNIQUE (space, handle)
    )""",
    # With the time and the size in it, whatever retention asks for is read from this index alone.
    "CREATE INDEX by_use ON original (used, used_at, size)",
    # Apart, because a row is rewritten as a whole when a field of it changes.
    "CREATE TABLE content (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
    "CREATE TRIGGER dropped AFTER DELETE ON original BEGIN DELETE FROM content WHERE id = old.id; END",
)
_TABLES = ("content", "meta", "original")
# What every layout has had.
_MARKS = frozenset({"meta", "original"})


def prepare_layout(connection: sqlite3.Connection, path: str, *, patience_s: float, create: bool) -> None:
    """Set the modes of a connection; make tables and key where they are missing.

    A file of an earlier layout is set aside, or refused unless `create`. Raises StoreError, sqlite3.Error, OSError.
    """
    found = _state(connection, path)
    if found == "earlier" and not create:
        raise StoreError(f"{path}: made by an earlier version, whose originals can no longer be shown")
    _enter_wal(connection, patience_s)
    connection.execute("PRAGMA synchronous = NORMAL")
    # Some builds overwrite what is deleted by default. Here that is done where somebody asks for it: `forget`, `purge`.
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_AHEAD}")
    if found == "ours":
        return
    copy = _copy_beside(connection, path) if found == "earlier" else None
    replaced = False
    try:
        replaced = _replace_tables(connection, path)
    finally:
        if copy is not None and not replaced:
            os.unlink(copy)
    if copy is not None:
        drop_copies(path, keep=_COPIES)


def drop_copies(path: str, *, keep: int, before: float | None = None) -> None:
    """Remove copies of earlier layouts beside a store: all but the last `keep`, and of the others those older than
    `before` (seconds since the epoch), where it is given. Raises OSError.
    """
    copies = sorted(_copies(path), reverse=True)
    for number, copy in copies[keep:]:
        del number
        if before is None or os.stat(copy).st_mtime < before:
            os.unlink(copy)


def _copies(path: str) -> list[tuple[int, str]]:
    """Return the copies beside a store with their numbers."""
    folder, name = os.path.split(path)
    begin = f"{name}.earlier-"
    found = [entry for entry in os.listdir(folder or ".") if entry.startswith(begin)]
    return [
        (int(number), os.path.join(folder, entry))
        for entry in found
        if (number := entry.removeprefix(begin)).isascii() and number.isdigit()
    ]


def _replace_tables(connection: sqlite3.Connection, path: str) -> bool:
    """Make the tables, in place of those of an earlier layout; False where another process was first."""
    connection.execute("BEGIN IMMEDIATE")
    found = _state(connection, path)
    if found == "ours":
        connection.execute("ROLLBACK")
        return False
    if found == "earlier":
        for table in _TABLES:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _CREATE:
        connection.execute(statement)
    connection.execute("INSERT INTO meta VALUES ('key', ?)", (os.urandom(32),))
    connection.execute(f"PRAGMA user_version = {LAYOUT}")
    connection.execute("COMMIT")
    return True


def _state(connection: sqlite3.Connection, path: str) -> str:
    """Tell whose tables these are: `ours`, `earlier` or `none`. Raises StoreError for a newer version's, or others."""
    layout = connection.execute("PRAGMA user_version").fetchone()[0]
    if layout > LAYOUT:
        raise StoreError(f"{path}: made by a newer version (layout {layout})")
    found = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    if layout == LAYOUT and set(_CREATE) <= set(found.values()):
        return "ours"
    if found.keys() >= _MARKS:
        return "earlier"
    if found:
        raise StoreError(f"{path}: a database, but not a store of originals")
    return "none"


def _copy_beside(connection: sqlite3.Connection, path: str) -> str:
    """Copy a file of an earlier layout to a name of its own beside it, with a number above those that are there."""
    first = max((number for number, _ in _copies(path)), default=0) + 1
    for number in range(first, first + 1000):
        copy = f"{path}.earlier-{number}"
        try:
            # Made first, since SQLite would make it readable to others; it writes into an empty file.
            os.close(os.open(copy, os.O_RDWR | os.O_CLOEXEC | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            continue
        try:
            connection.execute("VACUUM INTO ?", (copy,))
        except BaseException:
            os.unlink(copy)
            raise
        return copy
    raise StoreError(f"{path}: made by an earlier version, and it cannot be copied beside itself")


def _enter_wal(connection: sqlite3.Connection, patience_s: float) -> None:
    """Set the journal mode. Where several make the store at once, SQLite refuses this step instead of waiting."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return
