"""The engine against the plainest way to look at every line.

Each function returns rows `(name, ratio, detail)`: `name` says what was measured; `ratio` is the best time of the
engine divided by the best time of the baseline, both measured alternately in one run; `detail` is a text with times and
throughput. `FUNCTIONS` lists them in order. Times are of the thread's own processor time: other work on the machine
counts less. The rules are the project's own, compiled here; the inputs are those of `bench/corpus`.

The baseline of a scan and of a whole rule splits the text at line ends and matches one expression, `.*`, per line.
Loading is measured against `json.loads` of the same bytes. `python -m cablese.bench.engine` prints all rows.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from time import thread_time
from typing import Any

from ..compiler import compile_sources
from ..runtime.engine import Body, Refusal, Streams, evaluate
from ..runtime.engine.scan import scan
from ..runtime.engine.tables import Scan
from ..runtime.packs.pack import Pack, load_pack
from .corpus.generate import CORPUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Row = tuple[str, float, str]

RULES = Path(__file__).resolve().parent.parent / "rules"
ROUNDS = 9


def compare(subject: Callable[[], object], baseline: Callable[[], object]) -> tuple[float, float]:
    """Return the best times of both in seconds, measured alternately."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for which, call in enumerate((subject, baseline)):
            start = thread_time()
            call()
            best[which] = min(best[which], thread_time() - start)
    return best[0], best[1]


def match_each_line(text: str) -> None:
    """Do the baseline: split once, one match per line."""
    match = re.compile(r".*").match
    for line in text.split("\n"):
        match(line)


@cache
def pack_bytes() -> bytes:
    """Return the pack of the project's rules."""
    sources = {f"rules/{path.name}": path.read_text(encoding="utf-8") for path in sorted(RULES.glob("*.cable"))}
    compilation = compile_sources(
        sources, name="curated", version="0", draft=True, read=lambda path: (RULES.parent / path).read_bytes()
    )
    if compilation.pack is None:
        raise RuntimeError("; ".join(f"{each.code} {each.message}" for each in compilation.diagnostics))
    return compilation.pack


def find_rule(pack: Pack, command: str) -> Any:
    """Return the rule for a command."""
    words = tuple(command.split())
    rules = (pack.rule(number) for number in pack.find(words))
    return next(rule for rule in rules if rule.accepts(words))


def scan_rows() -> list[Row]:
    """Measure lines to labels: the largest stream of each input."""
    return [_row(name, which=scan) for name in _inputs()]


def evaluate_rows() -> list[Row]:
    """Measure text to body: the whole rule, with its facts, claims and summary."""
    return [_row(name, which=evaluate) for name in _inputs()]


def _inputs() -> list[str]:
    return [name for name in CORPUS if name != "git_log_50mb"]


def _row(name: str, *, which: Callable[..., Any]) -> Row:
    result = CORPUS[name]()
    rule = find_rule(load_pack(pack_bytes()), result["arguments"]["command"])
    metadata = result["metadata"]
    stream = max(("stdout", "stderr"), key=lambda stream: len(metadata[stream]))
    text = metadata[stream]
    if which is scan:
        found = scan(rule.streams[stream], text)
        ours, baseline = compare(lambda: scan(rule.streams[stream], text), lambda: match_each_line(text))
        told = f"{len(found.lines)} lines" if isinstance(found, Scan) else f"refused: {found}"
    else:
        streams = Streams(metadata["stdout"], metadata["stderr"])
        body = evaluate(rule, streams, metadata["exit_code"])
        ours, baseline = compare(lambda: evaluate(rule, streams, metadata["exit_code"]), lambda: match_each_line(text))
        told = f"body of {len(body.text)} characters" if isinstance(body, Body) else f"refused: {body.detail}"
    speed = len(text) / ours / 1e6
    detail = f"{ours * 1e3:.1f} ms against {baseline * 1e3:.1f} ms, {speed:.0f} MB/s, {told}"
    return f"{which.__name__} {name}", ours / baseline, detail


def load_rows() -> list[Row]:
    """Measure bytes to a rule that is ready: the header and one section, against parsing all of it as JSON."""
    data = pack_bytes()
    parts = data.split(b"\n")

    def load() -> None:
        scan(find_rule(load_pack(data), "git log --oneline").streams["stdout"], "")

    def parse() -> None:
        for part in parts[1:-1]:
            json.loads(part)

    ours, baseline = compare(load, parse)
    return [
        ("load git_log", ours / baseline, f"{ours * 1e3:.2f} ms against {baseline * 1e3:.2f} ms, {len(data)} bytes")
    ]


def refusal_rows() -> list[Row]:
    """Measure what a wrong guess costs: an output of another tool is refused at its first line."""
    rule = find_rule(load_pack(pack_bytes()), "git diff")
    text = CORPUS["git_log_10000_commits"]()["metadata"]["stdout"]
    found = evaluate(rule, Streams(text, ""), 0)
    if not isinstance(found, Refusal):
        raise TypeError("a log is no diff")
    ours, baseline = compare(lambda: evaluate(rule, Streams(text, ""), 0), lambda: match_each_line(text))
    return [("refuse a log as a diff", ours / baseline, f"{ours * 1e3:.2f} ms against {baseline * 1e3:.2f} ms")]


FUNCTIONS = (scan_rows, evaluate_rows, load_rows, refusal_rows)


def main() -> None:
    """Print all rows."""
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{name:36} {ratio:6.2f}  {detail}")


if __name__ == "__main__":
    main()
