"""What is known of a search result once it has been read.

A row is a tuple `(path, number, mark, text)`: `mark` is `:` for a match and `-` for a line of context, `number` is the
line's as it was spelled, and empty where there are none. A row whose path is None is a line of its own, in `text`: the
`--` between groups, or a note of the searching tool.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Row = tuple[str | None, str, str, str]

SEPARATOR = "--"
_NOTE = re.compile(r"Binary file .+ matches|(?:grep|rg|git|ugrep|ggrep): .+", re.DOTALL)


class Parsed(NamedTuple):
    """A search result. `shape`: `rows` with a path each, `headings`, or `bare` rows without numbers.

    `columns`: a column stands in front of the text of matches. `context`: there are lines of context.
    """

    shape: str
    columns: bool
    context: bool
    rows: list[Row]
    crlf: bool
    closed: bool


def is_note(line: str) -> bool:
    """Tell whether a line is none of a file, but the tool's own: a separator, or what it says of a file."""
    return line == SEPARATOR or _NOTE.fullmatch(line) is not None
