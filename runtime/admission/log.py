"""LOG: a log in which what neighbouring lines begin with stands once.

    2026-01-02T15:04:05.120Z web-1 INFO request 17 done
    2026-01-02T15:04:05.133Z web-1 INFO request 18 done
    2026-01-02T15:04:06.004Z web-1 ERROR no route

    [log: the "=" line above says how lines begin, * is their first word; "|" lines stand as they are]
    =2026-01-02T15:04:* web-1 INFO request
    05.120Z 17 done
    05.133Z 18 done
    |2026-01-02T15:04:06.004Z web-1 ERROR no route

Input: text whose lines `log_lines.py` reads as a log. Output: the form above, of guarantee `exact`.

* `=A*B`: a line `w r` below it is `A`, `w`, `B`, `r`; `w` has no space. `=A`, without a star: a line `r` is `A`, `r`.
* `|x`: the line `x`: what does not begin so, and what could be read as one of these two.

Invariants: linear in the length: a new beginning is looked for only at a line that the last one does not fit, within
the next `WINDOW` lines, and ever more seldom while nothing is gained.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import DecodeError, NotThisKindError
from .log_lines import Entry, entries
from .pieces import count_pieces

NAME = "log"
GUARANTEE = "exact"

HEAD = '[log: the "=" line above says how lines begin, * is their first word; "|" lines stand as they are]\n'
WINDOW = 32
"""How many lines are looked at to choose a beginning."""

_SEPARATORS = re.compile("[T :.,/-]+")
_WORD_ENDS = re.compile(r"[\s:\]|]+[\[(]?")
_MAX_SHARED = 200
_MAX_SKIPPED = 64


class Parsed(NamedTuple):
    """The lines of a log, without their line feeds, and the entry that begins with each."""

    lines: list[str]
    entries: list[Entry | None]


class _Beginning(NamedTuple):
    """`before`, then a word and `behind`; `behind` is empty where no word is taken."""

    before: str
    behind: str
    gain: int

    def shorten(self, line: str) -> str | None:
        """Return what is left of a line that begins so, None for another."""
        if not line.startswith(self.before):
            return None
        if not self.behind:
            return line[len(self.before) :]
        end = line.find(" ", len(self.before))
        if end < 0 or not line.startswith(self.behind, end):
            return None
        return f"{line[len(self.before) : end]} {line[end + len(self.behind) :]}"


_NONE = _Beginning("\n", "", 0)


def recognise(text: str) -> Parsed:
    """Read a log. Raises NotThisKindError."""
    if text.startswith("[log: "):
        raise NotThisKindError("it begins as a form of a log does")
    lines = text.split("\n")
    return Parsed(lines, entries(lines))


def encode(parsed: Parsed) -> str:
    """Return the form of a log."""
    lines, found = parsed
    ended = lines[-1] == ""
    count = len(lines) - ended
    made: list[str] = []
    current, skip, patience = _NONE, 0, 1
    for number in range(count):
        line, entry = lines[number], found[number]
        rest = current.shorten(line)
        if entry is not None and (rest is None or number % _MAX_SKIPPED == 0):
            if skip and rest is None:
                skip -= 1
            else:
                window = lines[number : min(number + WINDOW, count)]
                better = _choose(window, entry)
                if better.gain > _gain(current, window) and better[:2] != current[:2]:
                    current, patience = better, 1
                    made.append(f"={current.before}{'*' if current.behind else ''}{current.behind}")
                    rest = current.shorten(line)
                elif rest is None:
                    skip, patience = patience, min(2 * patience, _MAX_SKIPPED)
        # An empty last line would be read as the line feed behind the one above.
        alone = rest is None or rest[:1] in {"=", "|"} or (not rest and not ended and number == count - 1)
        made.append(f"|{line}" if rest is None or alone else rest)
    return HEAD + "\n".join(made) + "\n" * ended


def decode(shown: str) -> str:
    """Return the log of a form. Raises DecodeError."""
    text = _read(shown)
    try:
        if encode(recognise(text)) != shown:
            raise DecodeError("not what is made of the log that it holds")
    except NotThisKindError as error:
        raise DecodeError(str(error)) from None
    return text


def _read(shown: str) -> str:
    if not shown.startswith(HEAD):
        raise DecodeError("it does not begin with the head line of a log")
    lines: list[str] = []
    before = behind = None
    written = shown[len(HEAD) :].split("\n")
    ended = written[-1] == ""
    for line in written[: len(written) - ended]:
        if line.startswith("|"):
            lines.append(line[1:])
        elif line.startswith("="):
            before, star, behind = line[1:].partition("*")
            behind = behind if star else None
            if (star and not behind) or len(line) > 2 * _MAX_SHARED + 2:
                raise DecodeError("a star with nothing behind it, or too much")
        elif before is None:
            raise DecodeError("a line without a beginning")
        elif behind is None:
            lines.append(before + line)
        else:
            word, space, rest = line.partition(" ")
            if not space:
                raise DecodeError("a line without its first word")
            lines.append(f"{before}{word}{behind}{rest}")
    return "\n".join(lines) + "\n" * ended


def _choose(window: list[str], entry: Entry) -> _Beginning:
    """Return the beginning of the first line that saves most in these lines."""
    line = window[0]
    best = _NONE
    stamp = line[entry.start : entry.end]
    cuts = [entry.start + found.end() for found in _SEPARATORS.finditer(stamp)]
    # In front of the time of an access log stands who asked.
    first = [0] if entry.kind == "access" else []
    for cut in [*first, *(cuts[-4:] if stamp else []), entry.end]:
        before = line[:cut]
        if "*" in before or len(before) > _MAX_SHARED:
            continue
        alike = [other for other in window if other.startswith(before)]
        pays = count_pieces(before)
        best = max(best, _Beginning(before, "", (len(alike) - 1) * pays - 2), key=_by_gain)
        end = line.find(" ", cut)
        if end < 0:
            continue
        tails = [other[at:] for other in alike if (at := other.find(" ", cut)) >= 0]
        region = line[end : end + _MAX_SHARED]
        for stop in [found.end() for found in _WORD_ENDS.finditer(region)][:10]:
            behind = region[:stop]
            tails = [tail for tail in tails if tail.startswith(behind)]
            if len(tails) < 2:
                break
            gain = (len(tails) - 1) * (pays + count_pieces(behind) - 1) - 4
            best = max(best, _Beginning(before, behind, gain), key=_by_gain)
    return best


def _by_gain(beginning: _Beginning) -> int:
    return beginning.gain


def _gain(beginning: _Beginning, window: list[str]) -> int:
    """Estimate the tokens that a beginning which stands already saves in these lines."""
    fitting = sum(1 for line in window if beginning.shorten(line) is not None)
    return fitting * (count_pieces(beginning.before) + max(0, count_pieces(beginning.behind) - 1))
