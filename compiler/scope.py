"""What a file knows by name: its words, phrases, options and lines, and those of the files it takes in.

Input: syntax trees. Output: one `Scope` per file; E0203 for a name that means two things.
INVARIANT: a scope never holds two meanings of one name; the first one written wins after the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source
from .diagnose import error
from .patterns.lower import HOLE_TYPES
from .sources import Files, used_files

COMMAND_TYPES = ("int", "word", "name", "path", "toolchain", "any")
N = TypeVar("N", bound=ast.Word | ast.Phrase | ast.Options | ast.Lines)


@dataclass(frozen=True, slots=True)
class Placed(Generic[N]):
    """A shared definition and the file it stands in."""

    node: N
    source: Source


@dataclass(slots=True)
class Scope:
    """The shared definitions a file can name."""

    words: dict[str, Placed[ast.Word]] = field(default_factory=dict)
    phrases: dict[str, Placed[ast.Phrase]] = field(default_factory=dict)
    options: dict[str, Placed[ast.Options]] = field(default_factory=dict)
    lines: dict[str, Placed[ast.Lines]] = field(default_factory=dict)

    @property
    def word_nodes(self) -> Mapping[str, ast.Word]:
        """The words, as the lowering of patterns wants them."""
        return {name: placed.node for name, placed in self.words.items()}

    @property
    def phrase_nodes(self) -> Mapping[str, ast.Phrase]:
        """The phrases, as the lowering of patterns wants them."""
        return {name: placed.node for name, placed in self.phrases.items()}

    def tables(self) -> Iterator[tuple[str, dict[str, Placed[Any]]]]:
        """Yield each table with what its entries are called."""
        yield "word", self.words
        yield "phrase", self.phrases
        yield "options", self.options
        yield "lines", self.lines


def resolve_scopes(files: Files, report: Report) -> dict[str, Scope]:
    """Return the scope of every file by path."""
    own = {path: _own_scope(tree, report) for path, tree in files.trees.items()}
    scopes: dict[str, Scope] = {}
    for path, tree in files.trees.items():
        scope = Scope()
        _take(scope, own[path], tree, None, report)
        for use, target in _closure(tree, files):
            _take(scope, own[target.source.path], tree, use, report)
        scopes[path] = scope
    return scopes


def _closure(tree: ast.File, files: Files) -> Iterator[tuple[ast.Use, ast.File]]:
    """Yield every file taken in, directly or through others, with the `use` of this file that brings it."""
    seen = {tree.source.path}
    for use, target in used_files(tree, files.trees):
        pending = [target]
        while pending:
            current = pending.pop(0)
            if current.source.path in seen:
                continue
            seen.add(current.source.path)
            yield use, current
            pending.extend(further for _, further in used_files(current, files.trees))


def _own_scope(tree: ast.File, report: Report) -> Scope:
    scope = Scope()
    for (what, table), nodes in zip(scope.tables(), (tree.words, tree.phrases, tree.options, tree.lines), strict=True):
        for node in nodes:
            name = node.name.text
            if what == "word" and name in {*HOLE_TYPES, *COMMAND_TYPES}:
                error(
                    report,
                    "E0203",
                    f"`{name}` is a type of the language",
                    tree.source,
                    node.name.span,
                    "already has a meaning",
                    help="choose another name for the word",
                )
            elif name in table:
                error(
                    report,
                    "E0203",
                    f"{what} `{name}` is defined twice",
                    tree.source,
                    node.name.span,
                    "again here",
                    also=(Label(table[name].node.name.span, "first defined here"),),
                    help="rename or remove one of them",
                )
            else:
                table[name] = Placed(node, tree.source)
    return scope


def _take(scope: Scope, other: Scope, tree: ast.File, use: ast.Use | None, report: Report) -> None:
    for (what, table), (_, entries) in zip(scope.tables(), other.tables(), strict=True):
        for name, placed in entries.items():
            known = table.setdefault(name, placed)
            if known is not placed and use is not None:
                error(
                    report,
                    "E0203",
                    f"{what} `{name}` is defined twice",
                    tree.source,
                    use.target.span,
                    "brings the second one",
                    also=(
                        Label(known.node.name.span, "first defined here", known.source),
                        Label(placed.node.name.span, "again here", placed.source),
                    ),
                    help="rename or remove one of them",
                )
