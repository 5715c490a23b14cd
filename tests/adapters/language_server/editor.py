"""An editor in a few lines: a document, its project, and the features of the server on them, without a process."""

from __future__ import annotations

from cablese.adapters.language_server.checking import Checking
from cablese.adapters.language_server.documents import Document, uri_of
from cablese.adapters.language_server.project import make_project
from cablese.adapters.language_server.view import View
from lsprotocol import types


class Editor:
    """Open documents in a folder. A `^` in a text is where the cursor is."""

    def __init__(self, folder, encoding="utf-16"):
        self.folder = folder
        self.encoding = encoding
        self.documents = {}
        self.published = {}
        self.checking = Checking(lambda params: self.published.update({params.uri: params}))
        self.checking.encoding = encoding
        self.projects = {}

    def open(self, name, text, version=1):
        """Open a document, or give it another text; return the view of it."""
        path = str(self.folder / name)
        document = Document(uri_of(path), path, version, text, self.encoding)
        project = make_project(document, self.documents, draft=True, roots=[str(self.folder)])
        project = self.projects.setdefault(project.key, project)
        document.project = project.key
        self.documents[path] = document
        return View(document, project, self.encoding)

    def check(self, view):
        """Check to the end, and show what is found."""
        for _ in view.project.session.check(view.project.sources()):
            pass
        self.checking._show(view.project)
        return self.published[view.document.uri].diagnostics

    def at(self, name, text):
        """Open a document with the cursor in it; return the view and the place."""
        offset = text.index("^")
        view = self.open(name, text[:offset] + text[offset + 1 :])
        return view, view.document.lines.position(offset)


def place(view, wanted, nth=0, shift=0):
    """Return the place of the n-th occurrence of some words."""
    at = -1
    for _ in range(nth + 1):
        at = view.document.text.index(wanted, at + 1)
    return view.document.lines.position(at + shift)


def pointed(view, location, folder):
    """Return the words that a location points at, with the file."""
    path = location.uri.removeprefix("file://")
    document = view.project.documents.get(path)
    text = document.text if document is not None else (folder / path).read_text("utf-8")
    from cablese.adapters.language_server.positions import Lines

    lines = Lines(text, view.encoding)
    start, end = lines.offset(location.range.start), lines.offset(location.range.end)
    return path.rpartition("/")[2], text[start:end], text.count("\n", 0, start) + 1


def everywhere(start=0, end=100_000):
    """Return a stretch of all lines."""
    return types.Range(types.Position(start, 0), types.Position(end, 0))
