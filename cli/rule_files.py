"""The rule files that a command is given: files, and folders with all `*.cable` files below them.

Input: paths. Output: `RuleFiles`, texts by their path relative to a base folder, with `/`, so that what is compiled
from them is the same on every machine.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from ..dsl.diagnostics import Diagnostic, Report
from ..dsl.files import read_source
from .output import InputError, read_bytes


class RuleFiles(NamedTuple):
    """Texts by path; `diagnostics` says which files could not be taken as text at all."""

    base: str
    sources: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def total(self) -> int:
        """The number of files, those that could not be taken included."""
        return len(self.sources.keys() | {diagnostic.source.path for diagnostic in self.diagnostics})

    def read(self, path: str) -> bytes:
        """Read a file that a rule file names. Raises OSError."""
        with open(os.path.join(self.base, path), "rb") as file:
            return file.read()


def read_rule_files(paths: list[str], base: str | None = None) -> RuleFiles:
    """Read rule files. Without `base`, paths are relative to the folder that holds them all. Raises InputError."""
    found = sorted({file for path in paths for file in _list(path)})
    if not found:
        raise InputError(f"{', '.join(paths)}: no rule files (`*.cable`)")
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    base = os.path.commonpath(folders) if base is None else base
    report = Report()
    sources: dict[str, str] = {}
    for file in found:
        name = os.path.relpath(file, base).replace(os.sep, "/")
        source = read_source(name, read_bytes(file), report)
        if source is not None:
            sources[name] = source.text
    return RuleFiles(base, sources, tuple(report))


def _list(path: str) -> list[str]:
    path = os.path.abspath(path)
    found = [path]
    if os.path.isdir(path):
        found = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(path, onerror=_refuse)
            for name in names
            if name.endswith(".cable")
        ]
    elif not os.path.lexists(path):
        raise InputError(f"{path}: no such file or folder")
    for file in found:
        # Reading a pipe or a device may never end. A link that leads nowhere says so when it is read.
        if os.path.exists(file) and not os.path.isfile(file):
            raise InputError(f"{file}: neither a file nor a folder")
    return found


def _refuse(error: OSError) -> None:
    """Refuse a folder that cannot be looked into: rules would be missing, and nobody would know."""
    raise InputError(f"{error.filename}: {error.strerror or error}") from None
