"""The exact counter: tokens of a text under both encodings, from mapped tables and the standard library alone.

Role: count chunks (see `split`), each distinct one once. Counts under both encodings travel in one integer, o200k_base
in the low 32 bits and cl100k_base above, so that one sum adds both. Special tokens are plain text, and surrogates are
treated as tiktoken does (`codepoints.without_surrogates`). tiktoken is the oracle of the tests.

# INVARIANT: whether a bounded count runs out of work depends on the texts alone, never on what was counted before; the
# cost of a chunk is charged once per `Ledger`, remembered or not.
"""

from __future__ import annotations

from .. import native
from .codepoints import CLASS_TEXT, without_surrogates
from .merge import merge
from .ranks import NAMES, NEVER
from .split import PRETOKENS, first_chunk, windows
from .table import open_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HALF = 32
LOW = (1 << HALF) - 1
BOTH_ONE = 1 << HALF | 1

_REMEMBERED = 1 << 15
_HELD = 1 << 18
_LONG = 256

# Work in microseconds of a cold count under both encodings: a chunk that is one token, a byte of any other chunk.
_GLANCE = 3
_MERGE = 4
_BATCH = 64


class OutOfWorkError(Exception):
    """A bounded count has spent its work."""


class Encoder:
    """One encoding: token ids of any text, pre-token by pre-token."""

    __slots__ = ("_pretokens", "_rank")

    def __init__(self, name: str) -> None:
        self._pretokens = PRETOKENS[name].findall
        self._rank: Callable[[bytes], int] = open_table(name).__getitem__

    def count(self, text: str, classes: str) -> int:
        """Return the number of tokens of `text`, whose class text is `classes`."""
        rank = self._rank
        total = start = 0
        plain = classes is text
        for part in self._pretokens(classes):
            if plain:
                word = part.encode()
            else:
                stop = start + len(part)
                word = text[start:stop].encode()
                start = stop
            total += 1 if rank(word) != NEVER else len(merge(word, rank))
        return total

    def encode(self, text: str) -> list[int]:
        """Return the token ids of `text`, as tiktoken's `encode_ordinary` does."""
        text = without_surrogates(text)
        rank = self._rank
        ids: list[int] = []
        start = 0
        for part in self._pretokens(text.translate(CLASS_TEXT)):
            stop = start + len(part)
            word = text[start:stop].encode()
            start = stop
            starts = [0] if rank(word) != NEVER else merge(word, rank)
            ids.extend(rank(word[a:b]) for a, b in zip(starts, [*starts[1:], len(word)], strict=True))
        return ids


_encoders: list[Encoder] = []
_remembered: dict[str, int] = {}


def encoders() -> list[Encoder]:
    """Return the encoders in the order of `NAMES`, opening the tables on first use. Raises `TableError`."""
    if not _encoders:
        _encoders[:] = [Encoder(name) for name in NAMES]
    return _encoders


def forget() -> None:
    """Drop what earlier decisions left in memory: counts of chunks, and encoders with their remembered ranks."""
    _remembered.clear()
    _encoders.clear()


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


class Ledger(dict[str, int]):
    """Chunk to counts within one decision, filled as chunks are met and charging their work.

    The unit of work is about a microsecond of a cold count. Raises `OutOfWorkError` from a look-up when `work` is
    spent; `None` is no bound.
    """

    __slots__ = ("left",)

    def __init__(self, work: int | None = None) -> None:
        super().__init__()
        self.left = work

    def __missing__(self, chunk: str) -> int:
        short = len(chunk) <= _LONG
        if self.left is not None:
            self.spend(_GLANCE if short else _MERGE * _bytes(chunk))
        counts = _remembered.get(chunk)
        if counts is None:
            counts = self.count_chunk(chunk)
            if short:
                if len(_remembered) >= _REMEMBERED:
                    _remembered.clear()
                _remembered[chunk] = counts
        if self.left is not None and short and counts != BOTH_ONE:
            self.spend(_MERGE * _bytes(chunk))
        if len(self) >= _HELD:
            self.clear()
        self[chunk] = counts
        return counts

    def count_chunk(self, chunk: str) -> int:
        """Return the counts of one chunk, both in one integer."""
        if chunk.isdigit() and chunk.isascii():
            return (len(chunk) + 2) // 3 * BOTH_ONE
        classes = chunk if chunk.isascii() else chunk.translate(CLASS_TEXT)
        low, high = _encoders or encoders()
        return low.count(chunk, classes) | high.count(chunk, classes) << HALF

    def foresee(self, candidate: str, original: str) -> None:
        """Learn which texts are about to be counted."""

    def refuse_early(self, text: str) -> None:
        """Raise `OutOfWorkError` if `text` starts with a chunk that the work left cannot pay for.

        Text without boundaries is refused before anything else is counted for nothing.
        """
        if self.left is None:
            return
        size = 1024
        while size < len(text):
            start = text[:size]
            if len(first_chunk(start)) < size:
                return
            if _MERGE * _bytes(start) > self.left:
                raise OutOfWorkError
            size *= 4

    def spend(self, work: int) -> None:
        """Charge work. Raises `OutOfWorkError`."""
        if self.left is not None:
            self.left -= work
            if self.left < 0:
                raise OutOfWorkError

    def count(self, text: str) -> int:
        """Return the counts of `text` (no surrogates), both in one integer."""
        look_up = self.__getitem__
        total = 0
        for chunks in windows(text, 1 << 16):
            self.spend(len(chunks) >> 3)
            total += sum(map(look_up, chunks))
        return total

    def exceeds(self, text: str, counts: int) -> bool:
        """Whether `text` (no surrogates) has strictly more tokens than `counts` says under both encodings.

        Stops a few chunks after it does.
        """
        look_up = self.__getitem__
        low, high = counts & LOW, counts >> HALF
        total = 0
        for chunks in windows(text, 2 * max(low, high)):
            self.spend(len(chunks) >> 3)
            for at in range(0, len(chunks), _BATCH):
                total += sum(map(look_up, chunks[at : at + _BATCH]))
                if total & LOW > low and total >> HALF > high:
                    return True
        return False


def count_tokens(text: str) -> dict[str, int]:
    """Return the exact number of tokens of `text` under each encoding, special tokens being plain text.

    Always exact, so unbounded in work: nearly linear in the length, at worst some microseconds a byte.

    Raises `TableError` if a rank table is damaged or stale.
    """
    codec = native.counter(len(text))
    if codec is not None:
        try:
            return {name: codec.count_until(text, name, None) for name in NAMES}
        except Exception as error:  # noqa: BLE001 - Python can do it, too
            native.leave_out(error)
    counts = Ledger().count(without_surrogates(text))
    return {"o200k_base": counts & LOW, "cl100k_base": counts >> HALF}
