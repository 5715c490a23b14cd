"""A store that keeps nothing: with it, a decision is what it would be with a store, and nothing is written.

Input: originals. Output: the handle of a stand-in, which costs what every handle costs.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..stores.store import HANDLE_DIGITS

_STAND_IN = "0" * HANDLE_DIGITS


class WeightlessStore:
    """A `Store` without content."""

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:  # noqa: ARG002 - as stores have it
        """Keep nothing."""
        return _STAND_IN

    rehearse = keep

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:  # noqa: ARG002
        """Find nothing."""
        return None

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:  # noqa: ARG002
        """Have nothing to forget."""
        return 0

    def purge(self) -> int:
        """Have nothing to drop."""
        return 0

    def log(self, entry: bytes) -> None:
        """Write nothing."""

    def entries(self) -> Iterator[bytes]:
        """Have no entries."""
        return iter(())

    def close(self) -> None:
        """Have nothing to let go of."""
