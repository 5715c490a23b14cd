"""The packs that ship are the same bytes on every Python from 3.11 to 3.13 of this machine, and on every machine.

`curated.digest` holds what any other machine has to give, too; `--snapshot-update` writes it anew after a change of
rules or of the compiler. Each other Python gets an environment with what the compiler needs, once: it stays below
`.venv` where there is one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).with_name("curated.digest")
NEEDED = ("lark", "jinja2", "pydantic", "orjson")
SCRIPT = """
import hashlib, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from cablese.compiler import compilation, compile_sources
from cablese.compiler.curated import PACKS, VERSION
from cablese.runtime.packs.pack import load_pack
folder = Path(sys.argv[2])
# Examples are no part of a pack, and running them takes most of the time.
compilation.check_examples = compilation.check_selections = lambda *_, **__: None
for name, pattern in PACKS.items():
    paths = sorted(folder.glob(pattern), reverse=sys.argv[3] == "backwards")
    sources = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}
    read = lambda path: (folder / path).read_bytes()
    pack = compile_sources(sources, name=name, version=VERSION, draft=True, read=read).pack
    print(name, load_pack(pack).digest, hashlib.sha256(pack).hexdigest())
"""


def find_pythons() -> dict[str, str]:
    """Return the interpreters of this machine by their version: this one, those of pyenv, those on the path."""
    pythons = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    for version in ("3.11", "3.12", "3.13"):
        folders = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin"))
        found = [str(folder / "python") for folder in folders if (folder / "python").exists()]
        found += [path] if (path := shutil.which(f"python{version}")) and "shims" not in path else []
        if found:
            pythons.setdefault(version, found[-1])
    return pythons


PYTHONS = find_pythons()
# What surrounds a process and must not matter: seed of hashes, locale, time zone, folder, order of the files.
AROUND = {
    "3.11": ("1", "C", "UTC0", "forwards"),
    "3.12": ("77", "C.UTF-8", "XXX-13:45", "backwards"),
    "3.13": ("4294967295", "POSIX", "America/St_Johns", "forwards"),
}


def requirements() -> list[str]:
    """Return what the compiler needs, as the project asks for it."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    return [each for each in wanted if each.startswith(NEEDED)]


def make_environment(version: str, folder: Path) -> str:
    """Return an interpreter of that version with what the compiler needs; make it where it is missing."""
    wanted = requirements()
    mark = hashlib.sha256(repr((PYTHONS[version], wanted)).encode()).hexdigest()[:12]
    home = (ROOT / ".venv" if (ROOT / ".venv").is_dir() else folder) / "pythons" / f"{version}-{mark}"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        subprocess.run([PYTHONS[version], "-m", "venv", "--clear", home], check=True, capture_output=True)
        words = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted]
        done = subprocess.run(words, check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"nothing can be installed for Python {version}: {done.stderr[-500:]}")
        (home / "ready").touch()
    return str(python)


@pytest.mark.parametrize("version", PYTHONS)
def test_the_packs_that_ship_are_the_same_everywhere(version, tmp_path, pytestconfig):
    """Whatever the interpreter and whatever surrounds it, digests and bytes are those that are written down."""
    own = PYTHONS[version] == sys.executable
    python = sys.executable if own else make_environment(version, tmp_path)
    seed, locale, zone, order = AROUND.get(version, AROUND["3.12"])
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "cablese").symlink_to(ROOT)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONHASHSEED": seed, "TZ": zone}
    environment |= {"LC_ALL": locale, "LANG": locale, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    environment |= {"PYTHONPYCACHEPREFIX": str(Path(python).parents[1] / "pycache")} if not own else {}
    done = subprocess.run(
        [python, "-c", SCRIPT, str(tmp_path / "path"), str(ROOT / "rules"), order],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if pytestconfig.getoption("--snapshot-update"):
        # The others may be at it in other processes, before or after this one writes.
        if own:
            GOLDEN.write_text(done.stdout)
        return
    assert done.stdout == GOLDEN.read_text()
