"""What a request looks at: a document, the place in it, and everything that is known around it.

Input: a document and its project. Output: `View`, from which each capability takes what it needs.

INVARIANT: offsets are those of the document's text as it is now; what was found in another text is not used.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

from lsprotocol import types

from ...compiler.stages import Unit
from ...dsl import ast
from .documents import Document, uri_of
from .names import Library, Place
from .outline import Entry
from .positions import Encoding, Lines
from .project import Project


@dataclass
class View:
    """A document within its project."""

    document: Document
    project: Project
    encoding: Encoding

    @cached_property
    def file(self) -> str:
        """The name of the document's file."""
        return self.project.name(self.document.name)

    @cached_property
    def library(self) -> Library:
        """The file and all that it takes in."""
        return Library(self.file, self.document.text, self.project.read)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the document."""
        return self.library.entries

    def offset(self, position: types.Position) -> int:
        """Return the offset of a place in the document."""
        return self.document.lines.offset(position)

    def range(self, start: int, end: int) -> types.Range:
        """Return a stretch of the document."""
        return self.document.lines.range(start, end)

    def lines_of(self, file: str) -> Lines:
        """Return the lines of a file by its name."""
        if file == self.file:
            return self.document.lines
        document = self.project.document(file)
        if document is not None:
            return document.lines
        try:
            text = self.project.read(file).decode("utf-8", "replace")
        except OSError:
            text = ""
        return Lines(text.replace("\r\n", "\n"), self.encoding)

    def location(self, place: Place) -> types.Location:
        """Return where a word stands."""
        return types.Location(
            self.uri_of(place.file), self.lines_of(place.file).range(place.mark.start, place.mark.end)
        )

    def uri_of(self, file: str) -> str:
        """Return the URI of a file by its name."""
        document = self.document if file == self.file else self.project.document(file)
        return document.uri if document is not None else uri_of(self.project.place(file))

    def exists(self, file: str) -> bool:
        """Say whether there is such a file."""
        return os.path.isfile(self.project.place(file))

    def unit(self, entry: Entry) -> Unit | None:
        """Return what the compiler knows of a rule, if it was found in this very text."""
        shelf = self.project.session.shelves.get(self.file)
        text = self.document.text[entry.start : entry.end]
        for shelved in shelf.entries if shelf is not None else ():
            node = shelved.parsed.entry
            if isinstance(node, ast.Rule) and shelved.text == text:
                return self.project.session.unit(node)
        return None
