r"""The classes and quantities of a `word`: `[A-Za-z0-9_-]{1,40}` to sorted, merged code-point ranges and bounds.

A class lists characters and ranges. `\]`, `\\`, `\-`, `\^`, `\t` and `\u{…}` are escapes; a `-` at either end is
itself; classes cannot be negated, so `^` may not come first. Malformed ones are reported as E0105.
"""

from __future__ import annotations

import re

from .diagnostics import Diagnostic, Edit, Label, Report
from .source import Source, Span

Ranges = tuple[tuple[int, int], ...]

_MEMBER = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}|\\([\]\[\\^t-])|([^\\])")
_BOUNDS = re.compile(r"\{([0-9]+)(,?)([0-9]*)\}")


def parse_class(source: Source, span: Span, report: Report) -> Ranges:
    """Return the ranges of the class at `span`, brackets included; none when it is malformed."""
    text, at, end = source.text, span.start + 1, span.end - 1
    if at == end:
        return _bad(report, source, span, ("a class is empty", "no character stands in it"))
    if text[at] == "^":
        edits = (Edit(Span(at, at), "\\"),)
        return _bad(report, source, Span(at, at + 1), ("a class cannot be negated", "list what it holds"), edits)
    members: list[tuple[int, bool, Span]] = []  # code point, whether written plainly, place
    while at < end:
        match = _MEMBER.match(text, at, end)
        point = _code_point(match) if match else None
        if match is None or point is None:
            return _bad(report, source, Span(at, min(at + 2, end)), ("unknown escape in a class", "not an escape"))
        members.append((point, match[3] is not None, Span(at, match.end())))
        at = match.end()
    ranges: list[tuple[int, int]] = []
    n = 0
    while n < len(members):
        low = members[n][0]
        if n + 2 < len(members) and members[n + 1][:2] == (0x2D, True):
            high = members[n + 2][0]
            if high < low:
                place = members[n][2].to(members[n + 2][2])
                return _bad(report, source, place, ("a range runs backwards", "its end comes before its beginning"))
            ranges.append((low, high))
            n += 3
        else:
            ranges.append((low, low))
            n += 1
    return _merged(ranges)


def _code_point(match: re.Match[str]) -> int | None:
    if match[1]:
        point = int(match[1], 16)
        return point if point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF else None
    if match[2]:
        return ord("\t" if match[2] == "t" else match[2])
    return ord(match[3])


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def parse_quantity(source: Source, span: Span, report: Report) -> tuple[int, int | None]:
    """Return the bounds of `*`, `+`, `?`, `{n}` or `{n,m}` at `span`; None is no bound."""
    written = source.text[span.start : span.end]
    simple: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
    if written in simple:
        return simple[written]
    match = _BOUNDS.fullmatch(written)
    assert match is not None
    low = int(match[1])
    high = int(match[3]) if match[2] else low
    if high < max(low, 1):
        _bad(report, source, span, ("no text has this many characters", "at least 1, and the lower bound first"))
    return low, high


def _bad(report: Report, source: Source, span: Span, words: tuple[str, str], edits: tuple[Edit, ...] = ()) -> Ranges:
    """Report E0105 with a message and a label."""
    note = "a class lists characters and ranges: `[A-Za-z0-9_-]`"
    fix = "write `\\^` to mean the character" if edits else None
    label = Label(span, words[1])
    report.add(Diagnostic("E0105", words[0], source, label, notes=(note,), help=fix, edits=edits))
    return ()
