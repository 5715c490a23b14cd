"""The ordered tokens of both encodings, as embedded data.

Role: pack a rank file of tiktoken into `data/NAME.tokens.xz` and read it back. Input of packing is a `.tiktoken` file
(lines of base64 token, space, rank). Ranks are dense and in file order, so the ordered tokens are the whole content:
each is stored as one length byte and its bytes, and the stream is compressed with xz.

# INVARIANT: tokens leave `load_tokens` only if the `.tiktoken` file rendered from them has the SHA-256 digest that
# tiktoken's own source names for that encoding.
"""

from __future__ import annotations

import os

NAMES = ("o200k_base", "cl100k_base")

# Digests as in tiktoken's `tiktoken_ext/openai_public.py`.
DIGESTS = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}

LONGEST = 128
"""Bytes of the longest token, the same in both encodings."""

NEVER = 1 << 30
"""A rank behind all ranks: the bytes are no token."""

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class RankDataError(Exception):
    """The embedded rank data is missing, unreadable or not what its digest says."""


def parse_rank_file(raw: bytes) -> list[bytes]:
    """Return the tokens of a `.tiktoken` file in rank order.

    Raises `RankDataError` if a line is malformed or the ranks are not dense and in file order.
    """
    from binascii import Error, a2b_base64

    tokens: list[bytes] = []
    for line in raw.splitlines():
        encoded, _, rank = line.partition(b" ")
        if rank != b"%d" % len(tokens):
            raise RankDataError(f"rank {len(tokens)} expected, `{rank!r}` found")
        try:
            tokens.append(a2b_base64(encoded))
        except Error as error:
            raise RankDataError(f"rank {len(tokens)} is not base64") from error
    return tokens


def render_rank_file(tokens: list[bytes]) -> bytes:
    """Render ordered tokens as the `.tiktoken` file they came from."""
    from binascii import b2a_base64

    return b"".join(b"%s %d\n" % (b2a_base64(token, newline=False), rank) for rank, token in enumerate(tokens))


def check_tokens(name: str, tokens: list[bytes]) -> None:
    """Raise `RankDataError` unless `tokens` are exactly those of the encoding `name`."""
    from ..digests import sha256

    found = sha256(render_rank_file(tokens)).hexdigest()
    if found != DIGESTS[name]:
        raise RankDataError(f"{name}: digest {found} is not {DIGESTS[name]}")


def pack_tokens(tokens: list[bytes]) -> bytes:
    """Compress ordered tokens, each at most 255 bytes."""
    import lzma

    plain = b"".join(bytes((len(token),)) + token for token in tokens)
    return lzma.compress(plain, preset=9 | lzma.PRESET_EXTREME)


def unpack_tokens(packed: bytes) -> list[bytes]:
    """Undo `pack_tokens`. Raises `RankDataError` if the stream is damaged."""
    import lzma

    try:
        plain = lzma.decompress(packed)
    except (lzma.LZMAError, EOFError) as error:
        raise RankDataError(f"rank data does not decompress: {error}") from error
    tokens: list[bytes] = []
    position, end = 0, len(plain)
    while position < end:
        stop = position + 1 + plain[position]
        tokens.append(plain[position + 1 : stop])
        position = stop
    if position != end:
        raise RankDataError("rank data ends inside a token")
    return tokens


def load_tokens(name: str, directory: str = DATA) -> list[bytes]:
    """Return the verified tokens of an encoding in rank order (some 0.4 s: build time and resident processes only).

    Raises `RankDataError` if the data cannot be read or its digest does not hold.
    """
    try:
        with open(os.path.join(directory, f"{name}.tokens.xz"), "rb") as file:
            packed = file.read()
    except OSError as error:
        raise RankDataError(f"{name}: {error.strerror}: {error.filename}") from error
    tokens = unpack_tokens(packed)
    check_tokens(name, tokens)
    return tokens
