"""The native codec as the counter of the gate.

Role: count what the tables would, with the same work and so the same verdicts. Two texts that the work left is certain
to pay for are counted whole; of others the chunks that no decision has counted yet. Used where `runtime/native.py`
chooses it.

# INVARIANT: whatever the codec raises, the count is made from the tables.
"""

from __future__ import annotations

from .. import native
from .exact import HALF, LOW, Ledger
from .ranks import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_MOST_A_BYTE = 8
"""Work that a byte costs at most: 4 to merge it, and if it is a chunk, 3 for a glance and an eighth for the cut."""


class NativeLedger(Ledger):
    """A ledger that asks the native codec."""

    __slots__ = ("_codec",)

    def __init__(self, work: int | None, codec: ModuleType) -> None:
        super().__init__(work)
        self._codec = codec

    def foresee(self, candidate: str, original: str) -> None:
        """Take the bound off where both texts are certain to stay within it."""
        if self.left is None:
            return
        longest = sum(len(text) if text.isascii() else 4 * len(text) for text in (candidate, original))
        if _MOST_A_BYTE * longest <= self.left:
            self.left = None

    def count_chunk(self, chunk: str) -> int:
        """Return the counts of one chunk, both in one integer."""
        try:
            return self._count(chunk)
        except Exception as error:  # noqa: BLE001 - Python can do it, too
            native.leave_out(error)
            return super().count_chunk(chunk)

    def count(self, text: str) -> int:
        """Return the counts of `text` (no surrogates), both in one integer."""
        if self.left is None:
            try:
                return self._count(text)
            except Exception as error:  # noqa: BLE001
                native.leave_out(error)
        return super().count(text)

    def exceeds(self, text: str, counts: int) -> bool:
        """Whether `text` (no surrogates) has strictly more tokens than `counts` says under both encodings."""
        if self.left is None:
            try:
                limits = zip(NAMES, (counts & LOW, counts >> HALF), strict=True)
                return all(self._codec.count_until(text, name, limit) is None for name, limit in limits)
            except Exception as error:  # noqa: BLE001
                native.leave_out(error)
        return super().exceeds(text, counts)

    def _count(self, text: str) -> int:
        low, high = (self._codec.count_until(text, name, None) for name in NAMES)
        return low | high << HALF
