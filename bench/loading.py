"""Loading the pack that ships in a new process, imports apart.

Each row is `(name, share of 10 ms, detail)`: the median over new processes, each of which loads the modules first and
then times what it does with the pack. `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

Row = tuple[str, float, str]

REACH_MS = 10
ROUNDS = 15
SCRIPT = """
import sys
from time import perf_counter
COMMAND = ("git", "log", "--oneline")
from cablese.runtime import digests
from cablese.runtime.engine import command
from cablese.runtime.packs import admit, features, pack, roots, rule
from cablese.runtime.packs.catalogue import CURATED_PACK
start = perf_counter()
opened = pack.open_pack(CURATED_PACK)
header = perf_counter()
accepted = [opened.rule(number) for number in opened.find(COMMAND) if opened.rule(number).accepts(COMMAND)]
claimed = perf_counter()
assert accepted
for number in range(len(opened.sizes)):
    opened._bytes(number, "")
digests = perf_counter()
opened.verify()
print(header - start, claimed - start, header - start + digests - claimed, perf_counter() - digests)
"""


def loading_rows() -> list[Row]:
    """Measure opening (its digest, the index), also with what a command asks for, with the digests of all sections, and
    every index and bound in them.
    """
    times = []
    for _ in range(ROUNDS):
        done = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
        times.append([float(word) * 1e3 for word in done.stdout.split()])
    header, claimed, digests, checked = (median(column) for column in zip(*times, strict=True))
    return [
        ("curated pack: opened, digest checked", header / REACH_MS, f"{header:.2f} ms"),
        (
            "curated pack: and the rules that may be for a command, as `run` does",
            claimed / REACH_MS,
            f"{claimed:.2f} ms",
        ),
        ("curated pack: the digest of every section, too", digests / REACH_MS, f"{digests:.2f} ms"),
        ("curated pack: every index and bound, as `verify` does", checked / REACH_MS, f"{checked:.2f} ms"),
    ]


FUNCTIONS = (loading_rows,)
