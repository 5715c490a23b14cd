"""CODE: source text without the bodies of its functions.

Input: the text of one source file. Output: the same text, in which `… lines 120-164` stands for a body, followed by
what the body raises, under which condition, and by the functions within it. Python is read by `ast`,
other languages by tree-sitter where the extra `code` is installed.

Invariant: nothing is executed. What a parser does not read without an error is of no language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import code_python
from .code_outline import render_outline
from .kinds import NotThisKindError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .code_outline import Cut

NAME = "code_outline"
GUARANTEE = "summary"
HEAD = "[code: bodies left out; a number before a colon is a line of them]"


class Source(NamedTuple):
    """A text whose language is known, and what finds the parts to leave out of its lines."""

    text: str
    language: str
    find_cuts: Callable[[list[str]], list[Cut]]


def recognise(text: str) -> Source:
    """Return the text with its language. Raises NotThisKindError."""
    if text.startswith(HEAD):
        raise NotThisKindError("it begins as this form does")
    try:
        code_python.check_module(text)
    except NotThisKindError:
        from . import code_trees

        parsed = code_trees.parse_any(text)
        return Source(text, parsed.language.name, lambda _: code_trees.find_cuts(parsed))
    return Source(text, "python", lambda lines: code_python.find_cuts(code_python.parse_module(text), lines))


def encode(source: Source) -> str:
    """Return the text without bodies."""
    lines = source.text.split("\n")
    return render_outline(HEAD, lines, source.find_cuts(lines))
