"""The codecs of JSON: their time against parsing and writing alone, and what they leave of the tokens.

Each function returns rows `(name, ratio, detail)`. For times, `ratio` is the median time over that of
`orjson.dumps(orjson.loads(…))` of the same text, both taken alternately in one run. For tokens, `ratio` is the larger,
of both encodings, of the shares of what the baseline takes: minified JSON, or what another compressor makes of the same
rows (only where `make bench-peers` has installed it). `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from statistics import median
from time import perf_counter

import orjson

from ..runtime.codecs.codec import Request
from ..runtime.codecs.columnar import Columnar
from ..runtime.codecs.json_compact import JsonCompact
from ..runtime.tokens import count_tokens
from .corpus.stores import FIXTURE, stores_json
from .peers.environments import PEERS, make_environ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .peers.environments import Peer

Row = tuple[str, float, str]

ROUNDS = 9
LARGE = 10_000
COMPARED = ("headroom-ai", "terse-mcp")
MINIMAL = Request("minimal")


def times() -> list[Row]:
    """Compare encoding and decoding of 10,000 rows of 12 fields, as text, with parsing and writing them."""
    text = stores_json(LARGE)
    columnar, compact = Columnar(), JsonCompact()
    shown = columnar.compress(text, MINIMAL).payload
    if columnar.decode(shown) != text:
        raise AssertionError("what is called value-exact is not")
    indented = json.dumps(json.loads(text), indent=1)
    name = f"columnar, JSON text {LARGE:,} x 12, value-exact"
    return [
        _against_orjson(f"{name} / orjson loads + dumps", lambda: columnar.compress(text, MINIMAL), text),
        _against_orjson(f"{name}, decoding / orjson loads + dumps", lambda: columnar.decode(shown), text),
        _against_orjson(
            "json_compact, the same indented / orjson loads + dumps",
            lambda: compact.compress(indented, MINIMAL),
            indented,
        ),
    ]


def _against_orjson(name: str, action: Callable[[], object], text: str) -> Row:
    """Measure an action against parsing and writing a text, alternately."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours.append(_timed(action))
        theirs.append(_timed(lambda: orjson.dumps(orjson.loads(text))))
    mine, base = median(ours), median(theirs)
    return name, mine / base, f"{mine * 1e3:.0f} ms against {base * 1e3:.1f} ms, {len(text) / mine / 1e6:.0f} MB/s"


def _timed(action: Callable[[], object]) -> float:
    started = perf_counter()
    action()
    return perf_counter() - started


def tokens() -> list[Row]:
    """Compare the tokens of the 500 x 12 fixture, value-exact, with minified JSON and with other compressors."""
    text = FIXTURE.read_text("utf-8").strip()
    shown = Columnar().compress(text, MINIMAL).payload
    rows = [_share("columnar, 500 x 12, tokens / minified JSON", shown, text)]
    for peer in PEERS:
        if peer.package in COMPARED and (peer.folder / "installed").is_file():
            with tempfile.TemporaryDirectory() as folder:
                theirs = _peer_text(peer, text, folder)
            rows.append(_share(f"columnar, 500 x 12, tokens / {peer.package}", shown, theirs))
    return rows


def _peer_text(peer: Peer, text: str, folder: str) -> str:
    """Return what another compressor shows of a text."""
    done = subprocess.run(
        peer.words("cat stores.json", 0), input=text.encode(), env=make_environ(folder), capture_output=True, check=True
    )
    return json.loads(done.stdout)["text"]


def _share(name: str, shown: str, baseline: str) -> Row:
    ours, theirs = count_tokens(shown), count_tokens(baseline)
    detail = ", ".join(f"{encoding} {ours[encoding]:,} of {theirs[encoding]:,}" for encoding in ours)
    return name, max(ours[encoding] / theirs[encoding] for encoding in ours), detail


FUNCTIONS = (times, tokens)


def main() -> None:
    """Print all rows."""
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{name:75} {ratio:8.3f}  {detail}")


if __name__ == "__main__":
    main()
