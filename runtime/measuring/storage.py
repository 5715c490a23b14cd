"""Archives that lie where fsspec reaches: on another machine, in an object storage, or here by path.

Input: a URL or a path, an archive's layout, limits. Output: a `Sample` of stored files, chosen as held ones are.

No descriptors are held here. A file is known by what the storage says of it (length, and its tag or time), asked again
before and after it is read; whether links are followed, and who may swap a file, is the storage's own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .archives import Archive
from .held import UnsafeError, UnstableError
from .limits import Limits
from .sampling import Sample, choose_files

_MARKS = ("ETag", "etag", "md5Hash", "content_md5", "generation", "mtime", "LastModified", "last_modified", "updated")
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "created")


class StoredFile(NamedTuple):
    """A file of a storage. `mark` is what the storage said of its content, `changed` when, in seconds."""

    url: str
    size: int
    mark: str
    changed: float
    order: tuple[str, ...]
    log: None = None

    @property
    def rank(self) -> tuple[float, tuple[str, ...]]:
        """Its place in a plan: newest first, then by name."""
        return -self.changed, self.order

    def check(self) -> None:
        """Raise UnstableError where the file is not what it was, OSError where it cannot be asked."""
        storage, path = _open(self.url)
        found = _asked(storage.info, path)
        if (found.get("size"), _mark(found)) != (self.size, self.mark):
            raise UnstableError

    def read(self, at: int, size: int) -> bytes:
        """Return bytes, fewer only at the end that the file had. Raises UnstableError, OSError."""
        end = min(at + size, self.size)
        if end <= at:
            return b""
        storage, path = _open(self.url)
        data = _asked(storage.cat_file, path, start=at, end=end)
        if len(data) != end - at:
            raise UnstableError
        return data

    def close(self) -> None:
        """Have nothing to let go of."""


def find_stored(root: str, archive: Archive, limits: Limits) -> Sample:
    """Find the sessions below a URL or path and choose which are read. Raises UnsafeError."""
    try:
        storage, path = _open(root)
        listed = _asked(storage.find, path, detail=True)
    except (OSError, ValueError, ImportError) as error:
        raise UnsafeError(f"the storage cannot be listed: {error}") from None
    cap = limits.whole_bytes if archive.whole else limits.file_bytes
    found, over_cap = [], 0
    for name in sorted(listed):
        order = tuple(name.removeprefix(path).strip("/").split("/"))
        if not _is_session(order, archive):
            continue
        told = listed[name]
        file = StoredFile(storage.unstrip_protocol(name), told.get("size") or 0, _mark(told), _time(told), order)
        if file.size > cap:
            over_cap += 1
        else:
            found.append(file)
    newest = sorted((file for file in found if file.size <= limits.max_bytes), key=lambda file: file.rank)
    selected, _ = choose_files(newest[: limits.max_files], limits)
    return Sample(tuple(selected), len(found), sum(file.size for file in found), 0, over_cap)


def _is_session(order: tuple[str, ...], archive: Archive) -> bool:
    *folders, name = order
    entered = all(archive.enters(folder, level) for level, folder in enumerate(folders, 1))
    return entered and archive.takes(name, len(folders))


def _open(url: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    return url_to_fs(url, use_listings_cache=False)


def _asked(question: Any, *words: Any, **more: Any) -> Any:
    """Ask a storage; whatever its library raises is an OSError."""
    try:
        return question(*words, **more)
    except OSError:
        raise
    except Exception as error:
        raise OSError(str(error)) from error


def _mark(told: dict[str, Any]) -> str:
    return " ".join(f"{name}={told[name]}" for name in (*_MARKS, "ino") if told.get(name) is not None)


def _time(told: dict[str, Any]) -> float:
    for name in _TIMES:
        found = told.get(name)
        if isinstance(found, int | float):
            return float(found)
        moment = getattr(found, "timestamp", None)
        if moment is not None:
            return float(moment())
    return 0.0
