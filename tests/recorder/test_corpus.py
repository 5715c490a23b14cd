"""The generated corpus holds together, by an independent reading of each output."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from cablese.bench.corpus import cargo_logs, git_outputs


@pytest.mark.skipif(shutil.which("git") is None, reason="no git on this machine")
def test_the_diff_is_a_patch_that_git_reads(tmp_path):
    """`git apply --numstat` accepts it and finds in every file what the hunk heads say."""
    patch = git_outputs.diff(files=7, hunks=9)
    said = subprocess.run(
        ["git", "apply", "--numstat"], input=patch, cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    added = sum(int(row.split("\t")[0]) for row in said.splitlines())
    removed = sum(int(row.split("\t")[1]) for row in said.splitlines())
    assert len(said.splitlines()) == 7
    assert added == sum(line.startswith("+") for line in patch.splitlines()) - 7
    assert removed == sum(line.startswith("-") for line in patch.splitlines()) - 7
    assert patch.count("\n@@ -") == 63


def test_the_test_log_adds_up():
    """The verdicts, the blocks, the list and the result line of a cargo test log agree."""
    stdout, stderr = cargo_logs.cargo_test(1_900)
    verdicts = re.findall(r"^test \S+ \.\.\. (ok|FAILED|ignored)", stdout, re.MULTILINE)
    failing = re.findall(r"^test (\S+) \.\.\. FAILED$", stdout, re.MULTILINE)
    totals = re.search(r"^test result: FAILED\. (\d+) passed; (\d+) failed; (\d+) ignored;", stdout, re.MULTILINE)
    assert totals is not None
    assert [int(total) for total in totals.groups()] == [verdicts.count(word) for word in ("ok", "FAILED", "ignored")]
    assert len(verdicts) == 1_900
    assert failing == re.findall(r"^---- (\S+) stdout ----$", stdout, re.MULTILINE)
    assert failing == re.findall(r"^    (\S+)$", stdout, re.MULTILINE)
    assert stderr.endswith("error: test failed, to rerun pass `--lib`\n")


def test_the_check_log_adds_up():
    """The roll-ups of a cargo check log count what stands above them, and no diagnostic stands there twice."""
    log = cargo_logs.cargo_check(450)
    warnings = re.findall(r"^warning: unused variable: (.*)$", log, re.MULTILINE)
    errors = re.findall(r"^error\[E\d{4}\]: .*\n.*$", log, re.MULTILINE)
    assert len(warnings) == len(set(warnings)) == sum(map(int, re.findall(r"generated (\d+) warnings", log)))
    assert len(errors) == len(set(errors)) == sum(map(int, re.findall(r"due to (\d+) previous errors", log)))
    assert errors


def test_the_log_names_each_commit_once():
    """Short names of ten thousand commits are all different."""
    names = [line.split(" ", 1)[0] for line in git_outputs.oneline(10_000).splitlines()]
    assert len(set(names)) == 10_000
