"""The rules beyond git, cargo and pytest against what their tools say in another form."""

from __future__ import annotations

import re

from .test_samples import of, said, where_told


def totals(line: str | None) -> dict[str, int]:
    """Read `12 ok, 1 failed` as numbers by word."""
    return {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", line or "")}


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
    rows = [row.removeprefix("- ").rpartition(" x") for row in told.items("by rule") if not row.startswith("- (+")]
    counted = {code: int(number) for code, _, number in rows}
    assert counted.items() <= truth["codes"].items()
    assert len(counted) == min(25, len(truth["codes"]))
