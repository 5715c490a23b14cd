"""Crates and workspaces that cost little to build, and what cargo says about them in its machine formats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .catalogue import Builder, Entry, Facts
from .scratch import Captured, Workshop

# What rustc adds to the machine format about its own count; cargo leaves these out of the text.
ERROR_CODE = re.compile(r"E\d{4}")
COUNTS = re.compile(r"(aborting due to|\d+ warnings? emitted)")


def manifest(name: str, more: str = "", edition: str = "2021") -> str:
    """Return a manifest without dependencies from elsewhere."""
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "{edition}"\n{more}'


def crate(files: dict[str, str], more: str = "", edition: str = "2021") -> Builder:
    """Return a builder of one crate called `demo`; `more` is the rest of its manifest."""

    def build(shop: Workshop) -> None:
        shop.write("Cargo.toml", manifest("demo", more, edition))
        shop.write_all(files)

    return build


def workspace(members: dict[str, str], head: str = 'resolver = "2"\n') -> Builder:
    """Return a builder of a workspace; a member is its name and the text of its `src/lib.rs`."""

    def build(shop: Workshop) -> None:
        names = ", ".join(f'"{name}"' for name in members)
        shop.write("Cargo.toml", f"[workspace]\nmembers = [{names}]\n{head}")
        for name, source in members.items():
            shop.write(f"{name}/Cargo.toml", manifest(name))
            shop.write(f"{name}/src/lib.rs", source)

    return build


def events(shop: Workshop, command: str, entry: Entry, extra: dict[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that `command` prints, one a line."""
    said = shop.capture(command, folder=entry.folder, environment=entry.environment | (extra or {}))
    for line in said.stdout.decode(errors="replace").splitlines():
        start = line.find("{")
        if start >= 0:
            try:
                yield json.loads(line[start:])
            except ValueError:
                continue  # a test printed a brace


def machine_command(entry: Entry, *words: str) -> tuple[str, str]:
    """Return the words of the recorded command before and after `--`, without redirections and with `words` added."""
    plain = entry.command.replace("2>&1", "").replace("1>&2", "")
    before, _, after = plain.partition(" -- ")
    return " ".join([before.strip(), *words]), after.strip()


def diagnosed(shop: Workshop, entry: Entry, captured: Captured) -> Facts:
    """Read the diagnostics from `--message-format=json`.

    Where several crates fail at once, which of them is reached depends on timing: ask again until the answer is about
    what was recorded, and tell nothing rather than something about another run.
    """
    text = (captured.merged or captured.stdout + captured.stderr).decode(errors="replace")
    for _ in range(8):
        facts = diagnose(shop, entry)
        said = {first for first, _ in facts.get("diagnostics", ())}
        seen = {line for line in text.split("\n") if line.startswith("error[")}
        if seen <= said and all(first in text for first in said):
            return facts
    return {}


def diagnose(shop: Workshop, entry: Entry) -> Facts:
    """Run the command once more in its machine format; messages that are rendered alike are taken once."""
    builds_tests = " test" in entry.command and "--no-run" not in entry.command
    words = ["--message-format=json"] + ["--no-run"] * builds_tests
    command, _ = machine_command(entry, *words)
    command = command.replace("--doc", "--lib")  # doc tests are compiled when they run; the library before
    rendered: dict[str, dict[str, Any]] = {}
    finished: bool | None = None
    for event in events(shop, command, entry):
        if event.get("reason") == "build-finished":
            finished = event["success"]
        message = event.get("message")
        if not isinstance(message, dict) or message["level"] not in ("error", "warning"):
            continue
        if not COUNTS.match(message["message"]):
            rendered.setdefault(message["rendered"], message)
    if finished is None:
        return {}
    found = list(rendered.values())
    errors = [message for message in found if message["level"] == "error"]
    codes = {message["code"]["code"] for message in errors if message["code"]}
    return {
        "build": finished,
        "errors": len(errors),
        "warnings": len(found) - len(errors),
        "codes": sorted(code for code in codes if ERROR_CODE.fullmatch(code)),
        "diagnostics": sorted([headline(message), place(message)] for message in found),
    }


def headline(message: dict[str, Any]) -> str:
    """Return the first line of a message as it is shown."""
    return message["rendered"].split("\n", 1)[0]


def place(message: dict[str, Any]) -> str | None:
    """Return `file:line:column` of the first primary span, None where there is none."""
    spans = [span for span in message["spans"] if span["is_primary"]]
    return f"{spans[0]['file_name']}:{spans[0]['line_start']}:{spans[0]['column_start']}" if spans else None


def tested(shop: Workshop, entry: Entry, captured: Captured) -> Facts:
    """Read what failed from libtest's JSON; where a run ended without a result, only how many suites did end."""
    facts = diagnosed(shop, entry, captured)
    if not facts or not facts["build"] or "--no-run" in entry.command:
        return facts
    command, after = machine_command(entry)
    # RUSTC_BOOTSTRAP lets the stable test harness print its unstable JSON.
    command = f"{command} -- -Z unstable-options --format json {after}"
    begun = ended = 0
    count = {"ok": 0, "failed": 0, "ignored": 0}
    failing: list[str] = []
    for event in events(shop, command, entry, {"RUSTC_BOOTSTRAP": "1", "CARGO_TERM_COLOR": "never"}):
        kind, what = event.get("type"), event.get("event")
        if kind == "suite":
            begun += what == "started"
            ended += what in ("ok", "failed")
        elif kind == "test" and what in count:
            count[what] += 1
            if what == "failed":
                failing.append(event["name"])
    facts |= {"suites": begun, "finished_suites": ended}
    if begun and begun == ended:
        facts |= {"passed": count["ok"], "failed": count["failed"], "ignored": count["ignored"]}
        facts["failing"] = sorted(failing)
    return facts
