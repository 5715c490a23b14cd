"""The documents that are open in the editor, as it has them.

Input: notifications about open, changed and closed documents. Output: `Document`s by URI.

INVARIANT: a document's text is what the client has; one change after the other is applied to it. `text` is what the
language sees: line ends are LF, so that an editor for which they are CR LF can still be helped; lines and columns are
the same in both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from .positions import Encoding, Lines


@dataclass(slots=True)
class Document:
    """A version of an open document. `path` is its file, None where it has none (`untitled:…`); `project` is the key of
    the one that it belongs to.
    """

    uri: str
    path: str | None
    version: int
    raw: str
    encoding: Encoding
    project: str = ""
    text: str = field(init=False)
    lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        """Derive what the language sees."""
        self.text = self.raw.replace("\r\n", "\n")
        self.lines = Lines(self.text, self.encoding)

    @property
    def name(self) -> str:
        """What a document without a file is called."""
        return self.path or self.uri

    def changed(self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> Document:
        """Return the next version."""
        raw = self.raw
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                lines = Lines(raw, self.encoding)
                start, end = sorted((lines.offset(change.range.start), lines.offset(change.range.end)))
                raw = raw[:start] + change.text + raw[end:]
            else:
                raw = change.text
        return Document(self.uri, self.path, version, raw, self.encoding, self.project)


def file_of(uri: str) -> str | None:
    """Return the absolute path of the file behind a URI, None where there is none."""
    if not uri.startswith("file:"):
        return None
    path = to_fs_path(uri)
    return os.path.abspath(path) if path and "\0" not in path else None


def uri_of(path: str) -> str:
    """Return the URI of a file."""
    return from_fs_path(path) or path
