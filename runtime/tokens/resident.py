"""tiktoken as the counter of a resident process.

Role: where a process lives long enough to pay for loading a vocabulary, tiktoken counts what the tables would. Its
encodings are made from the embedded, verified rank data, so nothing is ever downloaded; special tokens are plain text.
Needs tiktoken installed; imported only when this counter is chosen.

# INVARIANT: text reaches tiktoken in pieces of bounded length, as it gives up (with a `BaseException`) on white space
# of a million characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .exact import HALF, LOW, OutOfWorkError
from .ranks import NAMES, load_tokens
from .split import pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    import tiktoken

# The patterns of the encodings, as in tiktoken's `tiktoken_ext/openai_public.py`.
_PATTERNS = {
    "o200k_base": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$"
        r"|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}

_PIECE = 1 << 14
_LONGEST_PIECE = 1 << 16

_encodings: list[tiktoken.Encoding] = []


def encodings() -> list[tiktoken.Encoding]:
    """Return tiktoken's encodings in the order of `NAMES`, made from the embedded data on first use (about a second).

    Raises `ImportError` without tiktoken and `RankDataError` if the embedded data is damaged.
    """
    if not _encodings:
        import tiktoken

        _encodings[:] = [
            tiktoken.Encoding(
                name,
                pat_str=_PATTERNS[name],
                mergeable_ranks={token: rank for rank, token in enumerate(load_tokens(name))},
                special_tokens={},
            )
            for name in NAMES
        ]
    return _encodings


class Resident:
    """Counts with tiktoken; the same questions as `exact.Ledger`, the same kind of bound on work."""

    __slots__ = ("_encode", "left")

    def __init__(self, work: int) -> None:
        self.left = work
        self._encode: list[Callable[[str], list[int]]] = [encoding.encode_ordinary for encoding in encodings()]

    def spend(self, work: int) -> None:
        """Charge work. Raises `OutOfWorkError`."""
        self.left -= work
        if self.left < 0:
            raise OutOfWorkError

    def count(self, text: str) -> int:
        """Return the counts of `text` (no surrogates), both in one integer."""
        return sum(map(self._count_piece, pieces(text, _PIECE)))

    def exceeds(self, text: str, counts: int) -> bool:
        """Whether `text` (no surrogates) has strictly more tokens than `counts` says under both encodings."""
        low, high = counts & LOW, counts >> HALF
        total = 0
        for piece in pieces(text, min(_PIECE, 256 + 4 * max(low, high))):
            total += self._count_piece(piece)
            if total & LOW > low and total >> HALF > high:
                return True
        return False

    def _count_piece(self, piece: str) -> int:
        if len(piece) > _LONGEST_PIECE:
            raise OutOfWorkError
        self.spend(len(piece) // 4)
        low, high = self._encode
        return len(low(piece)) | len(high(piece)) << HALF
