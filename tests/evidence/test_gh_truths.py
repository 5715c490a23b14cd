"""What the rules for gh say of recorded checks and logs is what an independent reading of their lines finds.

Outputs are those of gh itself, recorded by `tests/recorder/github.py`; the reading splits at tabs and knows no rule.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import pytest
from cablese.runtime.engine import Refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from ..curated import ROOT, Said, evaluate

EXAMPLES = ROOT / "rules" / "extra" / "examples"
CHECKS = {"every-state": 1, "older": 1, "going-on": 8, "all-well": 0, "cancelled": 0}
LOGS = [("gh_run_log_failed", "four-jobs"), ("gh_run_log_failed", "older"), ("gh_run_log_failed", "one-job"),
        ("gh_run_log", "five-jobs")]  # fmt: skip
STAMP = "2026-09-14T08:30:00.0000000Z"


class Line(NamedTuple):
    """One line of a log: job and step, and the text behind the time, which the rest of a message does not have."""

    step: str
    text: str


def read_log(text: str) -> list[Line]:
    """Return the lines of a log, colours left out."""
    found = []
    for line in re.sub("\x1b\\[[0-9;]*m", "", text).split("\n")[:-1]:
        job, step, rest = line.split("\t", 2)
        found.append(Line(f"{job}\t{step}", re.sub("^\ufeff?\\d{4}-[^ ]+Z ", "", rest)))
    return found


def recorded(folder: str, name: str) -> str:
    """Return one recorded output."""
    return (EXAMPLES / folder / f"{name}.txt").read_bytes().decode()


def log_said(rule: str, text: str) -> Said | Refusal:
    """Return what a rule for logs says."""
    option = "--log-failed" if rule == "gh_run_log_failed" else "--log"
    return evaluate(f"bash.{rule}", f"gh run view 101 {option}", text, "", 0)


@pytest.mark.parametrize("name", CHECKS)
def test_checks_are_those_of_the_table(name):
    """Every check is counted once, by state; each that failed or is pending is there as gh printed it."""
    text = recorded("gh_pr_checks", name)
    rows = [line.split("\t") for line in text.splitlines()]
    said = evaluate("bash.gh_pr_checks", "gh pr checks 7", text, "", CHECKS[name])
    assert isinstance(said, Said), said
    assert said.number("checks") == len(rows)
    counts = dict(re.findall(r"^- (\w+) x(\d+)$", said.text, re.MULTILINE))
    assert {state: int(count) for state, count in counts.items()} == Counter(row[1] for row in rows)
    shown = said.text.split("\n")
    unwell = [line for line in text.splitlines() if line.split("\t")[1] in {"fail", "pending"}]
    assert sorted(line for line in shown if "\t" in line) == sorted(unwell)
    for state, label in (("skipping", "skipping"), ("pass", "pass")):
        names = [f"- {row[0]}" for row in rows if row[1] == state]
        assert not names or said.items(label) == names


@pytest.mark.parametrize(("rule", "name"), LOGS)
def test_errors_are_those_of_the_log(rule, name):
    """Lines, warnings and errors are counted, errors by step; each of these is shown, and the line before it."""
    lines = read_log(recorded(rule, name))
    said = log_said(rule, recorded(rule, name))
    assert isinstance(said, Said), said
    errors = Counter(line.step for line in lines if line.text.startswith("##[error]"))
    assert said.number("lines") == len(lines)
    assert said.number("warnings") == sum(line.text.startswith("##[warning]") for line in lines)
    assert said.items("errors by step") == [f"- {step} x{count}" for step, count in errors.items()]
    if rule == "gh_run_log":
        assert said.number("steps") == len({line.step for line in lines})
    shown = said.text.split("\n")
    texts = [line.text.removeprefix("##[error]") for line in lines if line.text.startswith("##[error]")]
    assert [line.removeprefix("error: ") for line in shown if line.startswith("error: ")] == texts
    for before, line in pairwise(lines):
        if line.text.startswith("##[error]"):
            assert f"  {before.text}" in shown


@pytest.mark.parametrize(("rule", "name"), LOGS)
def test_what_is_shown_stands_in_the_log(rule, name):
    """Behind the counts there is nothing but steps, lines of the log and what was left out."""
    lines = read_log(recorded(rule, name))
    said = log_said(rule, recorded(rule, name))
    assert isinstance(said, Said), said
    known = {f"  {line.text}" for line in lines} | {f"{line.step}:" for line in lines}
    known |= {f"error: {line.text.removeprefix('##[error]')}" for line in lines}
    body = said.text.split("\n")[said.text.split("\n").index("errors by step:") + 1 :]
    assert [line for line in body if line not in known and not line.startswith("- ")] == []


_TEXTS = st.sampled_from(("one", "##[error]bad", "##[warning]odd", "##[group]Run x", "##[endgroup]", "  error: no", ""))
_STEPS = st.lists(st.lists(_TEXTS, min_size=1, max_size=40), min_size=1, max_size=14)


@settings(deadline=None)
@given(_STEPS, st.booleans())
def test_no_error_is_lost(steps, marked):
    """Whatever stands in a log, its summary counts every error by step, and shown and left out are all there are."""
    rows = []
    for number, texts in enumerate(steps):
        for at, text in enumerate(texts):
            mark = "\ufeff" if marked and at == 0 else ""
            rows.append(f"job\tstep {number}\t{mark}{STAMP} {text}")
    said = log_said("gh_run_log", "\n".join(rows) + "\n")
    errors = Counter(f"job\tstep {number}" for number, texts in enumerate(steps) for t in texts if t == "##[error]bad")
    if not isinstance(said, Said):
        assert said.reason in {"unreconciled", "invalid_output"}
        assert not errors or not marked or steps[0][0] == "##[error]bad" or any(
            texts[0] in {"##[error]bad", "##[warning]odd", "##[endgroup]"} for texts in steps
        )  # fmt: skip
        return
    assert said.number("lines") == len(rows)
    assert said.items("errors by step") == [f"- {step} x{count}" for step, count in errors.items()]
    shown = sum(line == "error: bad" for line in said.text.split("\n"))
    assert shown == sum(errors.values()) or "more)" in said.text


def test_a_step_without_an_error_is_never_passed_over():
    """Under `--log-failed` every step failed; one that has no error line leaves nothing to be said of it."""
    rows = [f"job\tone\t\ufeff{STAMP} a", f"job\tone\t{STAMP} ##[error]b", f"job\ttwo\t\ufeff{STAMP} c"]
    said = log_said("gh_run_log_failed", "\n".join(rows))
    assert isinstance(said, Refusal)
    assert said.reason == "unreconciled"
