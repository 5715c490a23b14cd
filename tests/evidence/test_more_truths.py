"""The rules beyond git, cargo and pytest against what their tools say in another form."""

from __future__ import annotations

import re

from ..curated import Said
from .test_samples import of, said, where_told


def totals(line: str | None) -> dict[str, int]:
    """Read `12 ok, 1 failed` as numbers by word."""
    return {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", line or "")}


def tallies(told: Said, label: str) -> dict[str, int]:
    """Read the rows `- NAME xN` below a label; what a cap left out is missing."""
    rows = [row.removeprefix("- ").rpartition(" x") for row in told.items(label) if not row.startswith("- (+")]
    return {name: int(number) for name, _, number in rows}


@of("go_test")
@where_told
def test_go_truth(name):
    """Packages, failing packages and tests are those of `go test -json`."""
    told, truth = said("go_test", name)
    packages = totals(told.field("packages"))
    assert packages["ok"] == len(truth["ok_packages"])
    assert packages["failed"] == len(truth["failed_packages"])
    listed = re.findall(r"^- FAIL\s(\S+)", told.text, re.MULTILINE)
    assert sorted(listed) == truth["failed_packages"]
    tests = told.field("tests")
    if tests:
        counted = totals(tests)
        assert counted == {"passed": truth["passed"], "failed": len(truth["failed"]), "skipped": truth["skipped"]}
    else:
        assert told.number("failed tests") == len(truth["failed"])
    shown = set(re.findall(r"^ *--- FAIL: (\S+)", told.text, re.MULTILINE))
    names = {failed.partition(".")[2] for failed in truth["failed"]}
    assert shown == names or (len(shown) == 20 and shown < names)


@of("git_diff_stat")
@where_told
def test_stat_truth(name):
    """Files, insertions and deletions are those of `git diff --numstat`."""
    told, truth = said("git_diff_stat", name)
    total = re.match(r" (\d+) files? changed(?:, (\d+) insertion)?s?(?:\(\+\))?(?:, (\d+) deletion)?", told.text)
    assert total is not None
    assert [int(number or 0) for number in total.groups()] == [
        len(truth["files"]),
        truth["insertions"],
        truth["deletions"],
    ]
    left_out = re.search(r"^- \(\+(\d+) more\)$", told.text, re.MULTILINE)
    files = re.findall(r"^- .* \d+$|^- .* Bin$", told.text.partition("\nfolders:")[0], re.MULTILINE)
    assert len(files) + int(left_out.group(1) if left_out else 0) == len(truth["files"])


@of("git_show")
@where_told
def test_show_truth(name):
    """Files, hunks, insertions and deletions are those of `git apply --numstat`."""
    told, truth = said("git_show", name)
    rows = [(added, removed) for added, removed, _ in truth["files"]]
    assert told.number("files") == len(rows)
    assert told.number("hunks") == truth["hunks"]
    assert told.number("insertions") == sum(int(added) for added, _ in rows if added != "-")
    assert told.number("deletions") == sum(int(removed) for _, removed in rows if removed != "-")


@of("git_log_long")
@where_told
def test_history_truth(name):
    """The number of commits is that of `git rev-list --count`."""
    told, truth = said("git_log_long", name)
    assert told.number("commits") == truth["commits"]
    assert sum(int(row.rpartition(" x")[2]) for row in told.items("authors")) == truth["commits"]


@of("ruff_check")
@where_told
def test_ruff_truth(name):
    """Findings, and how many of each code, are those of `--output-format=json`."""
    told, truth = said("ruff_check", name)
    assert f"Found {truth['findings']} error" in told.text
    counted = tallies(told, "by rule")
    assert counted.items() <= truth["codes"].items()
    assert len(counted) == min(25, len(truth["codes"]))


@of("tsc")
@where_told
def test_tsc_truth(name):
    """Errors, and how many of each code, are those of the compiler's own interface."""
    told, truth = said("tsc", name)
    assert told.number("errors") == truth["errors"]
    assert tallies(told, "by code") == {f"TS{code}": number for code, number in truth["codes"].items()}


@of("eslint")
@where_told
def test_eslint_truth(name):
    """Errors, warnings, files and rules are those of `--format json`."""
    told, truth = said("eslint", name)
    assert f"({truth['errors']} error" in told.text
    assert f", {truth['warnings']} warning" in told.text
    assert tallies(told, "by rule") == {rule: number for rule, number in truth["rules"].items() if rule}
    named = re.findall(r"^(?:- )?/\S.*?([^/]*\.js)(?: x\d+)?$", told.text, re.MULTILINE)
    left_out = sum(map(int, re.findall(r"^- \(\+(\d+) more\)$", told.text, re.MULTILINE)))
    assert set(named) <= set(truth["files"])
    assert len(named) == len(truth["files"]) or left_out


@of("npm_install")
@where_told
def test_npm_truth(name):
    """Where npm counts what it audited, `npm ls` finds as many packages."""
    told, truth = said("npm_install", name)
    audited = re.search(r"audited (\d+) package", told.text)
    assert audited is None or int(audited.group(1)) == truth["audited"]


def by_word(line: str) -> dict[str, int]:
    """Read `2 failed, 3 passed, 5 total`, with any separator, as numbers by word."""
    return {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", line)}


@of("jest")
@where_told
def test_jest_truth(name):
    """Suites and tests by outcome are those of `--json`, and every failing test is named."""
    told, truth = said("jest", name)
    suites, tests = (by_word(told.field(label) or "") for label in ("Test Suites", "Tests"))
    assert suites.get("failed", 0) == truth["failed_files"]
    assert suites.get("passed", 0) == truth["passed_files"]
    assert tests.get("failed", 0) == truth["failed"]
    assert tests.get("passed", 0) == truth["passed"]
    shown = {title.replace(" › ", " ") for title in re.findall(r"^  ● (.*)$", told.text, re.MULTILINE)}
    shown.discard("Test suite failed to run")
    assert shown <= set(truth["failing"])
    assert shown == set(truth["failing"]) or " more)" in told.text


@of("vitest")
@where_told
def test_vitest_truth(name):
    """Files and tests by outcome are those of `--reporter=json`, and every failing test is named."""
    told, truth = said("vitest", name)
    files, tests = (by_word(line) for line in told.text.split("\n")[:2])
    assert files.get("failed", 0) == truth["failed_files"]
    assert files.get("passed", 0) + files.get("skipped", 0) == truth["passed_files"]  # nothing ran in some
    assert tests.get("failed", 0) == truth["failed"]
    assert tests.get("passed", 0) == truth["passed"]
    names = re.findall(r"^- FAIL [^>\n]*> (.*)$", told.text, re.MULTILINE)
    shown = {title.replace(" > ", " ") for title in names}
    assert shown <= set(truth["failing"])
    assert shown == set(truth["failing"]) or " more)" in told.text


@of("terraform_plan")
@where_told
def test_plan_truth(name):
    """Resources and what happens to them are those of the saved plan, read as JSON."""
    told, truth = said("terraform_plan", name)
    words = {
        "create": "will be created",
        "delete": "will be destroyed",
        "update": "will be updated in-place",
        "delete+create": "must be replaced",
    }
    expected = {f"- {address} {words[action]}" for address, action in truth["actions"].items()}
    shown = set(re.findall(r"^- \S.*(?:created|destroyed|in-place|replaced)$", told.text, re.MULTILINE))
    assert shown <= expected
    assert len(shown) == min(30, len(expected))
