"""The curated rules as the tests use them: compiled once from `rules/`, and asked without header, store or gate."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cablese.compiler.curated import PACKS, compile_shipped
from cablese.runtime.engine import Body, Refusal
from cablese.runtime.engine import evaluate as evaluate_rule
from cablese.runtime.framing import Streams
from cablese.runtime.packs.pack import Pack, RuleProgram, load_pack
from cablese.runtime.reasons import PassThrough
from cablese.runtime.shell import parse_command

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "samples"


class Said(NamedTuple):
    """The body of a summary, read back by its labels."""

    text: str

    def field(self, label: str) -> str | None:
        """Return what stands behind `label: `, None where there is no such line."""
        for line in self.text.split("\n"):
            if line.startswith(f"{label}: "):
                return line.removeprefix(f"{label}: ")
        return None

    def number(self, label: str) -> int:
        """Return the number behind `label: `, 0 where there is no such line."""
        return int(self.field(label) or 0)

    def items(self, label: str) -> list[str]:
        """Return the lines that begin with `- ` below `label:`."""
        lines = self.text.split("\n")
        start = lines.index(f"{label}:") + 1
        found = []
        for line in lines[start:]:
            if not line.startswith("- "):
                break
            found.append(line)
        return found


@cache
def shipped_packs() -> tuple[Pack, ...]:
    """Return the packs of the rules in this checkout."""
    return tuple(load_pack(compile_shipped(name, ROOT / "rules")) for name in PACKS)


@cache
def curated_rule(rule_id: str) -> RuleProgram:
    """Return one rule that ships."""
    pack = next(pack for pack in shipped_packs() if rule_id in pack.rules)
    return pack.rule(pack.rules.index(rule_id))


def evaluate(rule_id: str, command: str, stdout: str, stderr: str, exit_code: int | None) -> Said | Refusal:
    """Run one curated rule; a command that it does not accept is a `no_rule` refusal."""
    rule = curated_rule(rule_id)
    try:
        parsed = parse_command(command)
    except PassThrough as refused:
        return Refusal("no_rule", str(refused))
    if not rule.accepts(parsed.words):
        return Refusal("no_rule", command)
    said = evaluate_rule(rule, Streams(stdout, stderr, parsed.merges), exit_code)
    return Said(said.text) if isinstance(said, Body) else said


@cache
def sample(rule: str, name: str) -> dict:
    """Return one recorded sample."""
    return json.loads((SAMPLES / rule / f"{name}.json").read_text("utf-8"))


def sample_names() -> list[tuple[str, str]]:
    """Return rule and name of every recorded sample, in order."""
    return [(path.parent.name, path.stem) for path in sorted(SAMPLES.glob("*/*.json"))]
