"""Measuring archives: what it takes beside the counting of tokens that it cannot do without, and in two processes.

Each function returns rows `(name, ratio, detail)`. The archive is made for it: sessions with histories, listings,
sources and logs of generated words, some read again. `FUNCTIONS` lists them; `python -m bench.measuring MB` makes the
archive so large, and also tells the memory of a process that measures one file of this size.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from ..runtime.measuring.basis import plan_report, plan_rules
from ..runtime.measuring.limits import GIB, choose_limits
from ..runtime.measuring.run import find_sessions, make_pool, measure_sample
from ..runtime.tokens import count_tokens

Row = tuple[str, float, str]

MB = 1_000_000
SIZE = 8 * MB
FILES = 8
_SYLLABLES = ("ba", "co", "de", "fi", "gu", "ha", "jo", "ke", "li", "mu", "no", "pa", "re", "si", "tu", "va", "wo")


def write_archive(folder: Path, size: int, files: int) -> int:
    """Write sessions of some `size` bytes together; return the characters of their results."""
    chance = random.Random(7)  # noqa: S311 - the same archive each time
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(3000)]
    makers = (_history, _listing, _source, _log)
    held = 0
    for number in range(files):
        with (folder / f"session-{number}.jsonl").open("w") as file:
            call = 0
            earlier = ("bash", {"command": "ls"}, "a.txt\n")
            while file.tell() < size // files:
                if chance.random() > 0.1:
                    earlier = chance.choice(makers)(chance, words)
                tool, arguments, text = earlier
                call += 1
                held += len(text)
                metadata = {"merged": text, "exit_code": 0}
                events = (
                    {"type": "assistant"},
                    {"type": "tool_call", "call_id": f"c{call}", "tool_name": tool, "arguments": arguments},
                    {"type": "tool_result", "call_id": f"c{call}", "tool_name": tool, "success": True, "content": text},
                )
                events[-1].update({"metadata": metadata} if tool == "bash" else {})
                file.writelines(json.dumps(event) + "\n" for event in events)
    return held


def _sentence(chance: random.Random, words: list[str]) -> str:
    return " ".join(chance.choices(words, k=chance.randint(3, 10)))


def _history(chance: random.Random, words: list[str]) -> tuple[str, dict[str, str], str]:
    lines = [f"{chance.getrandbits(28):07x} {_sentence(chance, words)}\n" for _ in range(chance.randint(20, 200))]
    return "bash", {"command": "git log --oneline -200"}, "".join(lines)


def _listing(chance: random.Random, words: list[str]) -> tuple[str, dict[str, str], str]:
    rows = [{"name": chance.choice(words), "size": chance.randint(0, 99999)} for _ in range(chance.randint(5, 100))]
    return "list", {}, json.dumps(rows, indent=2)


def _source(chance: random.Random, words: list[str]) -> tuple[str, dict[str, str], str]:
    lines = [f"{'    ' * chance.randint(0, 3)}{_sentence(chance, words)};\n" for _ in range(chance.randint(20, 300))]
    return "bash", {"command": "cat main.c"}, "".join(lines)


def _log(chance: random.Random, words: list[str]) -> tuple[str, dict[str, str], str]:
    lines = [f"12:{n % 60:02}:00 INFO {_sentence(chance, words)}\n" for n in range(chance.randint(20, 200))]
    return "bash", {"command": "make all"}, "".join(lines)


def _measure(folder: Path, *, rules: bool, jobs: int = 1) -> tuple[float, float]:
    """Return the seconds that a measurement takes, and those of this process's own work."""
    limits = choose_limits(rules=rules)
    work = (plan_rules if rules else plan_report)("sessions", "o200k_base", limits)
    start, worked = perf_counter(), process_time()
    sample = find_sessions(str(folder), work)
    pool = make_pool(jobs, sample) if jobs > 1 else None
    measure_sample(sample, work, pool)
    if pool is not None:
        pool.shutdown()
    sample.close()
    return perf_counter() - start, process_time() - worked


def _count(folder: Path) -> float:
    """Return the seconds of work that reading the same lines, and counting each result once, take."""
    start = process_time()
    for path in sorted(folder.glob("*.jsonl")):
        with path.open() as file:
            for line in file:
                event = json.loads(line)
                if event["type"] == "tool_result":
                    count_tokens(event["content"])
    return process_time() - start


def measuring_rows(size: int = SIZE) -> list[Row]:
    """Measure both reports against counting alone, and two processes against one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_archive(folder, size, FILES)
        least = _count(folder)
        rows = []
        for title, rules in (("--rules", True), ("report v0", False)):
            one, work = _measure(folder, rules=rules)
            detail = (
                f"{size / work / 1e6:.1f} MB a second of work; {work:.1f} s against {least:.1f} s for {size // MB} MB"
            )
            rows.append((f"measure {title}, work / counting each result once", work / least, detail))
            two, _ = _measure(folder, rules=rules, jobs=2)
            rows.append((f"measure {title}, one process / two", one / two, f"{one:.1f} s against {two:.1f} s"))
    return rows


_CHILD = """
import resource, sys
from cablese.cli.main import main
code = main(["measure", "--model", "gpt-5", "--rules", "--jobs", "1", "--max-bytes", sys.argv[2], sys.argv[1]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""


def memory_of_one_file(size: int) -> int:
    """Return the most MiB that a process holds which measures one file of this size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_archive(folder, size, 1)
        words = [sys.executable, "-c", _CHILD, str(folder), str(GIB)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stderr)


FUNCTIONS = (measuring_rows,)


def main() -> None:
    """Print all rows, and the memory."""
    size = int(sys.argv[1]) * MB if sys.argv[1:] else SIZE
    for name, ratio, detail in measuring_rows(size):
        print(f"{name:60} {ratio:8.3f}  {detail}", flush=True)
    print(f"memory of one process, one file of {size // MB} MB: {memory_of_one_file(size)} MiB")


if __name__ == "__main__":
    main()
