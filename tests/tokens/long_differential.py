"""The long comparison with tiktoken: random texts, and every code point in five contexts; the native codec with both.

A program of its own, as it runs for minutes: `python tests/tokens/long_differential.py --seconds 1800`. For each text
it compares token ids under both encodings, ids at each chunk cut, and counts; every hundredth text also the verdict of
the gate on a pair. Counts of the native codec are compared where it is built; `--native` compares nothing else, many
more texts in the same time. It stops at the bound on time, prints how far it came, and fails at the first difference.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable

from cablese.runtime import native
from cablese.runtime.tokens import count_tokens, exact, split, strictly_fewer
from cablese.runtime.tokens.resident import encodings

ATOMS = [
    *" \t\n\r\x0b\x0c\x1c\x00'/.,-=_()[]{}<>|\"\\#@!?:;abcdestzABEZ0123456789",
    *"\u00a0\u1680\u2003\u2028\u202f\u3000\u0085\u200d\ufeffàÉÿſßıİΣσςДдǅʰªº漢字かカ한ไا٣०½Ⅷ²😀🏳\ufe0f\u0301\u0e31\u0903\u20dd\U0001f1e6",
    *("\n\n", "  ", "\r\n", "\n/", "\n\t", "'s", "'LL", "'\u017f", "'re", "'ve", "://", "...", "----", "====", "    "),
    *(
        " the",
        " and",
        "hello",
        "World",
        "HTTPServer",
        "camelCase",
        "ERROR",
        "src/main.rs",
        "0x7ffe",
        "한국어",
        "ภาษาไทย",
    ),
]
CONTEXTS = ("{0}", "a{0}B", "1{0} 2", " {0}\n", "'{0}'{0}s")


codec = native.codec()


class DifferenceError(Exception):
    """The counter and tiktoken disagree."""


def compare(text: str) -> None:
    """Raise `DifferenceError` unless ids, ids at each cut and counts of `text` are those of tiktoken."""
    chunks = [chunk for window in split.windows(text, 64) for chunk in window]
    counts = list(count_tokens(text).values())
    for index, (encoder, encoding) in enumerate(zip(exact.encoders(), encodings(), strict=True)):
        ids = encoding.encode_ordinary(text)
        if encoder.encode(text) != ids:
            raise DifferenceError(f"{encoding.name}: ids of {text!r}")
        if [token for chunk in chunks for token in encoding.encode_ordinary(chunk)] != ids:
            raise DifferenceError(f"{encoding.name}: cuts of {text!r}")
        if counts[index] != len(ids):
            raise DifferenceError(f"{encoding.name}: count of {text!r}")
    if codec is not None:
        compare_native(text)


def compare_native(text: str) -> None:
    """Raise `DifferenceError` unless the native codec counts `text` as tiktoken does, with and without a limit."""
    assert codec is not None
    for encoding in encodings():
        count = len(encoding.encode_ordinary(text))
        found = [codec.count_until(text, encoding.name, limit) for limit in (None, count, count - 1)]
        if found != [count, count, None]:
            raise DifferenceError(f"{encoding.name}: {found} natively, {count} tokens of {text!r}")


def compare_gate(candidate: str, original: str) -> None:
    """Raise `DifferenceError` unless the gate decides as counting everything does."""
    truth = all(len(e.encode_ordinary(candidate)) < len(e.encode_ordinary(original)) for e in encodings())
    if strictly_fewer(candidate, original).outcome != ("fewer" if truth else "not_fewer"):
        raise DifferenceError(f"gate: {candidate!r} against {original!r}")


def random_text(draw: random.Random) -> str:
    """Return a text of 1 to 200 atoms, often out of few, sometimes of any code points."""
    kind = draw.random()
    length = draw.choice((2, 5, 12, 30, 60, 200) if kind < 0.1 else (2, 5, 12, 30, 60))
    if kind < 0.15:
        points = (draw.randrange(0x110000) for _ in range(length))
        return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)
    pool = draw.sample(ATOMS, draw.randint(2, 10)) if kind < 0.7 else ATOMS
    return "".join(draw.choices(pool, k=length))


def run_code_points(until: float, check: Callable[[str], None] = compare) -> int:
    """Compare every code point in all contexts, in one text each; return how many came about before `until`."""
    done = 0
    for point in range(0x110000):
        if 0xD800 <= point < 0xE000:
            continue
        if done % 256 == 0 and time.monotonic() > until:
            break
        check("\n".join(context.format(chr(point)) for context in CONTEXTS))
        done += 1
    return done


def run_random(texts: int, seed: int, until: float, check: Callable[[str], None] = compare) -> int:
    """Compare random texts; return how many came about before `until`."""
    draw = random.Random(seed)
    previous = ""
    for done in range(texts):
        if done % 256 == 0 and time.monotonic() > until:
            return done
        text = random_text(draw)
        check(text)
        if done % 100 == 0 and check is compare:
            compare_gate(previous, text)
            compare_gate(text[: len(text) * 3 // 4], text)
            previous = text
    return texts


def main() -> int:
    """Run both parts, code points first, within the given time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-code-points", action="store_true")
    parser.add_argument("--native", action="store_true")
    chosen = parser.parse_args()
    if chosen.native and codec is None:
        parser.error("the native codec is not built: `make codec`")
    check = compare_native if chosen.native else compare
    until = time.monotonic() + chosen.seconds
    points = 0 if chosen.no_code_points else run_code_points(until, check)
    texts = run_random(chosen.texts, chosen.seed, until, check)
    sys.stdout.write(f"{points} code points in {len(CONTEXTS)} contexts, {texts} random texts: no difference\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
