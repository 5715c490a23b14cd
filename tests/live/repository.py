"""Random repositories, driven through the machine's own git.

`contents` and `names` prefer what git quotes, what a patch could be confused with, and what editors leave behind.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

IMITATIONS = (
    "", "plain", "-- a comment", "++ more", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "-", "+", " ",
    "\\ No newline at end of file", "index 1234567..89abcde 100644", "Binary files a and b differ", "\tтекст", "日本",
)  # fmt: skip

lines = st.lists(st.sampled_from(IMITATIONS) | st.text("ab -+\\", max_size=6), max_size=12)
contents = st.builds(
    lambda rows, end, eol: eol.join(rows) + (eol if end else ""), lines, st.booleans(), st.sampled_from(("\n", "\r\n"))
)
NAMES = (
    "a",
    "b.txt",
    "two words",
    "sp b",
    "é.md",
    'q"uote',
    "tab\tname",
    "a b/c",
    "back\\slash",
    "-dash",
    "日本.txt",
    "w",
)
folders = st.sampled_from(("", "a/", "b/", "src/", "x y/", "i/"))
names = st.builds(lambda folder, name: folder + name, folders, st.sampled_from(NAMES))
trees = st.dictionaries(names, contents, min_size=1, max_size=6)
settings_ = st.fixed_dictionaries(
    {},
    optional={
        "diff.mnemonicPrefix": st.sampled_from(("true", "false")),
        "core.quotePath": st.sampled_from(("true", "false")),
        "diff.noprefix": st.just("true"),
        "diff.renames": st.sampled_from(("true", "false", "copies")),
        "status.relativePaths": st.just("false"),
        "diff.algorithm": st.sampled_from(("histogram", "patience")),
        "diff.context": st.sampled_from(("0", "1", "8")),
    },
)


class Ran(NamedTuple):
    """What a command printed."""

    stdout: str
    stderr: str
    exit_code: int


class Repository:
    """A repository in a folder of its own, isolated from the user's configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.run("init", "-q", "-b", "main")
        self.run("config", "core.autocrlf", "false")

    def run(self, *words: str, stdin: str | None = None) -> Ran:
        """Run git here."""
        plain = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        who = (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2026-01-05T09:00:00+0000"))
        plain |= {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who}
        plain |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["git", *words],
            cwd=self.folder,
            env=plain,
            input=None if stdin is None else stdin.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=False,
        )
        return Ran(
            done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace"), done.returncode
        )

    def lay(self, tree: dict[str, str]) -> None:
        """Make the work tree hold exactly this tree; names that need a folder where a file stands are left out."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if ".git" in path.relative_to(self.folder).parts:
                continue
            path.rmdir() if path.is_dir() else path.unlink()
        for name, text in tree.items():
            path = self.folder / name
            if any(parent.is_file() for parent in path.parents) or path.is_dir():
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())

    def configure(self, settings: dict[str, str]) -> None:
        """Set configuration values of this repository."""
        for key, value in settings.items():
            self.run("config", key, value)

    def commit(self, message: str = "a commit") -> None:
        """Commit everything."""
        self.run("add", "-A")
        self.run("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", message)
