"""Discovery and sampling: which files of an archive are read, the same ones for the same files.

Input: a held folder, an archive's layout, limits. Output: a `Sample`: held files in the order of the plan, and counts.

The newest files come first (time of the last change, then name). A file larger than the whole sample may be is left out
before it takes a place; of the others the newest `max_files` are kept open, and then planned in that order, each if all
planned bytes stay within `max_bytes`. No file is split.

Invariants: discovered = selected + sampled out, in files and in bytes; what is not selected is closed. Only files that
may still be selected are held open.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from heapq import heappush, heappushpop
from typing import Any, NamedTuple

from .archives import Archive
from .held import HeldFile, UnsafeError, is_exhausted, open_file, open_folder
from .limits import Limits


class TooManyFilesError(Exception):
    """More files would have to be held open than the system allows. The message says what helps."""


class Sample(NamedTuple):
    """What was found. `selected` are held files, or those of another storage; `skipped` candidates were no safe files,
    `over_cap` ones too large for any plan.
    """

    selected: tuple[Any, ...]
    discovered_files: int
    discovered_bytes: int
    skipped: int
    over_cap: int

    @property
    def planned_bytes(self) -> int:
        """The lengths of the selected files together."""
        return sum(file.size for file in self.selected)

    def close(self) -> None:
        """Let go of all files."""
        for file in self.selected:
            file.close()


def take_sample(root: int, archive: Archive, limits: Limits) -> Sample:
    """Find the sessions below a held folder and choose which are read. Raises TooManyFilesError."""
    finder = _Finder(archive, limits)
    try:
        finder.search(root, (), 0)
        return finder.plan()
    except OSError:
        finder.close()
        raise TooManyFilesError(
            f"no more than {finder.held} files can be held open here; "
            "a smaller --max-files or a larger `ulimit -n` helps"
        ) from None
    except BaseException:
        finder.close()
        raise


class _Newest:
    """An entry of the heap: the least is the one that is given up first."""

    __slots__ = ("file",)

    def __init__(self, file: HeldFile) -> None:
        self.file = file

    def __lt__(self, other: _Newest) -> bool:
        return other.file.rank < self.file.rank


def choose_files(files: Iterable[Any], limits: Limits) -> tuple[list[Any], list[Any]]:
    """Return which of the newest files are read, in their order, and which are left out."""
    selected: list[Any] = []
    left_out: list[Any] = []
    left = limits.max_bytes
    for file in sorted(files, key=lambda file: file.rank):
        if file.size <= left:
            left -= file.size
            selected.append(file)
        else:
            left_out.append(file)
    return selected, left_out


class _Finder:
    def __init__(self, archive: Archive, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        self._cap = limits.whole_bytes if archive.whole else limits.file_bytes
        self._kept: list[_Newest] = []
        self._files = self._bytes = self._skipped = self._over_cap = 0

    @property
    def held(self) -> int:
        return len(self._kept)

    def search(self, folder: int, order: tuple[str, ...], level: int) -> None:
        """Meet what a held folder holds. Raises OSError where no more files may be open."""
        try:
            names = _names(folder)
        except OSError as error:
            if is_exhausted(error):
                raise
            self._skipped += 1
            return
        for name in names:
            if self._archive.enters(name, level + 1):
                self._enter(folder, name, (*order, name), level + 1)
            elif self._archive.takes(name, level):
                self._meet(folder, name, (*order, name))

    def _enter(self, parent: int, name: str, order: tuple[str, ...], level: int) -> None:
        if not _may_be_folder(parent, name):
            if self._archive.takes(name, level - 1):
                self._meet(parent, name, order)
            elif self._archive.needs(name, level):
                self._skipped += 1
            return
        try:
            held = open_folder(parent, name)
        except UnsafeError:
            self._skipped += 1
            return
        try:
            self.search(held, order, level)
        finally:
            os.close(held)

    def _meet(self, folder: int, name: str, order: tuple[str, ...]) -> None:
        try:
            file = self._open(folder, name, order)
        except UnsafeError:
            self._skipped += 1
            return
        if max(file.size, 0 if file.log is None else file.log.size) > self._cap:
            self._over_cap += 1
            file.close()
            return
        self._files += 1
        self._bytes += file.size
        if file.size > self._limits.max_bytes:
            file.close()
        elif len(self._kept) < self._limits.max_files:
            heappush(self._kept, _Newest(file))
        else:
            heappushpop(self._kept, _Newest(file)).file.close()

    def _open(self, folder: int, name: str, order: tuple[str, ...]) -> HeldFile:
        """Open a file, with its log where it has one. Raises UnsafeError, OSError."""
        file = open_file(folder, name, order)
        if self._archive.log is None:
            return file
        log = name + self._archive.log
        try:
            # Looked for after its file: one that was put into the file in between is seen by the file's change.
            return file._replace(log=open_file(folder, log, order)) if log in _names(folder) else file
        except OSError as error:
            file.close()
            if is_exhausted(error):
                raise
            raise UnsafeError("its folder cannot be listed") from None
        except BaseException:
            file.close()
            raise

    def plan(self) -> Sample:
        selected, left_out = choose_files((entry.file for entry in self._kept), self._limits)
        self._kept = []
        for file in left_out:
            file.close()
        return Sample(tuple(selected), self._files, self._bytes, self._skipped, self._over_cap)

    def close(self) -> None:
        for entry in self._kept:
            entry.file.close()


def _names(folder: int) -> list[str]:
    """Return what a held folder holds, ordered. Raises OSError."""
    return sorted(os.listdir(folder))


def _may_be_folder(parent: int, name: str) -> bool:
    """Tell whether an entry is a folder, or a link, which is refused and counted where it would be entered."""
    import stat

    try:
        mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def raise_open_limit(files: int) -> None:
    """Let this process hold so many files open, as far as the system allows it."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files + 64
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            return
