"""The native codec of rows: its time on JSON bytes, against a parser alone and against Python.

Each function returns rows `(name, ratio, detail)`. `ratio` is the median of processor time over that of
`orjson.loads(…)` of the same bytes, both taken alternately in one run; the detail names both, and what Python takes.
What is encoded at guarantee `value` is read back in the same call, by a reader that shares nothing with the encoder, so
that time is in it. No rows where the codec is not there. `FUNCTIONS` lists them.
"""

from __future__ import annotations

from statistics import median
from time import thread_time

import orjson

from ..runtime.codecs.codec import Request
from ..runtime.codecs.registry import find_codec
from ..runtime.codecs.verify import prove
from ..runtime.native import codec
from ..runtime.native_rows import encode_natively
from .corpus.stores import stores_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Row = tuple[str, float, str]

ROUNDS = 15
CASES = (
    ("columnar", "value-exact and proved", Request("minimal")),
    ("columnar", "nulls dropped", Request("normal", recoverable=True)),
    ("json_compact", "nulls dropped", Request("normal", {"dedup": "auto", "nulls": "drop"}, recoverable=True)),
)


def taken(work: Callable[[], object]) -> float:
    """Return the processor time of a call, in milliseconds."""
    start = thread_time()
    work()
    return (thread_time() - start) * 1e3


def in_python(name: str, payload: bytes, request: Request) -> None:
    """Encode in Python, and prove it."""
    found = find_codec(name)
    assert found is not None
    prove(payload, found.compress(payload, request), found)


def row_codecs() -> list[Row]:
    """Measure each on 10,000 rows by 12 fields."""
    if codec() is None:
        return []
    payload = stores_json(10_000).encode()
    rows = []
    for name, what, request in CASES:
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(taken(lambda: orjson.loads(payload)))
            ours.append(taken(lambda name=name, request=request: encode_natively(name, payload, request)))
        python = taken(lambda name=name, request=request: in_python(name, payload, request))
        detail = f"{median(ours):.1f} ms against {median(theirs):.1f} ms; Python takes {python:.0f} ms"
        rows.append((f"native {name}, bytes 10,000 x 12, {what} / orjson loads", median(ours) / median(theirs), detail))
    return rows


FUNCTIONS = (row_codecs,)
