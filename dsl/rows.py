"""The lines that an entry is made of, as the parser found them: what a comment may stand beside and a layout sets.

Input: the tokens of a parsed entry and the reductions that were lines (`Row`). Output: a tree of `Line`.

INVARIANT: the tokens of a tree, in order, are the tokens of the entry: nothing is lost or said twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .build_file import Entry, FileBuilder
from .scan import Piece
from .source import Source

# The rules of the grammar that are lines of their own, alone or with a body in braces.
ROWS = frozenset(
    {
        *("use", "word", "phrase", "options", "lines", "rule", "admit", "setting"),
        *("tools", "command", "exit", "stream", "rule_lines", "facts", "ensure", "example"),
        *("option_line", "needs_line", "with_options", "operands", "after_dashes"),
        *("definition", "fact", "claim", "example_part", "example_exit", "shows", "passes", "selection"),
    }
)


class Row(NamedTuple):
    """A reduction that is a line: the rule of the grammar, and its offsets in the entry."""

    rule: str
    start: int
    end: int


class Token(NamedTuple):
    """A token: its terminal, its text as written, and its offsets in the source."""

    kind: str
    text: str
    start: int
    end: int


class RowTracer:
    """Stands between the parser and its builder, and notes the reductions that are lines."""

    def __init__(self, builder: FileBuilder) -> None:
        self.builder = builder
        self.begin()

    def begin(self) -> None:
        """Forget the last entry. `tokens` is to grow before each token is fed, `ended` to be set before the end is."""
        self.rows: list[Row] = []
        self.tokens: list[Any] = []
        self.ended = False

    def end(self) -> None:
        """Note that all tokens were fed."""
        self.ended = True

    def __getattr__(self, rule: str) -> Callable[[list[Any]], Any]:
        """Return what reduces a rule. Lark asks once for each."""
        reduce = getattr(self.builder, rule)
        if rule not in ROWS:
            return reduce

        def noted(children: list[Any]) -> Any:
            # Where a node ends is not where its line does: parentheses leave no trace in the tree. A reduction happens
            # when the token behind it arrives.
            start = self.builder.span(children[0]).start - self.builder.offset
            self.rows.append(Row(rule, start, self.tokens[-1 if self.ended else -2].end_pos))
            return reduce(children)

        return noted


@dataclass(frozen=True, slots=True)
class Parsed:
    """An entry that parsed: its tree, its tokens and its lines (offsets in the entry, inner lines first)."""

    source: Source
    piece: Piece
    entry: Entry
    tokens: Sequence[Any]
    rows: tuple[Row, ...]

    @property
    def text(self) -> str:
        """The text of the entry."""
        return self.source.text[self.piece.start : self.piece.end]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a layout. With a body: `tokens` end with its opening brace, and `close` is the closing one."""

    rule: str
    tokens: tuple[Token, ...]
    body: tuple[Line, ...] = ()
    close: Token | None = None

    @property
    def start(self) -> int:
        """Where the line begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends, its body included."""
        return (self.close or self.tokens[-1]).end

    @property
    def bars(self) -> Iterator[int]:
        """The tokens, by index, that begin an alternative of an expression over lines."""
        if self.rule in {"definition", "stream"}:
            return (n for n, token in enumerate(self.tokens) if token.kind == "VBAR")
        return iter(())


def line_tree(parsed: Parsed) -> Line:
    """Return the lines of an entry as a tree."""
    offset = parsed.piece.start
    tokens = [Token(t.type, str(t), t.start_pos + offset, t.end_pos + offset) for t in parsed.tokens]
    at = 0
    stack: list[tuple[Row, list[Token], list[Line]]] = []
    done: Line | None = None
    rows = sorted(parsed.rows, key=lambda row: (row.start, -row.end))
    pending = iter([*rows, None])
    following = next(pending)
    while at < len(tokens):
        token = tokens[at]
        while following is not None and following.start + offset == token.start:
            stack.append((following, [], []))
            following = next(pending)
        row, head, body = stack[-1]
        if token.kind == "SUMMARY":
            body.append(Line("summary", tuple(tokens[at : at + 2])))
            at += 2
            continue
        head.append(token)
        at += 1
        while stack and stack[-1][0].end + offset == token.end:
            row, head, body = stack.pop()
            close = head.pop() if head[-1].kind == "RBRACE" else None
            done = Line(row.rule, tuple(head), tuple(body), close)
            if stack:
                stack[-1][2].append(done)
    assert done is not None
    assert not stack
    return done
