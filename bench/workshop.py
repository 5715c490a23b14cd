"""The tools of an author: `check` and `fmt` on many rules, each time in a new process.

Each function returns rows `(name, ratio, detail)`; `ratio` is the median wall time over the reach: 5 s for `check` on
1,000 rules, 2 s for `fmt` on 10,000 lines. `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from .corpus.rule_files import generate_rules
from .process import cablese, wall

Row = tuple[str, float, str]

ROUNDS = 3
RULES = 1_000
LINES = 10_000
CHECK_REACH = 5.0
FMT_REACH = 2.0


def checking() -> list[Row]:
    """Time `check` on rules without faults, examples included, so that every analysis runs to its end."""
    return [_timed(f"process: check of {RULES:,} rules", generate_rules(RULES), ("check", "."), CHECK_REACH)]


def formatting() -> list[Row]:
    """Time `fmt` on files of which none is in its layout; they are left as they are, for the next round."""
    files: dict[str, str] = {}
    lines = 0
    for path, text in sorted(generate_rules(RULES).items()):
        if lines < LINES:
            files[path] = text.replace("  tool  ", "  tool ")
            lines += text.count("\n")
    return [_timed(f"process: fmt of {lines:,} lines", files, ("fmt", "--diff", "."), FMT_REACH)]


def _timed(name: str, files: dict[str, str], words: tuple[str, ...], reach: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        seconds = median(wall(cablese(*words), folder) for _ in range(ROUNDS))
    return name, seconds / reach, f"{seconds:.2f} s"


FUNCTIONS = (checking, formatting)
