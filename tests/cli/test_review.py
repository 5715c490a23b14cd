"""What a reviewer is given besides a comparison: findings for CI, notes, and the description of rules."""

from __future__ import annotations

import json

import pytest
from cablese.cli.findings import Repository

from .test_workshop import RULE

OPEN = RULE.replace("stdout   item+", "stdout   (item | rest)+").replace(
    '    item = "item {}"', '    item = "item {}"\n    rest = otherwise'
)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Make a repository with a faulty rule file in a folder below, and go to that folder."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "tools" / "my rules").mkdir(parents=True)
    (tmp_path / "tools" / "my rules" / "a.cable").write_text(RULE.replace("count item", "count itm"))
    monkeypatch.chdir(tmp_path / "tools")
    return tmp_path


def test_annotations_name_files_from_the_top_of_the_repository(cablese, repository):
    """Wherever one stands: GitHub knows nothing of the current folder. Nothing else is printed."""
    done = cablese("check", "--draft", "--format", "github", "my rules")
    assert done.code == 1
    (line,) = done.out.decode().splitlines()
    assert line.startswith("::error file=tools/my rules/a.cable,line=11,endLine=11,col=19,endColumn=21,title=E0501::")
    assert line.endswith("%0Ahelp: did you mean `item`?")
    written = cablese("compile", "--draft", "--format", "github", "my rules", "-o", "a.cablepack")
    assert (written.code, written.out) == (1, done.out)


def test_a_log_names_files_from_the_top_of_the_repository(cablese, repository):
    """As URIs, encoded; and it is printed, valid, also where there is no finding."""
    run = json.loads(cablese("check", "--draft", "--format=sarif", "my rules").out)["runs"][0]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "tools/my%20rules/a.cable", "uriBaseId": "%SRCROOT%"}
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (11, 19)
    (repository / "tools" / "my rules" / "a.cable").write_text(RULE)
    done = cablese("check", "--draft", "--format=sarif", "my rules")
    assert done.code == 0
    assert json.loads(done.out)["runs"][0]["results"] == []


def test_a_folder_without_a_repository_is_its_own_top(tmp_path):
    """Then paths are those from there on."""
    assert Repository(str(tmp_path)).locate("a/b.cable") == "a/b.cable"
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    (tmp_path / "a").mkdir()
    assert Repository(str(tmp_path / "a")).locate("b.cable") == "a/b.cable"
    assert Repository(str(tmp_path / "a")).locate("../c.cable") == "c.cable"


def test_notes_are_said_of_a_pack(cablese, tmp_path, monkeypatch):
    """`inspect` says for people and as JSON what cannot be told of an output, and nothing where all can."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cable").write_text(OPEN)
    assert cablese("compile", "--draft", "a.cable", "-o", "a.cablepack").code == 0
    text = cablese("inspect", "a.cablepack").out.decode()
    assert "\n  note      open-ended: every line of stdout may be its last" in text
    assert "\n  note      open to strangers: any text may end stdout" in text
    (rule,) = json.loads(cablese("inspect", "--json", "a.cablepack").out)["rules"]
    assert [note["name"] for note in rule["notes"]] == ["open-ended", "open to strangers"]


def test_rules_are_described(cablese, tmp_path, monkeypatch):
    """A file, a folder and a pack; what does not compile is exit 2 with its findings."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.cable").write_text(OPEN)
    assert cablese("compile", "--draft", "rules", "-o", "a.cablepack").code == 0
    pages = [cablese("docs", given) for given in ("rules", "rules/a.cable", "a.cablepack")]
    assert {page.code for page in pages} == {0}
    assert len({page.out for page in pages}) == 1
    assert b"## demo.list\n" in pages[0].out
    assert b"*Open to strangers*" in pages[0].out
    (tmp_path / "rules" / "a.cable").write_text("rule demo.list {")
    done = cablese("docs", "rules")
    assert (done.code, done.out) == (2, b"")
    assert b"error[E0" in done.err
    assert cablese("docs", "nowhere").code == 2
