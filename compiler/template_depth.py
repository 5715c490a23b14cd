"""How deep a template nests, measured before anything recurses over it.

Input: the tokens of Jinja. Output: the first tag that goes too deep. Jinja's parser and our passes recurse over
templates; here is what makes that safe.

Blocks count by how many are open, the inside of a tag by its operators: each can add a level to its tree.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..dsl.scan import MAX_DEPTH

_OPENING = frozenset({"if", "for"})
_CLOSING = frozenset({"endif", "endfor"})
_OPERATORS = frozenset({"not", "and", "or", "if", "in", "is"})


def find_too_deep(tokens: Iterable[tuple[str, str, int]]) -> int | None:
    """Return where the tag begins that nests deeper than MAX_DEPTH; None where none does."""
    blocks = operators = start = 0
    first = False
    for kind, value, offset in tokens:
        if kind in {"variable_begin", "block_begin"}:
            start, operators, first = offset, 0, kind == "block_begin"
        elif kind == "operator":
            operators += 1
        elif kind == "name":
            if first:
                blocks += (value in _OPENING) - (value in _CLOSING)
            else:
                operators += value in _OPERATORS
            first = False
        if blocks + operators > MAX_DEPTH:
            return start
    return None
