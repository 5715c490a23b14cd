"""The report of `cablese test` as one JSON document, of the shape that `runtime/schemas/test.schema.json` publishes.

Input: what was tested, or the findings that kept it from being tested. Output: text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..dsl.render_json import diagnostic_record
from .output import to_json

if TYPE_CHECKING:
    from ..compiler.evidence import Evidence
    from ..dsl.diagnostics import Diagnostic
    from .test import Tested


def render_report(tested: Sequence[Tested], findings: Sequence[Diagnostic], seconds: float) -> str:
    """Return the whole report, a line end behind it."""
    record = {
        "holds": not findings and all(each.holds for each in tested),
        "seconds": round(seconds, 3),
        "findings": _findings(findings),
        "rules": [rule_record(each) for each in tested],
    }
    return to_json(record) + "\n"


def rule_record(tested: Tested) -> dict[str, Any]:
    """Return what is said of one rule."""
    evidence = tested.evidence
    return {
        "rule": evidence.rule,
        "path": evidence.path,
        "line": evidence.line,
        "holds": tested.holds,
        "seconds": round(tested.seconds, 3),
        "shown": evidence.shown,
        "saving": evidence.saving,
        "passing": evidence.passing,
        "lacking": _findings(evidence.lacking),
        "examples": [
            {
                "title": each.title,
                "line": each.line,
                "demands": each.demands,
                "holds": not each.findings,
                "saves": each.saves,
                "findings": _findings(each.findings),
            }
            for each in evidence.examples
        ],
        "listed": [
            {
                "role": each.role,
                "command": each.command,
                "line": each.line,
                "holds": not each.findings,
                "findings": _findings(each.findings),
            }
            for each in evidence.listed
        ],
        "checks": [{"name": check.name, "holds": check.holds, "detail": check.detail} for check in evidence.checks],
        "derived": evidence.derived,
        "misled": [
            {
                "command": each.derived.command,
                "made": each.derived.made,
                "expected": each.derived.ours,
                "owner": each.owner,
            }
            for each in evidence.misled
        ],
        "mutants": evidence.mutants,
        "silent": [
            {"example": title, "mutant": each.mutant.name, "problem": each.problem} for title, each in evidence.silent
        ],
        "coverage": _coverage(tested, evidence),
    }


def _coverage(tested: Tested, evidence: Evidence) -> dict[str, Any]:
    from ..compiler.coverage import SORTS

    coverage = evidence.coverage
    counts = {sort: coverage.of(sort) for sort in SORTS}
    return {
        "percent": coverage.percent,
        "least": tested.least,
        "sorts": {sort: {"touched": done, "total": total} for sort, (done, total) in counts.items()},
        "missing": [
            {"sort": point.sort, "name": point.name, "path": point.path, "line": point.line}
            for point in coverage.missing
        ],
    }


def _findings(found: Iterable[Diagnostic]) -> list[Any]:
    return list(map(diagnostic_record, found))
