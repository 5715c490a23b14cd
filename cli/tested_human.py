"""The report of `cablese test` for people: what failed first, then a line for each rule, then the sum.

Input: what was tested. Output: text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..dsl.display import visible
from .findings import render_findings
from .output import count_of

if TYPE_CHECKING:
    from ..compiler.coverage import Coverage
    from ..compiler.evidence import Evidence
    from .test import Tested

_PLURALS: Final = {"line": "lines", "pattern": "patterns", "claim": "claims", "branch": "branches", "option": "options"}
_MOST: Final = 20
"""How many derived commands or mutants of a rule are named before the rest is counted."""


def render_tested(tested: Sequence[Tested], form: str, seconds: float, *, coverage: bool) -> str:
    """Return the whole report. `form` is that of findings: `human` or `plain`."""
    lines: list[str] = []
    for each in sorted(tested, key=lambda each: each.holds):
        findings = each.evidence.findings
        lines += [] if not findings else [render_findings(findings, form).rstrip("\n"), ""]
        lines.append(_rule(each))
        lines += [f"       {visible(problem)}" for problem in describe_problems(each)]
        if coverage or not each.covered:
            lines += [f"       {text}" for text in _coverage(each.evidence.coverage)]
    return "\n".join([*lines, _sum(tested, seconds)]) + "\n"


def _rule(tested: Tested) -> str:
    evidence = tested.evidence
    listed = f"{count_of(len(evidence.listed), 'listed command')}, " if evidence.listed else ""
    return (
        f"{'ok' if tested.holds else 'FAILED':7}{evidence.rule}: {evidence.shown} shown ({evidence.saving} saving), "
        f"{evidence.passing} passing, {listed}{count_of(evidence.derived, 'derived command')}, "
        f"{count_of(len(evidence.checks), 'check')}, {count_of(evidence.mutants, 'mutant')}, "
        f"{evidence.coverage.percent} % touched"
    )


def describe_problems(tested: Tested) -> Iterator[str]:
    """Yield a line about each thing that does not hold and is no finding; of mutants, the first."""
    evidence = tested.evidence
    for check in evidence.checks:
        if not check.holds:
            yield f"check `{check.name}` does not hold: {check.detail}"
    yield from _some([describe_misled(evidence, number) for number in range(len(evidence.misled))])
    yield from _some([f"example “{title}”, {each.mutant.name}: {each.problem}" for title, each in evidence.silent])
    if not tested.covered:
        yield f"{evidence.coverage.percent} % touched, {tested.least} % demanded"


def describe_misled(evidence: Evidence, number: int) -> str:
    """Return a line about a derived command that went where it must not."""
    misled = evidence.misled[number]
    taken = "is taken by no rule" if misled.owner is None else f"is taken by {misled.owner}"
    wanted = "it is this rule's" if misled.derived.ours else "it is not this rule's"
    return f"{misled.derived.command!r} ({misled.derived.made}) {taken}, but by its form {wanted}"


def _some(problems: list[str]) -> list[str]:
    more = len(problems) - _MOST
    return problems if more <= 0 else [*problems[:_MOST], f"… and {more} more"]


def _coverage(coverage: Coverage) -> Iterator[str]:
    counts = ((plural, *coverage.of(sort)) for sort, plural in _PLURALS.items())
    yield "touched: " + ", ".join(f"{done} of {total} {plural}" for plural, done, total in counts if total)
    for point in coverage.missing:
        yield f"not touched: {point.words}  {point.path}:{point.line}"


def _sum(tested: Sequence[Tested], seconds: float) -> str:
    failed = sum(not each.holds for each in tested)
    outcome = "all hold" if not failed else f"{failed} failed"
    return f"{count_of(len(tested), 'rule')} tested in {seconds:.1f} s, {outcome}"
