"""The hooks of the repository, run by the real pre-commit on files that are good, laid out otherwise, and broken.

What the hooks are is read from `.pre-commit-hooks.yaml`; only their environment is this one in place of one that
pre-commit would build from a clone, which takes a network and minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
GOOD = """\
rule demo.list "items" {
  tool     bash
  command  demo list { }

  stdout   item+
  stderr   empty
  lines {
    item = "item {}"
  }

  facts {
    items = count item
  }

  summary \"\"\"
  items: {{ items }}
  \"\"\"
}
"""


@pytest.fixture
def hooked(tmp_path, monkeypatch):
    """Make a repository with the hooks, and give a function that runs one of them over what is added."""
    for variable in [name for name in os.environ if name.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    hooks = [
        {
            **hook,
            "language": "system",
            "entry": f"{sys.executable} -m cablese.cli.main {hook['entry'].removeprefix('cablese ')}",
            "args": ["--draft"] if hook["id"] == "cablese-check" else [],
        }
        for hook in HOOKS
    ]
    Path(".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}))
    subprocess.run(["git", "init", "-q"], check=True)

    def run(hook, **files):
        for name, text in files.items():
            Path(f"{name}.cable").write_text(text, "utf-8")
        subprocess.run(["git", "add", "."], check=True)
        done = pre_commit("run", hook, "--all-files", "--verbose")
        return done.returncode, done.stdout

    return run


def pre_commit(*words):
    """Run pre-commit of this environment."""
    command = [sys.executable, "-m", "pre_commit", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_the_manifest_is_one_that_pre_commit_takes():
    """And each hook runs a command of ours over rule files, all of them in one process."""
    done = pre_commit("validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [hook["id"] for hook in HOOKS] == ["cablese-fmt", "cablese-check"]
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert hook["require_serial"]
        assert hook.get("pass_filenames", True)


def test_good_files_pass_and_other_files_are_none_of_theirs(hooked):
    """Two rule files go through both hooks; a text file is not looked at."""
    Path("notes.txt").write_text("rule {")
    for hook in HOOKS:
        code, out = hooked(
            hook["id"], a=GOOD, b=GOOD.replace("demo.list", "demo.more").replace("demo list", "demo more")
        )
        assert code == 0, out
    assert "2 files checked, no findings" in out


def test_another_layout_is_mended_and_stops_the_commit(hooked):
    """The file is written anew, which pre-commit takes for a failure; the second run passes."""
    code, out = hooked("cablese-fmt", a=GOOD.replace("  tool     bash", " tool bash"))
    assert code == 1
    assert "files were modified by this hook" in out
    assert Path("a.cable").read_text("utf-8") == GOOD
    assert hooked("cablese-fmt")[0] == 0


def test_faults_stop_the_commit_and_are_shown(hooked):
    """A finding with its place; a file that does not parse is left as it is by the layout."""
    code, out = hooked("cablese-check", a=GOOD.replace("count item", "count itm"))
    assert code == 1
    assert "a.cable:12:" in out
    assert "did you mean `item`?" in out
    broken = GOOD.removesuffix("}\n")
    code, out = hooked("cablese-fmt", a=broken)
    assert code == 1
    assert "E0102" in out
    assert Path("a.cable").read_text("utf-8") == broken
