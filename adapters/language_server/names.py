"""What a word of a rule file means: where it is defined, and where it is used.

Input: the outlines of a file and of those that it takes in, a word. Output: `Place`s of definitions or uses.

A capture may be defined in several kinds: then there are several places. What the compiler would refuse, such as a name
that is defined twice, has more than one place, too.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ...compiler.sources import resolve_path
from .outline import Entry, Mark, outline_file
from .outline_words import Role

_TABLES: Final[dict[Role, str]] = {
    "word": "word", "type": "word", "value_type": "word", "phrase": "phrase", "options": "options", "lines": "lines",
    "rule": "rule",
}  # fmt: skip
"""The entries that words of a role may name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A word in a file."""

    file: str
    entry: Entry
    mark: Mark


class Library:
    """A file and all that it takes in, directly or not; `read` gives texts by name, or raises OSError or KeyError."""

    def __init__(self, file: str, text: str, read: Callable[[str], bytes]) -> None:
        self.file = file
        self.outlines: dict[str, tuple[Entry, ...]] = {file: outline_file(text)}
        pending = [file]
        while pending:
            name = pending.pop(0)
            for target in _taken_in(name, self.outlines[name]):
                if target not in self.outlines:
                    try:
                        self.outlines[target] = outline_file(read(target).decode("utf-8", "replace"))
                    except (OSError, KeyError, ValueError):
                        continue
                    pending.append(target)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the file itself."""
        return self.outlines[self.file]

    def shared(self, keyword: str, name: str | None = None) -> Iterator[Place]:
        """Yield the entries of a keyword, of all files or of this one for rules, by their names."""
        for file, entries in self.outlines.items():
            for entry in entries:
                head = entry.head
                if entry.keyword == keyword and head is not None and name in (None, head.text):
                    yield Place(file, entry, head)

    def scope(self, place: Entry, file: str | None = None) -> list[tuple[str, Entry]]:
        """Return an entry and the `lines` that it takes in, directly or not."""
        found = [(file or self.file, place)]
        for _, entry in found:
            for mark in entry.marks:
                if mark.role == "lines" and not mark.defines:
                    found += [
                        (each.file, each.entry)
                        for each in self.shared("lines", mark.text)
                        if all(each.entry is not other for _, other in found)
                    ]
        return found

    def defined(self, entry: Entry, role: Role, name: str | None = None) -> Iterator[Place]:
        """Yield the kinds, captures, facts or variables that an entry can name; captures of phrases with their kind as
        owner.
        """
        for file, each in self.scope(entry):
            for mark in each.marks:
                if mark.role == role and mark.defines and name in (None, mark.text):
                    yield Place(file, each, mark)
                if role == "capture" and mark.role == "phrase" and not mark.defines:
                    yield from self._spliced(mark, name, mark.owner, frozenset())

    def _spliced(self, use: Mark, name: str | None, owner: str, seen: frozenset[str]) -> Iterator[Place]:
        if use.text in seen:
            return
        for place in self.shared("phrase", use.text):
            for mark in place.entry.marks:
                if mark.role == "capture" and name in (None, mark.text):
                    yield Place(place.file, place.entry, replace(mark, owner=owner))
                elif mark.role == "phrase" and not mark.defines:
                    yield from self._spliced(mark, name, owner, seen | {use.text})

    # --- meaning ------------------------------------------------------------------------------------------------------

    def definitions(self, entry: Entry, mark: Mark) -> list[Place]:
        """Return where a word is defined; nothing for words of the language."""
        if mark.role in _TABLES:
            return list(self.shared(_TABLES[mark.role], mark.text))
        if mark.role == "kind":
            return list(self.defined(entry, "kind", mark.text))
        if mark.role == "counter":
            return list(self.defined(entry, "capture", mark.text))
        if mark.defines and mark.role in {"capture", "fact", "variable"}:
            return [Place(self.file, entry, mark)]
        return _distinct(self._path(entry, mark)) if mark.role == "path" else []

    def _path(self, entry: Entry, mark: Mark) -> list[Place]:
        name = mark.text
        if not mark.owner:
            variables = [
                place for place in self.defined(entry, "variable", name) if place.mark.start < mark.start
            ] if mark.clause == "summary" else []  # fmt: skip
            found = variables[-1:] or [
                *(place for place in self.defined(entry, "fact", name) if not place.mark.owner),
                *self.defined(entry, "kind", name),
            ]
            return found or self._fields(entry, name, set())
        around = mark.owner.strip().rstrip(".").split(".")[-1]
        return self._fields(entry, name, self.kinds_of(entry, around, mark) if around else set())

    def _fields(self, entry: Entry, name: str, kinds: set[str]) -> list[Place]:
        every = [
            *self.defined(entry, "capture", name),
            *(place for place in self.defined(entry, "fact", name) if place.mark.owner),
            *(self.defined(entry, "kind", name)),
        ]
        return [each for each in every if each.mark.owner in kinds] or every

    def kinds_of(self, entry: Entry, name: str, at: Mark | None = None, depth: int = 8) -> set[str]:
        """Return the kinds that a name may stand for: itself, or those that a fact or a loop is over."""
        if depth == 0:
            return set()
        found: set[str] = set()
        if at is not None and at.clause == "summary":
            loops = [each for each in self.defined(entry, "variable", name) if each.mark.start < at.start]
            for place in loops[-1:]:
                return self.kinds_of(entry, place.mark.detail.split(".")[-1], None, depth - 1)
        if any(True for _ in self.defined(entry, "kind", name)):
            found.add(name)
        marks = entry.marks
        for number, mark in enumerate(marks):
            if mark.role != "fact" or not mark.defines or mark.text != name:
                continue
            for later in marks[number + 1 :]:
                if later.clause != "facts" or (later.role == "fact" and later.defines):
                    break
                if later.role == "path" and not later.owner:
                    found |= self.kinds_of(entry, later.text, None, depth - 1)
        return found

    def uses(self, target: Place) -> Iterator[Place]:
        """Yield every word, of all files here, that means what is defined at a place; the definition among them."""
        wanted = (target.file, target.mark.start)
        for file, entries in self.outlines.items():
            for entry in entries:
                for mark in entry.marks:
                    if mark.text != target.mark.text or mark.role in {"keyword", "tag"}:
                        continue
                    if (file, mark.start) == wanted or any(
                        (place.file, place.mark.start) == wanted for place in self.definitions(entry, mark)
                    ):
                        yield Place(file, entry, mark)


def _taken_in(name: str, entries: tuple[Entry, ...]) -> Iterator[str]:
    for entry in entries:
        for mark in entry.marks:
            if entry.keyword == "use" and mark.role == "file" and mark.text.endswith(".cable"):
                yield resolve_path(name, mark.text)


def _distinct(places: list[Place]) -> list[Place]:
    return list({(place.file, place.mark.start): place for place in places}.values())


def file_target(file: str, mark: Mark) -> str | None:
    """Return the name of the file that a word names: one that is taken in, or a text of an example."""
    written = mark.text
    if mark.role != "file" or not written or written.startswith("/") or "\\" in written:
        return None
    target = resolve_path(file, written)
    return None if target.startswith("../") else posixpath.normpath(target)
