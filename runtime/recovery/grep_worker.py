"""Searching lines for a regular expression that may be hostile.

Input: lines as bytes, an expression of Python's. Output: the numbers of the lines in which it is found, from 0.

Python's engine backtracks: an expression with a repetition can take longer than anybody lives. One without repetition
and without groups cannot, and runs here. Any other runs in a process of its own, which is ended when its time is over.

Invariants: no expression holds this process back for longer than `patience_s` and the start of a process; what is
malformed is told from what takes too long.
"""

from __future__ import annotations

import os
import sys

_CAN_REPEAT = frozenset("*+?{(")
_WORKER = """
import re, resource, sys
# In case nobody is left to end it.
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1]) + 1))
given = sys.stdin.buffer
found = re.compile(given.read(int(sys.argv[2]))).search
lines = given.read().split(b"\\n")
sys.stdout.write(" ".join(str(n) for n, line in enumerate(lines) if found(line)))
"""


def find_lines(lines: list[bytes], pattern: str, patience_s: float) -> list[int]:
    """Return the numbers of the lines in which an expression is found. No line holds a line end.

    Raises ValueError for a malformed expression, and for one that takes too long.
    """
    import re
    import warnings

    expression = os.fsencode(pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"grep: `{pattern}` is no regular expression: {error}") from None
    if not lines:
        return []
    if not _CAN_REPEAT & set(pattern):
        return [number for number, line in enumerate(lines) if compiled.search(line)]
    return _find_elsewhere(lines, expression, patience_s)


def _find_elsewhere(lines: list[bytes], expression: bytes, patience_s: float) -> list[int]:
    import subprocess

    words = [sys.executable, "-I", "-S", "-c", _WORKER, str(int(patience_s) + 1), str(len(expression))]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            words, input=expression + b"\n".join(lines), capture_output=True, timeout=patience_s, check=True
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise ValueError(f"grep: the expression took more than {patience_s:g} seconds, and was given up") from None
    except OSError as error:
        raise ValueError(f"grep: the expression cannot be tried: {error}") from None
    return [int(number) for number in done.stdout.split()]
