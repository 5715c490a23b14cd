"""Checks and lowers `admit` entries against the one table of codecs.

Input: the entries of all files. Output: the admission sections of the pack, each
`{"pattern", "codec", "level", "tee", "settings", "path", "line"}`, in the order written. Reports unknown codecs and
settings (E0901), values that do not fit (E0902) and tools admitted twice (E0903).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source
from ..runtime.codecs_table import CODECS, COMMON, DEFAULT_LEVEL
from .diagnose import error, unknown


def lower_admissions(trees: Iterable[ast.File], report: Report) -> list[dict[str, Any]]:
    """Lower all entries; those with errors are left out."""
    lowered: list[dict[str, Any]] = []
    seen: dict[str, tuple[ast.Admit, Source]] = {}
    for tree in trees:
        external = {use.target.value for use in tree.uses if use.codec}
        for entry in tree.admits:
            pattern = entry.pattern.value
            first = seen.setdefault(pattern, (entry, tree.source))
            if first[0] is not entry:
                error(
                    report,
                    "E0903",
                    f"`{pattern}` is admitted twice",
                    tree.source,
                    entry.pattern.span,
                    "again here",
                    also=(Label(first[0].pattern.span, "first here", first[1]),),
                    help="remove one of the entries",
                )
            elif not pattern or any(ch.isspace() for ch in pattern):
                error(
                    report,
                    "E0902",
                    "no tool has this name",
                    tree.source,
                    entry.pattern.span,
                    "empty or with white space",
                )
            elif entry.codec.text not in CODECS and entry.codec.text not in external:
                unknown(
                    report,
                    "E0901",
                    "codec",
                    entry.codec,
                    [*CODECS, *external],
                    tree.source,
                    notes=('a codec of another package is named first: `use codec "…"`',),
                )
            else:
                made = _lower(entry, tree.source, report)
                if made is not None:
                    lowered.append(made)
    return lowered


def _lower(entry: ast.Admit, source: Source, report: Report) -> dict[str, Any] | None:
    known = CODECS.get(entry.codec.text)
    result: dict[str, Any] = {
        "pattern": entry.pattern.value,
        "codec": entry.codec.text,
        "level": DEFAULT_LEVEL,
        "tee": False,
        "settings": {},
        "path": source.path,
        "line": source.position(entry.span.start)[0],
    }
    names: dict[str, ast.Setting] = {}
    good = True
    for setting in entry.settings:
        name = setting.name.text
        if name in names:
            also = (Label(names[name].span, "first given here"),)
            error(report, "E0902", f"`{name}` is given twice", source, setting.span, "again here", also=also)
            good = False
            continue
        names[name] = setting
        shape = COMMON.get(name) or (known.get(name) if known is not None else ("any",))
        if shape is None:
            unknown(
                report, "E0901", f"setting of `{entry.codec.text}`:", setting.name, [*COMMON, *(known or ())], source
            )
            good = False
            continue
        value = _value(setting, shape, source, report)
        good = good and value is not None
        if name in COMMON:
            result[name] = value
        else:
            result["settings"][name] = value
    return result if good else None


def _value(setting: ast.Setting, shape: tuple[Any, ...], source: Source, report: Report) -> int | str | bool | None:
    value = setting.value
    given: int | str | bool = True
    if isinstance(value, ast.Number | ast.Text):
        given = value.value
    elif isinstance(value, ast.Name):
        given = value.text
    kind, *limits = shape
    if kind == "any" or (kind == "flag" and given is True):
        return given
    if kind == "words" and given in limits:
        return given
    if kind == "int" and isinstance(given, int) and given is not True and limits[0] <= given <= limits[1]:
        return given
    expected = {
        "flag": "it stands alone",
        "words": f"one of {', '.join(f'`{each}`' for each in limits)}",
        "int": f"a number from {limits[0]} to {limits[1]}" if kind == "int" else "",
    }[kind]
    error(
        report,
        "E0902",
        f"`{setting.name.text}` does not take this value",
        source,
        setting.span,
        expected,
    )
    return None
