"""`make bench`: one table of ratios, each measured in one run against its baseline.

`--readme` also writes the table between the markers of README.md, so that the README quotes what was measured.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

from . import engine, gate, process

README = Path(__file__).resolve().parent.parent / "README.md"
MARKERS = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)
SECTIONS = (
    ("the gate: times faster than counting both texts with tiktoken", gate.FUNCTIONS),
    ("the engine: times slower than one match of each line", engine.FUNCTIONS),
    ("processes and walks: times slower than the baseline", process.FUNCTIONS),
)


def machine() -> str:
    """Describe where the figures come from."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores, {platform.machine()}, load {load}"


def table() -> str:
    """Measure everything and return it as Markdown."""
    lines = [f"Measured on {machine()}.", ""]
    for title, functions in SECTIONS:
        lines += [f"| {title} | ratio | |", "|---|---:|---|"]
        for function in functions:
            for name, ratio, detail in function():
                shown = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"
                lines.append(f"| {name} | {shown} | {detail} |")
                print(lines[-1], flush=True)
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    """Print the table; with `--readme`, write it into README.md."""
    measured = table()
    if "--readme" in sys.argv[1:]:
        text = README.read_text("utf-8")
        README.write_text(MARKERS.sub(lambda found: f"{found[1]}{measured}{found[2]}", text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
