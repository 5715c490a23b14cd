"""Every recorded sample: what the model sees of it and what it costs, and whether that is the truth."""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path

import pytest
from cablese import Compressor, View
from cablese.compiler.curated import PACKS, compile_shipped
from cablese.runtime.records import parse_result
from cablese.runtime.stores.store import MemoryStore

from ..curated import ROOT, Said, evaluate, sample, sample_names, shipped_packs

GOLDENS = Path(__file__).parent / "goldens"
FIXED_KEY = bytes(range(32))


@functools.cache
def compressor(pack: str) -> Compressor:
    """Return a compressor with a store whose handles are the same on every run."""
    return Compressor.default(enable=("curated", pack), store=MemoryStore(FIXED_KEY), count=True)


def view_of(rule: str, record: dict) -> View:
    """Return the view of a sample of a rule, with the pack of that rule on."""
    pack = next((pack.name for pack in shipped_packs() if f"bash.{rule}" in pack.rules), "curated")
    return compressor(pack).view(parse_result(record))


def test_extra_rules_are_off_until_their_pack_is_named():
    """What the document says passes is passed by the curated rules, and read where `extra` is on."""
    record = sample("git_show", "annotated-tag")
    assert compressor("curated").view(parse_result(record)).decision.reason == "no_rule"
    assert compressor("extra").view(parse_result(record)).decision.rule == "bash.git_show"


@pytest.mark.parametrize("name", PACKS)
def test_shipped_packs_are_those_of_the_rules(name):
    """A pack beside the runtime is the one that the rule files of this checkout give (`make pack` renews it)."""
    assert (ROOT / "runtime" / f"{name}.cablepack").read_bytes() == compile_shipped(name, ROOT / "rules")


@pytest.mark.parametrize(("rule", "name"), sample_names())
def test_visible_text(snapshot, rule, name):
    """The visible text of each sample and its tokens under both encodings are locked."""
    record = sample(rule, name)
    view = view_of(rule, record)
    decision = view.decision
    lines = [f"outcome: {decision.outcome}"]
    if decision.reason:
        lines.append(f"reason: {decision.reason} ({decision.detail})")
        assert view.content is record["content"]
    lines += [f"{encoding}: {before} -> {after}" for encoding, (before, after) in sorted(decision.tokens.items())]
    shown = str(view.content) if decision.outcome == "compressed" else ""
    snapshot.snapshot_dir = GOLDENS / rule
    snapshot.assert_match("\n".join([*lines, "", shown]).replace("\r", "\\r"), f"{name}.txt")


@pytest.mark.parametrize(("rule", "name"), sample_names())
def test_expectation(rule, name):
    """What was expected of a sample when it was recorded is what happens; the gate alone may differ."""
    record = sample(rule, name)
    decision = view_of(rule, record).decision
    if decision.reason == "no_gain":
        return
    expected = record["sample"]
    if expected["expect"] == "summary":
        assert decision.outcome == "compressed", decision
    elif expected.get("reason") != "no_gain":
        assert (decision.outcome, decision.reason) == ("passed", expected["reason"])


def of(rule: str) -> pytest.MarkDecorator:
    """Parametrize over the samples of a rule."""
    return pytest.mark.parametrize("name", [name for found, name in sample_names() if found == rule])


def said(rule: str, name: str) -> tuple[Said, dict]:
    """Return what the rule says of a sample, gate aside, and its truth. A sample without either ends the test."""
    record = sample(rule, name)
    meta, truth = record["metadata"], record["sample"]["truth"]
    joined = meta.get("merged")
    command = record["arguments"]["command"]
    if joined is None:
        told = evaluate(f"bash.{rule}", command, meta["stdout"], meta["stderr"], meta.get("exit_code"))
    else:
        told = evaluate(f"bash.{rule}", f"{command} 2>&1", joined, "", meta.get("exit_code"))
    if not isinstance(told, Said) or not truth:
        raise NothingToCompare
    return told, truth


@pytest.mark.parametrize(
    ("rule", "least"),
    [("git_status", 40), ("git_diff", 60), ("git_log", 35), ("cargo_check", 45), ("cargo_test", 60)],
)
def test_truths_are_compared(rule, least):
    """The comparisons below are not empty: so many samples of each rule are accepted and have a truth."""
    compared = 0
    for found, name in sample_names():
        if found == rule:
            with contextlib.suppress(NothingToCompare):
                compared += bool(said(rule, name))
    assert compared >= least


class NothingToCompare(Exception):  # noqa: N818 - no error
    """The rule refuses the sample, or nothing else tells its truth."""


def where_told(test):
    """Let a test end where there is nothing to compare."""

    @functools.wraps(test)
    def run(name):
        with contextlib.suppress(NothingToCompare):
            test(name)

    return run


@of("git_status")
@where_told
def test_status_truth(name):
    """Counts and branch are those of porcelain v2."""
    told, truth = said("git_status", name)
    assert told.number("changed_files") == truth["changed"] + truth["unmerged"]
    assert told.number("untracked") == truth["untracked"]
    assert told.number("conflicts") == truth["unmerged"]


@of("git_diff")
@where_told
def test_diff_truth(name):
    """Files, hunks, insertions and deletions are those of `git apply --numstat`."""
    told, truth = said("git_diff", name)
    rows = [(added, removed) for added, removed, _ in truth["files"]]
    assert told.number("files") == len(rows)
    assert told.number("hunks") == truth["hunks"]
    assert told.number("insertions") == sum(int(added) for added, _ in rows if added != "-")
    assert told.number("deletions") == sum(int(removed) for _, removed in rows if removed != "-")


@of("git_log")
@where_told
def test_log_truth(name):
    """The number of commits is that of `git rev-list --count`."""
    told, truth = said("git_log", name)
    assert told.number("commits") == truth["commits"]


@of("cargo_check")
@where_told
def test_check_truth(name):
    """Codes, warnings and errors are those of the JSON messages, each rendered message once."""
    told, truth = said("cargo_check", name)
    codes = told.field("compiler_error_codes")
    assert sorted(codes.split(", ") if codes else []) == sorted(truth["codes"])
    assert told.number("warnings") >= truth["warnings"]
    assert told.number("errors") >= truth["errors"]


@of("cargo_test")
@where_told
def test_test_truth(name):
    """Failing tests and totals are those of libtest's JSON."""
    told, truth = said("cargo_test", name)
    results = told.items("test_results") if "test_results:" in told.text else []
    assert sum(int(row.split(" passed")[0].split()[-1]) for row in results) == truth.get("passed", 0)
    assert sum(int(row.split(" failed")[0].split()[-1]) for row in results) == truth.get("failed", 0)
    listed = [row.removeprefix("- ") for row in told.items("failing_tests")] if truth.get("failing") else []
    assert sorted(listed) == sorted(truth.get("failing", [])) or len(listed) > 20
    if not truth.get("passed") and not truth.get("failed"):
        assert "no test ran" in told.text
