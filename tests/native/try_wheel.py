"""Installs a wheel of the native codec into a fresh environment of each Python of this machine, and uses it there.

`python -m tests.native.try_wheel FOLDER`, as `make codec-wheel` does. The folder holds one wheel. Fails where a Python
from 3.11 on cannot install it, import it or count with it, and where none was found.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEWEST = 16
"""Minor versions that are looked for."""
SCRIPT = (
    "from importlib.metadata import files; names = [path.name for path in files('cablese-codec')]; "
    "assert {{'LICENSE', 'NOTICE', '__init__.pyi', 'py.typed'}} <= set(names); "
    "import cablese_codec as c; assert c.__version__ == {version!r}; "
    "assert c.count_until('hello world', 'o200k_base', None) == 2; assert issubclass(c.NotApplicable, Exception)"
)


def find_pythons() -> list[str]:
    """Return one interpreter of each minor version from 3.11 on: this one, those on the path, those of pyenv."""
    names = [f"python3.{minor}" for minor in range(11, NEWEST)]
    places = [sys.executable, *filter(None, map(shutil.which, names))]
    places += map(str, sorted(Path("~/.pyenv/versions").expanduser().glob("3.*/bin/python")))
    found: dict[str, str] = {}
    for place in places:
        words = [place, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]
        told = subprocess.run(words, capture_output=True, text=True, check=False)
        if told.returncode == 0 and told.stdout.strip() in [f"3.{minor}" for minor in range(11, NEWEST)]:
            found.setdefault(told.stdout.strip(), place)
    return list(found.values())


def try_wheel(python: str, wheel: Path, folder: str) -> None:
    """Install the wheel alone, nothing from an index, and use it. Raises CalledProcessError."""
    place = Path(folder, "venv")
    subprocess.run([python, "-m", "venv", "--clear", place], check=True)
    inside = place / "bin" / "python"
    words = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps", str(wheel)]
    subprocess.run([inside, *words], check=True)
    version = wheel.name.split("-")[1]
    subprocess.run([inside, "-I", "-c", SCRIPT.format(version=version)], check=True, cwd=folder)


def main() -> int:
    """Try the one wheel of a folder in all."""
    (wheel,) = Path(sys.argv[1]).glob("cablese_codec-*.whl")
    assert "-abi3-" in wheel.name, f"{wheel.name} is for one version of Python"
    for python in find_pythons():
        with tempfile.TemporaryDirectory() as folder:
            try_wheel(python, wheel, folder)
        print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB: installed and used by {python}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
