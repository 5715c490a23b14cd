"""Classification held against what real tools print."""

from __future__ import annotations

import json

import pytest
from cablese.runtime.admission.classify import classify

from .confusion import NEVER_WRONG, ROOT, Told, matrix, tell
from .recipes import RECIPES
from .record import CORPUS

FLOOR = 0.98
SAMPLES = ROOT / "tests" / "samples"


@pytest.fixture(scope="module")
def told() -> list[Told]:
    """Return what every case was told to be."""
    return tell()


def test_the_corpus_is_large_enough(told):
    """At least 150 files of our own recording, and some of every kind."""
    recorded = [each for each in told if each.case.name.endswith(".txt")]
    assert len(recorded) >= 150
    assert {each.case.expected for each in recorded} >= NEVER_WRONG | {"jsonl", "numbered", "log", "prose", "unknown"}


def test_nearly_all_is_told_and_nothing_taken_for_another_kind(told):
    """98 of 100 are right; of the kinds with forms none is taken for another, and nothing else for one of them."""
    table = matrix(told)
    wrong = [(each.case.name, each.kind) for each in told if each.wrong]
    assert not [each for each in told if each.wrong and {each.kind, each.case.expected} & NEVER_WRONG], table
    assert sum(each.right for each in told) >= FLOOR * len(told), f"{table}\n{wrong}"


def test_what_rules_are_for_is_taken_for_no_kind_with_a_form():
    """Recorded results of the tools that have rules are told as none of the kinds that must not be wrong.

    Patches are diffs; what was asked for as JSON, as a list of names or of numbers was recorded as a refused form.
    """
    seen = 0
    for path in sorted(SAMPLES.rglob("*.json"))[::3]:
        sample = json.loads(path.read_text("utf-8"))
        stdout = sample["metadata"].get("stdout") or sample["metadata"].get("merged") or ""
        if path.stem.startswith("refused") or "\ufffd" in stdout or not 0 < len(stdout) < 40_000:
            continue
        seen += 1
        assert classify(stdout)[0] not in NEVER_WRONG - {"diff"}, path
    assert seen > 150


def test_every_recording_has_its_recipe():
    """No file of the corpus is without a command that made it; those of others are named in `SOURCES.md`."""
    recorded = {f"{path.parent.name}/{path.stem}" for path in CORPUS.rglob("*.txt") if "others" not in path.parts}
    assert recorded == {f"{recipe.kind}/{recipe.name}" for recipe in RECIPES}
