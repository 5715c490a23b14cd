"""The whole way from rule files to findings, for a session in which files change: only what changed is done again.

Input: texts by path, again and again. Output: phases, one after the other, and the diagnostics known so far. The work
is cut into steps: the caller may answer something else between two of them, or drop the rest.

What is known of a rule is kept as long as its entry and all shared definitions in its sight are the same objects, which
`compiler.shelf` sees to. INVARIANT: after the last phase, the diagnostics are those of `check_sources` for these texts,
and at no time is one among them that was found in another text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..dsl import ast
from ..dsl.diagnostics import Diagnostic, Report
from ..dsl.files import read_source
from ..dsl.source import Source
from .admissions import lower_admissions
from .compilation import CompiledRule, check_unit_ids, check_unit_rivals, required_codecs, without_consequences
from .emit import emit_map
from .examples import Case, Trying, check_case, check_rule_examples, read_example
from .lines import Block, resolve_block
from .pack import Encoder, emit_pack
from .scope import Placed, Scope, resolve_scopes
from .selects import claimed_by, try_selections
from .shelf import Shelf, settle
from .sources import Files, Read, take_in, used_files
from .stages import STAGES, Unit
from .trials import Bench, Verdict
from .unused import check_unused

Phase = Literal["step", "typed", "proved", "tried"]
"""What is done: one step; names and types; proofs about lines and commands; listed commands and examples."""

_TYPED = ("commands", "lines", "facts", "claims", "summary", "used")
_PROVED = ("automata", "rows", "reachable", "emit")
_BY_NAME = {stage.name: stage for stage in STAGES}


@dataclass(slots=True, eq=False)
class Known:
    """What is known of one rule: its unit, the stages that ran, and what they found."""

    unit: Unit
    sight: tuple[object, ...]
    ran: set[str] = field(default_factory=set)
    found: Report = field(default_factory=Report)
    tried: dict[int, _Tried] = field(default_factory=dict)
    compiled: tuple[tuple[int, ...], CompiledRule] | None = None
    typed: tuple[Diagnostic, ...] = ()
    """What was found until names and types were done."""

    def compile(self, sources: Mapping[str, Source], lines: tuple[int, ...]) -> CompiledRule:
        """Return the rule, which compiled, with the lines at which its parts stand now.

        `lines` are those of what it can name: where they and its own are as before, so are those of its parts.
        """
        unit, source = self.unit, sources[self.unit.source.path]
        assert unit.emitted is not None
        standing = (source.position(unit.rule.span.start)[0], *lines)
        if self.compiled is None or self.compiled[0] != standing:
            parts = emit_map(unit.rule, source, unit.lowered, unit.claims, unit.commands, sources)
            rule = CompiledRule(unit.rule, source, unit.emitted, parts, unit.scope, unit.resolved)
            self.compiled = standing, rule
        return replace(self.compiled[1], source=source)

    def run(self, names: Sequence[str]) -> Iterator[None]:
        """Run those of these stages that did not run yet and are fit to, as `run_stages` would; yield after each."""
        unit = self.unit
        for name in names:
            stage = _BY_NAME[name]
            if name in self.ran or not unit.passed.issuperset(stage.needs):
                continue
            found = Report()
            stage.run(unit, found)
            self.ran.add(name)
            if not (name == "lines" and unit.grammar is None and not found):
                self.found.extend(found)
                if not found:
                    unit.passed.add(name)
            yield


@dataclass(frozen=True, slots=True)
class _Tried:
    """An example that was run: what it was given, by which rule it was decided, and what came of it."""

    case: Case
    section: object
    lines: dict[str, Any]
    verdict: Verdict
    found: tuple[Diagnostic, ...]
    saves: bool | None = None


@dataclass(slots=True)
class _Blocks:
    """The `lines` blocks of a file as they were resolved, in which sight, and what was wrong with them."""

    sight: tuple[object, ...]
    found: tuple[Diagnostic, ...]


class Incremental:
    """A session. One thread at a time."""

    def __init__(self, read: Read | None = None, *, draft: bool = False) -> None:
        self.read = read
        self.draft = draft
        self.shelves: dict[str, Shelf] = {}
        self.scopes: dict[str, Scope] = {}
        self.files: Files = Files({}, (), frozenset())
        self.rules: tuple[CompiledRule, ...] = ()
        self.pack = b""
        self._known: dict[int, Known] = {}
        self._blocks: dict[int, Block] = {}
        self._resolved: dict[str, _Blocks] = {}
        self._reports: dict[str, Report] = {}
        self._encoder = Encoder()
        self._clean: dict[str, tuple[list[str], list[dict[str, Any]]]] = {}
        """Tools and commands of rules by id, of which no two take one command."""

    # --- the phases ---------------------------------------------------------------------------------------------------

    def check(self, sources: Mapping[str, str]) -> Iterator[Phase]:
        """Check these files, step by step."""
        self._reports = {"files": Report()}
        yield from self._load(sources)
        files = self.files
        self._reports["names"] = names = Report()
        self.scopes = resolve_scopes(files, names)
        yield "step"
        sights = {path: self._sight(path) for path in files.trees}
        self._reports["blocks"] = blocks = Report()
        for path in self._inside_out():
            if self._resolve(path, sights[path], blocks):
                yield "step"
        live = {id(node) for tree in files.trees.values() for node in tree.lines}
        self._blocks = {key: block for key, block in self._blocks.items() if key in live}
        known = [self._know(rule, path, sights[path]) for path in files.given for rule in files.trees[path].rules]
        self._known = {id(each.unit.rule): each for each in known}
        self._reports["rules"] = rules = Report()
        for each in known:
            rules.extend(each.found)
        for each in known:
            for _ in each.run(_TYPED):
                yield "step"
            if not each.ran.intersection(_PROVED):
                each.typed = tuple(each.found)
            rules.extend(each.found)
        yield "typed"
        yield from self._prove(known)
        yield "proved"
        yield from self._try(known)
        yield "tried"

    def _prove(self, known: list[Known]) -> Iterator[Phase]:
        proofs = Report()
        check_unused(self.files, proofs)
        units = [each.unit for each in known]
        named = {id(unit) for unit in check_unit_ids(units, proofs)}
        for each in known:
            for _ in each.run(_PROVED):
                yield "step"
        self._check_rivals(units, proofs)
        yield "step"
        admits = lower_admissions((self.files.trees[path] for path in self.files.given), proofs)
        rules = Report()
        for each in known:
            rules.extend(each.found)
        self._reports |= {"rules": rules, "proofs": proofs}
        standing = {path: self._standing(path) for path in self.files.trees}
        sources = {path: tree.source for path, tree in self.files.trees.items()}
        compiled: list[CompiledRule] = []
        for each in known:
            if id(each.unit) in named and each.unit.emitted is not None:
                compiled.append(each.compile(sources, standing[each.unit.source.path]))
                yield "step"
        self.rules = tuple(compiled)
        self.pack = emit_pack(
            [rule.section for rule in self.rules],
            [rule.map for rule in self.rules],
            admits,
            name="check",
            version="0",
            requires=required_codecs(self.files, admits),
            encoder=self._encoder,
        )
        yield "step"

    def _try(self, known: list[Known]) -> Iterator[Phase]:
        bench = Bench(self.pack)
        yield "step"
        by_node = {id(each.unit.rule): each for each in known}
        sections = {rule.id: rule.section for rule in self.rules}
        self._reports["tries"] = tries = Report()
        for rule in self.rules:
            for _, _, found in try_selections(rule, bench):
                tries.extend(found)
            yield "step"
            trying = _Again(bench, self.read, by_node[id(rule.node)].tried, sections)
            for node in rule.node.examples:
                trying.attempt(rule, node, Report())
                yield "step"
            tries.extend(check_rule_examples(rule, trying, draft=self.draft))
            yield "step"

    def _check_rivals(self, units: list[Unit], report: Report) -> None:
        """Compare the commands of all rules, unless all of them were in a set of which no two met."""
        sound = [unit for unit in units if "commands" in unit.passed]
        forms = {
            unit.rule.id.text: ([tool.text for tool in unit.rule.tools], [each.json for each in unit.commands])
            for unit in sound
        }
        if len(forms) == len(sound) and all(self._clean.get(name) == form for name, form in forms.items()):
            return
        found = Report()
        check_unit_rivals(units, found)
        report.extend(found)
        if not found and len(forms) == len(sound):
            self._clean = forms

    # --- what is known ------------------------------------------------------------------------------------------------

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found so far, in order, placed in the texts as they are."""
        found = Report()
        for report in self._reports.values():
            found.extend(report)
        settled = Report()
        settled.extend(settle(each, self.shelves) for each in without_consequences(found, self.files))
        return tuple(settled)

    def known_after(self, phase: Phase) -> list[Diagnostic]:
        """Return what of the findings is known in full at the end of a phase: what is missing then is not there any
        more.
        """
        names = {"typed": ("files", "names", "blocks"), "proved": ("files", "names", "blocks", "rules", "proofs")}
        found = [each for name in names.get(phase, self._reports) for each in self._reports.get(name, ())]
        return found + [each for known in self._known.values() for each in known.typed] if phase == "typed" else found

    @property
    def parsed(self) -> bool:
        """Say whether all files of the check at hand are parsed."""
        return "names" in self._reports

    def unit(self, rule: ast.Rule) -> Unit | None:
        """Return what is known of a rule of the files as they were checked last."""
        known = self._known.get(id(rule))
        return known.unit if known is not None and known.unit.rule is rule else None

    # --- files, names, blocks -----------------------------------------------------------------------------------------

    def _load(self, sources: Mapping[str, str]) -> Iterator[Phase]:
        report = self._reports["files"]
        trees: dict[str, ast.File] = {}
        broken: set[str] = set()

        def take(path: str, text: str) -> Iterator[Phase]:
            shelf = self.shelves.setdefault(path, Shelf(path))
            for _ in shelf.update(text):
                yield "step"
            report.extend(shelf.findings)
            for each in shelf.entries:
                report.extend(each.findings)
            if shelf.tree is not None:
                trees[path] = shelf.tree
            if shelf.broken:
                broken.add(path)

        for path in sorted(sources):
            yield from take(path, sources[path])
        given = tuple(trees)

        def load(path: str, data: bytes) -> bool:
            # A file that is taken in is read at once; what it takes a while to read are its entries.
            source = read_source(path, data, report)
            if source is not None:
                for _ in take(path, source.text):
                    pass
            return source is not None

        take_in(trees, sources.keys(), broken, self.read, load, report)
        self.files = Files(trees, given, frozenset(broken))
        for path in self.shelves.keys() - trees.keys() - sources.keys():
            del self.shelves[path]
        yield "step"

    def _sight(self, path: str) -> tuple[object, ...]:
        """Return everything that the rules and blocks of a file can name."""
        return tuple(placed.node for _, table in self.scopes[path].tables() for placed in table.values())

    def _standing(self, path: str) -> tuple[int, ...]:
        """Return the lines at which all that stands that the rules of a file can name."""
        return tuple(
            placed.source.position(placed.node.span.start)[0]
            for _, table in self.scopes[path].tables()
            for placed in table.values()
        )

    def _inside_out(self) -> list[str]:
        """Return the files, each behind those that it takes in."""
        order: dict[str, None] = {}
        open_: set[str] = set()

        def visit(tree: ast.File) -> None:
            path = tree.source.path
            if path in order or path in open_:
                return
            open_.add(path)
            for _, target in used_files(tree, self.files.trees):
                visit(target)
            order[path] = None

        for tree in self.files.trees.values():
            visit(tree)
        return list(order)

    def _resolve(self, path: str, sight: tuple[object, ...], report: Report) -> bool:
        """Resolve the blocks of a file, unless nothing in their sight changed; say whether anything was done."""
        before = self._resolved.get(path)
        if before is not None and _same(before.sight, sight):
            report.extend(before.found)
            return False
        tree = self.files.trees[path]
        for node in tree.lines:
            self._blocks.pop(id(node), None)
        found = Report()
        for node in tree.lines:
            resolve_block(Placed(node, tree.source), self.scopes, self._blocks, (), found)
        self._resolved[path] = _Blocks(sight, tuple(found))
        report.extend(found)
        return bool(tree.lines)

    def _know(self, rule: ast.Rule, path: str, sight: tuple[object, ...]) -> Known:
        before = self._known.get(id(rule))
        if before is not None and before.unit.rule is rule and _same(before.sight, sight):
            return before
        return Known(Unit(rule, self.files.trees[path].source, self.scopes[path], dict(self._blocks)), sight)


