"""Where originals are kept, so that whatever a summary leaves out can be read again.

Input: the bytes of an original, and the namespace (tenant, run) it belongs to. Output: a handle of 15 decimal digits,
which `fetch` turns back into exactly those bytes.

A handle is a keyed BLAKE2b (the key: 32 random bytes made with the store) over namespace and content, in decimal:
three digits are one token in both encodings, so every handle of 15 digits costs the same. It is no authority; originals
are looked up within one namespace only. There is no clock in it: the same content has the same handle.

Retention: an original is dropped once it is older than `ttl` *and* no longer among the newest `newest` of its store, so
that a handle which a model has just been shown can be followed; beyond `max_bytes` the oldest go in any case.

Invariants: `keep` has written the original, or raises StoreError; nothing but StoreError leaves this module. Stores may
be used from many threads and processes, and after fork.
"""

from __future__ import annotations

import os
from typing import NamedTuple, Protocol

HANDLE_DIGITS = 15
_LONG_DIGITS = 18


class StoreError(Exception):
    """The store cannot be opened, read or written. The message says what happened, without the content."""


class Retention(NamedTuple):
    """What is kept at least (`ttl` seconds, the `newest` originals) and at most (`max_bytes`)."""

    ttl: int = 7 * 24 * 3600
    newest: int = 10_000
    max_bytes: int = 2 * 1024**3


class Store(Protocol):
    """Keeps originals. Both methods raise StoreError."""

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep an original and return its handle."""
        ...

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None."""
        ...


def digest_original(key: bytes, content: bytes, tenant: str, run: str) -> bytes:
    """Return the keyed digest of an original in its namespace; equal digests are equal originals."""
    from .digests import blake2b

    state = blake2b(key=key, digest_size=32)
    for name in (tenant, run):
        part = name.encode("utf-8", "surrogatepass")
        # With its length before it, no name runs into what follows.
        state.update(len(part).to_bytes(8, "big") + part)
    state.update(content)
    return state.digest()


def make_handles(digest: bytes) -> tuple[str, str]:
    """Return the handle of an original, and the longer one (which begins with it) for when the first is taken."""
    long = f"{int.from_bytes(digest, 'big') % 10**_LONG_DIGITS:0{_LONG_DIGITS}}"
    return long[:HANDLE_DIGITS], long


class MemoryStore:
    """Keeps originals in this process: for hosts with a place of their own to keep things, and for tests."""

    def __init__(self, key: bytes | None = None, retention: Retention = Retention()) -> None:  # noqa: B008 - immutable
        self._key = os.urandom(32) if key is None else key
        self._retention = retention
        self._kept: dict[tuple[str, str, str], bytes] = {}

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep an original and return its handle."""
        for handle in make_handles(digest_original(self._key, content, tenant, run)):
            place = (tenant, run, handle)
            # Taken out and put back, so that the order of the dict is the order of use.
            earlier = self._kept.pop(place, content)
            self._kept[place] = earlier
            if earlier == content:
                self._prune()
                return handle
        raise StoreError("two originals have the same handle")

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None."""
        return self._kept.get((tenant, run, handle))

    def _prune(self) -> None:
        """Drop the oldest beyond the cap. A process has no use for a time limit."""
        while len(self._kept) > self._retention.newest:
            self._kept.pop(next(iter(self._kept), ("", "", "")), None)
