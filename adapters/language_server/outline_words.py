"""Which part each word of an entry plays, by the clause that it is in.

Input: the words and texts of an entry, one after the other, as `outline.py` cuts them. Output: marks, noted in a
`Walk`. For text that parses, each name has the part that the compiler gives it; nothing raises for text that does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from ...dsl.words import CLAIMS, COMMAND_LINES, FACTS

Role = Literal[
    "keyword", "rule", "word", "phrase", "options", "lines", "kind", "capture", "fact", "path", "type", "value_type",
    "counter", "variable", "filter", "file", "codec", "reason", "setting", "choice", "example", "tag",
]  # fmt: skip
"""The part that a word plays. `path` is a name in a fact, claim or summary, whose meaning depends on what is around."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A word: its part, where it is, whether it is defined there. `clause` is the clause or entry around it.

    `owner`: of a capture or a counter the definition around it, of a path the names in front of it (`a.b.` for `c`).
    `detail`: of a capture its hole as written, of an example its title.
    """

    role: Role
    text: str
    start: int
    end: int
    clause: str
    defines: bool = False
    owner: str = ""
    detail: str = ""


SHARED: Final = frozenset({"rule", "word", "phrase", "options", "lines"})
CLAUSES: Final = (
    *("tool", "command", "exit", "stdout", "stderr", "merged", "lines", "facts", "ensure", "summary"),
    *("selects", "leaves", "example"),
)
_STREAMS: Final = frozenset({"stdout", "stderr", "merged"})
_FACT_WORDS: Final = (FACTS.keys() | {"by", "where", "order"}) - {"field"}
_CLAIM_WORDS: Final = _FACT_WORDS | (CLAIMS.keys() - {"+"}) | {"exit", "not", "unknown"}
_EXAMPLE_WORDS: Final = frozenset({"command", "stdout", "stderr", "exit", "shows", "passes", "file"})
_TEMPLATE_WORDS: Final = frozenset({"for", "in", "if", "elif", "else", "endfor", "endif", "not", "and", "or"})

_HOLE: Final = re.compile(
    r"""\{\{|\}\}|\{\?|\{=(?P<phrase>[A-Za-z_]\w*)\}?
    |(?P<whole>\{(?P<name>[A-Za-z_]\w*)?[ ]*
       (?::[ ]*(?:(?P<choices>\([^)"\n]*\)?)|(?P<type>[A-Za-z_]\w*))?)?[^{}"\n]*\}?)""",
    re.VERBOSE,
)
_TAG: Final = re.compile(r"\{\{(.*?)(?:\}\}|(?=\n))|\{%-?(.*?)(?:-?%\}|(?=\n))", re.DOTALL)
_IN_TAG: Final = re.compile(
    r"""(?P<text>"[^"\n]*"?|'[^'\n]*'?)|(?P<bar>\|)|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"""
)


@dataclass(slots=True)
class Walk:
    """The state of one walk over an entry."""

    keyword: str
    at: int
    marks: list[Mark] = field(default_factory=list)
    bodies: list[tuple[int, int]] = field(default_factory=list)
    clauses: list[list[object]] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    clause: str = ""
    owner: str = ""
    name: str = ""

    def mark(
        self, role: Role, text: str, start: int, *, defines: bool = False, owner: str = "", detail: str = ""
    ) -> None:
        """Note a word of the entry; `start` is relative to it."""
        begin = self.at + start
        self.marks.append(Mark(role, text, begin, begin + len(text), self.clause, defines, owner, detail))


def close_clause(walk: Walk, end: int) -> None:
    """End the clause that is open."""
    if walk.clauses and walk.clauses[-1][2] == -1:
        walk.clauses[-1][2] = walk.at + end


def _braces(walk: Walk) -> int:
    return len(walk.depth)


def note_word(walk: Walk, word: str, start: int, number: int, before: str, after: str) -> None:
    """Note the word with this number of its entry, between the tokens `before` and `after`."""
    keyword = walk.keyword
    if number == 0 and keyword:
        walk.mark("keyword", word, start)
        return
    if number == 1 and keyword in SHARED:
        walk.name = word
        walk.mark(keyword, word, start, defines=True)  # pyright: ignore[reportArgumentType] - one of `SHARED`
        return
    if keyword == "rule" and _braces(walk) == 1 and word in CLAUSES and before not in {",", "with", "|", "otherwise"}:
        close_clause(walk, start)
        walk.clause = word
        walk.owner = ""
        walk.clauses.append([word, walk.at + start, -1])
        walk.mark("keyword", word, start)
        return
    _IN.get(walk.clause, _plain)(walk, word, start, before, after)


def _plain(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    del before, after
    if (walk.clause == "exit" and word == "unknown") or (walk.clause == "use" and word == "codec"):
        walk.mark("keyword", word, start)


def _in_command(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    del after
    inside = _braces(walk) >= (2 if walk.keyword == "rule" else 1)
    if not inside:
        return
    if word in COMMAND_LINES or (word == "any" and before in {"operand", "--"}):
        walk.owner = word
        walk.mark("keyword", word, start)
    elif walk.owner == "with":
        walk.mark("options", word, start)


def _in_lines(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    inside = _braces(walk) >= (2 if walk.keyword == "rule" else 1)
    if not inside:
        role: Role = "keyword" if word == "with" and before != "with" else "lines"
        walk.mark(role, word, start)
    elif after == "=" and word != "otherwise":
        walk.owner = word
        walk.mark("kind", word, start, defines=True)
    elif word in {"otherwise", "spends"}:
        walk.mark("keyword", word, start)
        if word == "spends":
            walk.owner = f"{walk.owner} spends"
    elif walk.owner.endswith(" spends"):
        walk.mark("counter", word, start, owner=walk.owner.removesuffix(" spends"))
    else:
        walk.mark("kind", word, start)


def _in_stream(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    stops = {"*", "+", "?", "|"}
    if word == "otherwise" or (word in {"empty", "uncoloured"} and before in _STREAMS and after not in stops):
        walk.mark("keyword", word, start)
    else:
        walk.mark("kind", word, start)


def _in_facts(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    if after == "=" and before != "where":
        first, _, last = word.rpartition(".")
        if first:
            walk.mark("kind", first, start)
        walk.owner = first
        walk.mark("fact", last, start + len(word) - len(last), defines=True, owner=first)
    elif word in _FACT_WORDS:
        walk.mark("keyword", word, start)
    else:
        _path(walk, word, start, bare=before in {"where", "by", "!=", "<", ">"} or (before == "=" and _is_value(walk)))


def _is_value(walk: Walk) -> bool:
    return any(mark.text == "where" for mark in walk.marks[-2:])


def _in_ensure(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    spelt = after in {"=", "<", ">"} and word != "exit"
    if word in _CLAIM_WORDS and not spelt:
        walk.mark("keyword", word, start)
    else:
        _path(walk, word, start, bare=before in {"where", "by"})


def _path(walk: Walk, word: str, start: int, *, bare: bool = False) -> None:
    """Note each name of a path; a `bare` one is a field of what is spoken of."""
    owner = ". " if bare else ""
    for name in re.finditer(r"[A-Za-z_]\w*", word):
        walk.mark("path", name[0], start + name.start(), owner=owner)
        owner = f"{owner.strip()}{name[0]}."


def _in_example(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    del after
    if before == "passes":
        walk.mark("reason", word, start)
    elif word in _EXAMPLE_WORDS:
        walk.mark("keyword", word, start)


def _in_admit(walk: Walk, word: str, start: int, before: str, after: str) -> None:
    del after
    if _braces(walk) == 0:
        walk.mark("keyword" if word == "with" else "codec", word, start)
    elif before in {"{", ""} or not walk.owner or walk.owner == "value":
        walk.owner = "setting" if word != "tee" else ""
        walk.mark("setting", word, start)
    else:
        walk.owner = "value"


def note_string(walk: Walk, word: str, start: int, before: str) -> None:
    """Note what a text in quotes names."""
    if walk.keyword == "use":
        walk.mark("codec" if before == "codec" else "file", word.strip('"'), start + 1)
    elif before == "file":
        walk.mark("file", word.strip('"'), start + 1)
    elif walk.clause == "example" and before == "example":
        walk.mark("example", word.strip('"'), start + 1, defines=True, detail=word)
    elif walk.clause == "lines" or walk.clause in _STREAMS or walk.keyword == "phrase":
        _holes(walk, word, start)


def _holes(walk: Walk, word: str, start: int) -> None:
    owner = walk.owner.removesuffix(" spends")
    for hole in _HOLE.finditer(word):
        if hole["phrase"]:
            walk.mark("phrase", hole["phrase"], start + hole.start("phrase"), owner=owner)
        if hole["name"]:
            walk.mark(
                "capture", hole["name"], start + hole.start("name"), defines=True, owner=owner, detail=hole["whole"]
            )
        if hole["type"]:
            walk.mark("type", hole["type"], start + hole.start("type"))
        if hole["choices"]:
            walk.mark("choice", hole["choices"], start + hole.start("choices"))


def note_template(walk: Walk, block: str, start: int) -> None:
    """Note the names in the tags of a summary."""
    for tag in _TAG.finditer(block):
        group = 1 if tag[1] is not None else 2
        inner, at = tag[group], start + tag.start(group)
        bar, loop = False, False
        for part in _IN_TAG.finditer(inner):
            if part["bar"]:
                bar = True
                continue
            name = part["name"]
            if name is None:
                continue
            place = at + part.start()
            if bar:
                walk.mark("filter", name, place)
            elif name in _TEMPLATE_WORDS and group == 2:
                walk.mark("tag", name, place)
                loop = name == "for"
            elif name in {"or", "and", "not"}:
                walk.mark("tag", name, place)
            elif loop:
                listed = re.search(r"\bin\s+([A-Za-z_][\w.]*)", inner)
                walk.mark("variable", name, place, defines=True, detail=listed[1] if listed else "")
                loop = False
            else:
                _path(walk, name, place)
            bar = False


_IN: Final = {
    "command": _in_command,
    "options": _in_command,
    "lines": _in_lines,
    **dict.fromkeys(_STREAMS, _in_stream),
    "facts": _in_facts,
    "ensure": _in_ensure,
    "example": _in_example,
    "admit": _in_admit,
}
