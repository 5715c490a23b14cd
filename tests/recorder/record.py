"""Run entries and writes their samples.

Input: entries of the catalogues. Output: `tests/samples/<rule>/<name>.json`, a result record (tool, arguments,
success, content, metadata) with a `sample` object beside it: name, about, tool_version, expect, reason, truth.
INVARIANT: entries that share a builder only read its tree, so their order does not matter.
"""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .catalogue import Builder, Entry
from .scratch import Captured, Workshop

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
VERSIONS = {
    "git": "git --version",
    "cargo": "cargo --version",
    "pytest": "pytest --version",
    "vitest": "vitest --version | tr / ' ' | tr -d v",
    "jest": "jest --version",
    "terraform": "terraform version | tr -d v",
    "npm": "npm --version",
    "tsc": "tsc --version",
    "eslint": "eslint --version | tr -d v",
    "ruff": "ruff --version",
    "go_test": "go env GOVERSION | tr -d go",
}


class Recorder:
    """Records entries below one scratch folder; a tree is built when the first entry asks for it."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.shops: dict[Builder, Workshop] = {}
        self.versions: dict[str, str] = {}

    def record(self, entry: Entry) -> Path:
        """Run one entry and write its sample; return the file."""
        shop = self.shop(entry)
        if entry.fresh:
            shutil.rmtree(shop.path / "target", ignore_errors=True)
        captured = shop.capture(
            entry.command,
            folder=entry.folder,
            environment=entry.environment,
            merged=entry.merged,
            seconds=entry.seconds,
        )
        truth = entry.truth(shop, entry, captured)
        target = SAMPLES / entry.rule / f"{entry.name}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        record = as_record(entry, captured)
        record["sample"] |= {"tool_version": self.version(entry, shop), "truth": truth}
        target.write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        return target

    def shop(self, entry: Entry) -> Workshop:
        """Return the tree of an entry, built at the first request."""
        if entry.build not in self.shops:
            shop = Workshop(self.scratch / f"{entry.rule}-{entry.name}")
            entry.build(shop)
            self.shops[entry.build] = shop
        return self.shops[entry.build]

    def version(self, entry: Entry, shop: Workshop) -> str:
        """Return the name and version of the tool behind the rule."""
        tool = next(tool for tool in VERSIONS if tool in entry.rule)
        if tool not in self.versions:
            said = shop.capture(VERSIONS[tool])
            words = (said.stdout or said.stderr).decode().split()
            self.versions[tool] = f"{tool.split('_')[0]} {next(word for word in words if word[0].isdigit())}"
        return self.versions[tool]


def as_record(entry: Entry, captured: Captured) -> dict[str, Any]:
    """Return the result record a host would hand over.

    Undecodable bytes become U+FFFD there; the bytes themselves are kept in `sample`.
    """
    raw, rest = captured.stdout[: entry.limit], captured.stderr[: entry.limit]
    cuts = len(raw) < len(captured.stdout), len(rest) < len(captured.stderr)
    stdout, stderr = raw.decode(errors="replace"), rest.decode(errors="replace")
    streams: dict[str, Any] = {"stdout": stdout, "stderr": stderr}
    content = f"stdout:\n{stdout}\nstderr:\n{stderr}"
    if captured.merged is not None:
        content = captured.merged.decode(errors="replace")
        streams = {"merged": content}
    sample: dict[str, Any] = {
        "name": entry.name,
        "about": entry.about,
        "expect": "pass" if entry.passes else "summary",
        "reason": entry.passes,
    }
    if raw.decode(errors="ignore") != stdout:
        sample["bytes"] = {"stdout": base64.b64encode(raw).decode()}
    return {
        "sample": sample,
        "tool": "bash",
        "arguments": {"command": entry.command},
        "success": captured.exit_code == 0 and not any(cuts),
        "content": content,
        "metadata": {
            **streams,
            "exit_code": captured.exit_code,
            "stdout_truncated": cuts[0],
            "stderr_truncated": cuts[1],
            "timed_out": captured.timed_out,
        },
    }


def check_unique(entries: Iterable[Entry]) -> None:
    """Raise ValueError where two entries would write the same file."""
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        if (entry.rule, entry.name) in seen:
            raise ValueError(f"two entries are called {entry.rule}/{entry.name}")
        seen.add((entry.rule, entry.name))
