"""`make demo`: real commands, what they print, and what a model would see instead.

Runs git on a scratch clone of this repository with a prepared change and on a repository that it generates, replays
recorded cargo outputs, runs a real cargo where there is one, and asks what no rule is for: searches, listings, rows of
a real database. Every pair is shown side by side with its tokens under both tokenizers; a command whose result passes
through is shown as passed, with the reason.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cablese import Compressor, ToolResult, View
from cablese.runtime.records import parse_result
from cablese.runtime.tokens import count_tokens

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "samples"
ENCODINGS = ("o200k_base", "cl100k_base")
RAW_LINES = 16
SHOWN_LINES = 48


class Case(NamedTuple):
    """One command with what it printed."""

    title: str
    result: ToolResult

    @property
    def asked(self) -> str:
        """What was asked of the tool: its command, or its one argument."""
        return str(next(iter(self.result.arguments.values())))


class Outcome(NamedTuple):
    """A case, what became of it, and its tokens (raw, shown) under each encoding."""

    case: Case
    view: View
    tokens: dict[str, tuple[int, int]]


def environment() -> dict[str, str]:
    """Return this environment without the user's git and cargo preferences, so that every run shows the same."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "CARGO_TERM"))}
    who = {"NAME": "Ada Example", "EMAIL": "ada@example.org", "DATE": "2026-01-05T09:00:00+0000"}
    plain |= {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    return plain | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", "GIT_PAGER": "cat"}


def capture(command: str, folder: Path) -> ToolResult:
    """Run a command of plain words and return its result as an agent's shell tool would."""
    done = subprocess.run(command.split(), cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    return ToolResult(
        tool="bash",
        arguments={"command": command},
        success=done.returncode == 0,
        content=f"stdout:\n{done.stdout}\nstderr:\n{done.stderr}",
        metadata={"stdout": done.stdout, "stderr": done.stderr, "exit_code": done.returncode},
    )


def git(folder: Path, *words: str) -> None:
    """Run git quietly in a folder; any failure ends the demo."""
    subprocess.run(["git", *words], cwd=folder, env=environment(), check=True, capture_output=True)


def cases_on_a_clone(scratch: Path) -> Iterator[Case]:
    """Clone this repository, change many of its files, and ask git about it."""
    clone = scratch / "clone"
    git(scratch, "clone", "--quiet", str(ROOT), str(clone))
    sources = sorted(clone.glob("*/*.py"))[:24]
    for number, path in enumerate(sources):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        lines[1:1] = ["# A prepared change.\n"] * (1 + number % 3)
        path.write_text("".join(lines[: len(lines) - number % 5]), "utf-8")
    for number in range(16):
        (clone / f"note-{number:02}.txt").write_text("a new file\n", "utf-8")
    yield Case("the state of a work tree", capture("git status --short --branch", clone))
    yield Case("a change over many files", capture("git diff", clone))
    yield Case("the same, as a question for names only", capture("git diff --name-only", clone))
    yield Case(
        "one file's change is short enough as it is", capture(f"git diff -- {sources[0].relative_to(clone)}", clone)
    )


def cases_on_a_generated_repository(scratch: Path) -> Iterator[Case]:
    """Make a repository with a longer history and ask for it."""
    folder = scratch / "generated"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    areas = ("parser", "store", "gate", "docs", "command line")
    for number in range(60):
        git(folder, "commit", "--quiet", "--allow-empty", "-m", f"{areas[number % 5]}: step {number + 1} of the plan")
    yield Case("a history", capture("git log --oneline", folder))


def recorded_cases() -> Iterator[Case]:
    """Replay recorded cargo outputs: the largest of each rule that a summary is expected for."""
    for rule in ("cargo_check", "cargo_test", "pytest"):
        samples = [json.loads(path.read_text("utf-8")) for path in sorted((SAMPLES / rule).glob("*.json"))]
        expected = [record for record in samples if record["sample"]["expect"] == "summary"]
        for record in sorted(expected, key=lambda record: -len(record["content"]))[:2]:
            yield Case(f"recorded: {record['sample']['about']}", parse_result(record))


def cases_without_a_rule() -> Iterator[Case]:
    """Search, list and read this repository, and ask a database: what is told by its look, and rows by their tool."""
    for command in (
        "git grep -n NotApplicableError",
        "git ls-files runtime tests/runtime",
        "cat -n runtime/compressor.py",
    ):
        yield Case("what no rule is for", capture(command, ROOT))
    query = "SELECT id, region, name, load FROM host"
    with sqlite3.connect(":memory:") as database:
        database.row_factory = sqlite3.Row
        database.execute("CREATE TABLE host (id INTEGER, region TEXT, name TEXT, load REAL)")
        hosts = [(number, "south", f"host-{number}", number % 97 / 10) for number in range(400)]
        database.executemany("INSERT INTO host VALUES (?, ?, ?, ?)", hosts)
        rows = json.dumps([dict(row) for row in database.execute(query)])
    yield Case("rows of a database", ToolResult("dq_execute_database_query", rows, {"query": query}))


CRATE = {
    "Cargo.toml": """
        [package]
        name = "demo"
        version = "0.1.0"
        edition = "2021"
        """,
    "src/lib.rs": """
        pub fn first(words: &[&str]) -> usize {
            let unused = 1;
            words.first().map_or(0, |word| word.len())
        }

        #[cfg(test)]
        mod tests {
            #[test]
            fn lengths_agree() {
                assert_eq!(super::first(&["one", "three"]), 5);
            }
        }
        """,
}


def cases_of_a_real_cargo(scratch: Path) -> Iterator[Case]:
    """Write a small crate with a failing test and run cargo on it, where there is a cargo."""
    if shutil.which("cargo") is None:
        print("skipped: no cargo on this machine, its recorded outputs are shown instead\n")
        return
    folder = scratch / "demo"
    many = "".join(f"#[test] fn case_{n:02}() {{ assert!({n} < 40); }}\n    " for n in range(60))
    for name, text in CRATE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        body = (
            textwrap.dedent(text).lstrip().replace("    #[test]\n    fn lengths", f"    {many}#[test]\n    fn lengths")
        )
        path.write_text(body, "utf-8")
    yield Case("a real cargo, many tests", capture("cargo test --offline", folder))


def columns(left: list[str], right: list[str], width: int) -> str:
    """Set two blocks of lines side by side, `width` characters each."""

    def cell(lines: list[str], row: int) -> str:
        text = lines[row].expandtabs(4) if row < len(lines) else ""
        return text if len(text) <= width else text[: width - 1] + "…"

    rows = range(max(len(left), len(right)))
    return "\n".join(f"{cell(left, row):<{width}} │ {cell(right, row)}".rstrip() for row in rows)


def shorten(text: str, limit: int) -> list[str]:
    """Return the first lines of a text, and how many more there are."""
    lines = text.rstrip("\n").split("\n")
    return lines if len(lines) <= limit else [*lines[:limit], f"   … {len(lines) - limit} more lines"]


def show(outcome: Outcome, width: int) -> None:
    """Print one case: raw beside shown, and the tokens."""
    case, view, tokens = outcome
    print(f"── {case.title}\n   $ {case.asked}\n")
    raw = shorten(str(case.result.content), RAW_LINES)
    if view.decision.outcome == "compressed":
        print(columns(["raw", *raw], ["shown", *shorten(str(view.content), SHOWN_LINES)], width))
    else:
        print(columns(["raw", *raw], ["shown", f"(the same: {view.decision.reason})"], width))
    counts = ", ".join(f"{name} {before:,} → {after:,}" for name, (before, after) in tokens.items())
    print(f"\n   tokens: {counts}\n")


def table(outcomes: list[Outcome]) -> str:
    """Render the closing table of all cases."""
    rows = [f"{'command':<44} {'by':<23} {'o200k_base':>18} {'cl100k_base':>18}  saved"]
    for case, view, tokens in outcomes:
        decided = view.decision
        by = decided.rule or decided.kind or decided.codec
        shown = by if decided.outcome == "compressed" else f"passed: {decided.reason}"
        pairs = [f"{tokens[name][0]:,} → {tokens[name][1]:,}" for name in ENCODINGS]
        before, after = tokens[ENCODINGS[0]]
        rows.append(f"{case.asked[:44]:<44} {shown:<23} {pairs[0]:>18} {pairs[1]:>18}  {1 - after / before:>4.0%}")
    return "\n".join(rows)


def main() -> int:
    """Run the demonstration; return 0, or 1 when nothing was compressed."""
    width = max(40, (shutil.get_terminal_size((150, 40)).columns - 3) // 2)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="cablese-demo-") as name:
        scratch = Path(name)
        os.environ["CABLESE_STORE"] = str(scratch / "store.sqlite")
        compressor = Compressor.default(enable="curated", admit="value")
        for cases in (
            cases_on_a_clone(scratch),
            cases_on_a_generated_repository(scratch),
            recorded_cases(),
            cases_of_a_real_cargo(scratch),
            cases_without_a_rule(),
        ):
            for case in cases:
                view = compressor.view(case.result)
                before, after = count_tokens(str(case.result.content)), count_tokens(str(view.content))
                outcome = Outcome(case, view, {key: (before[key], after[key]) for key in ENCODINGS})
                show(outcome, width)
                outcomes.append(outcome)
    print(table(outcomes))
    return 0 if any(outcome.view.decision.outcome == "compressed" for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
