"""What every driver does: text on standard input, one JSON object on standard output. Standard library only.

Arguments: the command whose output the text is, and how often to compress again once the text is done.
Output: `text`, what the peer shows a model; `original`, what the peer gives back for the handles in `text` (null where
it offers none); `seconds`, the time of each further call.

# INVARIANT: no two calls of a process see the same text, as a cache of results would be timed instead of the work.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter

LETTERS = "abcdfghijlmnp"


def vary(text: str, number: int) -> str:
    """Return the text with one of its words spelled otherwise: the same size and shape, another content."""
    return text.replace("token", f"tok{LETTERS[number % len(LETTERS)]}n")


def time_calls(compress: Callable[[str], object], text: str, rounds: int) -> list[float]:
    """Return the seconds of `rounds` calls, each on a text of its own."""
    seconds: list[float] = []
    for number in range(rounds):
        varied = vary(text, number)
        start = perf_counter()
        compress(varied)
        seconds.append(perf_counter() - start)
    return seconds


def drive(compress: Callable[[str, str], str], retrieve: Callable[[str], str | None]) -> None:
    """Serve one text: `compress(text, command)` shows it, `retrieve(shown)` follows the handles in what was shown."""
    command, rounds = sys.argv[1], int(sys.argv[2])
    text = sys.stdin.buffer.read().decode("utf-8")
    shown = compress(text, command)
    seconds = time_calls(lambda varied: compress(varied, command), text, rounds)
    json.dump({"text": shown, "original": retrieve(shown), "seconds": seconds}, sys.stdout)


def nothing_kept(_shown: str) -> None:
    """Stand for a peer whose output offers no handle."""
