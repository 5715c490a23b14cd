"""Places in a template: its tags and texts, with the line rules applied.

Input: the template as text, Jinja's own tokens. Output: for each piece of text what is left of it, for each `{{ }}`
whether it stands alone on its line, and the places of names, all in the order of the template.

The line rules: a line that holds only a block tag disappears; a line that holds only one `{{ }}` belongs to its value;
any other line keeps its line end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import jinja2
from jinja2.lexer import TokenStream

_BEGIN = {"variable_begin": "variable", "block_begin": "block"}
_END = {"variable_end", "block_end"}
BLANKS = " \t"

_local = threading.local()


@dataclass(frozen=True, slots=True)
class Tag:
    """`{{ … }}` or `{% … %}` at `[start, end)`. `indent`: the white space before it where it stands alone, else
    None.
    """

    kind: str
    start: int
    end: int
    indent: str | None


@dataclass(frozen=True, slots=True)
class Word:
    """A name in a tag."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Refused:
    """A notation of Jinja that the language does not have: a comment, `raw`, a white space mark."""

    what: str
    start: int
    end: int


@dataclass(slots=True)
class Layout:
    """The pieces of a template in order."""

    texts: list[str] = field(default_factory=list)
    variables: list[Tag] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


class LexedOnce(jinja2.Environment):
    """Jinja's notation, which reads a text into tokens once for all who ask for them, the parser among them.

    It holds the last text, so that each thread has its own: `environment()`.
    """

    def __init__(self) -> None:
        super().__init__(keep_trailing_newline=True, autoescape=False)
        self._text: str | None = None
        self._lexed: list[tuple[int, str, str]] = []

    def lines(self, text: str) -> Iterator[tuple[int, str, str]]:
        """Yield line, kind and text of each token. Raises jinja2.TemplateSyntaxError where a token is none."""
        if self._text == text:
            yield from self._lexed
            return
        lexed: list[tuple[int, str, str]] = []
        for token in self.lex(text):
            lexed.append(token)
            yield token
        # INVARIANT: only what was read to its end is held.
        self._text, self._lexed = text, lexed

    def tokens(self, text: str) -> Iterator[tuple[str, str, int]]:
        """Yield kind, text and offset of each token. Raises jinja2.TemplateSyntaxError where a token is none."""
        return with_offsets(self.lines(text))

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        if source != self._text or state is not None:
            return super()._tokenize(source, name, filename, state)
        return TokenStream(self.lexer.wrap(self._lexed, name, filename), name, filename)


def environment() -> LexedOnce:
    """Return the environment of this thread."""
    found: LexedOnce | None = getattr(_local, "environment", None)
    if found is None:
        found = _local.environment = LexedOnce()
    return found


def layout(text: str, lexed: Iterable[tuple[str, str, int]]) -> Layout:
    """Return the pieces of a template whose last line has its end; `lexed` are its tokens."""
    result = Layout()
    pieces: list[tuple[int, int]] = []
    tags: list[Tag] = []
    start: tuple[str, int] | None = None
    for kind, value, offset in lexed:
        end = offset + len(value)
        if kind == "data":
            pieces.append((offset, end))
        elif kind in _BEGIN:
            start = (_BEGIN[kind], offset)
            if value[-1] in "-+":
                result.refused.append(Refused("white space marks", offset, end))
        elif kind in _END:
            assert start is not None
            if value[0] in "-+":
                result.refused.append(Refused("white space marks", offset, end))
            tags.append(_tag(text, start[0], start[1], end))
        elif kind == "name":
            result.words.append(Word(value, offset))
        elif kind in {"comment_begin", "raw_begin"}:
            result.refused.append(Refused("comments" if kind == "comment_begin" else "`raw`", offset, end))
    result.variables = [tag for tag in tags if tag.kind == "variable"]
    before = {tag.end: tag for tag in tags}
    after = {tag.start: tag for tag in tags}
    for piece_start, piece_end in pieces:
        result.texts.append(
            text[_skip(text, before.get(piece_start), piece_start) : _cut(after.get(piece_end), piece_end)]
        )
    return result


def tokens(text: str, environment: jinja2.Environment) -> Iterator[tuple[str, str, int]]:
    """Yield kind, text and offset of each token. Raises jinja2.TemplateSyntaxError."""
    return with_offsets(environment.lex(text))


def with_offsets(lexed: Iterable[tuple[int, str, str]]) -> Iterator[tuple[str, str, int]]:
    """Yield kind, text and offset of each token of a whole text."""
    offset = 0
    for _, kind, value in lexed:
        yield kind, value, offset
        offset += len(value)


def _tag(text: str, kind: str, start: int, end: int) -> Tag:
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    before, after = text[line_start:start], text[end:line_end]
    alone = not before.strip(BLANKS) and not after.strip(BLANKS)
    return Tag(kind, start, end, before if alone else None)


def _skip(text: str, tag: Tag | None, start: int) -> int:
    """Return where the text behind a tag begins: after its line where it stands alone."""
    return start if tag is None or tag.indent is None else text.find("\n", start) + 1


def _cut(tag: Tag | None, end: int) -> int:
    """Return where the text before a tag ends: at the beginning of its line where it stands alone."""
    return end if tag is None or tag.indent is None else end - len(tag.indent)
