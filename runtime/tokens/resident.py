"""tiktoken as the counter of a resident process.

Role: where a process lives long enough to pay for loading a vocabulary, tiktoken counts what the tables would. Its
encodings are made from the embedded, verified rank data, so nothing is ever downloaded; special tokens are plain text.
Needs tiktoken installed; imported only when this counter is chosen.

# INVARIANT: text reaches tiktoken in chunks of bounded length, as it gives up (with a `BaseException`) on white space
# of a million characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .exact import HALF, Ledger
from .ranks import NAMES, load_tokens

if TYPE_CHECKING:
    import tiktoken

# The patterns of the encodings, as in tiktoken's `tiktoken_ext/openai_public.py`.
PATTERNS = {
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

_LONGEST_CHUNK = 1 << 16

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
                pat_str=PATTERNS[name],
                mergeable_ranks={token: rank for rank, token in enumerate(load_tokens(name))},
                special_tokens={},
            )
            for name in NAMES
        ]
    return _encodings


class Resident(Ledger):
    """A ledger that asks tiktoken for what no decision has counted yet; the same work, so the same verdicts."""

    __slots__ = ()

    def count_chunk(self, chunk: str) -> int:
        """Return the counts of one chunk, both in one integer."""
        if len(chunk) > _LONGEST_CHUNK:
            return super().count_chunk(chunk)
        low, high = _encodings or encodings()
        return len(low.encode_ordinary(chunk)) | len(high.encode_ordinary(chunk)) << HALF
