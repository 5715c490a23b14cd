"""Completion: what could stand at a place.

Input: a view and a place. Output: items, all with the edit that puts them there. Keywords are those that the parser
would take behind what is written; where that does not parse, those of the clause. Names are those in sight.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final

from lsprotocol import types

from ...compiler.examples import REASONS
from ...compiler.patterns.lower import HOLE_TYPES
from ...compiler.scope import COMMAND_TYPES
from ...dsl.parser import accepted_after
from ...dsl.scan import ENTRIES
from ...dsl.words import CLAIMS, CLAUSES, COMMAND_LINES, FACTS, PATH_WORDS, TEMPLATE
from ...dsl.words import REASONS as REASON_WORDS
from ...runtime.codecs_table import CODECS, COMMON
from .hover import explain_word, render_meaning
from .outline import Entry, Mark, entry_at, token_at
from .outline_words import CLAUSES as CLAUSE_WORDS
from .view import View

TRIGGERS: Final = [".", ":", "{", "<", "|", '"', "="]
_STREAMS: Final = frozenset({"stdout", "stderr", "merged"})
_NAMED: Final = frozenset({"NAME", "PATH", "DEFINED_NAME"})
_FILTERS: Final = ("clip", "join", "length", "more", "earlier")
_MOST_FILES: Final = 200
Kind = types.CompletionItemKind


def complete(view: View, position: types.Position) -> list[types.CompletionItem]:
    """Return what could stand at a place."""
    offset = view.offset(position)
    text = view.document.text
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    entry = entry_at(view.entries, offset)
    items: dict[str, types.CompletionItem] = {}
    for item in _At(view, entry, start, offset).items():
        items.setdefault(item.label, item)
    return list(items.values())


class _At:
    """One place: the entry around it, where the word there begins, where the cursor is."""

    def __init__(self, view: View, entry: Entry | None, start: int, offset: int) -> None:
        self.view = view
        self.entry = entry
        self.start = start
        self.offset = offset
        self.text = view.document.text
        self.stretch = view.range(start, offset)

    def item(self, label: str, kind: Kind, detail: str = "", documentation: str = "") -> types.CompletionItem:
        """Return an item that replaces the word before the cursor."""
        return types.CompletionItem(
            label,
            kind=kind,
            detail=detail or None,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, documentation) if documentation else None,
            text_edit=types.TextEdit(self.stretch, label),
        )

    def items(self) -> Iterator[types.CompletionItem]:
        """Yield what could stand here."""
        entry = self.entry
        if entry is None or entry.start >= self.start:
            yield from self.keywords(ENTRIES, entry)
            return
        kind, begin = token_at(self.text, entry, self.start, self.offset)
        if kind == "comment":
            return
        clause = entry.clause_at(self.start)
        before = self.text[begin : self.start]
        if kind == "string":
            yield from self.in_string(entry, clause, before, self.text[entry.start : begin])
        elif kind == "block":
            if clause == "summary":
                yield from self.in_template(entry, before)
        elif kind != "class":
            yield from self.in_clause(entry, clause, self.text[entry.start : self.start])

    def keywords(self, words: Iterable[str], entry: Entry | None, clause: str = "") -> Iterator[types.CompletionItem]:
        """Yield words of the language with what they mean."""
        for word in words:
            at = entry.start if entry is not None and word not in ENTRIES else 0
            mark = Mark("keyword", word, at + (clause != ""), at, clause)
            meaning = explain_word(entry or Entry("", "", 0, 0, (), (), ()), mark)
            yield self.item(word, Kind.Keyword, "", render_meaning(meaning) if meaning is not None else "")

    # --- texts --------------------------------------------------------------------------------------------------------

    def in_string(self, entry: Entry, clause: str, before: str, above: str) -> Iterator[types.CompletionItem]:
        """Yield what could stand in a string: parts of holes, or files."""
        word = re.search(r"([a-z]+)\s*\Z", above)
        if entry.keyword == "use" or (word is not None and word[1] == "file"):
            yield from self.files(before, codec=word is not None and word[1] == "codec")
        elif clause == "lines" or clause in _STREAMS or entry.keyword == "phrase":
            hole = re.search(r"\{(?!\{)([^{}]*)\Z", re.sub(r"\{\{", "  ", before))
            if hole is None:
                return
            inner = hole[1]
            if inner.startswith("="):
                yield from self.named("phrase", Kind.Constant)
            elif re.fullmatch(r"\s*\w*\s*:\s*", inner):
                for name in HOLE_TYPES:
                    mark = Mark("type", name, 0, 0, "")
                    meaning = explain_word(entry, mark)
                    yield self.item(name, Kind.TypeParameter, "", render_meaning(meaning) if meaning else "")
                yield from self.named("word", Kind.TypeParameter)

    def files(self, before: str, *, codec: bool) -> Iterator[types.CompletionItem]:
        """Yield the files and folders that the path before the cursor could go on with."""
        if codec or "\\" in before:
            return
        written = before.lstrip('"')
        folder = written.rpartition("/")[0]
        here = os.path.dirname(self.view.project.place(self.view.file))
        target = os.path.normpath(os.path.join(here, folder))
        base = os.path.normpath(self.view.project.base)
        if written.startswith("/") or not os.path.isabs(here) or os.path.commonpath([target, base]) != base:
            return
        try:
            with os.scandir(target) as found:
                names = sorted((each.name, each.is_dir()) for each in found if not each.name.startswith("."))
        except OSError:
            return
        for name, is_folder in names[:_MOST_FILES]:
            yield self.item(name, Kind.Folder if is_folder else Kind.File)

    def in_template(self, entry: Entry, before: str) -> Iterator[types.CompletionItem]:
        """Yield what could stand in the tags of a summary."""
        tag = re.search(r"\{([{%])(?:(?!\}\}|%\}|\n).)*\Z", before)
        if tag is None:
            return
        inner = tag[0]
        path = re.search(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.\Z", inner)
        if re.search(r"\|\s*\Z", inner):
            for name in _FILTERS:
                yield self.item(name, Kind.Function, "", render_meaning(TEMPLATE[name]))
        elif path is not None:
            yield from self.fields(entry, path[1], "summary")
        elif tag[1] == "%" and re.fullmatch(r"\{%-?\s*", inner):
            for name in ("for", "if", "elif", "else", "endfor", "endif"):
                known = TEMPLATE.get(name) or TEMPLATE["for" if name == "endfor" else "if"]
                yield self.item(name, Kind.Keyword, "", render_meaning(known))
        elif not re.search(r"\bfor\s+\Z", inner):
            yield from self.values(entry, "summary")

    # --- clauses ------------------------------------------------------------------------------------------------------

    def in_clause(self, entry: Entry, clause: str, above: str) -> Iterator[types.CompletionItem]:
        """Yield keywords and names outside of texts; `above` is the entry up to the word."""
        if above.endswith("<"):
            yield from (self.item(name, Kind.TypeParameter) for name in COMMAND_TYPES)
            yield from self.named("word", Kind.TypeParameter)
            return
        behind = re.search(r"([A-Za-z_][\w.]*)\s*(?:,\s*)?\Z", above)
        last = behind[1] if behind is not None else ""
        path = re.search(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.\Z", above)
        if path is not None:
            yield from self.fields(entry, path[1], clause)
            return
        if last == "passes":
            for reason in REASONS:
                yield self.item(reason, Kind.EnumMember, "", REASON_WORDS.get(reason, ""))
            return
        allowed = accepted_after(above)
        if allowed is None:
            yield from self.keywords(_usual(entry, clause), entry, clause or entry.keyword)
        else:
            words = (word for word in sorted(allowed) if word.isalpha() and word.islower())
            yield from self.keywords(words, entry, clause or entry.keyword)
            if "$END" in allowed:
                yield from self.keywords(ENTRIES, None)
            if not allowed & _NAMED:
                return
        yield from self.names(entry, clause, above)

    def names(self, entry: Entry, clause: str, above: str) -> Iterator[types.CompletionItem]:
        """Yield the names that could stand in a clause."""
        taken = re.search(r"\bwith\s+(?:\w+\s*,\s*)*\Z", above)
        if taken is not None and entry.keyword == "admit":
            yield from (self.item(name, Kind.Module) for name in CODECS)
        elif taken is not None:
            in_command = clause == "command" or entry.keyword == "options"
            yield from self.named("options" if in_command else "lines", Kind.Module)
        elif entry.keyword == "admit":
            settings = dict.fromkeys(name for each in (COMMON, *CODECS.values()) for name in each)
            yield from (self.item(name, Kind.Property) for name in settings)
        elif clause == "tool":
            yield from (self.item(name, Kind.Value) for name in ("bash", "shell"))
        elif clause == "lines" or clause in _STREAMS:
            if re.search(r"\bspends\s+(?:\w+\s*,\s*)*\Z", above):
                yield from self.captures(entry)
            elif not re.search(r"\{\s*\Z", above):
                yield from self.kinds(entry)
        elif clause in {"facts", "ensure"}:
            if re.search(r"\b(?:where|by)\s+\Z", above):
                yield from self.captures(entry)
            else:
                yield from self.values(entry, clause)

    def named(self, keyword: str, kind: Kind) -> Iterator[types.CompletionItem]:
        """Yield the shared definitions of a sort."""
        for place in self.view.library.shared(keyword):
            where = keyword if place.file == self.view.file else f"{keyword}, {place.file}"
            yield self.item(place.mark.text, kind, where)

    def kinds(self, entry: Entry) -> Iterator[types.CompletionItem]:
        """Yield the definitions in sight of a rule or of `lines`."""
        for place in self.view.library.defined(entry, "kind"):
            own = place.entry is entry
            yield self.item(place.mark.text, Kind.Struct, "line kind" if own else f"from `{place.entry.name}`")

    def captures(self, entry: Entry) -> Iterator[types.CompletionItem]:
        """Yield all captures in sight."""
        for place in self.view.library.defined(entry, "capture"):
            yield self.item(place.mark.text, Kind.Field, f"{place.mark.detail} in {place.mark.owner}")

    def values(self, entry: Entry, clause: str) -> Iterator[types.CompletionItem]:
        """Yield what paths can begin with."""
        if clause == "summary":
            for place in self.view.library.defined(entry, "variable"):
                if place.mark.start < self.start:
                    yield self.item(place.mark.text, Kind.Variable, f"each of {place.mark.detail}")
        for place in self.view.library.defined(entry, "fact"):
            if not place.mark.owner:
                yield self.item(place.mark.text, Kind.Field, "fact")
        yield from self.kinds(entry)
        yield self.item("exit_code", Kind.Field, "", render_meaning(PATH_WORDS["exit_code"]))

    def fields(self, entry: Entry, path: str, clause: str) -> Iterator[types.CompletionItem]:
        """Yield what can stand behind a path."""
        library = self.view.library
        name = path.rpartition(".")[2]
        kinds = library.kinds_of(entry, name, Mark("path", name, self.start, self.start, clause))
        captured = list(library.defined(entry, "capture"))
        own = [place for place in captured if place.mark.owner in kinds] or captured
        for place in own:
            yield self.item(place.mark.text, Kind.Field, f"{place.mark.detail} in {place.mark.owner}")
        for place in library.defined(entry, "fact"):
            if place.mark.owner and (not kinds or place.mark.owner in kinds):
                yield self.item(place.mark.text, Kind.Field, f"fact of {place.mark.owner}")
        for word in ("line", "key", "count", "first", "rows"):
            yield self.item(word, Kind.Property, "", render_meaning(PATH_WORDS[word]))
        yield from self.kinds(entry)


def _usual(entry: Entry, clause: str) -> Iterable[str]:
    """Return the keywords of a clause, where the text above does not parse."""
    inside = {
        "command": COMMAND_LINES,
        "options": COMMAND_LINES,
        "facts": [word for word in FACTS if word != "field"] + ["by", "where"],
        "ensure": [word for word in CLAIMS if word != "+"] + ["count", "sum", "distinct", "where", "exit"],
        "lines": ["otherwise", "spends", "with"],
        "example": ["command", "stdout", "stderr", "exit", "shows", "passes", "file"],
        **{name: ["empty", "uncoloured", "otherwise"] for name in _STREAMS},
    }
    own = list(inside.get(clause, inside.get(entry.keyword, ())))
    return [*own, *(word for word in CLAUSE_WORDS if word in CLAUSES and entry.keyword == "rule")]
