"""Every rule that ships stands everything that `cablese test` asks.

The quick run tries some mutants of every example, evenly spread; `make evidence`, or `CABLESE_LONG` set, all of them.
"""

from __future__ import annotations

import functools
import os

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.curated import PACKS
from cablese.compiler.evidence import Gatherer

from ..curated import ROOT, shipped_packs

EVERY = 1 if os.environ.get("CABLESE_LONG") else 41
FOLDER = ROOT / "rules"
IDS = [(name, rule) for name, pack in zip(PACKS, shipped_packs(), strict=True) for rule in pack.rules]


def read(path: str) -> bytes:
    """Read a file beside the rules."""
    return (FOLDER / path).read_bytes()


@functools.cache
def gatherer(name: str) -> Gatherer:
    """Return what tries the rules of a pack."""
    paths = sorted(FOLDER.glob(PACKS[name]))
    sources = {path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in paths}
    return Gatherer(compile_sources(sources, name=name, version="1", read=read), read, every=EVERY)


@pytest.mark.parametrize(("pack", "rule_id"), IDS)
def test_a_rule_that_ships_stands_all_tests(pack, rule_id):
    """Examples, listed commands, derived commands, checks and mutants; and a good part of it is touched."""
    tests = gatherer(pack)
    (rule,) = [rule for rule in tests.compilation.rules if rule.id == rule_id]
    evidence = tests.gather(rule)
    assert evidence.findings == ()
    assert evidence.misled == ()
    assert [check for check in evidence.checks if not check.holds] == []
    assert evidence.silent == ()
    assert {each.role for each in evidence.listed} == {"selects", "leaves"}
    assert evidence.derived > 100
    assert evidence.mutants > 0
    assert evidence.coverage.percent >= 85
