"""`python -m tests.runtime.admission.record [PATTERN …]`: records the corpus, or those files that match `kind/name`.

Needs a machine with the tools of `recipes.py` (root, PostgreSQL, Go, Rust, Java, Node); the tests need none of them.
A recording of more than `LARGEST` bytes is cut at a line end, where its kind allows that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from .recipes import RECIPES, Recipe
from .workshop import clear, furnish

CORPUS = Path(__file__).parent / "corpus"
ROOT = Path(__file__).resolve().parents[3]
LARGEST = 8000
_WHOLE = frozenset({"json", "code", "prose", "unknown"})


def main(patterns: list[str]) -> int:
    """Record, and name what said nothing."""
    scratch = Path(tempfile.mkdtemp(prefix="corpus-"))
    scratch.chmod(0o755)
    silent = []
    try:
        furnish(scratch)
        for recipe in RECIPES:
            if patterns and not any(fnmatchcase(f"{recipe.kind}/{recipe.name}", each) for each in patterns):
                continue
            if not _record(recipe, scratch):
                silent.append(f"{recipe.kind}/{recipe.name}")
    finally:
        clear(scratch)
    sys.stderr.write("".join(f"said too little: {name}\n" for name in silent))
    return 1 if silent else 0


def _record(recipe: Recipe, scratch: Path) -> bool:
    command = recipe.command.format(root=ROOT, scratch=scratch)
    folder = recipe.folder.format(root=ROOT, scratch=scratch)
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "PAGER": "cat", "GIT_PAGER": "cat", "COLUMNS": "160"}
    said = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, timeout=240, check=False
    ).stdout
    for here, there in ((scratch, "/home/dev"), (ROOT, "/home/dev/cablese"), (Path.home(), "/home/dev")):
        said = said.replace(str(here).encode(), there.encode())
    if len(said) > LARGEST and recipe.kind not in _WHOLE:
        said = said[: said.rfind(b"\n", 0, LARGEST) + 1]
    if len(said) < 100:
        return False
    path = CORPUS / recipe.kind / f"{recipe.name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(said)
    return True


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
