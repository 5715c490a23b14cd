"""Gate and counter against counting both texts in full with tiktoken.

Each function returns rows `(name, ratio, detail)`: `name` says what was measured; `ratio` is the median time of the
baseline divided by the median time of the gate, both measured alternately in one run (for `pathological`, the seconds
of processor time of the slowest decision on that text); `detail` is a text with verdict, step and both times.
`FUNCTIONS` lists them in order. Input is generated from fixed seeds. The baseline, tiktoken warm with the embedded
ranks, counts both texts under both encodings. `python -m cablese.bench.gate` prints all rows.

Kinds of gate: `warm` has met the texts before; `first` has met nothing and opens its tables; `resident` has met nothing
and asks tiktoken for what it has not met.
"""

from __future__ import annotations

import base64
import random
import subprocess
import sys
import time
from statistics import median

from ..runtime.tokens import exact, strictly_fewer
from ..runtime.tokens.resident import encodings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Row = tuple[str, float, str]

_SYLLABLES = ("al", "be", "con", "de", "er", "fi", "gra", "ho", "in", "ju", "ka", "lo", "mi", "no", "or", "pre", "re")


class Writer:
    """Generates logs and prose from a seed."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311
        self._words = ["".join(self._draw.choices(_SYLLABLES, k=self._draw.randint(1, 4))) for _ in range(800)]

    def word(self) -> str:
        """Return one of 800 made-up words."""
        return self._draw.choice(self._words)

    def log_line(self) -> str:
        """Return a line as of a build, a test run, or a service."""
        draw, word = self._draw, self.word
        kind = draw.random()
        if kind < 0.25:
            return f"   Compiling {word()}-{word()} v{draw.randint(0, 9)}.{draw.randint(0, 40)}.{draw.randint(0, 20)}"
        if kind < 0.8:
            return f"test {word()}::{word()}::tests::{word()}_{word()} ... ok"
        stamp = (
            f"2026-03-{draw.randint(1, 28):02}T{draw.randint(0, 23):02}:{draw.randint(0, 59):02}:07.{draw.random():.6f}"
        )
        return (
            f"{stamp} ERROR [{draw.getrandbits(64):016x}] {word()}: failed in src/{word()}.rs:{draw.randint(1, 999)}:5"
        )

    def log(self, size: int) -> str:
        """Return log lines of `size` characters in all."""
        lines: list[str] = []
        length = 0
        while length < size:
            lines.append(self.log_line())
            length += len(lines[-1]) + 1
        return "\n".join(lines)[:size]

    def multilingual(self, size: int) -> str:
        """Return sentences in several scripts of `size` UTF-8 bytes, at most."""
        scripts = ((0x4E00, 2000), (0x3042, 80), (0x430, 32), (0x5D0, 27), (0x905, 50), (0xAC00, 2000), (0x61, 26))
        stops = "。、,. "
        parts: list[str] = []
        length = 0
        while length < size:
            first, span = self._draw.choice(scripts)
            letters = "".join(chr(first + self._draw.randrange(span)) for _ in range(self._draw.randint(2, 12)))
            parts.append(letters + self._draw.choice(stops) + ("\n" if self._draw.random() < 0.1 else ""))
            length += len(parts[-1].encode())
        return "".join(parts).encode()[:size].decode(errors="ignore")


def count_fully(*texts: str) -> None:
    """Count all texts under both encodings: the baseline."""
    for encoding in encodings():
        for text in texts:
            len(encoding.encode_ordinary(text))


def compare(name: str, candidate: str, original: str, kind: str, rounds: int = 7) -> Row:
    """Measure one decision against the baseline, alternately."""
    counter = "tiktoken" if kind == "resident" else "tables"
    verdict = strictly_fewer(candidate, original, counter=counter)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        if kind != "warm":
            exact.forget()
        ours.append(_timed(lambda: strictly_fewer(candidate, original, counter=counter)))
        theirs.append(_timed(lambda: count_fully(candidate, original)))
    mine, base = median(ours), median(theirs)
    detail = f"{verdict.outcome} by {verdict.step}; {mine * 1e3:.3f} ms against {base * 1e3:.1f} ms"
    return f"{name}, {kind}", base / mine, detail


def _timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def small_candidate() -> list[Row]:
    """Compare a 300-token candidate against 1 MB: settled by bounds, and not."""
    writer = Writer(1)
    log, other = writer.log(1_000_000), writer.multilingual(1_000_000)
    summary = writer.log(1_100)
    # 300 tokens in 9 KB: runs of blanks, which no bound on bytes or boundaries can settle.
    blanks = "".join(f"{' ' * 120}{writer.word()}\n" for _ in range(75))
    rows = [compare("1 MB log, 300 tokens, bounds", summary, log, "warm", 15)]
    for kind in ("warm", "first"):
        rows.append(compare("1 MB log, 300 tokens, boundaries", blanks, log, kind))
        rows.append(compare("1 MB without many boundaries, 300 tokens, exact", blanks, _sparse(writer), kind))
        rows.append(compare("1 MB multilingual, 300 tokens", other[-400:], other, kind))
        rows.append(compare("1 MB multilingual, 4,000 characters", other[-4_000:], other, kind))
    return rows


def _sparse(writer: Writer) -> str:
    return "".join(f"{'-' * 60}{writer.word() * 4}\n" for _ in range(13_000))[:1_000_000]


def close_candidate() -> list[Row]:
    """Compare candidates of 0.6 to 0.9 of 100 KB: lines left out, lines cut short, and unrelated text."""
    rows: list[Row] = []
    for share in (0.6, 0.75, 0.9):
        writer = Writer(int(share * 100))
        draw = random.Random(2)  # noqa: S311
        original = writer.log(100_000)
        lines = original.splitlines(keepends=True)
        left_out = "".join(line for line in lines if draw.random() < share)
        cut_short = "".join(line[: int(len(line) * share)] + "\n" for line in lines)
        unrelated = Writer(99).log(int(100_000 * share))
        for kind in ("warm", "first", "resident"):
            rows.append(compare(f"100 KB, lines left out, {share}", left_out, original, kind))
            rows.append(compare(f"100 KB, lines cut short, {share}", cut_short, original, kind))
            rows.append(compare(f"100 KB, unrelated, {share}", unrelated, original, kind))
    return rows


def pathological() -> list[Row]:
    """Measure the slowest decision on 1 MB without structure, over candidates of four sizes."""
    draw = random.Random(3)  # noqa: S311
    million = 1_000_000
    texts = {
        "one letter": "a" * million,
        "spaces": " " * million,
        "newlines": "\n" * million,
        "base64": base64.b64encode(draw.randbytes(750_000)).decode(),
        "emoji": "".join(chr(0x1F600 + draw.randrange(60)) for _ in range(250_000)),
        "CJK": "".join(chr(0x4E00 + draw.randrange(5000)) for _ in range(333_333)),
        "spaces then a letter": " " * million + "a",
    }
    rows: list[Row] = []
    for name, original in texts.items():
        slowest, verdicts = 0.0, []
        for share in (0.001, 0.05, 0.5, 0.95):
            candidate = original[-int(len(original) * share) :]
            exact.forget()
            started = time.process_time()
            verdicts.append(strictly_fewer(candidate, original).outcome)
            slowest = max(slowest, time.process_time() - started)
        rows.append((f"1 MB of {name}, slowest of four", slowest, " ".join(verdicts)))
    return rows


def one_shot() -> list[Row]:
    """Compare a process that decides by the exact step with one that counts with tiktoken, its load included."""
    texts = "c, o = 'hello world ' * 90, 'hello, world ' * 90"
    tables = f"from cablese.runtime.tokens import strictly_fewer; {texts}; assert strictly_fewer(c, o)"
    stock = (
        "from cablese.runtime.tokens.resident import encodings; "
        f"{texts}; assert all(len(e.encode_ordinary(c)) < len(e.encode_ordinary(o)) for e in encodings())"
    )
    ours: list[float] = []
    theirs: list[float] = []
    bare: list[float] = []
    for _ in range(7):
        for script, times in ((tables, ours), (stock, theirs), ("pass", bare)):
            times.append(_timed(lambda: subprocess.run([sys.executable, "-c", script], check=True)))  # noqa: B023
    mine, base, floor = median(ours), median(theirs), median(bare)
    detail = f"{mine * 1e3:.0f} ms against {base * 1e3:.0f} ms; bare Python {floor * 1e3:.0f} ms"
    return [("one process, 1 KB, exact step", base / mine, detail)]


FUNCTIONS = (small_candidate, close_candidate, pathological, one_shot)


def main() -> None:
    """Print all rows."""
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{name:55} {ratio:12.2f}  {detail}")


if __name__ == "__main__":
    main()
