"""Admission by content: how long it takes to tell the kind of 100 KB.

Each function returns rows `(name, ratio, detail)`; `ratio` is the median time over the reach: 5 ms, for code 25 ms.
Texts are made of this repository's own files. `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from time import perf_counter

from ..runtime.admission.classify import classify

Row = tuple[str, float, str]

ROOT = Path(__file__).resolve().parent.parent
SIZE = 100_000
ROUNDS = 15
REACH_MS = 5.0
CODE_REACH_MS = 25.0


def classification() -> list[Row]:
    """Time the classification of a text of each kind, and of one that is of none."""
    rows = []
    for expected, text in _texts().items():
        kind = classify(text)[0]
        if kind != expected:
            raise AssertionError(f"{expected} is told as {kind}")
        times = []
        for _ in range(ROUNDS):
            start = perf_counter()
            classify(text)
            times.append((perf_counter() - start) * 1000)
        reach = CODE_REACH_MS if expected == "code" else REACH_MS
        rows.append((f"kind of {SIZE // 1000} KB: {expected}", median(times) / reach, f"{median(times):.2f} ms"))
    return rows


def _texts() -> dict[str, str]:
    sources = {
        str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted((ROOT / "runtime").rglob("*.py"))
    }
    lines = [(name, number, line) for name, text in sources.items() for number, line in enumerate(text.split("\n"), 1)]
    rows = [{"id": number, "file": name, "line": line} for name, number, line in lines]
    code = "\n".join(text.replace("from __future__ import annotations\n", "") for text in sources.values())
    return {
        "json": json.dumps(rows[: SIZE // 110], indent=1),
        "jsonl": _whole("".join(json.dumps(row) + "\n" for row in rows)),
        "search": _whole("".join(f"{name}:{number}:{line}\n" for name, number, line in lines if "return" in line)),
        "paths": _whole("".join(f"./build/{turn}/{name}\n" for turn in range(40) for name in sources)),
        "numbered": _whole("".join(f"{number:6}\t{line}\n" for number, (_, _, line) in enumerate(lines, 1))),
        "tabular": _whole("NAME       LINE    FILE\n" + "".join(
            f"row-{n:05}  {n % 977:<6}  {name}\n" for name, n, _ in lines
        )),
        "log": _whole("".join(
            f"2026-03-01T10:{n // 60 % 60:02}:{n % 60:02}Z INFO depot: {name} has line {n}\n" for name, n, _ in lines
        )),
        "diff": _whole("--- a\n+++ b\n" + "".join(f"@@ -{n} +{n} @@\n-{text}\n+{text} \n" for _, n, text in lines)),
        "code": _whole_module(code),
        "prose": _whole("".join(f"The part in {name} was counted again before noon, and nothing at all was missing. "
                                "Nobody had expected that.\n" for _ in range(40) for name in sources)),
        "unknown": _whole("".join(f"~ {line[::-1]}\n" for _, _, line in lines)),
    }  # fmt: skip


def _whole(text: str) -> str:
    """Return the whole lines of the first 100 KB."""
    return text[: text.rfind("\n", 0, SIZE) + 1]


def _whole_module(text: str) -> str:
    """Return the first 100 KB up to where a definition at the margin ends."""
    return text[: text.rfind("\n\n\ndef ", 0, SIZE)]


FUNCTIONS = (classification,)
