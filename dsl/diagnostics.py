"""What the compiler has to say: diagnostics as plain values.

A diagnostic names a code of the registry (`dsl.codes`), which holds its title and explanation. Rendering
(rustc's layout, plain, JSON, …) is a pure function of it and lives in `dsl.render`.

Messages: lower case, no final period, user text in backticks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .source import Source, Span


@dataclass(frozen=True, slots=True)
class Label:
    """A place in a source with a few words about it. `source` is set for labels in another file."""

    span: Span
    text: str = ""
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """A machine-applicable replacement of `span` by `text` in the diagnostic's source."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `primary` is where it is, `secondary` what it relates to; `edits` apply the `help` all at once."""

    code: str
    message: str
    source: Source
    primary: Label
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    edits: tuple[Edit, ...] = ()

    @property
    def sort_key(self) -> tuple[str, int, str, str]:
        """Order of reports: by path, place, code, words."""
        return self.source.path, self.primary.span.start, self.code, self.message


@dataclass(slots=True)
class Report:
    """Collects diagnostics; passes add to it and go on. Iterating gives them in order, without duplicates."""

    _found: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        """Take in one diagnostic."""
        self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take in several."""
        self._found.extend(diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(dict.fromkeys(self._found), key=lambda d: d.sort_key))

    def __len__(self) -> int:
        return len(dict.fromkeys(self._found))

    def __bool__(self) -> bool:
        return bool(self._found)
