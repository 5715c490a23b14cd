"""Where text may be cut: chunks at proven boundaries, pre-tokens within a chunk, lines.

Role: turn text into pieces whose token counts add up. Input is text without surrogates. All patterns but `LINES` work
on class text (see `codepoints`): ASCII as it is, one representative per class for the rest, so that offsets agree. The
proof of the boundaries is in `docs/gate.md`; `CHUNK` names each condition by its letter there.

# INVARIANT: for both encodings, the token ids of a text are those of its chunks, one after the other.
"""

from __future__ import annotations

import re

from .codepoints import CLASS_TEXT, MARK, OTHER_LETTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_S = r"\t-\r "
_LETTER = rf"A-Za-z{OTHER_LETTER}"
# A line start (N): something visible other than a slash, or blanks and then something visible.
_LINE_START = rf"(?:[^{_S}/]|[\t ]+[^{_S}])"

CHUNK = re.compile(
    # What no boundary may follow: white space; letters before an apostrophe or a mark; punctuation before a letter,
    # before a line end, and before the rarer white space that is neither.
    r"(?:"
    rf"[\t ]++(?![{_S}])"
    rf"|(?![{_S}]*[\r\n]{_LINE_START})[{_S}]++"
    rf"|[{_LETTER}]++(?=['{MARK}])"
    rf"|[^{_S}{_LETTER}0-9]++(?=[{_LETTER}\n-\r])"
    r")*+"
    # What a boundary follows: a line end (N), digits (C), letters (D), punctuation (S, E).
    rf"(?:[{_S}]*[\r\n](?={_LINE_START})|[0-9]++|[{_LETTER}]++|[^{_S}{_LETTER}0-9]++)?"
)

LINES = re.compile(r"\n(?=[^\s/]|[ \t]+\S)")
"""Line ends that are boundaries (N), for text of any kind: Python's white space includes that of both encodings."""

_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_BOTH = OTHER_LETTER + MARK
_UPPER, _LOWER = f"[A-Z{_BOTH}]", f"[a-z{_BOTH}]"
_PREFIX = rf"[^\r\n{_LETTER}0-9]?"

PRETOKENS = {
    "o200k_base": re.compile(
        rf"{_PREFIX}{_UPPER}*{_LOWER}+{_CONTRACTION}?"
        rf"|{_PREFIX}{_UPPER}+{_LOWER}*{_CONTRACTION}?"
        r"|[0-9]{1,3}"
        rf"| ?[^{_S}{_LETTER}0-9]+[\r\n/]*"
        rf"|[{_S}]*[\r\n]+"
        rf"|[{_S}]+(?![^{_S}])"
        rf"|[{_S}]+"
    ),
    "cl100k_base": re.compile(
        rf"{_CONTRACTION}"
        rf"|{_PREFIX}[{_LETTER}]++"
        r"|[0-9]{1,3}+"
        rf"| ?[^{_S}{_LETTER}0-9]++[\r\n]*+"
        rf"|[{_S}]++\Z"
        rf"|[{_S}]*[\r\n]"
        rf"|[{_S}]+(?![^{_S}])"
        rf"|[{_S}]"
    ),
}


def pieces_of(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the matches of a class-text pattern that covers its input, as pieces of `text` itself."""
    if text.isascii():
        return pattern.findall(text)
    pieces: list[str] = []
    start = 0
    for part in pattern.findall(text.translate(CLASS_TEXT)):
        stop = start + len(part)
        pieces.append(text[start:stop])
        start = stop
    return pieces


def first_chunk(text: str) -> str:
    """Return the first chunk of `text`, all of it if it holds no boundary."""
    found = CHUNK.match(text if text.isascii() else text.translate(CLASS_TEXT))
    return text[: found.end()] if found else text


def windows(text: str, first: int) -> Iterator[list[str]]:
    """Yield all chunks of `text` in order, in lists that cover a window each; the first window has `first` characters.

    The last chunk of a window is left to the next one, as only its successor proves its end. Windows double, up to
    64 K characters, and grow past that while a window holds no boundary at all.
    """
    start, size, end = 0, max(first, 64), len(text)
    while start < end:
        stop = start + size
        chunks = pieces_of(CHUNK, text[start:stop])
        if chunks and not chunks[-1]:
            chunks.pop()
        if stop >= end:
            yield chunks
            return
        open_end = chunks.pop()
        if chunks:
            yield chunks
            start = stop - len(open_end)
        if len(open_end) * 2 > size:
            size *= 4
        else:
            size = min(size * 2, max(first, 1 << 16))
