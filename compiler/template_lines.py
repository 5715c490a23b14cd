"""Where the tags of a summary stand, for those who ask which of its branches was taken.

Input: the template of a rule, its source. Output: for each `for` and `if` of the template, in the order in which they
begin, the lines of its parts: of `for` and `else`, or of `if`, each `elif` and `else`; 0 where there is no `else`.
"""

from __future__ import annotations

from ..dsl import ast
from ..dsl.source import Source
from .template_text import environment


def tag_lines(summary: ast.Text, source: Source) -> list[list[int]]:
    """Return the lines of the parts of each tag. The template is one that compiles."""
    found: list[list[int]] = []
    open_tags: list[list[int]] = []
    text = summary.value if summary.value.endswith("\n") else summary.value + "\n"
    begins = False
    # The tokens of a block tag are its `{%`, blanks, and the word that says which it is.
    for line, kind, word in environment().lines(text):
        if kind == "block_begin":
            begins = True
        elif begins and kind == "name":
            begins = False
            here = _line(summary, source, line)
            if word in ("for", "if"):
                open_tags.append([here])
                found.append(open_tags[-1])
            elif word in ("elif", "else"):
                open_tags[-1].append(here if word == "elif" else -here)
            else:
                tag = open_tags.pop()
                tag[-1:] = [-tag[-1]] if tag[-1] < 0 else [tag[-1], 0]
    return found


def _line(summary: ast.Text, source: Source, line: int) -> int:
    """Return the line of the source at which a line of the template, counted from 1, stands."""
    at = 0
    for _ in range(line - 1):
        at = summary.value.index("\n", at) + 1
    return source.position(summary.offsets[at])[0]
