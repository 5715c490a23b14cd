"""`cablese test`: every rule's examples, savings, checks of selection, and mutations."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from .findings import FORMAT, render_findings
from .options import Arguments, Command, Option
from .output import InputError, complain, count_of, to_json
from .project import RULES, rule_paths
from .rule_files import read_rule_files

if TYPE_CHECKING:
    from ..compiler.evidence import Evidence

COMMAND = Command(
    "test",
    "Run the examples of rules, the checks that every rule must stand, and mutations of every\n"
    "example that is shown.\n\n"
    "Exits with 0 if all hold, 1 if something does not, 2 if a file cannot be read.",
    (FORMAT, Option("--draft", "do not ask for the examples that a finished rule needs")),
    RULES,
)


def execute(arguments: Arguments) -> int:
    """Test; 0 all holds, 1 something does not, 2 broken."""
    from ..compiler import compile_sources
    from ..compiler.evidence import gather_evidence

    try:
        files = read_rule_files(rule_paths(arguments["path"]), os.getcwd())
    except InputError as error:
        complain(str(error))
        return 2
    done = compile_sources(files.sources, name="test", version="0", draft=arguments["draft"], read=files.read)
    diagnostics = (*files.diagnostics, *done.diagnostics)
    if diagnostics:
        sys.stdout.write(render_findings(diagnostics, arguments["format"]))
        return 1
    evidence = gather_evidence(done, read=files.read)
    for each in evidence:
        if arguments["format"] == "json":
            print(to_json(evidence_record(each)))
        else:
            print("\n".join(render_evidence(each)))
    return 0 if all(each.holds for each in evidence) else 1


def render_evidence(evidence: Evidence) -> list[str]:
    """Return a line for the rule, and one for each thing that does not hold."""
    counts = (
        f"{evidence.shown} shown ({evidence.saving} saving), {evidence.passing} passing, "
        f"{count_of(len(evidence.checks), 'check')}, {count_of(evidence.mutants, 'mutant')}"
    )
    lines = [f"{'ok' if evidence.holds else 'FAILED':7}{evidence.rule}: {counts}"]
    lines += [
        f"       check `{check.name}` does not hold: {check.detail}" for check in evidence.checks if not check.holds
    ]
    lines += [f"       example “{title}”, {each.mutant.name}: {each.problem}" for title, each in evidence.silent]
    return lines


def evidence_record(evidence: Evidence) -> dict[str, Any]:
    """Return the evidence as a JSON object."""
    return {
        "rule": evidence.rule,
        "holds": evidence.holds,
        "shown": evidence.shown,
        "saving": evidence.saving,
        "passing": evidence.passing,
        "mutants": evidence.mutants,
        "checks": [{"name": check.name, "holds": check.holds, "detail": check.detail} for check in evidence.checks],
        "silent": [
            {"example": title, "mutant": each.mutant.name, "problem": each.problem} for title, each in evidence.silent
        ],
    }
