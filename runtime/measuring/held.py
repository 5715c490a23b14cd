"""Folders and files by held descriptors: nothing is followed, nothing is opened twice, nothing is written.

Input: a folder, a name within a held folder. Output: descriptors, and what a file was when it was opened.

A path is walked from the root of the file system, one component at a time, each opened relative to the one before
without following a link. A file is known by its descriptor from then on: what happens to its name does not matter, and
what happens to the file is seen by its identity, taken when it was opened and compared before and after it is read.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# A folder on the way need not be readable, as little as for any other program: it is only passed through.
_PASSED = getattr(os, "O_PATH", 0) | _FOLDER
# O_NONBLOCK: opening a pipe must not wait for whoever writes into it.
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)

SUPPORTED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "pread")
"""Whether this system can open relative to a folder without following links, and read at a place."""


class UnsafeError(Exception):
    """A folder or a file that is not what it has to be: a link, a pipe, a device, or gone. The message says which."""


class UnstableError(Exception):
    """A file that changed since it was opened."""


class Identity(NamedTuple):
    """What a file was when it was opened: device, inode, length in bytes, time of the last change in nanoseconds."""

    device: int
    inode: int
    size: int
    changed: int


class HeldFile(NamedTuple):
    """An open file. `order` is its place among others of its archive: a name that no two share.

    `log` is the write-ahead log of a database, which is read with it, and may change as little.
    """

    descriptor: int
    identity: Identity
    order: tuple[str, ...]
    log: HeldFile | None = None

    @property
    def size(self) -> int:
        """The length when it was opened, in bytes."""
        return self.identity.size

    @property
    def rank(self) -> tuple[int, tuple[str, ...]]:
        """Its place in a plan: newest first, then by name."""
        return -self.identity.changed, self.order

    def check(self) -> None:
        """Raise UnstableError where the file is not what it was, OSError where it cannot be asked."""
        if identity_of(self.descriptor) != self.identity:
            raise UnstableError
        if self.log is not None:
            self.log.check()

    def read(self, at: int, size: int) -> bytes:
        """Return `size` bytes from `at`, fewer only at the end that the file had. Raises UnstableError, OSError."""
        size = min(size, self.identity.size - at)
        parts = []
        while size > 0:
            part = os.pread(self.descriptor, size, at)
            if not part:
                # Shorter than it was.
                raise UnstableError
            parts.append(part)
            at += len(part)
            size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self.descriptor)
        if self.log is not None:
            self.log.close()


def open_root(path: str) -> int:
    """Open a folder, component by component from the root of the file system. Raises UnsafeError, OSError."""
    if "\x00" in path:
        raise UnsafeError("the path holds a null character")
    names = [name for name in os.path.abspath(path).split("/") if name]
    held = os.open("/", _PASSED if names else _FOLDER)
    walked = ""
    for level, name in enumerate(names, 1):
        walked += f"/{name}"
        try:
            inner = open_folder(held, name, _FOLDER if level == len(names) else _PASSED)
        except UnsafeError as error:
            raise UnsafeError(f"{walked}: {error}") from None
        finally:
            os.close(held)
        held = inner
    return held


def open_folder(parent: int, name: str, how: int = _FOLDER) -> int:
    """Open a folder in a held one. Raises UnsafeError; OSError where no more may be open."""
    try:
        held = os.open(name, how, dir_fd=parent)
    except OSError as error:
        raise _unsafe(parent, name, error) from None
    return held


def open_file(parent: int, name: str, order: tuple[str, ...]) -> HeldFile:
    """Open a regular file in a held folder for reading. Raises UnsafeError; OSError where no more may be open."""
    try:
        descriptor = os.open(name, _FILE, dir_fd=parent)
    except OSError as error:
        raise _unsafe(parent, name, error) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnsafeError("it is no regular file")
    except BaseException:
        os.close(descriptor)
        raise
    return HeldFile(descriptor, _identity(status), order)


def identity_of(descriptor: int) -> Identity:
    """Return what an open file is now."""
    return _identity(os.fstat(descriptor))


def _identity(status: os.stat_result) -> Identity:
    return Identity(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def is_exhausted(error: OSError) -> bool:
    """Tell whether an error is that no more files may be open, which says nothing of a file."""
    import errno

    return error.errno in (errno.EMFILE, errno.ENFILE)


def _unsafe(parent: int, name: str, error: OSError) -> UnsafeError | OSError:
    """Return why something could not be opened; links are told in words of their own."""
    if is_exhausted(error):
        return error
    try:
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            return UnsafeError("it is a link, and none is followed")
    except OSError:
        pass
    return UnsafeError(error.strerror or str(error))
