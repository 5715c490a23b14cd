"""What could stand somewhere, in the author's words, and the diagnostic for what stands there instead.

Input: the terminals the parser would accept and the place it stopped at. Output: E0101.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from .diagnostics import Diagnostic, Edit, Label
from .foreign import Fix, find_comma, find_foreign
from .misspelt import Misspelt, find_misspelt
from .scan import ENTRIES, Piece
from .source import Source, Span
from .suggest import did_you_mean

# In the order in which they are listed; terminals not named here are shown as they are spelt.
_WORDS: Mapping[str, str] = {
    "DEFINED_NAME": "a definition (`name = …`)",
    "ID": "the name of the rule (`bash.git_log`)",
    "PATH": "a name",
    "NAME": "a name",
    "HEAD_WORD": "a word of the command",
    "FLAG": "an option (`--all`)",
    "TYPE": "a value (`<int>`)",
    "LITERAL_WORD": "a word",
    "STRING": "a string",
    "BLOCK": 'a `"""` block',
    "INT": "a number",
    "DECIMAL": "a number",
    "CLASS": "a class (`[a-z]`)",
    "QUANTITY": "`*`, `+`, `?` or `{n,m}`",
    "REPEAT": "`*`, `+` or `?`",
    "COMPARISON": "`=`, `!=`, `<` or `>`",
    "RELATION": "`=`, `<=` or `>=`",
    "DASHES": "`--`",
    "RULE_LINES": "`lines`",
}
_CLAUSES = (
    *("tool", "command", "exit", "stdout", "stderr", "merged", "lines", "facts", "ensure", "summary"),
    *("selects", "leaves", "example"),
)
_MOST = 8

_LAST_WORD = re.compile(r"([a-z]+)(?:\s|#[^\n]*)*\Z")
_BLANKS = re.compile(r"(?:\s|#[^\n]*)*")
_FOUND = re.compile(r'"{3}|"(?:[^"\\\n]|\\[^\n])*"|[^\W\d][\w.]*|[0-9]+|--?[A-Za-z0-9-]*|<=|>=|!=|.', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser stopped in an entry: the offset, the terminals that could stand there, how each is spelt."""

    source: Source
    piece: Piece
    at: int
    accepted: Collection[str]
    spelling: Mapping[str, str]

    @property
    def keywords(self) -> set[str]:
        """The keywords that could stand there."""
        found = {self.spelling[t] for t in self.accepted if self.spelling.get(t, "").isalpha()}
        return found | set(ENTRIES) if "$END" in self.accepted else found


def syntax_error(stop: Stop) -> Diagnostic:
    """Return E0101 for the text at which the parser stopped."""
    source, piece = stop.source, stop.piece
    misspelt = find_misspelt(source, piece.start, stop.at, stop.accepted)
    if misspelt is not None:
        return _misspelt(stop, misspelt)
    wanted = describe(stop.accepted, stop.spelling)
    match = _FOUND.match(source.text, stop.at, piece.end)
    if match is None:
        where = "the end of the file" if not source.text[piece.end :].strip() else "the next entry"
        last = max(piece.start, piece.end - 1)
        label = Label(Span(last, piece.end), f"`{piece.keyword}` is not complete here")
        return Diagnostic(
            "E0101", f"found {where}, expected {wanted}", source, label, secondary=_context(source, piece, last)
        )
    word, span = match[0], Span(stop.at, match.end())
    notes: list[str] = []
    before = _LAST_WORD.search(source.text, piece.start, stop.at)
    if "RULE_LINES" in stop.accepted and "lines" in (word, before and before[1]):
        # The keyword is one only in front of a body; otherwise it was taken for a name of the stream, or for nothing.
        behind = _BLANKS.match(source.text, match.end() if word == "lines" else stop.at, piece.end)
        assert behind is not None
        return syntax_error(replace(stop, at=behind.end(), accepted=("LBRACE", "WITH")))
    if (word in _CLAUSES or (before and before[1] in _CLAUSES)) and stop.keywords & set(_CLAUSES):
        notes.append(f"the clauses of a rule come in this order: {', '.join(_CLAUSES)}")
    if "COMPARISON" in stop.accepted and word in {"<=", ">="}:
        notes.append("a `where` compares with `=`, `!=`, `<` and `>` alone")
    undefined = "DEFINED_NAME" in stop.accepted and word.replace("_", "a").isalnum()
    guess = did_you_mean(word, stop.keywords)
    fix = Fix(f"did you mean `{guess}`?", (Edit(span, guess),)) if guess else find_foreign(source, span)
    if fix is None and "COMMA" in stop.accepted:
        fix = find_comma(source, span)
    return Diagnostic(
        "E0101",
        f"found {_quoted(word)}, expected {wanted}",
        source,
        Label(span, "no `=` follows this name" if undefined else "this cannot stand here"),
        secondary=_context(source, piece, stop.at),
        notes=tuple(notes),
        help=fix and fix.help,
        edits=fix.edits if fix else (),
    )


def _misspelt(stop: Stop, found: Misspelt) -> Diagnostic:
    return Diagnostic(
        "E0101",
        f"found `{found.word}`, expected `{found.meant}`",
        stop.source,
        Label(found.span, "this is a name, and no name can stand here"),
        secondary=_context(stop.source, stop.piece, found.span.start),
        help=f"did you mean `{found.meant}`?",
        edits=(Edit(found.span, found.meant),),
    )


def describe(accepted: Collection[str], spelling: Mapping[str, str]) -> str:
    """Return a list of what could stand somewhere: `a name, `,` or `}``."""
    order = {name: n for n, name in enumerate(_WORDS)}
    ranked = sorted(
        (name for name in accepted if name != "$END"),
        key=lambda name: (order.get(name, 50), not spelling.get(name, "").isalpha(), spelling.get(name, "")),
    )
    words = list(dict.fromkeys(_WORDS.get(name) or f"`{spelling[name]}`" for name in ranked))
    if "$END" in accepted:
        words.append("the next entry of the file")
    if len(words) > _MOST:
        words = [*words[: _MOST - 1], "something else"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def unknown_entry(source: Source, piece: Piece) -> Diagnostic:
    """Return E0101 for text at the top level of a file that begins no entry."""
    match = _FOUND.match(source.text, piece.start, piece.end)
    assert match is not None
    word, span = match[0], Span(piece.start, match.end())
    guess = did_you_mean(word, ENTRIES)
    fix = Fix(f"did you mean `{guess}`?", (Edit(span, guess),)) if guess else find_foreign(source, span)
    notes = (f"`{word}` is a clause of a rule; perhaps a `}}` before it closes the rule too early",)
    return Diagnostic(
        "E0101",
        f"found {_quoted(word)}, expected {', '.join(f'`{e}`' for e in ENTRIES[:-1])} or `{ENTRIES[-1]}`",
        source,
        Label(span, "no entry of a file begins like this"),
        notes=notes if word in _CLAUSES else (),
        help=fix and fix.help,
        edits=fix.edits if fix else (),
    )


def _quoted(word: str) -> str:
    if word == '"""':
        return 'a `"""` block'
    if word.startswith('"'):
        return "a string" if len(word) > 30 else f"the string `{word}`"
    return f"`{word[:60]}`" if word.isprintable() else f"the character U+{ord(word[0]):04X}"


def _context(source: Source, piece: Piece, at: int) -> tuple[Label, ...]:
    """Point at the head of the entry, unless it stands in the same line."""
    if piece.keyword is None or source.position(piece.start)[0] == source.position(at)[0]:
        return ()
    head = re.compile(r"\w+[ \t]+[\w.]*").match(source.text, piece.start)
    assert head is not None or piece.keyword
    end = piece.start + len(piece.keyword) if head is None else head.end()
    return (Label(Span(piece.start, end), f"in this `{piece.keyword}`"),)
