"""The whole way from rule files to a pack.

Input: texts by path. Output: a `Compilation`: the pack, the compiled rules, every diagnostic. Never prints, never
exits.
INVARIANT: with a diagnostic there is no pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..dsl import ast
from ..dsl.diagnostics import Diagnostic, Label, Report
from ..dsl.source import Source
from ..runtime.packs.roots import find_strays
from .admissions import lower_admissions
from .diagnose import error
from .examples import check_examples
from .grammar import Grammar
from .lines import resolve_blocks
from .pack import emit_pack
from .rivals import Contender, check_rivals
from .scope import Scope, resolve_scopes
from .selects import check_selections
from .sources import Files, Read, load_files, sees_broken
from .stages import Unit, run_stages
from .unused import check_unused

_ABOUT_NAMES: Final = frozenset({"E0202", "E0205", "E0301"})


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule that compiled: its tree, its file, its section of the pack and its source map; the names that its file
    knows, and its lines with those taken in.
    """

    node: ast.Rule
    source: Source
    section: dict[str, Any]
    map: dict[str, Any]
    scope: Scope
    grammar: Grammar

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.node.id.text


@dataclass(frozen=True, slots=True)
class Compilation:
    """What came of the sources. `pack` is None exactly when there are diagnostics.

    `rules` holds what compiled also then, in the order of the pack: by path, then as written. `tried` is the pack of
    these rules, against which the examples ran, whatever came of them.
    """

    pack: bytes | None
    rules: tuple[CompiledRule, ...]
    diagnostics: tuple[Diagnostic, ...]
    tried: bytes = b""


class StrayRuleError(ValueError):
    """A rule is below none of the roots that its pack was to have. The message names them."""


def compile_sources(
    sources: Mapping[str, str],
    *,
    name: str,
    version: str,
    roots: Sequence[str] = (),
    draft: bool = False,
    read: Read | None = None,
) -> Compilation:
    """Compile rule files to a pack.

    `sources` holds texts by path (relative, with `/`; the paths end up in the source map). `read` gives the bytes of
    other files that they name, by path, and raises OSError or KeyError. `draft` lifts the demand for evidence: a rule
    may lack examples and need not save tokens; what examples there are must still hold. `roots` are beginnings of rule
    ids that are the pack's alone. Raises StrayRuleError for a rule that is below none of them.
    """
    report = Report()
    files = load_files(sources, read, report)
    scopes = resolve_scopes(files, report)
    blocks = resolve_blocks(files, scopes, report)
    check_unused(files, report)
    units = [
        Unit(rule, files.trees[path].source, scopes[path], blocks)
        for path in files.given
        for rule in files.trees[path].rules
    ]
    named = check_unit_ids(units, report)
    for unit in units:
        run_stages(unit, report)
    check_unit_rivals(units, report)
    admits = lower_admissions((files.trees[path] for path in files.given), report)
    rules = tuple(
        CompiledRule(unit.rule, unit.source, unit.emitted, unit.map, unit.scope, unit.resolved)
        for unit in named
        if unit.emitted is not None and unit.map is not None
    )
    strays = find_strays([rule.id for rule in rules], roots)
    if strays:
        raise StrayRuleError(f"the rule `{strays[0]}` is below none of the roots, {', '.join(roots)}")
    requires = required_codecs(files, admits)
    pack = emit_pack(
        [rule.section for rule in rules],
        [rule.map for rule in rules],
        admits,
        name=name,
        version=version,
        requires=requires,
        roots=roots,
    )
    check_selections(pack, rules, report)
    check_examples(pack, rules, read, report, draft=draft)
    return Compilation(None if report else pack, rules, tuple(without_consequences(report, files)), pack)


def check_sources(
    sources: Mapping[str, str], *, draft: bool = False, read: Read | None = None
) -> tuple[Diagnostic, ...]:
    """Return what `compile_sources` would report."""
    return compile_sources(sources, name="check", version="0", draft=draft, read=read).diagnostics


def without_consequences(report: Iterable[Diagnostic], files: Files) -> Iterator[Diagnostic]:
    """Leave out unknown names where what defines them may be what did not parse."""
    doubtful = {path for path in files.trees if files.broken and sees_broken(path, files)}
    for diagnostic in report:
        if diagnostic.code not in _ABOUT_NAMES or diagnostic.source.path not in doubtful:
            yield diagnostic


def required_codecs(files: Files, admits: list[dict[str, Any]]) -> list[str]:
    """Return what a pack of these files requires of the runtime, as `codec:NAME`."""
    external = {use.target.value for tree in files.trees.values() for use in tree.uses if use.codec}
    return [f"codec:{codec}" for codec in external | {entry["codec"] for entry in admits}]


def check_unit_ids(units: list[Unit], report: Report) -> list[Unit]:
    """Return the units whose id is theirs: a pack, also one that only examples see, holds an id once."""
    seen: dict[str, Unit] = {}
    for unit in units:
        first = seen.setdefault(unit.rule.id.text, unit)
        if first is not unit:
            error(
                report,
                "E0203",
                f"rule `{unit.rule.id.text}` is defined twice",
                unit.source,
                unit.rule.id.span,
                "again here",
                also=(Label(first.rule.id.span, "first defined here", first.source),),
                help="rename or remove one of them",
            )
    return list(seen.values())


def check_unit_rivals(units: list[Unit], report: Report) -> None:
    """Report commands that two rules accept, as far as their commands are sound."""
    contenders = [
        Contender(
            unit.rule.id.text,
            frozenset(tool.text for tool in unit.rule.tools),
            unit.commands,
            unit.rule.id.span,
            unit.source,
        )
        for unit in units
        if "commands" in unit.passed
    ]
    check_rivals(contenders, report)
