"""Memory-mapped tables that answer `which rank has this byte string`, without loading a vocabulary.

Role: built once per encoding from the verified rank data (`build_tables`, at wheel-build time), then mapped and read
where needed. A file is, all integers 32 bits little-endian:

    header    16 words: magic (2), version, slots, tokens, bytes of text, SHA-256 of the `.tiktoken` file (8),
              CRC-32 of everything after the header, CRC-32 of the 15 words before
    slots     open addressing; 0 is empty, else fingerprint << 18 | rank + 1
    offsets   tokens + 1 positions into the text
    text      all tokens in rank order, one after the other

The low bits of the CRC-32 of a key are its home slot, the high 14 bits its fingerprint. Probing goes upwards; slots
behind the last home slot take what would wrap around, and the last is always empty.

# INVARIANT: a table whose header is damaged, whose version or digest is not this program's, or whose size is not what
# the header says is refused by `TableError`; `verify_table` also reads everything and refuses a single changed bit.
"""

from __future__ import annotations

import os
import sys

from .ranks import DATA, DIGESTS, LONGEST, NAMES, NEVER

MAGIC = b"CABLRANK"
VERSION = 1
_HEADER = 64
_HOMES = {"o200k_base": 1 << 19, "cl100k_base": 1 << 18}
_OVERFLOW = 64
_RANK = (1 << 18) - 1
_REMEMBERED = 1 << 16


class TableError(Exception):
    """A rank table is damaged, stale or unreadable; building the tables again is the remedy."""


class Table(dict[bytes, int]):
    """Byte string to rank, `NEVER` if it is no token: read from the mapped file once, then remembered.

    `table[key]` is its only question; what is remembered is bounded.
    """

    __slots__ = ("_crc32", "_data", "_mask", "_offsets", "_slots", "_text")

    def __init__(self, data: object, slots: object, offsets: object, text: int, homes: int) -> None:
        from zlib import crc32

        super().__init__()
        self._crc32 = crc32
        self._data: bytes = data  # type: ignore[assignment] - an mmap slices to bytes as bytes do
        self._slots: list[int] = slots  # type: ignore[assignment] - or a memoryview of 32-bit words
        self._offsets: list[int] = offsets  # type: ignore[assignment]
        self._text = text
        self._mask = homes - 1

    def __missing__(self, key: bytes) -> int:
        if len(key) > LONGEST:
            return NEVER
        rank = NEVER
        code = self._crc32(key)
        fingerprint = code >> 18
        home = code & self._mask
        slots = self._slots
        while entry := slots[home]:
            if entry >> 18 == fingerprint:
                place = entry & _RANK
                offsets, text = self._offsets, self._text
                if self._data[text + offsets[place - 1] : text + offsets[place]] == key:
                    rank = place - 1
                    break
            home += 1
        if len(self) >= _REMEMBERED:
            self.clear()
        self[key] = rank
        return rank


def render_table(name: str, tokens: list[bytes]) -> bytes:
    """Render the table file of an encoding from its ordered tokens. Deterministic; some 0.2 s."""
    from array import array
    from itertools import accumulate
    from zlib import crc32

    homes = _HOMES[name]
    slots = array("I", bytes(4 * (homes + _OVERFLOW)))
    mask = homes - 1
    for place, token in enumerate(tokens, 1):
        code = crc32(token)
        home = code & mask
        while slots[home]:
            home += 1
        slots[home] = code >> 18 << 18 | place
    if slots[-1]:
        raise TableError(f"{name}: no empty slot at the end")
    offsets = array("I", accumulate(map(len, tokens), initial=0))
    if sys.byteorder == "big":
        slots.byteswap()
        offsets.byteswap()
    text = b"".join(tokens)
    body = slots.tobytes() + offsets.tobytes() + text
    head = MAGIC + b"".join(n.to_bytes(4, "little") for n in (VERSION, len(slots), len(tokens), len(text)))
    head += bytes.fromhex(DIGESTS[name]) + crc32(body).to_bytes(4, "little")
    return head + crc32(head).to_bytes(4, "little") + body


