"""A scratch folder with a fixed clock and a closed environment, in which real tools run.

Role: everything a recorded output could depend on besides the tool itself is pinned here: names, dates, locale,
configuration, home folder. Input: a folder of our own. Output: captured streams in which scratch paths are replaced.
INVARIANT: recorded text never names the machine it was recorded on; see `Workshop.portable`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

EPOCH = 1_736_937_000  # 2025-01-15T10:30:00Z; each commit is one hour later than the one before
HOME = "/home/dev"
RUSTUP = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
TOOLS = (Path(sys.prefix) / "bin", Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "bin")


class Captured(NamedTuple):
    """What one command left behind. `merged` is set instead of the two streams where they were captured as one."""

    stdout: bytes
    stderr: bytes
    exit_code: int | None
    timed_out: bool
    merged: bytes | None = None


class Workshop:
    """One project folder, `path`, inside a home folder of its own."""

    def __init__(self, home: Path, project: str = "demo") -> None:
        shutil.rmtree(home, ignore_errors=True)
        self.home = home
        self.path = home / project
        self.path.mkdir(parents=True)
        (home / "tmp").mkdir()
        self.commits = 0
        self.environment: dict[str, str] = {}

    def write(self, name: str, content: str | bytes, *, mode: int | None = None) -> None:
        """Write one file below the project folder, as UTF-8 where it is text; nothing is added to it."""
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        if mode is not None:
            target.chmod(mode)

    def write_all(self, files: dict[str, str]) -> None:
        """Write several files."""
        for name, content in files.items():
            self.write(name, content)

    def append(self, name: str, text: str) -> None:
        """Append text to a file."""
        with (self.path / name).open("a", encoding="utf-8", newline="") as handle:
            handle.write(text)

    def git(self, *arguments: str, fails: bool = False, where: str = ".") -> str:
        """Run git and return its stdout. `fails` says that a non-zero exit is part of the scenario."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.path / where, env=self.variables(), capture_output=True, check=False
        )
        if done.returncode and not fails:
            raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode(errors="replace")

    def init(self, *options: str) -> None:
        """Make a repository whose first branch is `main`."""
        self.git("init", "--quiet", "-b", "main", *options)

    def commit(self, subject: str, *options: str, where: str = ".") -> None:
        """Commit everything there is, one hour after the last commit."""
        self.git("add", "--all", where=where)
        self.git("commit", "--quiet", "--allow-empty", "-m", subject, *options, where=where)
        self.commits += 1

    def capture(
        self,
        command: str,
        *,
        folder: str = ".",
        environment: dict[str, str] | None = None,
        merged: bool = False,
        seconds: float = 180.0,
    ) -> Captured:
        """Run `command` in a shell of its own session, so that a time-out ends its children as well."""
        child = subprocess.Popen(
            ["bash", "-c", command],
            cwd=self.path / folder,
            env=self.variables() | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            start_new_session=True,
        )
        timed_out = False
        try:
            stdout, stderr = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
            os.killpg(child.pid, signal.SIGKILL)
            stdout, stderr = child.communicate()
        code = None if timed_out else child.returncode
        if merged:
            return Captured(b"", b"", code, timed_out, self.portable(stdout))
        return Captured(self.portable(stdout), self.portable(stderr), code, timed_out)

    def variables(self) -> dict[str, str]:
        """Return the closed environment; the user's own git, cargo and pytest settings play no part in it."""
        moment = f"{EPOCH + 3600 * self.commits} +0000"
        return {
            "PATH": os.pathsep.join([*(str(tool) for tool in TOOLS), "/usr/local/bin", "/usr/bin", "/bin"]),
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CEILING_DIRECTORIES": str(self.home),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_EDITOR": "true",
            "GIT_AUTHOR_NAME": "Ada Example",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_NAME": "Ada Example",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_COMMITTER_DATE": moment,
            "RUSTUP_HOME": str(RUSTUP),
            "CARGO_HOME": str(self.home / ".cargo"),
            "CARGO_NET_OFFLINE": "true",
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "100",
            **self.environment,
        }

    def portable(self, text: bytes) -> bytes:
        """`text` with every path of this machine replaced by the one an ordinary account would have."""
        replacements = {
            str(self.home / "tmp"): "/tmp",
            str(self.home): HOME,
            str(RUSTUP): f"{HOME}/.rustup",
            sys.prefix: f"{HOME}/.venv",
            sys.base_prefix: "/usr",
            str(Path.home()): HOME,
        }
        for path, public in replacements.items():
            text = text.replace(path.encode(), public.encode())
        return text
