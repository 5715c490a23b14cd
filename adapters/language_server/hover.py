"""Hover: what a word of the language means, what a name stands for, what a finding is about.

Input: a view and a place. Output: Markdown. Words of the language are explained by `dsl.words`, codes by their
registry; captures by the kinds that have them, with type and whether they are always there where the compiler knows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lsprotocol import types

from ...dsl.codes import CODES
from ...dsl.words import (
    CLAIMS,
    CLAUSES,
    COMMAND_LINES,
    ENTRIES,
    FACTS,
    HOLES,
    PATH_WORDS,
    REASONS,
    TEMPLATE,
    VALUE_TYPES,
    Meaning,
)
from ...runtime.codecs_table import CODECS, COMMON
from .names import Place
from .outline import Entry, Mark, mark_at
from .view import View

_MOST_LINES: Final = 12


def hover(view: View, position: types.Position) -> types.Hover | None:
    """Return what is to be said about a place; None where there is nothing."""
    offset = view.offset(position)
    found = mark_at(view.entries, offset)
    parts: list[str] = []
    span = None
    if found is not None:
        entry, mark = found
        text = describe(view, entry, mark)
        if text:
            parts.append(text)
            span = view.range(mark.start, mark.end)
    parts += _codes(view, position)
    if not parts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)), span)


def describe(view: View, entry: Entry, mark: Mark) -> str:
    """Return what a word means, in Markdown; empty where nothing is known."""
    meaning = explain_word(entry, mark)
    if meaning is not None:
        return render_meaning(meaning)
    if mark.role == "reason":
        return REASONS.get(mark.text, "")
    if mark.role in {"codec", "setting"}:
        return _codec(mark)
    places = view.library.definitions(entry, mark)
    if places:
        return "\n\n".join(_defined(view, entry, places))
    if mark.role == "path" and mark.text in PATH_WORDS:
        return render_meaning(PATH_WORDS[mark.text])
    return ""


def explain_word(entry: Entry, mark: Mark) -> Meaning | None:
    """Return what a word of the language means where it stands."""
    text, clause = mark.text, mark.clause
    if mark.role == "keyword":
        if mark.start == entry.start:
            return ENTRIES.get(text)
        tables = {
            "facts": (FACTS,),
            "ensure": (CLAIMS, FACTS),
            "command": (COMMAND_LINES,),
            "options": (COMMAND_LINES,),
        }
        for table in (*tables.get(clause, ()), CLAUSES):
            if text in table and not (text == clause == "command"):
                return table[text]
        return {"order": FACTS["in"], "by": FACTS["group"], "not": CLAIMS["when"], "any": COMMAND_LINES["operand"],
                "codec": ENTRIES["use"]}.get(text, CLAUSES.get(text))  # fmt: skip
    if mark.role in {"filter", "tag"}:
        known = {"in": "for", "endfor": "for", "endif": "if", "elif": "if", "else": "if", "not": "if", "and": "if"}
        return TEMPLATE.get(known.get(text, text), TEMPLATE["path"] if text == "or" else None)
    if mark.role == "type":
        return HOLES.get(text)
    if mark.role == "value_type":
        return VALUE_TYPES.get(text)
    return HOLES["enum"] if mark.role == "choice" else None


def render_meaning(meaning: Meaning) -> str:
    """Return a meaning as a paragraph."""
    return f"{meaning.form}\n\n{meaning.text}"


def _defined(view: View, entry: Entry, places: list[Place]) -> Iterator[str]:
    captures = [place for place in places if place.mark.role == "capture"]
    for place in places:
        if place.mark.role != "capture":
            where = "" if place.file == view.file else f"\n\nin `{place.file}`"
            yield f"```cable\n{_written(view, place)}\n```{where}"
    if captures:
        yield f"capture `{captures[0].mark.text}`"
        yield "\n".join(_capture(view, entry, place) for place in captures)


def _capture(view: View, entry: Entry, place: Place) -> str:
    owner = place.mark.owner or place.entry.name
    words = [f"* `{place.mark.detail}` in `{owner}`"]
    unit = view.unit(entry)
    grammar = unit.grammar if unit is not None else None
    if grammar is not None and owner in grammar.definitions:
        field = grammar.field(owner, place.mark.text)
        if field is not None:
            often = "always there" if field.often.low else "not always there"
            words.append(f": {'a number' if field.type == 'int' else 'text'}, {often}")
    if place.file != view.file:
        words.append(f", defined in `{place.file}`")
    return "".join(words)


def _written(view: View, place: Place) -> str:
    """Return the line or lines in which a name is defined, as written."""
    lines = view.lines_of(place.file)
    text, mark = lines.text, place.mark
    if mark.role in {"kind", "fact"}:
        marks = [
            each.start for each in place.entry.marks
            if each.start > mark.start and each.defines and each.role in {"kind", "fact"}
        ]  # fmt: skip
        closed = text.find("\n  }", mark.start)
        ends = [end for end in (*marks[:1], closed) if end > 0]
        start = text.rfind("\n", 0, mark.start) + 1
        body = text[start : min(ends, default=place.entry.end)]
        body = body[: body.rfind("\n")] if marks and min(ends) == marks[0] else body
    elif mark.role == "variable":
        return f"{{% for {mark.text} in {mark.detail} %}}"
    elif place.entry.keyword == "rule":
        body = text[place.entry.start : text.find("\n", place.entry.start)]
    else:
        body = text[place.entry.start : place.entry.end]
    kept = body.rstrip().split("\n")
    if len(kept) > _MOST_LINES:
        kept = [*kept[:_MOST_LINES], "…"]
    return "\n".join(line.removeprefix("    ") for line in kept).strip()


def _codec(mark: Mark) -> str:
    if mark.role == "setting":
        taken = COMMON.get(mark.text) or next((each[mark.text] for each in CODECS.values() if mark.text in each), None)
        return "" if taken is None else f"`{mark.text}` {_values(taken)}"
    if mark.text not in CODECS:
        return ""
    settings = [f"* `{name}` {_values(taken)}" for name, taken in {**CODECS[mark.text], **COMMON}.items()]
    return "\n".join([f"codec `{mark.text}`, with the settings", "", *settings])


def _values(taken: tuple[object, ...]) -> str:
    kind, *rest = taken
    if kind == "int":
        return f"a number, {rest[0]} to {rest[1]}"
    return " or ".join(f"`{word}`" for word in rest) if kind == "words" else "alone"


def _codes(view: View, position: types.Position) -> list[str]:
    """Explain the findings that are shown at a place of this very version."""
    published = view.project.published.get(view.document.uri)
    if published is None or published[0] != view.document.version:
        return []
    codes = dict.fromkeys(
        str(item.code) for item in published[1] if _within(item.range, position) and str(item.code) in CODES
    )
    return [f"**{code}**: {CODES[code].title}\n\n{CODES[code].explanation}" for code in codes]


def _within(stretch: types.Range, position: types.Position) -> bool:
    at = position.line, position.character
    return (stretch.start.line, stretch.start.character) <= at <= (stretch.end.line, stretch.end.character)
