"""`cablese diff` on packs, rule files and revisions of a git repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
from cablese.cli.diff_schema import DiffRecord
from cablese.cli.schema import SCHEMA_FOLDER, render_schemas

RULES = Path(__file__).parents[2] / "rules"
SCHEMA = json.loads((Path(SCHEMA_FOLDER) / "diff.schema.json").read_text("utf-8"))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a repository with the shipped rules for git, committed, and go there."""
    (tmp_path / "rules").mkdir()
    shutil.copy(RULES / "git.cable", tmp_path / "rules")
    for name in ("git_status", "git_diff", "git_log"):
        shutil.copytree(RULES / "examples" / name, tmp_path / "rules" / "examples" / name)
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    git("init", "-q", "-b", "main")
    git("add", ".")
    commit("first")
    return tmp_path


def git(*words):
    """Run git in the current folder."""
    subprocess.run(["git", *words], check=True, capture_output=True)


def commit(message):
    """Commit what is added."""
    git("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "commit", "-q", "-m", message)


def edit(path, *pairs):
    """Replace texts in a file, each of which is there."""
    text = path.read_text("utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


WIDER = ("option  -b, --branch", "option  -b, --branch, --ahead-behind")
NARROWER = ("exit     0, 1, unknown  # any", "exit     0, unknown  # any")
REWORDED = ("changed_files: {{ changes }}", "files: {{ changes }}")


def record(done):
    """Read the JSON of a run and hold it to the shipped schema."""
    found = json.loads(done.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_the_shipped_schema_is_that_of_the_models():
    """`runtime/schemas/diff.schema.json` is what the models give, and it refuses what is no diff."""
    assert json.loads(render_schemas()["diff.schema.json"]) == SCHEMA
    assert SCHEMA["title"] == DiffRecord.__name__
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate({"differs": True})


def test_a_folder_is_compared_with_its_revision(cablese, project):
    """What is committed is one side, what is edited the other; nothing edited is exit 0."""
    same = cablese("diff", "HEAD:rules", "rules")
    assert same.code == 0, same
    assert b"Nothing that is compared differs." in same.out
    edit(project / "rules" / "git.cable", WIDER, REWORDED)
    done = cablese("diff", "HEAD:rules", "rules")
    assert (done.code, done.err) == (1, b"")
    text = done.out.decode()
    assert "deserves a **major** release" in text
    assert "| `git status --short --ahead-behind` | `bash`, `shell` | no rule | `bash.git_status` |" in text
    assert "-changed_files: 29\n+files: 29\n" in text
    found = record(cablese("diff", "HEAD:rules", "rules", "--format", "json"))
    assert found["level"] == "major"
    assert found["rules"]["changed"] == ["bash.git_status"]
    assert {each["name"] for each in found["findings"]} >= {"command_gained", "summary_changed", "result_changed"}
    assert found["totals"]["new"]["o200k_base"] < found["totals"]["old"]["o200k_base"]


def test_a_page_is_written_beside_the_report(cablese, project):
    """Of a revision and what is edited, the same bytes each time; `-` prints the page, and the report is as without."""
    edit(project / "rules" / "git.cable", WIDER, REWORDED)
    report = cablese("diff", "HEAD:rules", "rules")
    done = cablese("diff", "HEAD:rules", "rules", "--html", "review.html")
    assert done == report
    page = (project / "review.html").read_bytes()
    assert page.startswith(b"<!DOCTYPE html>")
    assert b"<title>Rules: HEAD:rules \xe2\x86\x92 rules</title>" in page
    assert str(project).encode() not in page
    printed = cablese("diff", "HEAD:rules", "rules", "--html", "-")
    assert (printed.code, printed.out) == (1, page)
    done = cablese("diff", "HEAD:rules", "rules", "--html", "nowhere/review.html")
    assert (done.code, done.out) == (2, b"")
    assert done.err == b"cablese: nowhere/review.html: No such file or directory\n"


def test_revisions_are_the_committed_bytes(cablese, project):
    """Attributes that change what checkouts and archives hold do not touch what is compared; names may be relative."""
    (project / ".gitattributes").write_text("*.txt export-ignore\n*.cable text eol=crlf export-subst\n")
    git("add", ".")
    edit(project / "rules" / "git.cable", WIDER)
    git("add", ".")
    commit("second")
    for old, new in (("HEAD~1:rules", "HEAD:rules"), ("main~1:rules/git.cable", "main:./rules/git.cable")):
        found = record(cablese("diff", "--format=json", old, new))
        assert (found["level"], found["old"]["label"], found["new"]["label"]) == ("minor", old, new)
        assert [each["to"] for each in found["handovers"]] == ["bash.git_status"]
        assert found["totals"]["results"] > 10
        assert found["totals"]["changed"] == 0
    os.chdir("rules")
    assert cablese("diff", "HEAD:./git.cable", "HEAD:rules/git.cable").code == 0


def test_a_file_that_is_taken_in_is_read_at_the_revision(cablese, project):
    """A rule file beside the folder counts as it was then."""
    shared = project / "shared.cable"
    shared.write_text('lines common {\n  row = "row {}"\n}\n')
    (project / "rules" / "rows.cable").write_text(
        'use "../shared.cable"\nrule demo.rows "rows" {\n  tool bash\n  command rows { }\n  stdout row+\n'
        "  stderr empty\n  lines with common\n  facts {\n    rows = count row\n  }\n"
        '  summary """\n  rows: {{ rows }}\n  """\n}\n'
    )
    git("add", ".")
    commit("rows")
    edit(shared, ("row {}", "line {}"))
    found = record(cablese("diff", "HEAD:rules/rows.cable", "rules/rows.cable", "--format", "json"))
    assert [each["name"] for each in found["findings"]] == ["reading_changed"]


def test_packs_are_held_to_their_versions(cablese, project):
    """A pack that declares less than it deserves is told so; packs have no examples, so a corpus is given."""
    edit(project / "rules" / "git.cable", NARROWER[::-1])
    compile_pack(cablese, "old.cablepack", "1.0.0")
    edit(project / "rules" / "git.cable", NARROWER)
    compile_pack(cablese, "new.cablepack", "1.0.1")
    done = cablese("diff", "old.cablepack", "new.cablepack")
    assert done.code == 1
    assert b"**declares 1.0.1, deserves 2.0.0**" in done.out
    assert b"No results were compared" in done.out
    log = "".join(f"{number:07x} Change number {number} of many changes\n" for number in range(60))
    status = " M src/lib.rs\n" * 40
    results = [
        {"tool": "bash", "arguments": {"command": command}, "content": text, "id": command,
         "metadata": {"stdout": text, "stderr": "", **code}}
        for command, text, code in (
            ("git log --oneline", log, {"exit_code": 0}), ("git status -s", status, {"exit_code": 1}), ("ls", log, {}),
        )
    ]  # fmt: skip
    Path("corpus.jsonl").write_text("\n".join(map(json.dumps, results)) + "\n\n")
    done = cablese("diff", "old.cablepack", "new.cablepack", "--corpus", "corpus.jsonl", "--format", "json")
    found = record(done)
    assert found["versions"] == {"old": "1.0.0", "new": "1.0.1", "deserved": "2.0.0", "holds": False}
    (lost,) = found["results"]
    assert (lost["name"], lost["change"], lost["new"]["reason"]) == (
        "corpus.jsonl:2 git status -s",
        "result_lost",
        "invalid_output",
    )
    assert lost["new"]["tokens"] == lost["original"]
    assert found["totals"]["results"] == 3


def compile_pack(cablese, name, version):
    """Compile the rules of the project."""
    done = cablese("compile", "--draft", "rules", "-o", name, "--name", "git", "--pack-version", version)
    assert done.code == 0, done.out


def test_a_pack_of_a_revision_is_a_pack(cablese, project):
    """A pack that is committed is compared as what it is."""
    compile_pack(cablese, "kept.cablepack", "1.0.0")
    git("add", ".")
    commit("pack")
    assert cablese("diff", "HEAD:kept.cablepack", "kept.cablepack").code == 0
    done = cablese("diff", "HEAD:kept.cablepack", "rules", "--format", "json")
    assert record(done)["old"]["version"] == "1.0.0"
    assert done.code == 0


@pytest.mark.parametrize(
    ("old", "words"),
    [
        ("nowhere:rules", b"git knows no revision `nowhere`"),
        ("--all:rules", b"git knows no revision `--all`"),
        ("HEAD:ruels", b"`HEAD` has no file or folder `ruels`"),
        ("HEAD:rules/examples", b"no rule files"),
        ("ruels", b"no such file or folder"),
        ("broken.cablepack", b"broken.cablepack"),
        ("bad", b"does not compile"),
    ],
)
def test_a_side_that_is_broken_is_exit_2(cablese, project, old, words):
    """And the message says which and how; nothing is printed as a report."""
    (project / "broken.cablepack").write_bytes(b"cablepack 1 x\n")
    (project / "bad").mkdir()
    (project / "bad" / "a.cable").write_text("rule a.b {")
    for sides in ((old, "rules"), ("rules", old)):
        done = cablese("diff", "--", *sides)
        assert (done.code, done.out) == (2, b"")
        assert words in done.err


def test_a_revision_outside_of_a_repository_is_explained(process, tmp_path):
    """Where there is no repository, that is said."""
    (tmp_path / "a.cable").write_text("")
    done = process(
        "diff", "HEAD:rules", "a.cable", cwd=tmp_path, env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}.items()
    )
    assert done.code == 2
    assert b"no git repository here" in done.err


def test_a_corpus_that_is_malformed_is_exit_2(cablese, project):
    """With the file and the line."""
    Path("corpus.jsonl").write_text('{"tool": "bash", "content": ""}\n{"tool": 3}\n')
    done = cablese("diff", "rules", "rules", "--corpus", "corpus.jsonl")
    assert (done.code, done.out) == (2, b"")
    assert b"corpus.jsonl:2: `tool` is missing or not text" in done.err
