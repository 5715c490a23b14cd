"""The passes of the compiler over one rule, as one table.

A stage reads what earlier stages left in a `Unit`, leaves its own result there and reports what is wrong. It runs only
when all stages it needs ran without a finding: an author sees every independent mistake at once, and no consequence of
another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..dsl import ast
from ..dsl.diagnostics import Report
from ..dsl.source import Source
from ..runtime.packs.errors import PackError
from ..runtime.packs.rule import check_rule
from ..runtime.packs.strict_json import parse_section
from .automaton import Automaton, build_automata
from .claims import LoweredClaim, lower_claims
from .commands import LoweredCommand, lower_commands
from .diagnose import error
from .emit import emit_map, emit_rule
from .facts import Facts, lower_facts
from .grammar import Grammar
from .lines import Blocks, resolve_lines
from .pack import canonical
from .rows import check_reachable, check_rows
from .scope import Scope
from .template import lower_summary
from .twice import check_twice
from .vacuous import check_claims


@dataclass(slots=True)
class Unit:
    """One rule on its way through the stages."""

    rule: ast.Rule
    source: Source
    scope: Scope
    blocks: Blocks
    passed: set[str] = field(default_factory=set)
    commands: tuple[LoweredCommand, ...] = ()
    grammar: Grammar | None = None
    automata: dict[str, Automaton] = field(default_factory=dict)
    facts: Facts | None = None
    claims: tuple[LoweredClaim, ...] = ()
    summary: list[Any] = field(default_factory=list)
    emitted: dict[str, Any] | None = None
    map: dict[str, Any] | None = None

    @property
    def resolved(self) -> Grammar:
        """The grammar, in stages behind `lines`."""
        assert self.grammar is not None
        return self.grammar

    @property
    def lowered(self) -> Facts:
        """The facts, in stages behind `facts`."""
        assert self.facts is not None
        return self.facts


@dataclass(frozen=True, slots=True)
class Stage:
    """A named pass, the passes it builds on, and what it does."""

    name: str
    needs: tuple[str, ...]
    run: Callable[[Unit, Report], None]


def _commands(unit: Unit, report: Report) -> None:
    unit.commands = lower_commands(unit.rule, unit.source, unit.scope, report)
    check_twice(unit.rule, unit.source, report)


def _lines(unit: Unit, report: Report) -> None:
    unit.grammar = resolve_lines(unit.rule, unit.source, unit.scope, unit.blocks, report)


def _automata(unit: Unit, report: Report) -> None:
    unit.automata = build_automata(unit.resolved, unit.source, report)


def _rows(unit: Unit, report: Report) -> None:
    check_rows(unit.automata, unit.source, report)


def _reachable(unit: Unit, report: Report) -> None:
    own = [definition.name.text for definition in unit.rule.definitions]
    check_reachable(unit.resolved, unit.automata, own, report)


def _facts(unit: Unit, report: Report) -> None:
    unit.facts = lower_facts(unit.resolved, unit.rule.facts, unit.source, report)


def _claims(unit: Unit, report: Report) -> None:
    unit.claims = lower_claims(unit.rule, unit.lowered, report)
    check_claims(unit.claims, unit.lowered.names, unit.source, report)


def _summary(unit: Unit, report: Report) -> None:
    unit.summary = lower_summary(unit.rule.summary, unit.lowered, report)


def _used(unit: Unit, report: Report) -> None:
    unit.lowered.check_used(report)


def _emit(unit: Unit, report: Report) -> None:
    section = emit_rule(unit.rule, unit.automata, unit.lowered, unit.claims, unit.summary, unit.commands)
    try:
        # INVARIANT: what compiles is what the runtime loads; its bounds are asked here, and stated nowhere twice.
        check_rule(parse_section(canonical(section), "it is"), "it is")
    except PackError as refused:
        error(
            report,
            "E0408",
            f"rule `{unit.rule.id.text}` is too large for a pack",
            unit.source,
            unit.rule.id.span,
            str(refused),
            help="nest less, or make two rules of it",
        )
        return
    unit.emitted = section
    unit.map = emit_map(unit.rule, unit.source, unit.lowered, unit.claims, unit.commands)


STAGES: tuple[Stage, ...] = (
    Stage("commands", (), _commands),
    Stage("lines", (), _lines),
    Stage("automata", ("lines",), _automata),
    Stage("rows", ("automata",), _rows),
    Stage("reachable", ("automata",), _reachable),
    Stage("facts", ("lines",), _facts),
    Stage("claims", ("facts",), _claims),
    Stage("summary", ("facts",), _summary),
    Stage("used", ("claims", "summary"), _used),
    Stage("emit", ("commands", "rows", "reachable", "used"), _emit),
)


def run_stages(unit: Unit, report: Report) -> None:
    """Take a rule through all stages it is fit for."""
    for stage in STAGES:
        if not unit.passed.issuperset(stage.needs):
            continue
        found = Report()
        stage.run(unit, found)
        if stage.name == "lines" and unit.grammar is None and not found:
            continue  # a block that the rule takes in is broken, which has been said where it stands
        report.extend(found)
        if not found:
            unit.passed.add(stage.name)
