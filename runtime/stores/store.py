"""Where originals are kept, so that whatever a summary leaves out can be read again.

Input: the bytes of an original, and the namespace (tenant, run) it belongs to. Output: a handle of 15 decimal digits,
which `fetch` turns back into exactly those bytes.

A handle is a keyed BLAKE2b (the key: 32 random bytes made with the store) over namespace and content, in decimal:
three digits are one token in both encodings, so every handle of 15 digits costs the same. It is no authority; originals
are looked up within one namespace only. There is no clock in it: the same content has the same handle.

Retention: an original has expired once it was not used (kept or fetched) for `ttl` seconds, or is no longer among the
`newest` used ones of its store, or these with it are more than `max_bytes`; the original that was just kept never is.
What has expired is not found any more, whether it still lies in the store or not.

Invariants: `keep` has written a copy of the original, or raises StoreError; nothing but StoreError leaves the methods
of a store. Stores may be used from many threads and processes, and after fork.
"""

from __future__ import annotations

import os
from _thread import LockType, allocate_lock
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

HANDLE_DIGITS = 15
LEDGER_ENTRIES = 100_000
"""How many entries of the ledger a store holds, where it counts them."""
_LONG_DIGITS = 18
_SLACK = 64


class StoreError(Exception):
    """The store cannot be opened, read or written. The message says what happened, without the content."""


class Retention(NamedTuple):
    """What is kept at most: for `ttl` seconds after the last use, the `newest` used originals, `max_bytes` bytes."""

    ttl: int = 7 * 24 * 3600
    newest: int = 10_000
    max_bytes: int = 2 * 1024**3

    @property
    def slack(self) -> int:
        """How many uses may go by until what has expired is looked for and dropped."""
        return max(1, min(_SLACK, self.newest // 100))

    def is_large(self, size: int) -> bool:
        """Tell whether an original is so large that it must not wait for its turn to push others out."""
        return size * 1024 > self.max_bytes


class Store(Protocol):
    """Keeps originals, and a ledger of decisions. Every method raises StoreError and nothing else."""

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep a copy of an original and return its handle."""
        ...

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return the handle, or raise the error, that `keep` would; keep nothing."""
        ...

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None; this is a use. Never makes a store."""
        ...

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:
        """Drop one original, or (None) all of this namespace; return how many were dropped."""
        ...

    def purge(self) -> int:
        """Drop what has expired, in all namespaces; return how many originals were dropped."""
        ...

    def log(self, entry: bytes) -> None:
        """Add one entry to the ledger: one JSON object without a line end. The oldest go where it grows too long."""
        ...

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first. Damaged ones are left out."""
        ...

    def close(self) -> None:
        """Let go of files and connections. A store may be used again after it."""
        ...


def digest_original(key: bytes, content: bytes, tenant: str, run: str) -> bytes:
    """Return the keyed digest of an original in its namespace; equal digests are equal originals."""
    state = _begin_digest(key, tenant, run)
    state.update(content)
    return state.digest()


def name_namespace(key: bytes, tenant: str, run: str) -> str:
    """Return a name of 32 hexadecimal digits for a namespace, for where tenant and run cannot be spelled out."""
    return _begin_digest(key, tenant, run).hexdigest()[:32]


def _begin_digest(key: bytes, tenant: str, run: str):  # noqa: ANN202 - the type is where it is imported
    from ..digests import blake2b

    state = blake2b(key=key, digest_size=32)
    for name in (tenant, run):
        part = name.encode("utf-8", "surrogatepass")
        # With its length before it, no name runs into what follows.
        state.update(len(part).to_bytes(8, "big") + part)
    return state


def make_handles(digest: bytes) -> tuple[str, str]:
    """Return the handle of an original, and the longer one (which begins with it) for when the first is taken."""
    long = f"{int.from_bytes(digest, 'big') % 10**_LONG_DIGITS:0{_LONG_DIGITS}}"
    return long[:HANDLE_DIGITS], long


def is_handle(text: str) -> bool:
    """Tell whether a text has the form of a handle."""
    return len(text) in (HANDLE_DIGITS, _LONG_DIGITS) and text.isascii() and text.isdigit()


class _Kept(NamedTuple):
    content: bytes
    used_at: float


class MemoryStore:
    """Keeps originals in this process: for hosts with a place of their own to keep things, and for tests."""

    def __init__(self, key: bytes | None = None, retention: Retention = Retention()) -> None:  # noqa: B008 - immutable
        self._key = os.urandom(32) if key is None else key
        self._retention = retention
        # In the order of use: what is used is taken out and put back.
        self._kept: dict[tuple[str, str, str], _Kept] = {}
        self._bytes = 0
        self._ledger: list[bytes] = []
        self._locks: dict[int, LockType] = {}

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep a copy of an original and return its handle."""
        content = bytes(content)
        with self._lock():
            handle = self._find_handle(content, tenant, run)
            self._use((tenant, run, handle), content)
            self._prune(_now())
            return handle

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return the handle that `keep` would."""
        with self._lock():
            return self._find_handle(bytes(content), tenant, run)

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None."""
        with self._lock():
            self._prune(_now())
            kept = self._kept.get((tenant, run, handle))
            if kept is None:
                return None
            self._use((tenant, run, handle), kept.content)
            return kept.content

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:
        """Drop one original, or all of a namespace; return how many were dropped."""
        with self._lock():
            self._prune(_now())
            return self._drop(
                [place for place in self._kept if place[:2] == (tenant, run) and handle in (None, place[2])]
            )

    def purge(self) -> int:
        """Drop what has expired; return how many originals were dropped."""
        with self._lock():
            return self._prune(_now())

    def log(self, entry: bytes) -> None:
        """Add one entry to the ledger."""
        with self._lock():
            self._ledger.append(bytes(entry))
            if len(self._ledger) > LEDGER_ENTRIES + LEDGER_ENTRIES // 10:
                del self._ledger[:-LEDGER_ENTRIES]

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first."""
        with self._lock():
            return iter(self._ledger[-LEDGER_ENTRIES:])

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _lock(self) -> LockType:
        """Return the lock of this process: a child never has the thread that might hold its parent's."""
        return self._locks.setdefault(os.getpid(), allocate_lock())

    def _find_handle(self, content: bytes, tenant: str, run: str) -> str:
        for handle in make_handles(digest_original(self._key, content, tenant, run)):
            earlier = self._kept.get((tenant, run, handle))
            if earlier is None or earlier.content == content:
                return handle
        raise StoreError("two originals have the same handle")

    def _use(self, place: tuple[str, str, str], content: bytes) -> None:
        if self._kept.pop(place, None) is None:
            self._bytes += len(content)
        self._kept[place] = _Kept(content, _now())

    def _prune(self, now: float) -> int:
        """Drop what has expired. What was used last is never beyond the number or the bytes."""
        retention, expired = self._retention, []
        count, size = len(self._kept), self._bytes
        for place, kept in self._kept.items():
            beyond = count > 1 and (count > retention.newest or size > retention.max_bytes)
            if not beyond and kept.used_at >= now - retention.ttl:
                break
            expired.append(place)
            count, size = count - 1, size - len(kept.content)
        return self._drop(expired)

    def _drop(self, places: list[tuple[str, str, str]]) -> int:
        for place in places:
            self._bytes -= len(self._kept.pop(place).content)
        return len(places)


def _now() -> float:
    from time import time

    return time()
