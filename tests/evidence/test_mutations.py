"""Changed samples: a line lost, doubled or cut, colour, CRLF, another tool's words behind it.

The quick run tries some changes of every accepted sample, evenly spread; with `CABLESE_LONG` set, all of them.
"""

from __future__ import annotations

import functools
import os

import pytest
from cablese.compiler import CompiledRule, compile_sources
from cablese.compiler.curated import PACKS
from cablese.compiler.mutations import check_mutants, mutants
from cablese.compiler.trials import Bench, Trial

from ..curated import ROOT, sample, sample_names

MOST = 24


@functools.cache
def curated() -> tuple[Bench, dict[str, CompiledRule]]:
    """Return the bench of the curated rules, and these by id."""
    folder = ROOT / "rules"
    paths = sorted(path for pattern in PACKS.values() for path in folder.glob(pattern))
    sources = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}
    done = compile_sources(sources, name="mutated", version="0", read=lambda path: (folder / path).read_bytes())
    return Bench(done.pack), {rule.id: rule for rule in done.rules}


def trial_of(record: dict) -> Trial:
    """Return the trial that a sample is."""
    meta = record["metadata"]
    extra = {key: value for key, value in meta.items() if key not in ("stdout", "stderr", "exit_code")}
    return Trial(
        record["tool"],
        record["arguments"]["command"],
        meta.get("stdout", ""),
        meta.get("stderr", ""),
        meta.get("exit_code"),
        extra,
    )


@pytest.mark.parametrize(("rule", "name"), [pair for pair in sample_names() if not pair[1].startswith("refused")])
def test_no_change_goes_unnoticed(rule, name):
    """Every changed sample passes through, or shows another text where a line that counts is another."""
    trial = trial_of(sample(rule, name))
    bench, rules = curated()
    original = bench.decide(trial)
    if original.body is None:
        return
    count = sum(1 for _ in mutants(trial, uncoloured=frozenset()))
    tried, silent = check_mutants(
        bench, rules[original.rule or ""], trial, 1 if os.environ.get("CABLESE_LONG") else max(1, count // MOST)
    )
    assert tried >= min(count, MOST)
    assert [(each.mutant.name, each.problem) for each in silent] == []
