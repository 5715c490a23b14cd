"""What the git rules say equals what git itself says of the same state."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..curated import Said, evaluate
from .repository import Repository, contents, names, settings_, trees

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(shutil.which("git") is None, reason="no git on this machine"),
]
quick = settings(max_examples=25)


@pytest.mark.parametrize("command", ["git diff", "git diff --cached", "git diff HEAD -U0", "git diff -R"])
def test_a_plain_change_is_accepted(command):
    """Ordinary edits are summarised: the comparisons below are not empty."""
    with repository() as name:
        repo = Repository(Path(name))
        repo.lay({"a.txt": "one\ntwo\n", "two words": "x\n"})
        repo.commit()
        repo.lay({"a.txt": "one\n2\n", "new": "y\n"})
        if "cached" in command or "HEAD" in command:
            repo.run("add", "-A")
        ran = repo.run(*command.split()[1:])
        said = evaluate("bash.git_diff", command, ran.stdout, ran.stderr, ran.exit_code)
        assert isinstance(said, Said), said
        assert said.number("files") == len(numstat(repo, ran.stdout))


def repository() -> tempfile.TemporaryDirectory[str]:
    """Return a fresh scratch folder."""
    return tempfile.TemporaryDirectory(prefix="cablese-live-")


def numstat(repo: Repository, patch: str) -> dict[str, tuple[int, int]]:
    """Return path → (added, removed) as `git apply` reads the patch; binary files count nothing."""
    done = repo.run("apply", "--numstat", "-z", stdin=patch)
    assert done.exit_code == 0, done.stderr
    found = {}
    for row in filter(None, done.stdout.split("\0")):
        added, removed, path = row.split("\t", 2)
        found[path] = (int(added) if added != "-" else 0, int(removed) if removed != "-" else 0)
    return found


@quick
@given(
    before=trees,
    after=trees,
    config=settings_,
    command=st.sampled_from(("git diff", "git diff --cached", "git diff HEAD -U0", "git diff -R", "git diff -M HEAD")),
)
def test_diff_facts_equal_numstat(before, after, config, command):
    """Files, insertions and deletions of an accepted patch are those that `git apply --numstat` finds in it."""
    with repository() as name:
        repo = Repository(Path(name))
        repo.configure(config)
        repo.lay(before)
        repo.commit()
        repo.lay(after)
        if command != "git diff":
            repo.run("add", "-A")
        ran = repo.run(*command.split()[1:])
        said = evaluate("bash.git_diff", command, ran.stdout, ran.stderr, ran.exit_code)
        if not isinstance(said, Said):
            return
        truth = numstat(repo, ran.stdout)
        assert said.number("files") == len(truth) or config.get("diff.renames")
        assert said.number("insertions") == sum(added for added, _ in truth.values())
        assert said.number("deletions") == sum(removed for _, removed in truth.values())


@quick
@given(before=trees, after=trees, quoted=st.booleans())
def test_diff_names_equal_numstat(before, after, quoted):
    """Every name in the list of files is the path that git applies the patch to, as git quotes it."""
    with repository() as name:
        repo = Repository(Path(name))
        repo.configure({"core.quotePath": str(quoted).lower()})
        repo.lay(before)
        repo.commit()
        repo.lay(after)
        repo.run("add", "-A")
        ran = repo.run("diff", "--cached", "--no-renames")
        said = evaluate("bash.git_diff", "git diff --cached --no-renames", ran.stdout, ran.stderr, ran.exit_code)
        if not isinstance(said, Said):
            return
        shown = repo.run("diff", "--cached", "--no-renames", "--numstat").stdout.splitlines()
        paths = [row.split("\t", 2)[2].strip('"') for row in shown]
        listed = [row[2:].rsplit(" +", 1)[0] for row in said.items("file_list")]
        marks = (" (new)", " (deleted)", " (binary)")
        for mark in marks * 2:
            listed = [row.removesuffix(mark) for row in listed]
        assert listed == paths


@quick
@given(before=trees, after=trees, staged=st.lists(names, max_size=3), branch=st.booleans())
def test_status_counts_equal_porcelain_v2(before, after, staged, branch):
    """Changed and untracked entries are as many as porcelain v2 lists."""
    with repository() as name:
        repo = Repository(Path(name))
        repo.lay(before)
        repo.commit()
        repo.lay(after)
        for path in staged:
            repo.run("add", "-A", "--", f":(literal){path}")
        command = "git status -sb" if branch else "git status --porcelain"
        ran = repo.run(*command.split()[1:])
        said = evaluate("bash.git_status", command, ran.stdout, ran.stderr, ran.exit_code)
        if not ran.stdout:
            assert not isinstance(said, Said)
            return
        assert isinstance(said, Said), said
        entries = repo.run("status", "--porcelain=v2").stdout.splitlines()
        assert said.number("changed_files") == sum(row[0] in "12u" for row in entries)
        assert said.number("untracked") == sum(row[0] == "?" for row in entries)


@quick
@given(messages=st.lists(st.text("ab (#1)é'", max_size=12), min_size=1, max_size=12), limit=st.integers(1, 14))
def test_log_counts_equal_rev_list(messages, limit):
    """A one-line history has as many commits as `rev-list --count` says."""
    with repository() as name:
        repo = Repository(Path(name))
        for message in messages:
            repo.commit(message)
        command = f"git log --oneline -{limit}"
        ran = repo.run(*command.split()[1:])
        said = evaluate("bash.git_log", command, ran.stdout, ran.stderr, ran.exit_code)
        assert isinstance(said, Said), said
        assert said.number("commits") == int(repo.run("rev-list", "--count", f"-{limit}", "HEAD").stdout)


@quick
@given(base=contents, ours=contents, theirs=contents)
def test_conflicts_are_counted(base, ours, theirs):
    """A merge in progress shows as many conflicts as porcelain v2 lists unmerged entries."""
    with repository() as name:
        repo = Repository(Path(name))
        repo.lay({"x": base})
        repo.commit()
        repo.run("checkout", "-qb", "other")
        repo.lay({"x": theirs, "y": "theirs\n"})
        repo.commit()
        repo.run("checkout", "-q", "main")
        repo.lay({"x": ours, "y": "ours\n"})
        repo.commit()
        repo.run("merge", "-q", "other")
        ran = repo.run("status", "-s")
        said = evaluate("bash.git_status", "git status -s", ran.stdout, ran.stderr, ran.exit_code)
        unmerged = sum(row[0] == "u" for row in repo.run("status", "--porcelain=v2").stdout.splitlines())
        assert unmerged
        assert isinstance(said, Said), said
        assert said.number("conflicts") == unmerged
