"""The connection of a store on disk: one SQLite file, readable by its owner alone, shared with other processes.

Input: the path of a store. Output: a connection on which one thread at a time works, with the tables of `store_layout`.

Invariants: the file is made with mode 0600 before SQLite sees it. Whoever finds the file locked asks again, at short
and uneven intervals, until its patience ends: SQLite's own way of waiting lets a busy neighbour go first for too long.

INVARIANT: once the file exists, nobody but SQLite opens it. Closing any descriptor of a file gives up all the locks
that the process has on it, those of SQLite too, and other processes would then write over each other.
INVARIANT: no connection is open, and none is being opened or closed, while the process forks. SQLite remembers by
file, not by connection, which locks the process has; a child would believe that it has those of its parent. And it
would wait for ever for a lock of SQLite's own memory that a thread of its parent had.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from _thread import allocate_lock
from collections.abc import Callable
from typing import TypeVar

from .store import StoreError
from .store_layout import prepare_layout

_Answer = TypeVar("_Answer")

# Long enough for a writer in front of us, short enough not to hold a command back.
_PATIENCE_S = 2.0
# What SQLite itself waits for, one lock at a time.
_SQLITE_WAIT_S = 0.02
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_FAILURES = (sqlite3.Error, OSError, ValueError, TypeError, OverflowError)


class SharedConnection:
    """The connection of this process to a store, opened when it is first needed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._held = _Held()
        with _registering:
            _HELD.add(self._held)

    def __del__(self) -> None:
        self._held.retire()

    def work(self, task: Callable[[sqlite3.Connection], _Answer], *, create: bool) -> _Answer | None:
        """Run a task; None where there is no store and none is to be made. Raises StoreError.

        Where the file is locked, the task is run again, so it must leave nothing half done when it raises.
        """
        deadline = time.monotonic() + _PATIENCE_S
        wait = 0.0005
        while True:
            try:
                with self._held.lock:
                    connection = self._connection(create=create)
                    return None if connection is None else task(connection)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > deadline:
                    raise StoreError(_describe(self._path, error)) from error
            except _FAILURES as error:
                raise StoreError(_describe(self._path, error)) from error
            time.sleep(wait * (0.5 + os.urandom(1)[0] / 256))
            wait = min(wait * 1.5, 0.01)

    def close(self) -> None:
        """Close the connection; the next task opens one."""
        with self._held.lock:
            self._held.drop()

    def _connection(self, *, create: bool) -> sqlite3.Connection | None:
        """Return the connection of this process, or None where there is no store and none is to be made."""
        held = self._held
        if held.open is not None:
            owner, identity, connection = held.open
            if (owner, identity) == (os.getpid(), _identity(self._path)):
                return connection
            held.drop()
        if not _claim_file(self._path, create=create):
            return None
        connection = sqlite3.connect(self._path, timeout=_SQLITE_WAIT_S, isolation_level=None, check_same_thread=False)
        try:
            prepare_layout(connection, self._path, patience_s=_PATIENCE_S, create=create)
        except BaseException:
            connection.close()
            raise
        held.open = (os.getpid(), _identity(self._path), connection)
        return connection


class _Held:
    """An open connection and the lock under which it is used and closed.

    It outlives its `SharedConnection` until it is closed: whoever clears that away may be any thread at any time, and
    SQLite must not be at work, not even at closing, while another thread forks.
    """

    def __init__(self) -> None:
        self.lock = allocate_lock()
        self.open: tuple[int, tuple[int, int] | None, sqlite3.Connection] | None = None
        self._abandoned: list[sqlite3.Connection] = []
        self._retired = False

    def drop(self) -> None:
        """Close the connection; one that is another process's, or that fails to close, is only never used again."""
        if self.open is None:
            return
        owner, _, connection = self.open
        self.open = None
        if owner == os.getpid():
            try:
                connection.close()
            except sqlite3.Error:
                self._abandoned.append(connection)
        else:
            self._abandoned.append(connection)

    def retire(self) -> None:
        """Close the connection for good. Never waits: nobody else uses it any more but a fork, which closes it, too."""
        self._retired = True
        if self.lock.acquire(blocking=False):
            self.drop()
            self.lock.release()
            self._leave()

    def before_fork(self) -> bool:
        """Close the connection and let nobody open one until `after_fork`; False where a thread does not let go."""
        if not self.lock.acquire(timeout=2 * _PATIENCE_S):
            return False
        self.drop()
        return True

    def after_fork(self, *, taken: bool, child: bool) -> None:
        """Go on. In a child, the thread that holds the lock may be one that is not there."""
        if taken:
            self.lock.release()
        elif child:
            self.lock = allocate_lock()
        if self._retired:
            self._leave()

    def _leave(self) -> None:
        # A connection of another process is never closed, so it is never let go.
        if not self._abandoned:
            _HELD.discard(self)


_HELD: set[_Held] = set()
# Held by whoever forks, from before to after, so that no store is added meanwhile.
_registering = allocate_lock()
_forking: list[tuple[_Held, bool]] = []


def _before_fork() -> None:
    _registering.acquire()
    _forking[:] = [(held, held.before_fork()) for held in list(_HELD)]


def _after_fork(*, child: bool) -> None:
    for held, taken in _forking:
        held.after_fork(taken=taken, child=child)
    _forking.clear()
    _registering.release()


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
