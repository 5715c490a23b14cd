"""`python -m bench.corpus.generate FOLDER [NAME …]`: writes the large inputs of the benchmarks as result records.

Without names all but the 50 MB one are written (some 20 MB, a few seconds). `--streams` writes `NAME.stdout` and
`NAME.stderr` beside each record, for what reads files. The folder belongs to nobody's history: keep it git-ignored.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import cargo_logs, git_outputs

LARGE = "git_log_50mb"


def record(command: str, stdout: str, stderr: str = "", exit_code: int = 0) -> dict[str, Any]:
    """Return a result record as the shell tool of a host gives it."""
    return {
        "tool": "bash",
        "arguments": {"command": command},
        "success": exit_code == 0,
        "content": f"stdout:\n{stdout}\nstderr:\n{stderr}",
        "metadata": {
            "stdout": stdout,
            "stderr": stderr,
            "exit_code": exit_code,
            "stdout_truncated": False,
            "stderr_truncated": False,
            "timed_out": False,
        },
    }


def cargo_test(tests: int) -> dict[str, Any]:
    """Return a failing `cargo test` of that many tests."""
    return record("cargo test", *cargo_logs.cargo_test(tests), exit_code=101)


def cargo_check(diagnostics: int) -> dict[str, Any]:
    """Return a failing `cargo check` with about that many diagnostics."""
    return record("cargo check --workspace --keep-going", "", cargo_logs.cargo_check(diagnostics), exit_code=101)


CORPUS: dict[str, Callable[[], dict[str, Any]]] = {
    "cargo_test_100kb": lambda: cargo_test(1_900),
    "cargo_test_1mb": lambda: cargo_test(19_500),
    "cargo_check_100kb": lambda: cargo_check(450),
    "cargo_check_1mb": lambda: cargo_check(4_500),
    "git_diff_100kb": lambda: record("git diff", git_outputs.diff(5, 20)),
    "git_diff_5mb": lambda: record("git diff", git_outputs.diff(250, 20)),
    "git_log_100kb": lambda: record("git log --oneline", git_outputs.oneline(2_000)),
    "git_log_10000_commits": lambda: record("git log --oneline", git_outputs.oneline(10_000)),
    "git_status_100kb": lambda: record("git status --short --branch", git_outputs.short_status(3_200)),
    LARGE: lambda: record("git log --oneline", git_outputs.oneline(1_000_000)),
}


def main() -> int:
    """Write the records that were asked for and say how large they are."""
    parser = argparse.ArgumentParser(prog="python -m bench.corpus.generate", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", choices=[[], *CORPUS], metavar="NAME")
    parser.add_argument("--streams", action="store_true", help="write the bare streams beside each record")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or [name for name in CORPUS if name != LARGE]:
        result = CORPUS[name]()
        streams = result["metadata"]
        (options.folder / f"{name}.json").write_text(json.dumps(result, ensure_ascii=False) + "\n", encoding="utf-8")
        if options.streams:
            (options.folder / f"{name}.stdout").write_text(streams["stdout"], encoding="utf-8")
            (options.folder / f"{name}.stderr").write_text(streams["stderr"], encoding="utf-8")
        lines = result["content"].count("\n")
        print(f"{name:24} {len(result['content'].encode()):>12,} bytes {lines:>10,} lines")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
