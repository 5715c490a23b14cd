"""Tables, JSON and logs: what their forms leave of the tokens, head line included, and their time.

Each function returns rows `(name, ratio, detail)`. For tokens, `ratio` is the larger, of both encodings, of the shares
of the text as it was printed (of minified JSON, for JSON). For times, it is the median time of reading, writing and
proving a form over that of splitting the text at its lines and each line at its spaces, both taken alternately in one
run. Every form but that of guarantee `summary` is decoded and compared. `FUNCTIONS` lists them in order.

Tables are recorded by `tests/recorder/tables.py`, logs by `tests/runtime/admission/record.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from time import perf_counter

from ..runtime.admission import json_kind, jsonl, log, log_severity, tabular
from ..runtime.tokens import count_tokens
from .corpus.stores import FIXTURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

Row = tuple[str, float, str]

ROUNDS = 7
RECORDED = Path(__file__).resolve().parent.parent / "tests" / "runtime" / "admission"


def _cases() -> list[tuple[str, str, ModuleType]]:
    """Return a title, the text, and the module of its form; the figures that are promised first."""
    rows = FIXTURE.read_text("utf-8").strip()
    lines = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in json.loads(rows))
    return [
        ("`kubectl get pods -A -o wide`, 200 rows", _table("kubectl_get_pods_wide.txt"), tabular),
        ("500 uniform JSON rows, minified", rows, json_kind),
        ("the same as JSON Lines", lines, jsonl),
        ("`ps -o …` of kernel threads", _table("ps_ef.txt"), tabular),
        ("psql, 40 rows", _table("psql.txt"), tabular),
        ("`sqlite3`, Markdown, 30 rows", _table("sqlite3_markdown.txt"), tabular),
        ("a log by Python", _log("python-iso.txt"), log),
        ("the same, severity first", _log("python-iso.txt"), log_severity),
        ("a log by dpkg", _log("dpkg.txt"), log),
    ]


def _table(name: str) -> str:
    return (RECORDED / "tables" / name).read_text("utf-8")


def _log(name: str) -> str:
    return (RECORDED / "corpus" / "log" / name).read_text("utf-8")


def tokens() -> list[Row]:
    """Compare the tokens of what is shown with those of what was printed."""
    rows: list[Row] = []
    for title, text, module in _cases():
        before, after = count_tokens(text), count_tokens(_prove(module, text))
        ratio = max(after[encoding] / before[encoding] for encoding in before)
        counts = ", ".join(f"{after[encoding]:,} of {before[encoding]:,} ({encoding})" for encoding in before)
        rows.append((f"{title}, tokens / printed", ratio, counts))
    return rows


def times() -> list[Row]:
    """Compare the time of a form, its proof included, with splitting the text."""
    rows: list[Row] = []
    for title, text, module in _cases()[:3] + _cases()[6:8]:
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(_timed(lambda text, module=module: _prove(module, text), text))
            theirs.append(_timed(_split, text))
        mine, base = median(ours), median(theirs)
        detail = f"{mine * 1e3:.1f} ms for {len(text):,} characters"
        rows.append((f"{title}, form and proof / splitting", mine / base, detail))
    return rows


def _prove(module: ModuleType, text: str) -> str:
    shown = module.encode(module.recognise(text))
    proved = {
        "exact": lambda: module.decode(shown) == text,
        "value": lambda: module.same(text, module.decode(shown)),
        "summary": lambda: True,
    }[module.GUARANTEE]
    if not proved():
        raise AssertionError(f"{module.NAME}: the form is of another text")
    return shown


def _split(text: str) -> object:
    return [line.split() for line in text.split("\n")]


def _timed(action: Callable[[str], object], text: str) -> float:
    started = perf_counter()
    action(text)
    return perf_counter() - started


FUNCTIONS = (tokens, times)


def main() -> None:
    """Print all rows."""
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{name:72} {ratio:8.3f}  {detail}")


if __name__ == "__main__":
    main()
