"""The write-ahead log of an SQLite database, put into an image of the database in memory.

Input: the bytes of the database, and those of its log. Output: the database as of the last commit in the log.

A frame counts only where its salts are those of the log and the running checksum holds from the beginning; what
follows the first that does not is of an earlier log or was not written in full. Frames count up to the last commit.
This is what SQLite itself does when it opens the two; nothing of either file is written.

Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

import struct
import sys
from array import array

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682
_VERSION = 3007000
_MASK = 0xFFFFFFFF


def apply_log(database: bytearray, log: bytes) -> None:
    """Put the committed pages of a log into a database. A log that is none changes nothing."""
    if len(log) < _HEADER.size:
        return
    magic, version, size, _, *salts, first, second = _HEADER.unpack_from(log)
    # The lowest bit of the magic number says in which order of bytes the checksums were taken.
    if magic & ~1 != _MAGIC or version != _VERSION or size < 512 or size & (size - 1) or size > 1 << 16:
        return
    swapped = (magic & 1) != (sys.byteorder == "big")
    sums = _checksum(log[: _HEADER.size - 8], (0, 0), swapped=swapped)
    if sums != (first, second):
        return
    pages: dict[int, int] = {}
    committed: dict[int, int] = {}
    length = 0
    for at in range(_HEADER.size, len(log) - _FRAME.size - size + 1, _FRAME.size + size):
        page, pages_after, *frame_salts, first, second = _FRAME.unpack_from(log, at)
        sums = _checksum(log[at : at + 8], sums, swapped=swapped)
        sums = _checksum(log[at + _FRAME.size : at + _FRAME.size + size], sums, swapped=swapped)
        if frame_salts != salts or sums != (first, second) or not page:
            break
        pages[page] = at + _FRAME.size
        if pages_after:
            committed.update(pages)
            pages.clear()
            length = pages_after * size
    if not length:
        return
    if len(database) > length:
        del database[length:]
    database.extend(bytes(length - len(database)))
    for page, at in committed.items():
        if page * size <= length:
            database[(page - 1) * size : page * size] = log[at : at + size]


def _checksum(data: bytes, sums: tuple[int, int], *, swapped: bool) -> tuple[int, int]:
    """Go on with a checksum over words of 32 bits, taken in pairs."""
    words = array("I", data)
    if swapped:
        words.byteswap()
    first, second = sums
    for at in range(0, len(words), 2):
        first = (first + words[at] + second) & _MASK
        second = (second + words[at + 1] + first) & _MASK
    return first, second