def parse_table(name: str, data: object, size: int) -> Table:
    """Check the header of a table and return the table over `data` (bytes or an mmap of `size` bytes).

    Raises `TableError`.
    """
    from zlib import crc32

    raw: bytes = data  # type: ignore[assignment] - an mmap slices to bytes as bytes do
    head = raw[:_HEADER]
    if size < _HEADER or head[:8] != MAGIC:
        raise TableError(f"{name}: not a rank table")
    if crc32(head[:-4]) != int.from_bytes(head[-4:], "little"):
        raise TableError(f"{name}: the header is damaged")
    version, slots, tokens, text = (int.from_bytes(head[at : at + 4], "little") for at in (8, 12, 16, 20))
    if version != VERSION:
        raise TableError(f"{name}: version {version}, this program reads {VERSION}")
    if head[24:56].hex() != DIGESTS[name]:
        raise TableError(f"{name}: built from other rank data")
    offsets_at = _HEADER + 4 * slots
    text_at = offsets_at + 4 * (tokens + 1)
    if slots != _HOMES[name] + _OVERFLOW or text_at + text != size:
        raise TableError(f"{name}: {size} bytes, not what the header says")
    view = memoryview(data)  # type: ignore[arg-type]
    slot_words, offset_words = view[_HEADER:offsets_at], view[offsets_at:text_at]
    if sys.byteorder == "big":
        return Table(data, _swapped(slot_words), _swapped(offset_words), text_at, _HOMES[name])
    return Table(data, slot_words.cast("I"), offset_words.cast("I"), text_at, _HOMES[name])


def _swapped(words: memoryview) -> object:
    from array import array

    native = array("I", words.tobytes())
    native.byteswap()
    return native


def table_path(name: str, directory: str = DATA) -> str:
    """Return where the table of an encoding is kept."""
    return os.path.join(directory, f"{name}.table")


def build_tables(directory: str | os.PathLike[str] = DATA) -> list[str]:
    """Write the tables of both encodings into `directory` from the embedded rank data; return their paths.

    Standard library only, deterministic, one to two seconds. Each file is written aside and moved into place, so a
    reader sees the old table or the new one. Raises `RankDataError` if the rank data is not what its digest says.
    """
    from .ranks import load_tokens

    paths: list[str] = []
    for name in NAMES:
        path = table_path(name, os.fspath(directory))
        aside = f"{path}.{os.getpid()}"
        try:
            with open(aside, "wb") as file:
                file.write(render_table(name, load_tokens(name)))
            os.replace(aside, path)
        finally:
            if os.path.exists(aside):
                os.unlink(aside)
        paths.append(path)
    return paths


def open_table(name: str, directory: str = DATA) -> Table:
    """Map the table of an encoding. A missing file is replaced by a table built in memory (a source checkout).

    Raises `TableError` if the file is damaged or stale, `RankDataError` if it is missing and the rank data is bad.
    """
    import mmap

    path = table_path(name, directory)
    try:
        with open(path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        from .ranks import load_tokens

        built = render_table(name, load_tokens(name))
        return parse_table(name, built, len(built))
    except (OSError, ValueError) as error:
        raise TableError(f"{name}: {error}") from error
    return parse_table(name, data, len(data))


def verify_table(name: str, directory: str = DATA) -> None:
    """Read a whole table file and raise `TableError` unless every bit is as it was built."""
    from zlib import crc32

    try:
        with open(table_path(name, directory), "rb") as file:
            data = file.read()
    except OSError as error:
        raise TableError(f"{name}: {error.strerror}") from error
    parse_table(name, data, len(data))
    if crc32(data[_HEADER:]) != int.from_bytes(data[56:60], "little"):
        raise TableError(f"{name}: the content is damaged")