class _Again(Trying):
    """Tries the examples of one rule, and remembers what came of them while nothing that decides it has changed."""

    def __init__(
        self, bench: Bench, read: Read | None, tried: dict[int, _Tried], sections: Mapping[str, dict[str, Any]]
    ) -> None:
        super().__init__(bench, read)
        self.tried = tried
        self.sections = sections

    def attempt(self, rule: Any, node: ast.Example, report: Report) -> tuple[Case | None, Verdict | None]:
        """Run an example, or say again what came of it."""
        case = read_example(rule, node, self.read, report)
        if case is None:
            return None, None
        before = self.tried.get(id(node))
        if before is not None and before.case == case and self._as_before(before, rule):
            report.extend(before.found)
            return before.case, before.verdict
        found = Report()
        verdict = self.bench.decide(case.trial)
        check_case(rule, case, verdict, self.bench, found)
        report.extend(found)
        section = None if verdict.rule is None else self.sections.get(verdict.rule)
        self.tried[id(node)] = _Tried(case, section, rule.map, verdict, tuple(found))
        return case, verdict

    def _as_before(self, before: _Tried, rule: CompiledRule) -> bool:
        # What is said of an example names lines of the file; which rule takes its command is asked each time.
        if before.found and before.lines != rule.map:
            return False
        owner = claimed_by(self.bench, before.case.trial.tool, before.verdict.words) if before.verdict.words else None
        return owner == before.verdict.rule and (owner is None or self.sections.get(owner) is before.section)

    def saves(self, case: Case, verdict: Verdict) -> bool:
        """Say whether what it shows is fewer tokens; counted once."""
        before = self.tried.get(id(case.node))
        if before is None or before.verdict is not verdict:
            return super().saves(case, verdict)
        if before.saves is None:
            before = replace(before, saves=super().saves(case, verdict))
            self.tried[id(case.node)] = before
        return bool(before.saves)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
