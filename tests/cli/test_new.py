"""`cablese new rule`: a captured output into a rule file that every other command takes."""

from __future__ import annotations

import pytest

TALLY = "".join(f"ok {number} - case {number}\n" for number in range(1, 31)) + "30 passed in 0.4s\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Stand in an empty project in which something was captured."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.txt").write_text(TALLY)
    return tmp_path


def new(cablese, *words):
    """Draft a rule for the captured output."""
    return cablese("new", "rule", "--command", "tap run", "--stdout", "out.txt", "--exit-code", "0", *words)


def test_a_draft_goes_where_rules_are_and_is_taken_by_the_other_commands(cablese, project):
    """Rule and fixture below `.cablese/rules`; formatted, without findings, tested, compiled, and it summarises."""
    done = new(cablese)
    assert (done.code, done.err) == (0, b"")
    assert (project / ".cablese/rules/tap_run.cable").is_file()
    assert (project / ".cablese/rules/examples/tap_run/captured.txt").read_text() == TALLY
    for words in (["fmt", "--check"], ["check"], ["test"], ["compile"]):
        assert cablese(*words).code == 0, words
    words = ("--pack", ".cablese/pack.cablepack", "--command", "tap run", "--stdout", "out.txt", "--exit-code", "0")
    viewed = cablese("view", *words)
    assert b"compression: rule\n" in viewed.out
    assert b"30 passed in 0.4s\n" in viewed.out
    assert cablese("why", *words).code == 0


def test_nothing_that_is_there_is_overwritten(cablese, project):
    """Neither the rule nor a fixture; and where one is there, none is written."""
    assert new(cablese, "-o", "a/tap.cable").code == 0
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    (project / "a" / "tap.cable").rename(project / "kept.cable")
    again = new(cablese, "-o", "a/tap.cable")
    assert (again.code, again.out) == (2, b"")
    assert b"is there already" in again.err
    assert b"remove it, or give the draft another --name" in again.err
    assert not (project / "a" / "tap.cable").exists()
    assert (project / "kept.cable").read_bytes() == before[project / "a" / "tap.cable"]
    assert new(cablese, "-o", "a/tap.cable", "--name", "tap_again").code == 0


def test_joined_streams_are_one(cablese, project):
    """The command of the example joins them, too."""
    words = ("--command", "tap run", "--merged", "out.txt", "-o", "t.cable")
    assert cablese("new", "rule", *words).code == 0
    assert 'command "tap run 2>&1"' in (project / "t.cable").read_text()
    assert cablese("test", "t.cable").code == 0


def test_standard_input_is_taken(cablese, project):
    """`-` for one of the streams."""
    words = ("--command", "tap run", "--stdout", "-", "-o", "t.cable")
    assert cablese("new", "rule", *words, stdin=TALLY.encode()).code == 0
    assert (project / "examples/tap_run/captured.txt").read_text() == TALLY


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["new", "thing", "--command", "x", "--stdout", "out.txt"], "not a `thing`"),
        (["new", "rule", "--stdout", "out.txt"], "--command is missing"),
        (["new", "rule", "--command", "x"], "is missing"),
        (["new", "rule", "--command", "x", "--stdout", "none.txt"], "no such file"),
        (["new", "rule", "--command", "x", "--stdout", "-", "--stderr", "-"], "cannot both be standard input"),
        (["new", "rule", "--command", "x", "--stdout", "out.txt", "--merged", "out.txt"], "in place of"),
        (["new", "rule", "--command", "x | y", "--stdout", "out.txt"], "`|`"),
        (["new", "rule", "--command", "x", "--stdout", "empty.txt"], "both streams are empty"),
        (["new", "rule", "--command", "x", "--stdout", "latin.txt"], "not UTF-8 at byte 1"),
        (["new", "rule", "--command", "x", "--stdout", "out.txt", "--name", "1"], "no name"),
        (["new", "rule", "--command", "x", "--stdout", "out.txt", "-o", "out.txt/x.cable"], "Not a directory"),
    ],
)
def test_what_cannot_work_is_said_and_nothing_is_written(cablese, project, words, says):
    """Exit 2 and one line."""
    (project / "empty.txt").write_bytes(b"")
    (project / "latin.txt").write_bytes(b"a\xff\n")
    before = sorted(project.rglob("*"))
    done = cablese(*words)
    assert (done.code, done.out) == (2, b"")
    assert says.encode() in done.err
    assert done.err.count(b"\n") == 1
    assert sorted(project.rglob("*")) == before
