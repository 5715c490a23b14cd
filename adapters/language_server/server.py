"""The server: which request is answered by what, and which documents are open.

Input: requests and notifications, as pygls reads them. Output: their answers.

INVARIANT: an answer is about the text that the client had when it asked: notifications and requests are handled in the
order in which they came, in one thread. Whatever goes wrong in one of them is in the log, and the session goes on.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from ... import __version__
from .actions import FIX_ALL, list_actions
from .checking import Checking
from .completion import TRIGGERS, complete
from .documents import Document, file_of
from .examples import RUN, list_lenses, run_example
from .formatting import format_document
from .hover import hover
from .navigation import find_definition, find_highlights, find_references
from .positions import Encoding, choose_encoding
from .project import Project, make_project
from .symbols import list_folds, list_symbols
from .view import View

LOG = logging.getLogger("cablese.lsp")
P = TypeVar("P")
T = TypeVar("T")


class Protocol(LanguageServerProtocol):
    """The protocol, with the documents kept by us: pygls counts lines that end where the protocol has no line end."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Leave the document to its handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Leave the document to its handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Leave the document to its handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    """The language server of rule files."""

    def __init__(self) -> None:
        super().__init__("cablese", __version__, protocol_cls=Protocol, max_workers=1)
        self.documents: dict[str, Document] = {}
        """Open documents by path, or by URI where there is no file."""
        self.projects: dict[str, Project] = {}
        self.checking = Checking(self.text_document_publish_diagnostics)
        self.encoding: Encoding = "utf-16"
        self.draft = False
        self.roots: list[str] = []
        _register(self)

    # --- documents ----------------------------------------------------------------------------------------------------

    def open(self, item: types.TextDocumentItem) -> None:
        """Take in a document, and have it checked."""
        path = file_of(item.uri)
        document = Document(item.uri, path, item.version, item.text, self.encoding)
        project = make_project(document, self.documents, draft=self.draft, roots=self.roots)
        project = self.projects.setdefault(project.key, project)
        document.project = project.key
        self.documents[document.name] = document
        self._touch_around(document)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take in a change of an open document."""
        document = self.document(params.text_document.uri)
        if document is None:
            LOG.warning("a change of %s, which is not open", params.text_document.uri)
            return
        self.documents[document.name] = document.changed(params.text_document.version, params.content_changes)
        self._touch_around(document)

    def close(self, uri: str) -> None:
        """Forget a document; its file counts again as it lies on the disk."""
        document = self.document(uri)
        if document is None:
            return
        del self.documents[document.name]
        project = self.projects[document.project]
        if any(each.project == project.key for each in self.documents.values()):
            project.published.pop(uri, None)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        else:
            del self.projects[project.key]
            self.checking.forget(project)
        self._touch_around(document)

    def _touch_around(self, document: Document) -> None:
        """Have everything checked again that may take in a document, its own project last and so first."""
        for project in self.projects.values():
            if project.key != document.project and project.name(document.name) in project.session.shelves:
                self.checking.touch(project)
        own = self.projects.get(document.project)
        if own is not None:
            self.checking.touch(own)

    def touch_all(self) -> None:
        """Have everything checked again: something on the disk may be otherwise."""
        for project in self.projects.values():
            self.checking.touch(project)

    def document(self, uri: str) -> Document | None:
        """Return an open document."""
        return self.documents.get(file_of(uri) or uri)

    def view(self, uri: str) -> View | None:
        """Return what a request about a document looks at; None where it is not open."""
        document = self.document(uri)
        return None if document is None else View(document, self.projects[document.project], self.encoding)


def _guarded(handler: Callable[[P], T]) -> Callable[[P], T | None]:
    """Have a handler answer nothing where it fails; what failed is in the log."""

    @functools.wraps(handler)
    def guarded(params: P) -> T | None:
        try:
            return handler(params)
        except Exception:
            LOG.exception("%s failed", handler.__name__)
            return None

    return guarded


def _register(server: Server) -> None:
    feature = server.feature

    @feature(types.INITIALIZE)
    @_guarded
    def begin(params: types.InitializeParams) -> None:
        general = params.capabilities.general
        server.encoding = choose_encoding(general.position_encodings if general is not None else None)
        server.checking.encoding = server.encoding
        options = params.initialization_options
        server.draft = isinstance(options, dict) and options.get("draft") is True
        uris = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        server.roots = [path for uri in uris if (path := file_of(uri)) is not None]

    @feature(types.INITIALIZED)
    @_guarded
    def begun(_params: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher("**/*.cable"), types.FileSystemWatcher("**/rules/**/*.txt")]
            )
            registration = types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([registration]))

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    @_guarded
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @_guarded
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @_guarded
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    @_guarded
    def saved(_params: types.DidSaveTextDocumentParams) -> None:
        server.touch_all()

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    @_guarded
    def disk_changed(_params: types.DidChangeWatchedFilesParams) -> None:
        server.touch_all()

    def answer(method: str, answered: Callable[[View, Any], object], options: object = None) -> None:
        """Answer requests about a document by what is made of its view; by nothing where it is not open."""

        def handler(params: Any) -> object:
            view = server.view(params.text_document.uri)
            return None if view is None else answered(view, params)

        handler.__name__ = method
        feature(method, options)(_guarded(handler))

    answer(types.TEXT_DOCUMENT_FORMATTING, lambda view, _: format_document(view.document))
    answer(types.TEXT_DOCUMENT_HOVER, lambda view, params: hover(view, params.position))
    answer(types.TEXT_DOCUMENT_DEFINITION, lambda view, params: find_definition(view, params.position))
    answer(
        types.TEXT_DOCUMENT_REFERENCES,
        lambda view, params: find_references(view, params.position, declaration=params.context.include_declaration),
    )
    answer(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, lambda view, params: find_highlights(view, params.position))
    answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda view, _: list_symbols(view))
    answer(types.TEXT_DOCUMENT_FOLDING_RANGE, lambda view, _: list_folds(view))
    answer(
        types.TEXT_DOCUMENT_COMPLETION,
        lambda view, params: complete(view, params.position),
        types.CompletionOptions(trigger_characters=TRIGGERS),
    )
    answer(
        types.TEXT_DOCUMENT_CODE_ACTION,
        list_actions,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    answer(types.TEXT_DOCUMENT_CODE_LENS, lambda view, _: list_lenses(view))

    @server.command(RUN)
    async def run(uri: str, rule: str, number: int) -> str | None:
        try:
            await server.checking.settled()
            view = server.view(uri)
            kind, words = (types.MessageType.Warning, "not run: the file is not open")
            if view is not None:
                kind, words = run_example(view, rule, number)
        except Exception:
            LOG.exception("an example could not be run")
            return None
        server.window_show_message(types.ShowMessageParams(kind, words))
        return words
