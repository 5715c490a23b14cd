"""A ledger on disk: one JSON object a line, in a file that only grows, and a few earlier ones.

Input: entries, without a line end. Output: the same, oldest first.

Invariants: an entry is one write with O_APPEND, so those of many processes stand one after the other; a process that is
killed leaves at most its last line cut, and the next entry begins a line of its own. A reader leaves out lines that are
cut or are no JSON object in form. All files together hold at most `GENERATIONS` times `MAX_BYTES`. Nothing here loads
SQLite, and failures are StoreErrors.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from .store import StoreError

MAX_BYTES = 8 << 20
GENERATIONS = 3
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class LedgerFile:
    """The ledger at a path; earlier generations have `.1`, `.2` behind it."""

    def __init__(self, path: str) -> None:
        self._path = path

    @classmethod
    def beside(cls, store: str) -> LedgerFile:
        """Return the ledger that belongs to the SQLite store in a file."""
        return cls(f"{store}.ledger")

    @classmethod
    def within(cls, folder: str) -> LedgerFile:
        """Return the ledger that belongs to the store of files in a folder."""
        return cls(os.path.join(folder, "ledger"))

    def log(self, entry: bytes) -> None:
        """Add one entry. Raises StoreError, too, where it is not one line."""
        if b"\n" in entry:
            raise StoreError(f"{self._path}: an entry of the ledger has several lines")
        try:
            descriptor = self._open()
            try:
                # In front, so that a line which was cut before is not gone on with.
                line = b"\n" + bytes(entry) + b"\n"
                if os.write(descriptor, line) != len(line):
                    raise StoreError(f"{self._path}: an entry of the ledger was cut")
                full = os.fstat(descriptor).st_size >= MAX_BYTES
            finally:
                os.close(descriptor)
            if full:
                self._rotate()
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror or error}") from error

    def entries(self) -> Iterator[bytes]:
        """Give the entries, oldest first."""
        for path in [f"{self._path}.{number}" for number in range(GENERATIONS - 1, 0, -1)] + [self._path]:
            try:
                with open(path, "rb") as file:
                    yield from (line[:-1] for line in file if line.startswith(b"{") and line.endswith(b"}\n"))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreError(f"{path}: {error.strerror or error}") from error

    def _open(self) -> int:
        try:
            return os.open(self._path, _FLAGS, 0o600)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(self._path) or ".", mode=0o700, exist_ok=True)
            return os.open(self._path, _FLAGS, 0o600)

    def _rotate(self) -> None:
        """Begin a new file. One process does it; an entry that another writes meanwhile goes into the earlier file."""
        import fcntl

        descriptor = os.open(f"{self._path}.lock", _FLAGS, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.stat(self._path).st_size < MAX_BYTES:
                return
            for number in range(GENERATIONS - 1, 0, -1):
                earlier = f"{self._path}.{number - 1}" if number > 1 else self._path
                if os.path.exists(earlier):
                    os.replace(earlier, f"{self._path}.{number}")
        except FileNotFoundError:
            return
        finally:
            os.close(descriptor)
