"""The files that are checked together with an open one, as `cablese check` would see them.

Input: the path of a document, the open documents. Output: `Project`: a folder, the texts of its rule files, a
session of the compiler over them.

A file in a folder called `rules`, at whatever depth, belongs to all rule files below that folder: two of them must not
claim one command. Any other file stands alone with what it takes in. What is open counts as the editor has it,
everything else as it lies on the disk.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from lsprotocol import types

from ...compiler.incremental import Incremental, Phase
from ...dsl.diagnostics import Diagnostic, Report
from ...dsl.files import MAX_BYTES, read_source
from .documents import Document

MOST_FILES = 5_000
_RULES = "rules"


@dataclass(slots=True, eq=False)
class Project:
    """`base` is the folder that paths are relative to, `folder` the one with the rules; None for a file alone."""

    base: str
    folder: str | None
    alone: str | None
    documents: Mapping[str, Document]
    draft: bool = False
    session: Incremental = field(init=False)
    unread: tuple[Diagnostic, ...] = ()
    generation: int = 0
    published: dict[str, tuple[int | None, list[types.Diagnostic]]] = field(default_factory=dict)
    known: dict[Phase, Counter[str]] = field(default_factory=dict)
    """How many findings of a code there were, when something was shown last, of those known at the end of a phase."""

    def __post_init__(self) -> None:
        """Begin a session."""
        self.session = Incremental(self.read, draft=self.draft)

    @property
    def key(self) -> str:
        """What tells it from other projects."""
        return self.folder or self.alone or ""

    def name(self, path: str) -> str:
        """Return the name of a file as the compiler knows it."""
        return os.path.relpath(path, self.base).replace(os.sep, "/") if os.path.isabs(path) else path

    def place(self, name: str) -> str:
        """Return the path of a file by its name."""
        return name if self.alone == name else os.path.normpath(os.path.join(self.base, name))

    def document(self, name: str) -> Document | None:
        """Return the open document of a file by its name."""
        return self.documents.get(self.place(name))

    def sources(self) -> dict[str, str]:
        """Return the texts of all files, by name; `unread` says which could not be taken as text."""
        found: dict[str, str] = {}
        report = Report()
        for path in self._paths():
            document = self.documents.get(path)
            name = self.name(path)
            if document is not None:
                found[name] = document.text
                continue
            try:
                source = read_source(name, read_regular(path), report)
            except OSError:
                continue  # it was there a moment ago
            if source is not None:
                found[name] = source.text
        self.unread = tuple(report)
        return found

    def _paths(self) -> list[str]:
        if self.folder is None:
            return [self.alone] if self.alone is not None else []
        paths = {path for path in self.documents if os.path.isabs(path) and _below(path, self.folder)}
        for folder, folders, names in os.walk(self.folder):
            folders.sort()
            paths.update(os.path.join(folder, name) for name in names if name.endswith(".cable"))
            if len(paths) > MOST_FILES:
                break
        return sorted(paths)

    def read(self, name: str) -> bytes:
        """Read a file that a rule file names. Raises OSError."""
        path = self.place(name)
        document = self.documents.get(path)
        if document is not None and path.endswith(".cable"):
            return document.text.encode("utf-8", "surrogatepass")
        return read_regular(path)


def read_regular(path: str) -> bytes:
    """Read a regular file, of which no more than is ever looked at. Raises OSError."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(0, "it is no file")
    limit = MAX_BYTES + 1 if path.endswith(".cable") else 64 * MAX_BYTES
    with open(path, "rb") as file:
        return file.read(limit)


def make_project(document: Document, documents: Mapping[str, Document], *, draft: bool, roots: list[str]) -> Project:
    """Return the project of a document; `roots` are the folders of the workspace."""
    path = document.path
    if path is None:
        return Project(os.getcwd(), None, document.name, documents, draft)
    folder = _rules_above(path)
    if folder is None:
        base = next((root for root in roots if _below(path, root)), os.path.dirname(path))
        return Project(base, None, path, documents, draft)
    base = os.path.dirname(folder)
    if os.path.basename(base) == ".cablese":
        base = os.path.dirname(base)
    return Project(base, folder, None, documents, draft)


def _rules_above(path: str) -> str | None:
    folder = os.path.dirname(path)
    while os.path.basename(folder):
        if os.path.basename(folder) == _RULES:
            return folder
        folder = os.path.dirname(folder)
    return None


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
