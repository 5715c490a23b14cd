"""What is wrong with a template that Jinja cannot parse, in the words of the language.

Input: the text of a template, Jinja's environment. Output: the first fault: a tag that is never closed, one that cannot
be read, a block without its end, an end without its block. Jinja stops where it notices; an author looks where it
begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import jinja2

from .template_depth import find_too_deep
from .template_text import tokens

_CLOSERS: Final = {"{{": "}}", "{%": "%}", "{#": "#}"}
_ENDS: Final = {"endfor": "for", "endif": "if"}
_MIDDLES: Final = {"else": ("for", "if"), "elif": ("if",)}
_SHAPES: Final = {"for": "`{% for name in path %}`", "if": "`{% if path %}`, with `not`, `and`, `or`"}
_VALUE: Final = '`{{ path }}`, with `or` and filters: `{{ (path or "") | clip }}`'


class Place(NamedTuple):
    """`[start, end)` of a template, and a few words about it."""

    start: int
    end: int
    label: str


class Fault(NamedTuple):
    """What is wrong, where, and what to do about it; `other` is a place that it shows at."""

    message: str
    place: Place
    help: str | None = None
    other: Place | None = None


class _Tag(NamedTuple):
    start: int
    end: int
    opener: str
    word: str
    inner: str


def find_fault(text: str, environment: jinja2.Environment) -> Fault | None:
    """Return the first fault of a template; None where only Jinja knows one."""
    tags: list[_Tag] = []
    for tag in _scan(text):
        if isinstance(tag, Fault):
            return tag
        tags.append(tag)
    for tag in tags:
        fault = _read(tag, environment)
        if fault is not None:
            return fault
    return _pair(tags)


def _scan(text: str) -> Iterator[_Tag | Fault]:
    """Yield the tags, at last the one that is never closed. Linear: a tag ends before the next begins."""
    at = text.find("{")
    while at >= 0:
        opener = text[at : at + 2]
        if opener not in _CLOSERS:
            at = text.find("{", at + 1)
            continue
        end = _end(text, at + 2, opener)
        if end is None:
            line = text.find("\n", at)
            place = Place(at, len(text) if line < 0 else line, f"no `{_CLOSERS[opener]}` follows")
            yield Fault("a tag is never closed", place, f"end it with `{_CLOSERS[opener]}`")
            return
        inner = text[at + 2 : end - 2].strip("-+").strip()
        yield _Tag(at, end, opener, inner.split(None, 1)[0] if inner else "", inner)
        at = text.find("{", end)


def _end(text: str, at: int, opener: str) -> int | None:
    """Return the end of a tag; a string in it may hold what would close it."""
    quote = ""
    while at < len(text):
        char = text[at]
        if opener != "{#" and char == "\n":
            quote = ""
        if quote:
            quote = "" if char == quote else quote
        elif opener != "{#" and char in "\"'" and text.find(char, at + 1) >= 0:
            quote = char
        elif text.startswith(_CLOSERS[opener], at):
            return at + 2
        elif opener != "{#" and text[at : at + 2] in _CLOSERS:
            return None
        at += 1
    return None


def _read(tag: _Tag, environment: jinja2.Environment) -> Fault | None:
    """Return the fault of one tag, read as if it stood alone."""
    if tag.opener == "{#" or tag.word in _ENDS or tag.word == "else":
        return None
    label = _VALUE
    written = f"{{{{ {tag.inner} }}}}"
    if tag.opener == "{%":
        name = "if" if tag.word == "elif" else tag.word
        if name not in _SHAPES:
            return _unknown(tag, environment)
        label = _SHAPES[name].replace("{% if", f"{{% {tag.word}")
        written = f"{{% {name} {tag.inner[len(tag.word) :]} %}}{{% end{name} %}}"
    if _complaint(written, environment) is not None:
        return Fault("a tag of the template cannot be read", Place(tag.start, tag.end, f"expected {label}"))
    return None


def _unknown(tag: _Tag, environment: jinja2.Environment) -> Fault | None:
    complaint = _complaint(f"{{% {tag.inner} %}}", environment)
    if complaint is None or (tag.word and "unknown tag" not in complaint):
        return None
    place = Place(tag.start, tag.end, "tags are `for`, `if`, `elif`, `else`, `endfor` and `endif`")
    return Fault(f"there is no tag `{tag.word}`" if tag.word else "a tag is empty", place)


def _complaint(written: str, environment: jinja2.Environment) -> str | None:
    """Return what Jinja says against a tag; nothing where it nests too deep to be asked."""
    try:
        if find_too_deep(tokens(written, environment)) is None:
            environment.parse(written)
    except jinja2.TemplateSyntaxError as failure:
        return failure.message or ""
    return None


def _pair(tags: list[_Tag]) -> Fault | None:
    """Return the first block without its end, or end without its block."""
    opened: list[_Tag] = []
    otherwise: set[_Tag] = set()
    for tag in tags:
        if tag.opener != "{%":
            continue
        if tag.word in _SHAPES:
            opened.append(tag)
            continue
        wanted = (_ENDS[tag.word],) if tag.word in _ENDS else _MIDDLES.get(tag.word, ())
        if not wanted:
            continue
        place = Place(tag.start, tag.end, f"no `{'` or `'.join(wanted)}` is open here")
        if all(each.word not in wanted for each in opened):
            return Fault(f"`{tag.word}` belongs to nothing", place)
        if opened[-1].word not in wanted:
            return _unclosed(opened[-1], tag)
        if tag.word in _ENDS:
            opened.pop()
        elif opened[-1] in otherwise:
            return Fault(f"`{tag.word}` follows `else`", place._replace(label="`else` comes last, and once"))
        elif tag.word == "else":
            otherwise.add(opened[-1])
    return _unclosed(opened[-1], None) if opened else None


def _unclosed(tag: _Tag, other: _Tag | None) -> Fault:
    end = f"{{% end{tag.word} %}}"
    return Fault(
        f"`{tag.word}` is never closed",
        Place(tag.start, tag.end, f"no `{end}` follows" if other is None else f"no `{end}` before the end around it"),
        f"write `{end}` where it ends",
        other and Place(other.start, other.end, "this belongs to a block around it"),
    )
