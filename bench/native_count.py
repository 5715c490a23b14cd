"""The native codec as a counter, against tiktoken.

Each function returns rows `(name, ratio, detail)`: times faster than tiktoken counting the same text under both
encodings, both measured alternately in one run, the vocabularies of both being loaded; for texts that are bad for a
tokenizer, seconds over the reach of 0.2 s under the slower encoding; for the vocabularies, seconds over tiktoken's. All
seconds are those of the processor.
`FUNCTIONS` lists them in order; without the codec there are no rows. `python -m cablese.bench.native_count` prints all.
"""

from __future__ import annotations

import base64
import random
import subprocess
import sys
import time
from statistics import median

from ..runtime.native import codec
from ..runtime.tokens.ranks import NAMES
from ..runtime.tokens.resident import encodings
from .gate import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

Row = tuple[str, float, str]

ROUNDS = 5
REACH = 0.2
MEGABYTE = 1_000_000


def ordinary() -> list[Row]:
    """Compare on a log, on several scripts and on JSON, 1 MB each, and on a short text."""
    native = codec()
    if native is None:
        return []
    writer = Writer(1)
    rows = "".join(f'{{"id":{n},"name":"{writer.word()}","share":{n / 7:.6f}}},' for n in range(30_000))
    texts = {"1 MB log": writer.log(MEGABYTE), "1 MB of several scripts": writer.multilingual(MEGABYTE)}
    texts |= {"1 MB of JSON": rows[:MEGABYTE], "2 KB log": writer.log(2_000)}
    return [_compare(native, name, text) for name, text in texts.items()]


def _compare(native: ModuleType, name: str, text: str) -> Row:
    ours: list[float] = []
    theirs: list[float] = []
    counts = [0, 0]
    for _ in range(ROUNDS):
        counts = [native.count_until(text, encoding, None) for encoding in NAMES]
        ours.append(_timed(lambda: [native.count_until(text, encoding, None) for encoding in NAMES]))
        theirs.append(_timed(lambda: [len(encoding.encode_ordinary(text)) for encoding in encodings()]))
    assert counts == [len(encoding.encode_ordinary(text)) for encoding in encodings()]
    mine, base = median(ours), median(theirs)
    detail = f"{sum(counts):,} tokens; {mine * 1e3:.2f} ms against {base * 1e3:.2f} ms"
    return f"count_until, {name}", base / mine, detail


def pathological() -> list[Row]:
    """Time 1 MB of what has no boundary, or a token for nearly every byte."""
    native = codec()
    if native is None:
        return []
    draw = random.Random(3)  # noqa: S311
    coded = base64.b64encode(draw.randbytes(MEGABYTE * 3 // 4)).decode()
    letters = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=MEGABYTE))
    texts = {"one letter": "a" * MEGABYTE, "spaces": " " * MEGABYTE, "base64": coded, "random letters": letters}
    texts |= {"line ends and spaces": " \n" * (MEGABYTE // 2), "marks": "\u0301" * (MEGABYTE // 2)}
    rows: list[Row] = []
    for name, text in texts.items():
        each = [median(_counted(native, text, encoding) for _ in range(3)) for encoding in NAMES]
        told = ", ".join(f"{encoding} {seconds * 1e3:.0f} ms" for encoding, seconds in zip(NAMES, each, strict=True))
        rows.append((f"count_until, 1 MB of {name}", max(each) / REACH, told))
    return rows


def _counted(native: ModuleType, text: str, encoding: str) -> float:
    return _timed(lambda: native.count_until(text, encoding, None))


def vocabularies() -> list[Row]:
    """Time, in new processes, what a first count costs: import and both vocabularies, against tiktoken's."""
    if codec() is None:
        return []
    ours = "import cablese_codec as c; c.ready_to_count(True)"
    theirs = "from cablese.runtime.tokens.resident import encodings; encodings()"
    mine, base = (median(_first(script) for _ in range(3)) for script in (ours, theirs))
    return [("first count, vocabularies", mine / base, f"{mine * 1e3:.0f} ms against {base * 1e3:.0f} ms")]


def _first(script: str) -> float:
    timed = f"import time; s = time.process_time(); {script}; print(time.process_time() - s)"
    done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _timed(action: Callable[[], object]) -> float:
    started = time.process_time()
    action()
    return time.process_time() - started


FUNCTIONS = (ordinary, pathological, vocabularies)


if __name__ == "__main__":
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{ratio:8.2f}  {name}: {detail}")
