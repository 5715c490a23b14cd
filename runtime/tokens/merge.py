"""Byte-pair merging of one pre-token.

Role: the rule of byte-pair encoding as tiktoken applies it: of all neighbouring parts whose joined bytes are a token,
join the pair of lowest rank, the leftmost among equals; repeat. Input are the bytes of a pre-token that is not itself a
token, and a rank look-up; output is the list of the parts' start offsets, so its length is the number of tokens.

Short words scan for the lowest rank; long ones keep the pairs in buckets per rank and a heap of ranks, which makes
their cost nearly linear in the length, whatever the text (a million equal letters included).
"""

from __future__ import annotations

from .ranks import LONGEST, NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 64
"""Bytes up to which scanning is cheaper than buckets (measured)."""


def merge(word: bytes, rank: Callable[[bytes], int]) -> list[int]:
    """Return the start offsets of the tokens of `word`, at least one byte long.

    `rank` returns the rank of a byte string, `NEVER` if it is no token.
    """
    return merge_short(word, rank) if len(word) <= SHORT else merge_long(word, rank)


def merge_short(word: bytes, rank: Callable[[bytes], int]) -> list[int]:
    """Merge by scanning all pairs for the lowest rank: quadratic, but fastest for a word of usual length."""
    end = len(word)
    starts = list(range(end))
    ranks = [rank(word[at : at + 2]) for at in range(end - 1)]
    while ranks:
        lowest = min(ranks)
        if lowest == NEVER:
            break
        at = ranks.index(lowest)
        del starts[at + 1], ranks[at]
        # `at` is now the joined part; its pair to the right is ranks[at], to the left ranks[at - 1].
        count = len(starts)
        if at + 1 < count:
            stop = starts[at + 2] if at + 2 < count else end
            ranks[at] = rank(word[starts[at] : stop])
        if at:
            stop = starts[at + 1] if at + 1 < count else end
            ranks[at - 1] = rank(word[starts[at - 1] : stop])
    return starts


def merge_long(word: bytes, rank: Callable[[bytes], int]) -> list[int]:
    """Merge with one bucket of positions per rank and a heap of the ranks that have a bucket.

    A part is known by its first byte: `following[p]` is the start of the next part, `previous[p]` of the one before,
    `ranks[p]` the rank of part p joined with the next (`NEVER` if none, or if no part starts at p). Bucket entries are
    not removed when they go stale; `ranks` says which are alive.

    # INVARIANT: joining a pair of rank r makes no new pair of rank r, as both new pairs are longer than that token. So
    # a bucket can be worked through from left to right once sorted, until a lower rank appears.
    """
    from heapq import heapify, heappop, heappush

    end = len(word)
    following = list(range(1, end + 1))
    previous = list(range(-1, end - 1))
    ranks = [rank(word[at : at + 2]) for at in range(end - 1)]
    ranks.append(NEVER)
    buckets: dict[int, list[int]] = {}
    for at, value in enumerate(ranks):
        if value != NEVER:
            buckets.setdefault(value, []).append(at)
    queue = list(buckets)
    heapify(queue)

    def renew(at: int) -> int:
        stop = following[at]
        stop = following[stop] if stop < end else at + LONGEST + 1
        value = rank(word[at:stop]) if stop - at <= LONGEST else NEVER
        ranks[at] = value
        if value != NEVER:
            bucket = buckets.get(value)
            if bucket is None:
                buckets[value] = [at]
                heappush(queue, value)
            else:
                bucket.append(at)
        return value

    while queue:
        current = heappop(queue)
        bucket = buckets.pop(current)
        bucket.sort()
        for index, at in enumerate(bucket):
            if ranks[at] != current:
                continue
            gone = following[at]
            after = following[gone]
            following[at] = after
            ranks[gone] = NEVER
            if after < end:
                previous[after] = at
            lowest = renew(at)
            before = previous[at]
            if before >= 0:
                lowest = min(lowest, renew(before))
            if lowest < current:
                rest = bucket[index + 1 :]
                if rest:
                    buckets[current] = rest
                    heappush(queue, current)
                break
    starts: list[int] = []
    at = 0
    while at < end:
        starts.append(at)
        at = following[at]
    return starts
