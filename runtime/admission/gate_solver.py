r"""A solver without a model: answers questions of a small grammar by reading what is shown.

Input: a question, and what may be looked at. Output: the answer as text, or `unknown`. The grammar, with what is given
in backquotes:

    which `KEY` has the row with `KEY` = `VALUE`?      JSON, JSON Lines, tables
    which file has the line with `TEXT`?               search results
    is `PATH` listed?                                  lists of paths: yes or no
    what is line N?                                    numbered reads; source text, counted from 1
    which line has `TEXT`?                             anything
    how many lines have `TEXT`?                        anything
    what is the signature of `NAME`?                   Python
    when does `NAME` raise `ERROR`?                    Python
    which sentence has `TEXT`?                         prose

A form without loss is read through its decoder, which anyone has; of a form with loss only the text is read, and where
that has no answer, or leaves out the line that is asked for, the original is asked for.

Invariant: no question makes it look at an original that is not needed. Questions out of the grammar raise ValueError.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .gate_axes import Sight

UNKNOWN = "unknown"

_NOTE = re.compile(r"\s*\d+: ")
_NUMBERED = re.compile(r"\s*0*(\d+)(?:\t|→|: |\| | {2})(.*)")
_SEARCHED = re.compile(r"(.+?)[:-]\d+[:-]")
_ENDS = ".!?\u3002\uff01\uff1f\u0964"
_SENTENCE = re.compile(f"[^{_ENDS}]*[{_ENDS}]?")


def solve(question: str, sight: Sight) -> str:
    """Answer a question. Raises ValueError for one out of the grammar, and whatever a decoder raises."""
    asked, reader = _match(question)
    shown = sight.text if sight.decode is None else sight.decode()
    needs_all = sight.expand is not None and question.startswith(("what is line", "how many"))
    answer = None if needs_all else reader(shown, *asked.groups())
    if answer is None and sight.expand is not None:
        answer = reader(sight.expand(), *asked.groups())
    return UNKNOWN if answer is None else answer


def _match(question: str) -> tuple[re.Match[str], Callable[..., str | None]]:
    for pattern, reader in _GRAMMAR:
        asked = pattern.fullmatch(question)
        if asked is not None:
            return asked, reader
    raise ValueError(f"no question of the grammar: {question}")


def _read_cell(shown: str, wanted: str, key: str, value: str) -> str | None:
    for row in _rows(shown):
        if key in row and _plain(row[key]) == value and wanted in row:
            return _plain(row[wanted])
    return None


def _rows(shown: str) -> list[dict[str, Any]]:
    """Return the records of a JSON text, of JSON Lines or of a table."""
    opens = shown.lstrip()[:1]
    if opens in {"{", "["}:
        try:
            return _records(json.loads(shown))
        except ValueError:
            return _records([json.loads(line) for line in shown.splitlines() if line.strip()])
    lines = [line for line in shown.splitlines() if line.strip() and not re.fullmatch(r"[\s|+:=-]+", line)]
    split = _splitter(lines)
    head = split(lines[0])
    return [dict(zip(head, split(line), strict=False)) for line in lines[1:]]


def _splitter(lines: list[str]) -> Callable[[str], list[str]]:
    for mark in ("\t", "|", ","):
        if all(mark in line for line in lines[:3]):
            return lambda line: [cell.strip() for cell in line.strip().strip("|").split(mark)]
    return lambda line: re.split(r" {2,}", line.strip())


def _records(value: Any) -> list[dict[str, Any]]:
    """Return the first list of objects in a value, or the value itself."""
    if isinstance(value, list):
        return [each for each in value if isinstance(each, dict)]
    inner = [each for each in value.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
    return inner[0] if inner else [value]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _read_file(shown: str, text: str) -> str | None:
    """Return the file of a line: its prefix, or the heading above it."""
    heading = None
    for line in shown.splitlines():
        if text in line:
            found = _SEARCHED.match(line)
            return found[1] if found and not found[1].isdigit() else heading
        if line and not re.match(r"\d+[:-]", line):
            heading = line
    return None


def _read_listed(shown: str, path: str) -> str:
    return "yes" if path in {line.strip().rstrip("/") for line in shown.splitlines()} else "no"


def _read_number(shown: str, number: str) -> str | None:
    lines = shown.split("\n")
    numbered = [found for line in lines if (found := _NUMBERED.match(line))]
    if len(numbered) * 2 > len(lines):
        return next((found[2] for found in numbered if found[1] == number), None)
    return lines[int(number) - 1] if int(number) <= len(lines) else None


def _read_line(shown: str, text: str) -> str | None:
    return next((line for line in shown.splitlines() if text in line), None)


def _count_lines(shown: str, text: str) -> str:
    return str(sum(text in line for line in shown.splitlines()))


def _block(shown: str, name: str) -> list[str]:
    """Return the lines of a Python function, header first."""
    lines = shown.splitlines()
    for at, line in enumerate(lines):
        found = re.match(rf"(\s*)(?:async )?def {re.escape(name)}\(", line)
        if found is None:
            continue
        end = at + 1
        while end < len(lines) and (not lines[end].strip() or lines[end].startswith((found[1] + " ", found[1] + ")"))):
            end += 1
        return lines[at:end]
    return []


def _read_signature(shown: str, name: str) -> str | None:
    parts = []
    for line in _block(shown, name):
        parts.append(line.strip())
        if re.search(r":\s*(#.*)?$", line) and not line.rstrip().endswith(",:"):
            return " ".join(parts)
    return None


def _read_raise(shown: str, name: str, error: str) -> str | None:
    block = _block(shown, name)
    for at, line in enumerate(block):
        if f"raise {error}" not in line:
            continue
        if _NOTE.match(line):
            return _NOTE.sub("", line, count=1).strip()
        depth = len(line) - len(line.lstrip())
        above = [each for each in reversed(block[:at]) if each.strip() and len(each) - len(each.lstrip()) < depth]
        return f"{above[0].strip()} {line.strip()}" if len(above) > 1 else line.strip()
    return None


def _read_sentence(shown: str, text: str) -> str | None:
    sentences = [each.strip() for each in _SENTENCE.findall(" ".join(shown.split()))]
    return next((each for each in sentences if text in each), None)


_GRAMMAR: tuple[tuple[re.Pattern[str], Callable[..., str | None]], ...] = (
    (re.compile(r"which `(.+)` has the row with `(.+)` = `(.+)`\?"), _read_cell),
    (re.compile(r"which file has the line with `(.+)`\?"), _read_file),
    (re.compile(r"is `(.+)` listed\?"), _read_listed),
    (re.compile(r"what is line (\d{1,9})\?"), _read_number),
    (re.compile(r"which line has `(.+)`\?"), _read_line),
    (re.compile(r"how many lines have `(.+)`\?"), _count_lines),
    (re.compile(r"what is the signature of `(.+)`\?"), _read_signature),
    (re.compile(r"when does `(.+)` raise `(.+)`\?"), _read_raise),
    (re.compile(r"which sentence has `(.+)`\?"), _read_sentence),
)
