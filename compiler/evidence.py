"""Everything `cablese test` asks of a rule: its examples, the six checks, the mutations of what it shows.

Input: a compilation. Output: an `Evidence` per rule. Examples themselves were run by the compilation; here they are
counted and weighed.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..dsl.diagnostics import Report
from .compilation import Compilation, CompiledRule
from .examples import Case, read_example
from .mutations import Silence, check_mutants
from .selection import Check, check_selection
from .sources import Read
from .trials import Bench


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was tried of one rule. `saving` counts the shown examples that are strictly fewer tokens under both
    encodings.
    """

    rule: str
    shown: int
    passing: int
    saving: int
    checks: tuple[Check, ...]
    mutants: int
    silent: tuple[tuple[str, Silence], ...]
    """Mutants with a result that they must not have, each with the title of its example."""

    @property
    def holds(self) -> bool:
        """Say whether nothing was found."""
        return all(check.holds for check in self.checks) and not self.silent


def gather_evidence(compilation: Compilation, *, read: Read | None = None) -> tuple[Evidence, ...]:
    """Try every rule of a compilation. Raises ValueError for one with diagnostics, which has no pack."""
    if compilation.pack is None:
        raise ValueError("a compilation with diagnostics has no pack")
    bench = Bench(compilation.pack)
    return tuple(_gather(bench, rule, read) for rule in compilation.rules)


def _gather(bench: Bench, rule: CompiledRule, read: Read | None) -> Evidence:
    cases = [case for node in rule.node.examples if (case := read_example(rule, node, read, Report())) is not None]
    shown = [case for case in cases if case.shows is not None]
    saving = [case for case in shown if bench.saves(case.trial, bench.decide(case.trial))]
    best: Case | None = next(iter([*saving, *shown]), None)
    checks = () if best is None else tuple(check_selection(bench, rule.id, best.trial, saves=best in saving))
    tried = 0
    silent: list[tuple[str, Silence]] = []
    for case in shown:
        count, found = check_mutants(bench, rule, case.trial)
        tried += count
        silent += [(case.node.title.value, each) for each in found]
    return Evidence(rule.id, len(shown), len(cases) - len(shown), len(saving), checks, tried, tuple(silent))
