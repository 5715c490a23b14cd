"""A source line as it appears on a terminal: what stands for each character and how many columns it takes.

Tabs fill up to the next multiple of four, wide characters take two columns, combining ones none; what cannot be seen
or would act on the terminal is shown as `<U+202E>`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from .diagnostics import Diagnostic, Label

TAB = 4
_UNUSUAL = re.compile(r"[^ -~\n\t]")


@dataclass(frozen=True, slots=True)
class Cells:
    """A line laid out: `shown[i]` stands for its character i, which begins at column `columns[i]`, counted from 0.

    `columns` has one entry more than the line: the width of the whole.
    """

    shown: tuple[str, ...]
    columns: tuple[int, ...]


def lay_out(line: str) -> Cells:
    """Return the cells of a line."""
    shown: list[str] = []
    columns = [0]
    for char in line:
        text, width = _cell(char, columns[-1])
        shown.append(text)
        columns.append(columns[-1] + width)
    return Cells(tuple(shown), tuple(columns))


def visible(text: str) -> str:
    """Return a text of several lines with everything in it visible."""
    return "\n".join("".join(lay_out(line).shown) for line in text.split("\n"))


def visible_but_tabs(text: str) -> str:
    """Return a text of several lines with everything in it visible, and its tabs as they are: it may be a patch."""
    return _UNUSUAL.sub(lambda found: _cell(found[0], 0)[0], text)


def visible_words(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic whose words are visible; they may quote an output. Sources and edits stay as they are."""

    def shown(label: Label) -> Label:
        return replace(label, text=visible(label.text))

    return replace(
        diagnostic,
        message=visible(diagnostic.message),
        primary=shown(diagnostic.primary),
        secondary=tuple(map(shown, diagnostic.secondary)),
        notes=tuple(map(visible, diagnostic.notes)),
        help=diagnostic.help and visible(diagnostic.help),
    )


def _cell(char: str, column: int) -> tuple[str, int]:
    if " " <= char <= "~":
        return char, 1
    if char == "\t":
        width = TAB - column % TAB
        return " " * width, width
    category = unicodedata.category(char)
    if category in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        name = f"<U+{ord(char):04X}>"
        return name, len(name)
    if category in {"Mn", "Me"}:
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def window(cells: Cells, begin: int, end: int, width: int) -> tuple[int, int]:
    """Return the characters to show, as a half-open range, so that at most `width` columns are used.

    The whole line if it fits; else a stretch around the characters from `begin` to `end`, or, where these do not fit
    either, from `begin` on.
    """
    total = len(cells.shown)
    if cells.columns[total] <= width:
        return 0, total
    used = cells.columns[min(end, total)] - cells.columns[min(begin, total)]
    before = max(0, min((width - used) // 2, width // 3))
    low = min(begin, max(total - 1, 0))
    target = cells.columns[low] - before
    # A mark near the end of the line leaves room that the text before it can use.
    target = max(0, min(target, cells.columns[total] - width))
    while low > 0 and cells.columns[low - 1] >= target:
        low -= 1
    high = low
    while high < total and cells.columns[high + 1] - cells.columns[low] <= width:
        high += 1
    return low, high
