"""Certain bounds on the number of tokens, good for both encodings and cheap: no table, no pattern, no import.

Role: settle most decisions of the gate. Input are texts (surrogates allowed), output are numbers of tokens that no
encoding can go below or above. The names B1 to B3 and the letters of boundaries are those of `docs/gate.md`, where each
is proved.
"""

from __future__ import annotations

LONGEST = 128

_BLOCK = 1 << 16
_SPARSE = 16

# One bit per kind of left neighbour a boundary may have; a byte has at most one, so a position is counted once.
_LETTER, _DIGIT, _OTHER, _LINE_END = 1, 2, 4, 8


def _sides() -> tuple[bytes, bytes]:
    """Return two byte maps: what a byte is as the left neighbour of a boundary, and what it ends as the right one."""
    left, right = bytearray(256), bytearray(256)
    for value in range(128):
        character = chr(value)
        if character.isalpha():
            left[value], right[value] = _LETTER, _DIGIT | _LINE_END
        elif character.isdigit():
            left[value], right[value] = _DIGIT, _LETTER | _OTHER | _LINE_END
        elif character in "\t\v\f ":
            right[value] = _LETTER | _DIGIT | _OTHER
        elif character in "\r\n":
            left[value], right[value] = _LINE_END, _LETTER | _DIGIT
        else:
            left[value] = _OTHER
            right[value] = _DIGIT | (0 if character == "'" else _LETTER) | (0 if character == "/" else _LINE_END)
    return bytes(left), bytes(right)


_LEFT, _RIGHT = _sides()
_DIGITS = bytes.maketrans(b"123456789", b"000000000")


def count_boundaries(block: bytes) -> int:
    """Return how many positions inside a block of UTF-8 are seen to be boundaries from their two neighbours alone."""
    left = int.from_bytes(block.translate(_LEFT), "little")
    right = int.from_bytes(block.translate(_RIGHT), "little")
    return (left << 8 & right).bit_count()


def exceeds_by_boundaries(text: str, limit: int) -> bool:
    """B2: whether `text` certainly has more than `limit` tokens, as it has that many boundaries in some prefix.

    Gives up where boundaries are sparse: looking at much more than `limit` characters costs more than counting.
    """
    found = 1 if text else 0
    end = min(len(text), _SPARSE * limit + 1024)
    size = min(_BLOCK, max(256, 4 * limit))
    start = 0
    while found <= limit:
        if start >= end or found + end - start <= limit or 2 * found * end < limit * start:
            return False
        found += count_boundaries(text[start : start + size].encode("utf-8", "surrogatepass"))
        start += size
    return True


def least_bytes(text: str) -> int:
    """Return a number of UTF-8 bytes that `text`, its surrogates replaced, is not shorter than."""
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return len(text)


def most_tokens(text: str) -> int:
    """B1, B3: return a number of tokens `text` cannot exceed: its bytes, and for ASCII digits three a token."""
    if text.isascii():
        return len(text) - 2 * text.encode().translate(_DIGITS).count(b"000")
    return len(text.encode("utf-8", "surrogatepass"))
