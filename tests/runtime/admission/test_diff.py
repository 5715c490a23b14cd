"""Diffs are told by their grammar, counts of hunks included."""

from __future__ import annotations

import json
from difflib import unified_diff
from pathlib import Path

import pytest
from cablese.runtime.admission import diff
from cablese.runtime.admission.classify import classify
from cablese.runtime.admission.kinds import ContentKind, NotThisKindError
from hypothesis import given
from hypothesis import strategies as st

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
LINES = st.lists(st.sampled_from(["a", "-- b", "+c", "@@ -1 +1 @@", "", " d", "--- e", "\\f"]), max_size=12)


def is_diff(text: str) -> bool:
    """Tell whether a text is recognised."""
    try:
        diff.recognise(text)
    except NotThisKindError:
        return False
    return True


@given(LINES, LINES, st.integers(0, 4))
def test_what_difflib_writes_is_a_diff(before, after, context):
    """Whatever lines look like, a unified diff of two texts is recognised."""
    text = "\n".join(unified_diff(before, after, "one", "two", n=context, lineterm=""))
    assert is_diff(text) == bool(text)


@given(LINES, LINES, st.integers(0, 60), st.sampled_from(["x = 1", "-a", "+a", " a"]))
def test_a_hunk_with_a_line_too_many_is_none(before, after, place, line):
    """A line that a hunk's counts do not hold makes it no diff, unless it stands where another hunk would begin."""
    lines = list(unified_diff(before, after, "one", "two", lineterm=""))
    if len(lines) > 3:
        lines.insert(3 + place % (len(lines) - 3), line)
        assert not is_diff("\n".join([*lines, "x = 1"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", True),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", True),
        ("diff --git a/x b/x\nindex 1a2b3c4..5d6e7f8 100644\nBinary files a/x and b/x differ\n", True),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", True),
        ("diff --cc x\nindex 1a2b,3c4d..5e6f\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n- a\n -b\n++c\n", True),
        ("--- a/x\n+++ b/x\n", False),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\nnothing\n", False),
        ("commit 1a2b3c4d5e\nAuthor: A <a@example.org>\n\n    A subject\n", False),
        ("a commit is not a diff\n", False),
    ],
)
def test_forms_of_diffs(text, expected):
    """Modes, renames, binary files, files without a last line end, merges; and what only begins like that."""
    assert is_diff(text) == expected


def test_a_diff_that_is_cut_is_one_and_a_disturbed_one_is_of_no_kind():
    """A diff behind `head` is a diff; one with foreign lines is `UNKNOWN`, and nothing else takes it."""
    text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n-b\n+c\n"
    assert classify(text)[0] is ContentKind.DIFF
    assert classify(text + " d\n e\n[… 300 lines omitted …]\n")[0] is ContentKind.UNKNOWN


def test_recorded_diffs_are_diffs():
    """Every recorded `git diff` that `git apply` read whole is recognised."""
    seen = 0
    for path in sorted((SAMPLES / "git_diff").glob("*.json")):
        sample = json.loads(path.read_text("utf-8"))
        stdout = sample["metadata"].get("stdout") or sample["metadata"].get("merged", "")
        refused = sample["sample"]["expect"] == "pass"
        if not sample["sample"]["truth"].get("files") or refused or len(stdout) > 200_000:
            continue
        if any(mark < " " and mark not in "\t\n\r\f" for mark in set(stdout)):
            continue
        seen += 1
        assert classify(stdout)[0] is ContentKind.DIFF, path.name
    assert seen > 30
