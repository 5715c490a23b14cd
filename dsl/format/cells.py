"""A line to its cells: what stands in columns, and what may be wrapped behind them.

Input: a `Line`. Output: `Cells`. Nothing here knows of widths or comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..rows import Line, Token

_TIGHT_BEFORE = frozenset({"COMMA", "RPAR", "COLON", "REPEAT", "QUANTITY"})
# Where facts and claims are broken: the lower, the sooner.
_FACT_RANKS = {"RELATION": 1, "WITHIN": 1, "PLUS": 2, "OR": 3, "WHERE": 3, "BY": 3, "IN": 3}
_NAMED = frozenset({"definition", "fact", "word", "phrase"})


class Piece(NamedTuple):
    """Text that is never broken. `start`, `end` are its offsets in the source; `bar`: it begins with a `|`.

    The lower its rank, the sooner a line that is too long is broken before it.
    """

    text: str
    start: int
    end: int
    bar: bool
    rank: int


class Column(NamedTuple):
    """How the first cells of a kind of line are set: the least width of each, and the blanks behind it.

    Lines of one `table` that follow each other share their columns.
    """

    table: str
    least: int
    gap: int


_CLAUSE = Column("clause", len("command"), 2)
_OPTION = Column("option", 0, 2)
_PART = Column("part", len("command"), 1)
_ENTRY = Column("entry", 0, 1)

_COLUMNS = {
    **dict.fromkeys(("word", "phrase"), _ENTRY),
    **dict.fromkeys(("tools", "command", "exit", "stream", "selection"), _CLAUSE),
    **dict.fromkeys(("option_line", "needs_line", "with_options", "operands"), _OPTION),
    **dict.fromkeys(("example_part", "example_exit", "shows", "passes"), _PART),
    "definition": Column("definition", 0, 1),
    "fact": Column("fact", 0, 1),
    "setting": Column("setting", 0, 1),
}


@dataclass(frozen=True, slots=True)
class Cells:
    """A line in cells: `lead` in columns, then `prefix` and the pieces of the value, then `tail` in a column.

    `block`: the text of a block whose quotes end the value; `opens`: a brace ends it.
    """

    column: Column | None
    lead: tuple[str, ...]
    prefix: str
    pieces: tuple[Piece, ...]
    tail: str = ""
    block: str | None = None
    opens: bool = False


def cells_of(line: Line) -> Cells:
    """Return a line in cells; of a line with a body, its head without the brace."""
    tokens = line.tokens
    opens = line.close is not None
    if opens:
        tokens = tokens[:-1]
    block = tokens[-1].text if tokens[-1].kind == "BLOCK" else None
    if block is not None:
        tokens = (*tokens[:-1], tokens[-1]._replace(text='"""'))
    column = _COLUMNS.get(line.rule)
    if line.rule == "rule_lines" and len(tokens) > 1:
        column = _CLAUSE
    if len(tokens) == 1:
        column = None
    count = 0 if column is None else (2 if line.rule in {"word", "phrase"} else 1)
    lead, tokens = tuple(token.text for token in tokens[:count]), tokens[count:]
    prefix = ""
    if line.rule in _NAMED:
        prefix, tokens = "= ", tokens[1:]
    spends = next((n for n, token in enumerate(tokens) if token.kind == "SPENDS"), len(tokens))
    tail = joined(tokens[spends:]) if line.rule == "definition" else ""
    pieces = _pieces(line.rule, tokens[:spends] if tail else tokens)
    return Cells(column, lead, prefix, pieces, tail, block, opens)


def joined(tokens: Sequence[Token]) -> str:
    """Return tokens in a row, with a blank wherever the layout has one."""
    parts: list[str] = []
    last: Token | None = None
    for token in tokens:
        if last is not None and _spaced(last, token):
            parts.append(" ")
        parts.append(token.text)
        last = token
    return "".join(parts)


def _spaced(last: Token, token: Token) -> bool:
    if token.kind == "TYPE":
        return last.end != token.start  # `-j<int>` and `-j <int>` are two options
    return token.kind not in _TIGHT_BEFORE and last.kind != "LPAR"


def _pieces(rule: str, tokens: Sequence[Token]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    begin, rank, depth = 0, 0, 0
    for n in range(1, len(tokens) + 1):
        depth += {"LPAR": 1, "RPAR": -1}.get(tokens[n - 1].kind, 0)
        following = _rank(rule, tokens[n - 1], tokens[n], depth) if n < len(tokens) else 0
        if following is None:
            continue
        part = tokens[begin:n]
        pieces.append(Piece(joined(part), part[0].start, part[-1].end, part[0].kind == "VBAR", rank))
        begin, rank = n, following
    return tuple(pieces)


def _rank(rule: str, last: Token, token: Token, depth: int) -> int | None:
    """Return how soon a line of this rule is broken between two tokens inside of so many parentheses; None: never."""
    if token.kind == "VBAR":
        return 2 * depth
    if rule in {"definition", "stream"}:
        broken = _spaced(last, token) and last.kind not in {"VBAR", "OTHERWISE", "UNCOLOURED"}
        return 2 * depth + 1 if broken else None
    if last.kind == "COMMA":
        return 4
    if rule == "word":
        return 0 if token.kind == "CLASS" else None
    if rule in {"fact", "claim"}:
        return 0 if last.kind == "COLON" else _FACT_RANKS.get(token.kind)
    return None
