"""`make bench-peers`: one table of what other compressors make of the same inputs."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path

from ...runtime.tokens.resident import encodings
from .environments import PEERS, install, lay_out_ranks
from .inputs import Input, find_facts, make_inputs
from .measure import CALLS, OURS, PROCESSES, Shown, ToolError, measure

HEAD = (
    "| input | tool | o200k tokens (saved) | cl100k tokens (saved) | process | call | facts shown | only by handle |",
    "|---|---|---:|---:|---:|---:|---|---|",
)
AS_IT_IS = "\N{EN DASH}"
NOTES = f"""
Tokens are those of what a model sees, framing and footers included. Process: a whole process, median of {PROCESSES},
each on a text of its own, all tools in turn; beside `as it is` that of a bare Python. Call: the same inside a process,
imports and first call left out, median of {CALLS}. Facts shown: how many of the facts in the input stand in what a
model sees. Only by handle: how many of the others stand in what the tool gives back for the handles that it shows.
`{AS_IT_IS}`: the tool has nothing for this input and shows it as it is.
"""


def count(text: str) -> list[int]:
    """Return the tokens of a text under both encodings."""
    return [len(encoding.encode_ordinary(text)) for encoding in encodings()]


def row(given: Input, tool: str, shown: Shown | ToolError) -> str:
    """Return a line of the table."""
    if isinstance(shown, ToolError):
        return f"| {given.title} | {tool} | {str(shown).replace('|', '/')} | | | | | |"
    kept = shown.text.rstrip("\n") == given.text.rstrip("\n")
    tokens = [
        AS_IT_IS if kept else f"{ours:,} ({1 - ours / raw:.0%})"
        for ours, raw in zip(count(shown.text), count(given.text), strict=True)
    ]
    found = find_facts(given.facts, shown.text)
    fetched = find_facts(given.facts, shown.original or "")
    facts = ", ".join(f"{len(found[kind])}/{len(strings)} {kind}" for kind, strings in given.facts.items())
    hidden = [f"{len(fetched[kind] - found[kind])} {kind}" for kind in given.facts if fetched[kind] - found[kind]]
    times = f"{shown.process * 1e3:.0f} ms | {shown.call * 1e3:.1f} ms"
    return f"| {given.title} | {tool} | {' | '.join(tokens)} | {times} | {facts} | {', '.join(hidden)} |"


def machine() -> str:
    """Describe where the figures come from."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores, {platform.machine()}, load {load}"


def main() -> int:
    """Install the peers, measure everything and print the table."""
    lay_out_ranks()
    missing = {peer.package: reason for peer in PEERS if (reason := install(peer)) is not None}
    names = {OURS: OURS} | {peer.package: f"{peer.package} {peer.version}" for peer in PEERS}
    peers = [peer for peer in PEERS if peer.package not in missing]
    before = machine()
    lines: list[str] = []
    with tempfile.TemporaryDirectory(prefix="cablese-peers-") as folder:
        for number, given in enumerate(make_inputs()):
            print(f"measuring {given.title}", file=sys.stderr, flush=True)
            results, bare = measure(given, peers, Path(folder, str(number)))
            results |= {name: ToolError(reason) for name, reason in missing.items()}
            raw = " | ".join(f"{tokens:,}" for tokens in count(given.text))
            lines.append(f"| {given.title} | as it is | {raw} | {bare * 1e3:.0f} ms | | | |")
            lines += [row(given, names[name], results[name]) for name in names]
    print(f"Measured on {before} at the start, {', '.join(f'{load:.1f}' for load in os.getloadavg())} at the end.\n")
    print("\n".join([*HEAD, *lines]))
    print(NOTES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
