"""The inputs and the facts in them: made by rule, the same bytes on every machine.

Facts come from what the generators were asked to write, or from the lines of the text itself; never from what any
compressor shows. A fact is a string; `find_facts` looks for it in a text.

There are two test runs, alike but for warnings of the compiler before the tests: some compressors tell a log by its
first lines.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from ..corpus import cargo_logs, git_outputs
from ..corpus.words import AREAS, NOUNS, SUBJECTS, hexadecimal, pick, subject

DIFF_FILES = 17
COMMITS = 300
ROWS = 500
FAILURES = 28
TESTS_A_FAILURE = 84
FAILED_EVERY = 61
WARNINGS = 20

Facts = dict[str, tuple[str, ...]]
"""Kind of fact to the different facts of that kind."""


class Input(NamedTuple):
    """What a command printed, and what a reader may need to find in it."""

    title: str
    command: str
    exit_code: int
    stdout: str
    stderr: str
    facts: Facts
    text: str
    """Both streams in the order of a terminal, as a host shows them."""


def make_inputs() -> list[Input]:
    """Return all inputs."""
    return [make_diff(), make_log(), make_tests(0), make_tests(WARNINGS), make_rows()]


def make_diff() -> Input:
    """Make a patch of 17 files, every third with two hunks: its file names and changed lines."""
    patches = [git_outputs.patch(file, 1 + (file % 3 == 2)) for file in range(DIFF_FILES)]
    text = "".join(patches)
    files = tuple(re.findall(r"^\+\+\+ b/(.+)$", text, re.MULTILINE))
    changed = tuple(dict.fromkeys(re.findall(r"^[+-] .+$", text, re.MULTILINE)))
    title = f"git diff, {len(text) / 1e3:.0f} KB, {DIFF_FILES} files"
    return Input(title, "git diff", 0, text, "", {"files": files, "changed lines": changed}, text)


def make_log() -> Input:
    """Make a history: the subjects of its commits."""
    subjects = tuple(subject(row) for row in range(COMMITS))
    text = git_outputs.oneline(COMMITS)
    return Input(f"git log, {COMMITS} commits", "git log --oneline", 0, text, "", {"subjects": subjects}, text)


def make_tests(warnings: int) -> Input:
    """Make a failing test run: names of failing tests, places and values of their assertions, totals, warnings."""
    stdout, stderr = cargo_logs.cargo_test(FAILURES * TESTS_A_FAILURE, failing_every=TESTS_A_FAILURE)
    totals = re.search(r"(\d+ passed); (\d+ failed); (\d+ ignored)", stdout)
    if totals is None:
        raise ValueError("a test run ends with its totals")
    facts = {
        "failing tests": tuple(re.findall(r"^---- (\S+) stdout ----$", stdout, re.MULTILINE)),
        "places": tuple(re.findall(r"panicked at (\S+?:\d+):", stdout)),
        "values": tuple(re.findall(r"^ {1,2}((?:left|right): \d+)$", stdout, re.MULTILINE)),
        "totals": totals.groups(),
    }
    title = f"{FAILURES} failures"
    if warnings:
        stderr = add_warnings(stderr, warnings)
        facts["warnings"] = tuple(re.findall(r"^warning: (unused variable: .+)$", stderr, re.MULTILINE))
        title += f", {warnings} warnings"
    before, error, after = stderr.partition("error: test failed")
    text = before + stdout + error + after
    return Input(f"cargo test, {len(text) / 1e3:.0f} KB, {title}", "cargo test", 101, stdout, stderr, facts, text)


def add_warnings(stderr: str, warnings: int) -> str:
    """Return the error stream of a build with so many warnings."""
    compiling, rest = stderr.split("\n", 1)
    told = "".join(cargo_logs.warning("demo", row) for row in range(warnings))
    total = f"warning: `demo` (lib test) generated {warnings} warnings (run `cargo fix --lib -p demo --tests` to apply "
    return f"{compiling}\n{told}{total}{warnings} suggestions)\n{rest}"


def make_rows() -> Input:
    """Make an answer of a service: the ids of its rows, and the errors of the few that failed."""
    rows = [make_row(number) for number in range(ROWS)]
    facts = {
        "row ids": tuple(row["id"] for row in rows),
        "errors": tuple(row["error"] for row in rows if row["error"] is not None),
    }
    text = json.dumps(rows, separators=(",", ":")) + "\n"
    return Input(f"JSON, {ROWS} rows, {len(text) / 1e3:.0f} KB", "cat orders.json", 0, text, "", facts, text)


def make_row(number: int) -> dict[str, str | int | None]:
    """Make a row of eight fields."""
    failed = number % FAILED_EVERY == FAILED_EVERY // 2
    return {
        "id": f"ord-{hexadecimal(number, 8)}",
        "customer": f"{pick(AREAS, number)}-{pick(NOUNS, number, 1)}",
        "state": "failed" if failed else ("paid", "shipped", "open")[number % 3],
        "amount": 500 + number * 7919 % 90_000,
        "currency": "EUR",
        "created": f"2026-03-{1 + number % 28:02}T{number % 24:02}:{number * 7 % 60:02}:00Z",
        "note": f"{pick(SUBJECTS, number, 2)} the {pick(NOUNS, number, 3)}",
        "error": f"no answer of the {pick(AREAS, number, 4)} after {1000 + number} ms" if failed else None,
    }


def find_facts(facts: Facts, text: str) -> dict[str, set[str]]:
    """Return the facts that stand in a text: as whole words, whatever the white space between them."""
    plain = " ".join(text.split())
    found: dict[str, set[str]] = {}
    for kind, strings in facts.items():
        found[kind] = {
            fact for fact in strings if re.search(rf"(?<!\w){re.escape(' '.join(fact.split()))}(?!\w)", plain)
        }
    return found
