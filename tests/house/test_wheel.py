"""A wheel holds everything that a run needs, and an installed copy works without this checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NEEDED = (
    "cablese/py.typed",
    "cablese/dsl/grammar.lark",
    "cablese/compiler/diff/page.html",
    "cablese/compiler/diff/page.css",
    "cablese/compiler/diff/page.js",
    "cablese/compiler/diff/compared.js",
    "cablese/runtime/look.css",
    "cablese/runtime/curated.cablepack",
    "cablese/runtime/schemas/result.schema.json",
    "cablese/runtime/tokens/data/o200k_base.tokens.xz",
    "cablese/runtime/tokens/data/cl100k_base.tokens.xz",
    "cablese/rules/git.cable",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Build the wheel of a copy of this checkout."""
    copy = tmp_path_factory.mktemp("copy") / "source"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
    target = tmp_path_factory.mktemp("wheel")
    words = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(target),
        str(copy),
    ]
    subprocess.run(words, check=True)
    return next(target.glob("*.whl"))


def test_wheel_is_complete(wheel):
    """Data, tables, rules and licences are in it."""
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in NEEDED if name not in names]
    assert sum(name.endswith(".table") for name in names) == 2
    assert {Path(name).name for name in names} >= {"LICENSE", "NOTICE"}
    assert not [name for name in names if name.startswith(("tests/", "bench/", "cablese/tests", "cablese/bench"))]


def test_installed_copy_compresses(wheel, tmp_path):
    """`cablese view` from the installed wheel shows a summary of a long history."""
    place = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(place), str(wheel)], check=True
    )
    history = tmp_path / "log.txt"
    history.write_text(
        "".join(f"{number:07x} a subject of ordinary length, number {number}\n" for number in range(200))
    )
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from cablese.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            code,
            str(place),
            "view",
            "--command",
            "git log --oneline",
            "--stdout",
            str(history),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.stdout.startswith("[tool_output_compression]\n"), done
    assert "commits: 200\n" in done.stdout
