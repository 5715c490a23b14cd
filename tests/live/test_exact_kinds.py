"""The exact kinds against the tools of this machine, on the folders of this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cablese.runtime.admission import numbered, paths, search
from cablese.runtime.tokens import count_tokens

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
BINARIES = f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
COMMANDS = [
    (search, "grep -rn return runtime --include=*.py"),
    (search, "grep -rn -C3 return runtime --include=*.py"),
    (search, "grep -rn -A1 'raise ' compiler dsl --include=*.py | head -n 333"),
    (search, "git grep -n import -- runtime cli"),
    (search, "git grep -n --column -B1 import -- runtime cli"),
    (search, "rg -n --no-heading return runtime -g '*.py'"),
    (search, "rg -n --no-heading -C2 return runtime -g '*.py' | tail -n 333"),
    (search, "rg -n --heading -C2 --column return runtime -g '*.py'"),
    (search, "rg --vimgrep self runtime -g '*.py'"),
    (paths, "find runtime tests/samples -type f"),
    (paths, "find . -path ./.git -prune -o -path ./.venv -prune -o -name '*.py' -print"),
    (paths, "find $PWD/compiler $PWD/dsl -name '*.py'"),
    (paths, "find runtime"),
    (paths, "git ls-files"),
    (paths, "rg --files runtime tests/samples"),
    (paths, "ls -R rules"),
    (paths, "ls -R rules tests/samples"),
    (paths, "ls -la runtime"),
    (paths, "ls -lR runtime -I __pycache__"),
    (paths, "ls -lhR --time-style=long-iso rules | head -n 60"),
    (numbered, "cat -n runtime/decision/walk.py"),
    (numbered, "cat -n runtime/decision/walk.py | tail -n 55; cat -n runtime/shell.py | head -n 44"),
    (numbered, "nl runtime/decision/walk.py"),
    (numbered, "nl -ba -n rz runtime/decision/walk.py"),
    (numbered, "sed = runtime/decision/walk.py"),
    (numbered, "grep -n '' runtime/decision/walk.py"),
]


@pytest.mark.parametrize(("module", "command"), COMMANDS, ids=lambda part: part if isinstance(part, str) else part.NAME)
def test_what_a_tool_prints_here_comes_back(module, command):
    """Each output is of its kind, is decoded to the same text, and is fewer tokens."""
    tool = command.split()[0]
    if shutil.which(tool, path=BINARIES) is None:
        pytest.skip(f"{tool} is not installed")
    environment = os.environ | {"PATH": BINARIES, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, check=False)
    text = done.stdout.decode()
    shown = module.encode(module.recognise(text))
    assert module.decode(shown) == text
    before, after = count_tokens(text), count_tokens(shown)
    assert all(after[encoding] < before[encoding] for encoding in before)
