"""Decides what is checked when, and what of it is shown.

Input: projects that changed. Output: diagnostics, published through a function.

One thread does everything, and Lark's parsers stay in it. The work is cut into steps; between two of them whatever
arrived is answered. A change drops the work on older texts. What is known is shown when a phase of the compiler ends
and nothing would vanish, or when `DEADLINE` has gone by since the change.

INVARIANT: what is shown for a version was found in its text, and no older version is shown after a newer one.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Final

from lsprotocol import types

from ...compiler.incremental import Phase
from ...dsl.diagnostics import Diagnostic, Label
from ...dsl.source import Source, Span
from .diagnostics import render_diagnostic
from .documents import Document, uri_of
from .positions import Encoding, Lines
from .project import Project

LOG: Final = logging.getLogger("cablese.lsp")
DEBOUNCE: Final = 0.01
"""Seconds without a change before a check begins: several changes of one keystroke are one."""
DEADLINE: Final = 0.055
"""Seconds after a change when what is known is shown, also within a phase."""
SLICE: Final = 0.005
"""Seconds of work between two looks at what arrived."""

IDLE: Final = 1.0
"""Seconds without work before garbage is looked for."""
LEAST_GARBAGE: Final = 50_000
MOST_GARBAGE: Final = 2_000_000
"""New objects for which looking pays, and for which it does not wait."""

Publish = Callable[[types.PublishDiagnosticsParams], None]


class Checking:
    """The checks of all projects."""

    def __init__(self, publish: Publish) -> None:
        self.publish = publish
        self.encoding: Encoding = "utf-16"
        self._due: dict[str, tuple[Project, float]] = {}
        self._task: asyncio.Task[None] | None = None

    def touch(self, project: Project) -> None:
        """Have a project checked soon; what was found in older texts is not shown any more."""
        project.generation += 1
        self._due.pop(project.key, None)
        self._due[project.key] = project, perf_counter()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    def forget(self, project: Project) -> None:
        """Drop a project, and take back what was shown for its files."""
        project.generation += 1
        self._due.pop(project.key, None)
        for uri in list(project.published):
            self._send(project, uri, None, [])
        project.published.clear()

    async def settled(self) -> None:
        """Wait until everything is checked."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    async def _work(self) -> None:
        while self._due:
            key = next(reversed(self._due))
            project, since = self._due[key]
            wait = since + DEBOUNCE - perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
                continue
            del self._due[key]
            try:
                await self._check(project, since)
            except Exception:
                LOG.exception("the check of %s failed", project.key)
            if gc.get_count()[0] > MOST_GARBAGE:
                gc.collect()
        asyncio.get_running_loop().call_later(IDLE, self._tidy)

    def _tidy(self) -> None:
        """Look for garbage while nobody waits. What a check leaves behind is full of circles."""
        if not self._due and (self._task is None or self._task.done()) and gc.get_count()[0] > LEAST_GARBAGE:
            gc.collect()

    async def _check(self, project: Project, since: float) -> None:
        generation = project.generation
        looked = perf_counter()
        shown = False
        for phase in self._phases(project):
            now = perf_counter()
            gone = now - since
            # Before all files are parsed there is little to show, and what stays true would only flicker.
            ended = phase != "step" and (shown or phase == "tried" or not _loses(project, phase))
            if ended or (gone >= DEADLINE and not shown and project.session.parsed):
                self._show(project)
                shown = True
            if now - looked >= SLICE:
                await asyncio.sleep(0)
                looked = perf_counter()
                if project.generation != generation:
                    return

    @staticmethod
    def _phases(project: Project) -> Iterator[Phase]:
        """Yield the phases of a check; at first only those of the open files, up to what their names mean."""
        sources = project.sources()
        yield "step"
        if not project.session.shelves and len(sources) > 1:
            open_ = {name: text for name, text in sources.items() if project.document(name) is not None}
            for phase in project.session.check(open_):
                yield phase
                if phase == "typed":
                    break
        yield from project.session.check(sources)

    def _show(self, project: Project) -> None:
        """Publish what is known of all files of a project, where it is not what was published before."""
        for phase in ("typed", "proved"):
            project.known[phase] = Counter(each.code for each in project.session.known_after(phase))
        by_file: dict[str, list[Diagnostic]] = {}
        for found in (*project.unread, *project.session.diagnostics, *_line_ends(project)):
            by_file.setdefault(found.source.path, []).append(found)
        cache: dict[str, tuple[str, Lines]] = {}

        def locate(name: str) -> tuple[str, Lines]:
            if name not in cache:
                document = project.document(name)
                if document is not None:
                    cache[name] = document.uri, document.lines
                else:
                    shelf = project.session.shelves.get(name)
                    text = (shelf.text or "") if shelf is not None else _text_of(by_file.get(name, []))
                    cache[name] = uri_of(project.place(name)), Lines(text, self.encoding)
            return cache[name]

        wanted: dict[str, tuple[int | None, list[types.Diagnostic]]] = {
            document.uri: (document.version, []) for document in _own(project)
        }
        for name, all_found in by_file.items():
            document = project.document(name)
            if document is None or document.uri in wanted:
                uri, lines = locate(name)
                version = None if document is None else document.version
                wanted[uri] = version, [render_diagnostic(found, lines, locate) for found in all_found]
        for uri in list(project.published):
            wanted.setdefault(uri, (None, []))
        for uri, (version, items) in wanted.items():
            self._send(project, uri, version, items)

    def _send(self, project: Project, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        if project.published.get(uri) == (version, items):
            return
        if items or version is not None:
            project.published[uri] = version, items
        elif project.published.pop(uri, None) is None:
            return
        self.publish(types.PublishDiagnosticsParams(uri, items, version))


def _text_of(found: list[Diagnostic]) -> str:
    return found[0].source.text if found else ""


def _loses(project: Project, phase: Phase) -> bool:
    """Say whether something that is shown was not found again yet: it would vanish, and perhaps be back in a moment.

    What is known in full at the end of this phase is not waited for.
    """
    shown = Counter(str(item.code) for _, items in project.published.values() for item in items)
    return not shown - project.known.get(phase, Counter()) <= Counter(
        each.code for each in (*project.unread, *project.session.diagnostics, *_line_ends(project))
    )


def _own(project: Project) -> list[Document]:
    """Return the open documents that this project speaks for."""
    return [
        document
        for document in project.documents.values()
        if document.project == project.key and project.name(document.name) in project.session.shelves
    ]


def _line_ends(project: Project) -> list[Diagnostic]:
    """Say of open documents what a check says of their files: that line ends must not be CR LF."""
    found = []
    for document in _own(project):
        if "\r\n" in document.raw:
            name = project.name(document.name)
            at = document.raw.index("\r\n")
            label = Label(Span(at, at), "lines end with a line feed alone")
            found.append(
                Diagnostic(
                    "E0107",
                    "the file holds a carriage return",
                    Source(name, document.text),
                    label,
                    help="let the editor save it with line feeds alone",
                )
            )
    return found
