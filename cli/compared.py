"""What `cablese diff` is given: packs, rule files, folders of them, and revisions of these; and the results to try.

Input: a path or `REV:PATH`. Output: a `Side`. Rule files are compiled as drafts, and their examples are results to
try, so one that does not hold is no obstacle, nor are lists of commands; any other finding is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..dsl.diagnostics import Diagnostic, Report
from ..dsl.files import read_source
from ..runtime.packs.errors import PackError, describe_fault
from ..runtime.records import RecordError
from .json_records import parse_record
from .output import InputError, read_bytes
from .revision import Revision, read_revision
from .rule_files import read_rule_files

if TYPE_CHECKING:
    from ..compiler.diff.results import Item
    from ..compiler.diff.side import Side

_MAGIC = b"cablepack "
_OF_EVIDENCE = ("E0705", "E0706", "E08")


class BrokenRulesError(Exception):
    """Rule files with findings that keep them from being compared."""

    def __init__(self, label: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(label)
        self.label = label
        self.diagnostics = diagnostics


def read_side(given: str) -> Side:
    """Read one side. Raises InputError, BrokenRulesError."""
    if not os.path.exists(given) and ":" in given:
        return _at_revision(given, read_revision(given))
    if os.path.isfile(given) and (data := read_bytes(given)).startswith(_MAGIC):
        return _of_pack(given, data)
    files = read_rule_files([given])
    return _of_rules(given, files.sources, files.diagnostics, files.read)


def _at_revision(given: str, revision: Revision) -> Side:
    if not revision.tree:
        (data,) = revision.files.values()
        if data.startswith(_MAGIC):
            return _of_pack(given, data)
    report = Report()
    sources = {}
    for name, data in revision.files.items():
        if not revision.tree or name.endswith(".cable"):
            source = read_source(name, data, report)
            if source is not None:
                sources[name] = source.text
    if not sources and not report:
        raise InputError(f"{given}: no rule files (`*.cable`)")
    return _of_rules(given, sources, tuple(report), revision.read)


def _of_pack(label: str, data: bytes) -> Side:
    from ..compiler.diff.side import side_of_pack

    try:
        return side_of_pack(label, data)
    except PackError as error:
        raise InputError(describe_fault(label, error)) from None


def _of_rules(label: str, sources: dict[str, str], found: tuple[Diagnostic, ...], read: Any) -> Side:
    from ..compiler import compile_sources
    from ..compiler.diff.side import side_of_rules

    done = compile_sources(sources, name="rules", version="0", draft=True, read=read)
    broken = (*found, *(each for each in done.diagnostics if not each.code.startswith(_OF_EVIDENCE)))
    if broken:
        raise BrokenRulesError(label, broken)
    return side_of_rules(label, done, done.tried, read)


def read_corpus(path: str) -> Iterator[Item]:
    """Yield the results of a file of records, one a line. Raises InputError for one that is none."""
    from ..compiler.diff.results import Item

    for number, line in enumerate(read_bytes(path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            result = parse_record(line)
        except RecordError as error:
            raise InputError(f"{path}:{number}: {error}") from None
        named = next((result.extra[key] for key in ("name", "id") if isinstance(result.extra.get(key), str)), None)
        yield Item(f"{os.path.basename(path)}:{number}" + (f" {named}" if named else ""), result)
