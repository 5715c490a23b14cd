"""The codecs for repetitive text: encoding, and the decoding that checks each candidate, against the least it needs.

Each function returns rows `(name, ratio, detail)`. `ratio` is the median time over that of the baseline, both taken
alternately in one run. The baseline of an envelope is writing the lines of the text as JSON and reading them again;
that of `json_minify` is `json.loads` of the same text. `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import json
from statistics import median
from time import perf_counter

from ..runtime.codecs import json_minify, line_rle, template_fold
from .corpus.stores import stores_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Row = tuple[str, float, str]

ROUNDS = 5
SIZE = 1 << 20


def repeats() -> str:
    """Return a log that waits a lot."""
    lines = ("waiting for the lock of the package cache\n" * 9, "Compiling one more crate of many\n")
    return "".join(lines) * (SIZE // sum(map(len, lines)))


def run_of_lines() -> str:
    """Return a log whose lines begin and end alike."""
    line = "2024-01-01T12:00:00Z INFO worker: item {:06} is done, going on\n"
    return "".join(line.format(number * 7919 % 1_000_000) for number in range(SIZE // len(line)))


def roofs() -> str:
    """Return lines that share more, then less, again and again: the most runs that are worth a look."""
    lines = ("x" * min(number % 240, 240 - number % 240) + str(number) for number in range(SIZE // 64))
    return "".join(f"{line}\n" for line in lines)


def indented() -> str:
    """Return a table of JSON, laid out for people."""
    return json.dumps(json.loads(stores_json(2_000)), indent=2)


def times() -> list[Row]:
    """Measure each codec on 1 MB that it is for, and the one that searches on its worst."""
    rows = []
    for name, make, action, baseline in (
        ("json_minify, indented JSON / json.loads", indented, json_minify.encode, json.loads),
        ("line_rle, repeated lines / lines as JSON and back", repeats, line_rle.encode, _through_json),
        ("template_fold, a run / lines as JSON and back", run_of_lines, template_fold.encode, _through_json),
        ("template_fold, its worst / lines as JSON and back", roofs, template_fold.encode, _through_json),
    ):
        text = make()
        shown = action(text)
        if shown is None:
            raise AssertionError(f"{name}: there is no candidate to measure")
        rows.append(_against(name, action, baseline, text, len(shown)))
    return rows


def _through_json(text: str) -> object:
    return json.loads(json.dumps(text.split("\n"), ensure_ascii=False))


def _against(
    name: str, action: Callable[[str], object], baseline: Callable[[str], object], text: str, shown: int
) -> Row:
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours.append(_timed(action, text))
        theirs.append(_timed(baseline, text))
    mine, base = median(ours), median(theirs)
    detail = f"{mine * 1e3:.0f} ms against {base * 1e3:.1f} ms, {len(text) / mine / 1e6:.0f} MB/s"
    return name, mine / base, f"{detail}, {shown:,} of {len(text):,} characters"


def _timed(action: Callable[[str], object], text: str) -> float:
    started = perf_counter()
    action(text)
    return perf_counter() - started


FUNCTIONS = (times,)


def main() -> None:
    """Print all rows."""
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{name:75} {ratio:8.3f}  {detail}")


if __name__ == "__main__":
    main()
