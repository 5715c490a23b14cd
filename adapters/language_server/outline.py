"""What stands where in a rule file, sound or broken: words with the part that they play.

Input: the text of a file. Output: its entries, each with its words in order (`Mark`). Nothing is proved here, and
nothing raises: while someone types, a file is broken most of the time, and what they ask is about the words that are
there. For text that parses, each name has the part that the compiler gives it.

All offsets are in code points of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ...dsl.scan import split_entries
from .outline_words import CLAUSES, SHARED, Mark, Walk, close_clause, note_string, note_template, note_word


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a file and its marks. `body` are the stretches of braces and blocks, for folding."""

    keyword: str
    name: str
    start: int
    end: int
    marks: tuple[Mark, ...]
    bodies: tuple[tuple[int, int], ...]
    clauses: tuple[tuple[str, int, int], ...]
    """The clauses of a rule in order: keyword, start, end."""

    @property
    def head(self) -> Mark | None:
        """Where its name stands."""
        return next((mark for mark in self.marks if mark.defines and mark.role in SHARED), None)

    def clause_at(self, offset: int) -> str:
        """Return the clause that an offset is in."""
        return next((name for name, start, end in reversed(self.clauses) if start <= offset <= end), self.keyword)


_TOKEN: Final = re.compile(
    r"""
      (?P<blank>[ \t\n\r]+|\#[^\n]*)
    | (?P<block>\"{3}[ \t]*\n(?:(?![ \t]*\"{3})[^\n]*\n)*+[ \t]*(?:\"{3}|[^\n]*\Z))
    | (?P<string>"(?:[^"\\\n]|\\[^\n])*+"?)
    | (?P<class>\[(?:[^\]\\\n]|\\[^\n])*+\])
    | (?P<type><[A-Za-z_]\w*>?)
    | (?P<flag>[-+][^\s,|{}<>"\#()]*)
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\.?)
    | (?P<other>[^\s"\#{}()\[A-Za-z_]|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@lru_cache(maxsize=256)
def outline_file(text: str) -> tuple[Entry, ...]:
    """Return the entries of a file."""
    return tuple(
        _outline(text[piece.start : piece.end], piece.keyword or "", piece.start, piece.problem is not None)
        for piece in split_entries(text)
    )


@lru_cache(maxsize=2048)
def _outline(text: str, keyword: str, at: int, unbalanced: bool) -> Entry:  # noqa: FBT001 - a key of the cache
    walk = Walk(keyword, at, clause=keyword)
    tokens = [(match.lastgroup or "", match[0], match.start()) for match in _TOKEN.finditer(text)]
    tokens = [token for token in tokens if token[0] != "blank"]
    for number, (kind, word, start) in enumerate(tokens):
        before = tokens[number - 1][1] if number else ""
        after = tokens[number + 1][1] if number + 1 < len(tokens) else ""
        if word in "{(" and kind == "other":
            walk.depth.append(start)
        elif word in "})" and kind == "other":
            if walk.depth:
                begin = walk.depth.pop()
                if word == "}":
                    walk.bodies.append((at + begin, at + start))
            if not walk.depth and keyword == "rule":
                close_clause(walk, start + 1)
        elif kind == "word":
            if unbalanced and len(walk.depth) > 1 and word in CLAUSES and _begins_clause(text, start):
                del walk.depth[1:]
            note_word(walk, word, start, number, before, after)
        elif kind == "string":
            note_string(walk, word, start, before)
        elif kind == "block":
            walk.bodies.append((at + start, at + start + len(word)))
            if walk.clause == "summary":
                note_template(walk, word, start)
        elif kind == "type":
            walk.mark("value_type", word.strip("<>"), start + 1)
    close_clause(walk, len(text))
    clauses = tuple((str(name), int(str(start)), int(str(end))) for name, start, end in walk.clauses)
    return Entry(keyword, walk.name, at, at + len(text), tuple(walk.marks), tuple(walk.bodies), clauses)


def _begins_clause(text: str, start: int) -> bool:
    """Say whether a word stands where the layout has the clauses of a rule: where braces lie, it shows the truth."""
    return text[text.rfind("\n", 0, start) + 1 : start] == "  "


def entry_at(entries: tuple[Entry, ...], offset: int) -> Entry | None:
    """Return the entry that an offset is in, or directly behind."""
    return next((entry for entry in entries if entry.start <= offset <= entry.end), None)


def mark_at(entries: tuple[Entry, ...], offset: int) -> tuple[Entry, Mark] | None:
    """Return the word that an offset is in, or directly behind."""
    entry = entry_at(entries, offset)
    if entry is None:
        return None
    found = [mark for mark in entry.marks if mark.start <= offset <= mark.end]
    return (entry, min(found, key=lambda mark: (mark.end - mark.start, mark.end == offset))) if found else None


def marks_of(entries: tuple[Entry, ...]) -> Iterator[tuple[Entry, Mark]]:
    """Yield all words of a file."""
    for entry in entries:
        for mark in entry.marks:
            yield entry, mark


def token_at(text: str, entry: Entry, start: int, offset: int) -> tuple[str, int]:
    """Return the sort of the token that a cursor is inside of, and where it begins; outside of texts and comments the
    sort is empty. `start` is where the word before the cursor begins.
    """
    for match in _TOKEN.finditer(text, entry.start, max(entry.end, offset)):
        if match.start() >= start and match.start() >= offset:
            break
        kind = match.lastgroup or ""
        if kind == "blank" and match[0].startswith("#") and match.start() < offset <= match.end():
            return "comment", match.start()
        closed = len(match[0]) > 1 and match[0].endswith("]" if kind == "class" else '"')
        if kind in {"string", "block", "class"} and match.start() < offset and (
            offset < match.end() or (offset == match.end() and not closed)
        ):  # fmt: skip
            return kind, match.start()
    return "", start
