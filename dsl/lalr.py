"""Reads an entry by Lark's tables, in one loop: what an interactive session of Lark does with a text that is sound.

Input: a text. Output: what its last reduction returned, and the tokens that were read, as Lark's. At the first thing
that does not fit, `StuckError`, without a word about it: a session of Lark, begun anew, says what was expected.

INVARIANT: the tokens, the reductions and their order are those of the session. Lines and columns of tokens are left
out: nobody here reads them, and counting them is what Lark spends most of its time on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift
from lark.utils import TextSlice


class StuckError(Exception):
    """The text is no entry."""


class _Action(NamedTuple):
    """What to do with a token in a state: shift to `state`, or (`reduce`) take `size` values for an `origin`."""

    state: int
    reduce: Callable[[list[Any]], Any] | None = None
    size: int = 0
    origin: str = ""


class _Scanner(NamedTuple):
    """How the next token is read in a state: the match, what is passed over, and what tells words from names."""

    match: Callable[[TextSlice[str], int], tuple[str, str] | None]
    ignored: frozenset[str]
    rename: dict[str, Callable[[Token], Token]]


class TableReader:
    """The tables of a grammar, laid out for one loop. Scanners are made when a state first needs one."""

    def __init__(self, lark: Lark) -> None:
        session = lark.parse_interactive("")
        conf = session.parser_state.parse_conf
        self._start, self._end = conf.start_state, conf.end_state
        self._lexers: Any = session.lexer_thread.lexer
        self._scanners: dict[Any, _Scanner] = {}
        self._actions = {
            state: {
                name: _Action(arg)
                if action is Shift
                else _Action(-1, conf.callbacks[arg], len(arg.expansion), arg.origin.name)
                for name, (action, arg) in row.items()
            }
            for state, row in conf.states.items()
        }

    def read(self, text: str, tokens: list[Any], end: Callable[[], None]) -> Any:
        """Return what the text reduces to. `tokens` grows before a token is fed; `end` is called before the end is.

        Raises StuckError, and whatever a reduction raises.
        """
        actions = self._actions
        scanners = self._scanners
        piece = TextSlice(text, 0, len(text))
        states: list[Any] = [self._start]
        values: list[Any] = []
        at, stop = 0, len(text)
        new = str.__new__
        while at < stop:
            scanner = scanners.get(states[-1]) or self._scanner(states[-1])
            found = scanner.match(piece, at)
            if found is None:
                raise StuckError
            written, kind = found
            begin, at = at, at + len(written)
            if kind in scanner.ignored:
                continue
            token: Any = new(Token, written)
            token.type, token.value, token.start_pos, token.end_pos = kind, written, begin, at
            rename = scanner.rename.get(kind)
            if rename is not None:
                token = rename(token)
                kind = token.type
            tokens.append(token)
            while True:
                action = actions[states[-1]].get(kind)
                if action is None:
                    raise StuckError
                if action.reduce is None:
                    states.append(action.state)
                    values.append(token)
                    break
                self._reduce(action, states, values)
        end()
        while states[-1] != self._end:
            action = actions[states[-1]].get("$END")
            if action is None or action.reduce is None:
                raise StuckError
            self._reduce(action, states, values)
        return values[-1]

    def _reduce(self, action: _Action, states: list[Any], values: list[Any]) -> None:
        size = action.size
        children: list[Any] = []
        if size:
            children = values[-size:]
            del states[-size:]
            del values[-size:]
        assert action.reduce is not None
        value = action.reduce(children)
        states.append(self._actions[states[-1]][action.origin].state)
        values.append(value)

    def _scanner(self, state: Any) -> _Scanner:
        lexer = self._lexers.lexers[state]
        # The scanner first: it is what fills `callback`.
        match = lexer.scanner.match
        found = self._scanners[state] = _Scanner(match, frozenset(lexer.ignore_types), lexer.callback)
        return found
