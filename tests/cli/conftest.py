"""Running the command line: in this process where nothing of the process matters, else in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import NamedTuple

import pytest
from cablese.cli.main import main

LOG = b"".join(b"%07x Change number %d of many changes\n" % (0xABC0000 + n, n) for n in range(60))


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: bytes
    err: bytes


@pytest.fixture
def cablese(capfdbinary):
    """Give a function that runs a command in this process. `stdin` is what it finds on standard input."""

    def run(*words, stdin=b""):
        kept = os.dup(0)
        with tempfile.TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            os.dup2(file.fileno(), 0)
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:
            code = ended.code
        finally:
            os.dup2(kept, 0)
            os.close(kept)
        sys.stdout.flush()
        return Done(code, *capfdbinary.readouterr())

    return run


@pytest.fixture
def process():
    """Give a function that runs a command as a process of its own."""

    def run(*words, stdin=b"", cwd=None, env=()):
        done = subprocess.run(
            [sys.executable, "-m", "cablese.cli.main", *map(str, words)],
            input=stdin,
            capture_output=True,
            cwd=cwd,
            env={**os.environ, **dict(env)},
            check=False,
            timeout=60,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def log(tmp_path):
    """Write a history that `git log --oneline` could have printed, and that the curated rule summarises."""
    path = tmp_path / "log.txt"
    path.write_bytes(LOG)
    return path
