"""Places in a text as editors count them, and as we do.

Input: a text, the encoding that was agreed upon at the beginning. Output: line and column, both from 0, for offsets in
code points, and back. A line ends with LF, CR LF or CR, as the protocol has it, and with nothing else. Columns count
code units of the encoding: bytes, UTF-16 units or code points.

INVARIANT: any line and column gives an offset within the text that is no half of a character or of a line end; a column
behind the end of its line is that end, a line behind the last one is the end of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, Literal

from lsprotocol import types

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_ENDS: Final = re.compile(r"\r\n|\n|\r")
_KNOWN: Final[dict[str, Encoding]] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
_WIDE: Final = re.compile(r"[\U00010000-\U0010ffff]")


class Lines:
    """The lines of one text."""

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.text = text
        self.encoding: Encoding = encoding
        self.starts = [0]
        self.ends: list[int] = []
        for match in _ENDS.finditer(text):
            self.ends.append(match.start())
            self.starts.append(match.end())
        self.ends.append(len(text))

    def position(self, offset: int) -> types.Position:
        """Return where an offset stands; between the two characters of a line end, the end of the line."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        return types.Position(line, count_units(self.text[start : min(offset, self.ends[line])], self.encoding))

    def offset(self, position: types.Position) -> int:
        """Return the offset of a place, the nearest one before it where there is none."""
        line = position.line
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.ends[line]
        return start + _find_unit(self.text[start:end], max(0, position.character), self.encoding)

    def range(self, start: int, end: int) -> types.Range:
        """Return the stretch between two offsets."""
        return types.Range(self.position(start), self.position(end))

    @property
    def whole(self) -> types.Range:
        """The stretch of all of the text."""
        return self.range(0, len(self.text))


def count_units(text: str, encoding: Encoding) -> int:
    """Return the length of a text in code units; a lone surrogate is one of UTF-16, three of UTF-8."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + len(_WIDE.findall(text))
    return len(text.encode("utf-8", "surrogatepass"))


def _find_unit(line: str, units: int, encoding: Encoding) -> int:
    """Return how many characters of a line lie before a code unit."""
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    for number, char in enumerate(line):
        width = 1 + (char > "\uffff") if encoding == "utf-16" else len(char.encode("utf-8", "surrogatepass"))
        if units < width:
            return number
        units -= width
    return len(line)


def choose_encoding(offered: Sequence[str] | None) -> Encoding:
    """Return the encoding to count in: of those that the client offers the first that is known here, else UTF-16. It is
    what pygls tells the client.
    """
    for each in offered or ():
        if each in _KNOWN:
            return _KNOWN[each]
    return "utf-16"
