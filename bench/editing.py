"""The language server while someone types: from a change to what is found, in the real process over its pipes.

Each function returns rows `(name, ratio, detail)`; `ratio` is a percentile of the times over the reach of 100 ms.
Every rule file that ships is opened in turn, among all others of its pack, and typed into: letters into the middle of
its entries, and out again. `FUNCTIONS` lists them; `python -m cablese.bench.editing` also tells each file.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from queue import Queue
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any

Row = tuple[str, float, str]

REACH = 0.1
RULES = Path(__file__).resolve().parent.parent / "rules"
PLACES = 4
_ENTRY = re.compile(r"^(?:rule|lines|options|word|phrase) [\w.]+[^\n]*$", re.MULTILINE)


class Session:
    """A server, and what it sends, with the time at which it came."""

    def __init__(self, log: Path) -> None:
        words = [sys.executable, "-m", "cablese.cli.main", "lsp", "--log", str(log)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.arrived: Queue[tuple[float, dict[str, Any]]] = Queue()
        self.number = 0
        Thread(target=self._read, daemon=True).start()
        self.ask("initialize", {"processId": None, "rootUri": RULES.parent.as_uri(), "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while line := out.readline():
            size = int(line.partition(b": ")[2])
            while out.readline() != b"\r\n":
                pass
            body = out.read(size)
            self.arrived.put((perf_counter(), json.loads(body)))

    def send(self, message: dict[str, Any]) -> None:
        """Write a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stdin.flush()

    def ask(self, method: str, params: Any) -> float:
        """Send a request; return the time at which its answer came."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            at, message = self.arrived.get(timeout=120)
            if message.get("id") == self.number and "method" not in message:
                return at

    def settle(self, uri: str) -> None:
        """Wait until everything is checked."""
        self.ask("workspace/executeCommand", {"command": "cablese.runExample", "arguments": [uri, "", 0]})

    def shown(self, uri: str, version: int) -> float:
        """Return the time at which the first findings of a version came."""
        while True:
            at, message = self.arrived.get(timeout=120)
            params = message.get("params") or {}
            if params.get("uri") == uri and params.get("version") == version and "diagnostics" in params:
                return at


def type_into(session: Session, path: Path) -> tuple[list[float], list[float]]:
    """Return the seconds from each change of a file to its first findings, and to a completion asked for behind it."""
    uri, text = path.as_uri(), path.read_text("utf-8")
    item = {"uri": uri, "languageId": "cable", "version": 1, "text": text}
    session.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    session.settle(uri)
    heads = [match.end() for match in _ENTRY.finditer(text)] or [0]
    lines = [text.count("\n", 0, at) + 2 for at in heads[:: max(1, len(heads) // PLACES)]]
    version, first, answered = 1, [], []
    for line in lines:
        for start, end, new in ((0, 0, " "), (0, 1, ""), (0, 0, "x"), (0, 1, "")):
            version += 1
            stretch = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
            change = {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": stretch, "text": new}],
            }
            begin = perf_counter()
            session.send({"method": "textDocument/didChange", "params": change})
            first.append(session.shown(uri, version) - begin)
            begin = perf_counter()
            place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 4}}
            answered.append(session.ask("textDocument/completion", place) - begin)
            session.settle(uri)
    session.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
    return first, answered


def measure() -> dict[str, tuple[list[float], list[float]]]:
    """Type into all files, and return the times by file."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Path(folder, "log"))
        paths = sorted(RULES.rglob("*.cable"))
        # One file stays open, so that the pack is not read anew for each.
        keeper = RULES / "core.cable"
        item = {"uri": keeper.as_uri(), "languageId": "cable", "version": 1, "text": keeper.read_text("utf-8")}
        session.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        session.settle(keeper.as_uri())
        times = {str(path.relative_to(RULES)): type_into(session, path) for path in paths if path != keeper}
        session.ask("shutdown", None)
        session.send({"method": "exit"})
        session.process.wait(60)
    return times


def editing_rows() -> list[Row]:
    """Return the median and the 95th percentile over all files, and of the largest."""
    times = measure()
    largest = max(times, key=lambda name: (RULES / name).stat().st_size)
    every = [second for first, _ in times.values() for second in first]
    rows = []
    for title, seconds in (("all files", every), (f"the largest ({largest})", times[largest][0])):
        p50, p95 = median(seconds), percentile(seconds, 0.95)
        rows.append((f"change to findings, {title}, p50", p50 / REACH, f"{p50 * 1000:.0f} ms"))
        rows.append((f"change to findings, {title}, p95", p95 / REACH, f"{p95 * 1000:.0f} ms, {len(seconds)} changes"))
    answers = [second for _, answered in times.values() for second in answered]
    p50, p95 = median(answers), percentile(answers, 0.95)
    rows.append(("completion during a check, p95", p95 / REACH, f"{p95 * 1000:.0f} ms, p50 {p50 * 1000:.0f} ms"))
    return rows


def percentile(seconds: list[float], share: float) -> float:
    """Return the time within which this share of all lies."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))]


FUNCTIONS = (editing_rows,)


def main() -> None:
    """Print the times of each file."""
    for name, (first, answered) in measure().items():
        words = " ".join(f"{second * 1000:4.0f}" for second in first)
        print(f"{name:24} p50 {median(first) * 1000:5.0f} ms  completion {median(answered) * 1000:4.0f} ms  {words}")


if __name__ == "__main__":
    main()
