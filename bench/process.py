"""Whole processes and whole walks: what an agent waits for.

Each function returns rows `(name, ratio, detail)`. For processes, `ratio` is the median wall time over that of a bare
`python -I -c pass` of the same environment, both started alternately in one run, and `detail` names the difference in
milliseconds. For walks in one process, the baseline stands in the name. `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from ..compiler.curated import compile_shipped
from ..compiler.pack import emit_pack
from ..runtime import Compressor
from ..runtime.packs.pack import Pack, load_pack
from ..runtime.records import parse_result
from ..runtime.stores.store import MemoryStore
from .corpus.generate import CORPUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Row = tuple[str, float, str]

ROUNDS = 15
BARE = (sys.executable, "-I", "-c", "pass")
START = "import sys; from cablese.cli.main import main; sys.exit(main())"
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
ROOT = Path(__file__).resolve().parent.parent


def cablese(*words: str) -> tuple[str, ...]:
    """Return the command line of a `cablese` process, isolated but for the installed package."""
    return (sys.executable, "-I", "-c", START, *words)


def wall(words: tuple[str, ...], folder: str) -> float:
    """Return the seconds that a process takes."""
    environment = {**os.environ, "CABLESE_STORE": f"{folder}/store.sqlite"}
    start = perf_counter()
    subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)
    return perf_counter() - start


def over_bare(name: str, words: tuple[str, ...], folder: str) -> Row:
    """Measure a process against bare Python, alternately."""
    wall(words, folder)
    ours, bare = [], []
    for _ in range(ROUNDS):
        bare.append(wall(BARE, folder))
        ours.append(wall(words, folder))
    more = (median(ours) - median(bare)) * 1e3
    return name, median(ours) / median(bare), f"{more:.0f} ms more than {median(bare) * 1e3:.0f} ms"


def process_rows() -> list[Row]:
    """Measure `view` as a process: a large output that is compressed, a small one that passes, one without a rule."""
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder:
        rows = [
            over_bare(f"process: view {name}, compressed", _view(name, folder), folder)
            for name in ("cargo_test_100kb", "git_diff_100kb", "git_log_100kb")
        ]
        small = Path(folder, "small.txt")
        small.write_text("4c1d2aa first\n9f00b31 second\n")
        view = ("view", "--command", "git log --oneline", "--stdout", str(small))
        rows.append(over_bare("process: view of two lines, passed", cablese(*view), folder))
        view = ("view", "--command", "ls -la", "--stdout", str(small))
        rows.append(over_bare("process: view without a rule, passed", cablese(*view), folder))
        rows.append(over_bare("process: run -- true", cablese("run", "--", "true"), folder))
    return rows


def _view(name: str, folder: str) -> tuple[str, ...]:
    record = CORPUS[name]()
    words = ["view", "--command", record["arguments"]["command"], "--exit-code", str(record["metadata"]["exit_code"])]
    for stream in ("stdout", "stderr"):
        path = Path(folder, f"{name}.{stream}")
        path.write_text(record["metadata"][stream])
        words += [f"--{stream}", str(path)]
    return cablese(*words)


def alternately(ours: Callable[[], object], baseline: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for kept, run in zip(times, (ours, baseline), strict=True):
            start = perf_counter()
            run()
            kept.append(perf_counter() - start)
    return median(times[0]), median(times[1])


LINE = re.compile(r".*")


def match_each_line(text: str) -> int:
    """Split and match one expression on each line: the plainest way to look at every line."""
    match = LINE.match
    return sum(1 for line in text.split("\n") if match(line))


def walk_rows() -> list[Row]:
    """Measure `Compressor.view` in one process, memory store and gate included, against a match of each line."""
    rows = []
    for name in ("cargo_test_1mb", "cargo_check_1mb", "git_diff_5mb", "git_log_10000_commits"):
        result = parse_result(CORPUS[name]())
        compressor = Compressor.default(enable="curated", store=MemoryStore())
        outcome = compressor.view(result).decision.outcome
        text = str(result.content)
        ours, baseline = alternately(lambda c=compressor, r=result: c.view(r), lambda t=text: match_each_line(t))
        detail = f"{len(text) / ours / 1e6:.0f} MB/s, {outcome}, {ours * 1e3:.1f} ms against {baseline * 1e3:.1f} ms"
        rows.append((f"view {name} / a match of each line", ours / baseline, detail))
    return rows


def choice_rows() -> list[Row]:
    """Measure the choice of a rule among ten thousand, two thousand of them for `git`, against ten."""
    curated = load_pack(compile_shipped("curated", ROOT / "rules"))
    model = curated._section(curated.rules.index("bash.git_log"), "the model")  # noqa: SLF001
    few, many = _grown(model, 10, 2), _grown(model, 10_000, 2_000)
    commands = [f"git topic{number} --oneline -5 main".split() for number in (0, 1)]

    def choose(pack: Pack) -> None:
        for words in commands:
            for _ in range(200):
                numbers = pack.find(words)
                if not any(pack.rule(number).accepts(words) for number in numbers):
                    raise ValueError("no rule")

    ours, baseline = alternately(lambda: choose(many), lambda: choose(few))
    detail = f"{ours / 400 * 1e6:.1f} µs against {baseline / 400 * 1e6:.1f} µs a choice"
    return [("choose among 10,000 rules / among 10", ours / baseline, detail)]


def _grown(model: dict, count: int, shared: int) -> Pack:
    """Make a pack of copies of a rule: `shared` of them for `git topicN`, the others for `toolN topicN`."""
    rules = []
    for number in range(count):
        first = "git" if number < shared else f"tool{number}"
        commands = [{**form, "head": [first, f"topic{number}"]} for form in model["commands"]]
        rules.append({**model, "id": f"bash.copy_{number}", "commands": commands})
    source = {"path": "copies.cable", "line": 1, "kinds": {}, "ensure": [], "commands": [1], "exit": 1, "streams": {}}
    return load_pack(emit_pack(rules, [source] * count, [], name="copies", version="1"))


def memory_rows() -> list[Row]:
    """Measure the peak memory of `view` on a 50 MB log over that of bare Python, in multiples of the input."""
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder:
        words = _view("git_log_50mb", folder)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        peak = _peak(words, folder) - _peak(BARE, folder)
    return [("memory: view of a 50 MB log / its size", peak / size, f"{peak / 1e6:.0f} MB over bare Python")]


def _peak(words: tuple[str, ...], folder: str) -> int:
    """Return the peak memory of a process in bytes, asked of a parent of its own."""
    environment = {**os.environ, "CABLESE_STORE": f"{folder}/store.sqlite"}
    done = subprocess.run(
        (sys.executable, "-c", PEAK, *words), cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)


FUNCTIONS = (process_rows, walk_rows, choice_rows, memory_rows)
