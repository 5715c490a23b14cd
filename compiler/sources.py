"""Reads the rule files of one compilation and the files they take in.

Input: texts by path, a way to read other files. Output: syntax trees by path, in the order of the paths.
Reports what `dsl` finds in each file, and E0201 for files that cannot be taken in.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ..dsl import ast
from ..dsl.diagnostics import Report
from ..dsl.files import read_source
from ..dsl.parser import parse_file
from .diagnose import error

Read = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Files:
    """All files of a compilation by path.

    `given` are those whose rules are compiled, the others were taken in. `broken` are those of which a part is missing,
    as it did not parse.
    """

    trees: Mapping[str, ast.File]
    given: tuple[str, ...]
    broken: frozenset[str]


def resolve_path(path: str, target: str) -> str:
    """Return `target`, written in the file `path`, relative to the same folder as `path`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def load_files(sources: Mapping[str, str], read: Read | None, report: Report) -> Files:
    """Parse all sources and what they use; a file that cannot be read is missing from the result."""
    trees: dict[str, ast.File] = {}
    broken: set[str] = set()
    for path in sorted(sources):
        _load(path, sources[path].encode("utf-8", "surrogatepass"), trees, broken, report)
    given = tuple(trees)

    def load(path: str, data: bytes) -> bool:
        return _load(path, data, trees, broken, report)

    take_in(trees, sources, broken, read, load, report)
    return Files(trees, given, frozenset(broken))


def take_in(
    trees: dict[str, ast.File],
    sources: Collection[str],
    broken: set[str],
    read: Read | None,
    load: Callable[[str, bytes], bool],
    report: Report,
) -> None:
    """Add to `trees` every file that those in it take in; `load` puts one there, or returns False after a diagnostic.

    `sources` are the paths of the files that were given, also of those that could not be read.
    """
    pending = list(trees)
    while pending:
        tree = trees[pending.pop(0)]
        for use in tree.uses:
            target = _target(tree, use, report)
            if target is None and not use.codec:
                broken.add(tree.source.path)
            if target is None or target in trees or target in sources:
                continue
            data = _read(target, tree, use, read, report)
            if data is not None and load(target, data):
                pending.append(target)
            elif target not in trees:
                broken.add(tree.source.path)
    _check_circles(trees, report)


def used_files(tree: ast.File, trees: Mapping[str, ast.File]) -> list[tuple[ast.Use, ast.File]]:
    """Return the files that a file takes in directly, as far as they could be read."""
    found = []
    for use in tree.uses:
        target = resolve_path(tree.source.path, use.target.value)
        if not use.codec and target in trees:
            found.append((use, trees[target]))
    return found


def _load(path: str, data: bytes, trees: dict[str, ast.File], broken: set[str], report: Report) -> bool:
    source = read_source(path, data, report)
    if source is None:
        return False
    found = Report()
    trees[path] = parse_file(source, found)
    report.extend(found)
    if found:
        broken.add(path)
    return True


def sees_broken(path: str, files: Files) -> bool:
    """Say whether a part of what a file knows is missing, so that an unknown name may be no mistake of its own."""
    seen: set[str] = set()
    pending = [path]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        pending.extend(target.source.path for _, target in used_files(files.trees[current], files.trees))
    return not seen.isdisjoint(files.broken)


def _target(tree: ast.File, use: ast.Use, report: Report) -> str | None:
    if use.codec:
        return None
    target = use.target.value
    if not target.endswith(".cable") or target.startswith("/") or "\\" in target:
        error(
            report,
            "E0201",
            f"cannot take in `{target}`",
            tree.source,
            use.target.span,
            "no relative path of a rule file",
            help="give the path of a `.cable` file relative to this one, with `/`",
        )
        return None
    return resolve_path(tree.source.path, target)


def _read(target: str, tree: ast.File, use: ast.Use, read: Read | None, report: Report) -> bytes | None:
    cause = "no other files are at hand here"
    if read is not None:
        try:
            return read(target)
        except OSError as failure:
            cause = (failure.strerror or "it cannot be read").lower()
        except KeyError:
            cause = "no such file"
    error(report, "E0201", f"cannot take in `{use.target.value}`", tree.source, use.target.span, cause)
    return None


def _check_circles(trees: Mapping[str, ast.File], report: Report) -> None:
    done: set[str] = set()

    def visit(tree: ast.File, way: list[str]) -> None:
        path = tree.source.path
        if path in done:
            return
        for use, target in used_files(tree, trees):
            name = target.source.path
            if name in (*way, path):
                circle = [*way, path, name]
                shown = " → ".join(circle[circle.index(name) :])
                error(
                    report,
                    "E0201",
                    f"`{use.target.value}` takes in this file again",
                    tree.source,
                    use.target.span,
                    "closes the circle",
                    notes=(f"the circle: {shown}",),
                    help="move what both need to a file of its own",
                )
            else:
                visit(target, [*way, path])
        done.add(path)

    for tree in trees.values():
        visit(tree, [])
