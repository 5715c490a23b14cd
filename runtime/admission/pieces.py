"""How many pieces a tokenizer would make of a text, near enough to compare two ways to write it; and how many signs.

Input: text. Output: a count, by a fixed rule: the same text gives the same count everywhere, no encoding is loaded.
"""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s",
)
"""About where both encodings split a text before they look for tokens (the pattern of cl100k_base, in this dialect)."""


def count_pieces(text: str) -> int:
    """Return into how many words, groups of digits and groups of other characters a text falls.

    Of two ways to write the same, the one of fewer pieces is the one of fewer tokens, or near it.
    """
    return len(_PIECE.findall(text))


def count_signs(text: str, signs: bytes) -> int:
    """Return how many characters of a text are among these, which are of ASCII; in one pass, however many they are."""
    encoded = text.encode("utf-8", "surrogatepass")
    return len(encoded) - len(encoded.translate(None, signs))
