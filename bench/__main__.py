"""`make bench`: one table of ratios, each measured in one run against its baseline.

`--readme` also writes its headlines between the markers of README.md, so that the README quotes what was measured.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

from . import (
    admission,
    admission_exact,
    admission_lossy,
    admission_tables,
    codecs,
    editing,
    engine,
    gate,
    heartbeat,
    lexical,
    loading,
    measuring,
    native_count,
    native_rows,
    passing,
    process,
    review,
    savings,
    stores,
    workshop,
)

README = Path(__file__).resolve().parent.parent / "README.md"
MARKERS = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)
SECTIONS = (
    ("the gate: times faster than tiktoken counting both", gate.FUNCTIONS),
    ("the engine: times slower than one match of each line", engine.FUNCTIONS),
    ("the codecs: times or share of the baseline", codecs.FUNCTIONS),
    ("the native codec: processor time against orjson loads", native_rows.FUNCTIONS),
    ("the codecs for repetitive text: times the baseline", lexical.FUNCTIONS),
    ("kinds of content: times 5 ms, code 25 ms", admission.FUNCTIONS),
    ("exact forms of content: share of the tokens, times the baseline", admission_exact.FUNCTIONS),
    ("tables, JSON and logs: share of the tokens, times the baseline", admission_tables.FUNCTIONS),
    ("outlines of code, and prose: share of the tokens, times the baseline", admission_lossy.FUNCTIONS),
    ("processes and walks: times the baseline", process.FUNCTIONS),
    ("the pack in a new process: share of 10 ms", loading.FUNCTIONS),
    ("the tools of an author: share of 5 s and of 2 s", workshop.FUNCTIONS),
    ("the language server: share of 100 ms", editing.FUNCTIONS),
    ("reviewing a change of rules: share of 30 s, of 1 s and of 100 ms", review.FUNCTIONS),
    ("results that nobody claims: times one record", passing.FUNCTIONS),
    ("an event loop beside 5 MB: times the baseline", heartbeat.FUNCTIONS),
    ("the stores: times an append to a file", stores.FUNCTIONS),
    ("the ledger and the report: times the baseline", savings.FUNCTIONS),
    ("counting natively: times faster than tiktoken, 1 MB times 0.2 s", native_count.FUNCTIONS),
    ("past sessions: times the baseline", measuring.FUNCTIONS),
)


HEADLINES = {
    "1 MB log, 300 tokens, bounds, warm": "gate, 1 MB log against 300 tokens",
    "1 MB without many boundaries, 300 tokens, exact, warm": "gate, the same where it must count",
    "100 KB, unrelated, 0.75, warm": "gate, candidate of three quarters of 100 KB",
    "count_until, 1 MB log": "tokens of a 1 MB log by the native codec",
    "columnar, JSON text 10,000 x 12, value-exact / orjson loads + dumps": "10,000 rows of JSON text as columns, "
    "against orjson loads + dumps",
    "columnar, 500 x 12, tokens / minified JSON": "tokens of 500 rows as columns, against minified JSON",
    "process: view git_log_100kb, compressed": "process `view`, 100 KB `git log`, summarised",
    "process: view cargo_test_100kb, compressed": "process `view`, 100 KB `cargo test`, summarised",
    "process: view of two lines, passed": "process `view`, two lines, passed",
    "keep 10 KB, SQLite, 10,000 held / append": "keeping 10 KB, 10,000 originals held, surviving `kill -9`",
    "small text of a tool, passed / a record": "`view` in one process, small text that nobody claims",
    "process: run -- true": "process `run -- true`",
    "view cargo_test_1mb / a match of each line": "`view` in one process, 1 MB `cargo test`",
    "view git_diff_5mb / a match of each line": "`view` in one process, 5 MB `git diff`",
    "choose among 10,000 rules / among 10": "choosing among 10,000 rules, against 10",
    "memory: view of a 50 MB log / its size": "memory of `view` on a 50 MB log, in sizes of the log",
    "heartbeat, 5 MB JSON text, columnar / an idle loop": "event loop beside `view_async` of 5 MB of JSON",
}
"""Rows of the table that the README shows, and what it calls them."""


def machine() -> str:
    """Describe where the figures come from."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores, {platform.machine()}, load {load}"


def measure() -> list[tuple[str, list[tuple[str, float, str]]]]:
    """Measure everything, printing each row as it comes; return the rows by section."""
    measured = []
    for title, functions in SECTIONS:
        print(f"\n| {title} | ratio | |\n|---|---:|---|")
        rows = []
        for function in functions:
            for row in function():
                rows.append(row)
                print(render_row(*row), flush=True)
        measured.append((title, rows))
    return measured


def render_row(name: str, ratio: float, detail: str) -> str:
    """Return a row of the table."""
    return f"| {name} | {f'{ratio:,.0f}' if ratio >= 100 else f'{ratio:.2f}'} | {detail} |"


def write_headlines(measured: list[tuple[str, list[tuple[str, float, str]]]], where: str) -> None:
    """Write the headline rows into README.md."""
    rows = [
        render_row(f"{HEADLINES[name]}: {title.partition(': ')[2]}", ratio, detail)
        for title, found in measured
        for name, ratio, detail in found
        if name in HEADLINES
    ]
    words = f"Of `make bench`, measured on {where}; ratios hold better than times:"
    lines = ["## Speed", "", words, "", "| what | ratio | |", "|---|---:|---|", *rows]
    block = "\n".join(lines) + "\n"
    text = README.read_text("utf-8")
    README.write_text(MARKERS.sub(lambda found: f"{found[1]}{block}{found[2]}", text), "utf-8")


def main() -> int:
    """Print the table; with `--readme`, write its headlines into README.md."""
    where = machine()
    print(f"Measured on {where}.")
    measured = measure()
    if "--readme" in sys.argv[1:]:
        write_headlines(measured, where)
    return 0


if __name__ == "__main__":
    sys.exit(main())
