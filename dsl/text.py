"""Texts as written to texts as meant: `"…"` strings and triple-quoted blocks, with the source offset of each character.

INVARIANT: `offsets` of a `Text` has one entry more than its value, never decreases, and lies within the notation.
"""

from __future__ import annotations

import re

from .ast import Text
from .diagnostics import Diagnostic, Edit, Label, Report
from .source import Source, Span

_SIMPLE = {'"': '"', "\\": "\\", "t": "\t", "n": "\n"}
_UNICODE = re.compile(r"u\{([0-9A-Fa-f]{1,6})\}")


def decode_string(source: Source, span: Span, report: Report, *, pattern: bool = False) -> Text:
    r"""Return the value of the `"…"` string at `span`.

    Escapes are `\"`, `\\`, `\t`, `\n` (not where the text is a line: `pattern`) and `\u{…}`, a code point of up to six
    hexadecimal digits. Any other is reported as E0103 and stands for itself.
    """
    text, at, end = source.text, span.start + 1, span.end - 1
    if text.find("\\", at, end) < 0:
        return Text(text[at:end], offsets=tuple(range(at, end + 1)), span=span)
    value: list[str] = []
    offsets: list[int] = []
    while at < end:
        offsets.append(at)
        if text[at] != "\\":
            value.append(text[at])
            at += 1
            continue
        meant, width = _escape(text, at)
        if meant is None or (meant == "\n" and pattern):
            report.add(_bad_escape(source, Span(at, min(at + width, end)), pattern=pattern))
            meant = meant or "?"
        value.append(meant)
        at += width
    offsets.append(end)
    return Text("".join(value), offsets=tuple(offsets), span=span)


def _escape(text: str, at: int) -> tuple[str | None, int]:
    """Return what the escape at `at` means (None: nothing) and how many characters it takes."""
    letter = text[at + 1]
    if letter in _SIMPLE:
        return _SIMPLE[letter], 2
    match = _UNICODE.match(text, at + 1)
    if match is None:
        return None, 2
    point = int(match[1], 16)
    valid = point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF
    return chr(point) if valid else None, 1 + len(match[0])


_NAMED = {
    "r": "a carriage return is `\\u{d}`",
    "e": "ESC is `\\u{1b}`",
    "x": "a code point is written as in `\\u{1b}`",
    "0": "NUL is `\\u{0}`",
}
"""What escapes of other languages are likely to mean, by their letter."""


def _bad_escape(source: Source, span: Span, *, pattern: bool) -> Diagnostic:
    written = source.text[span.start : span.end]
    if pattern and _escape(source.text, span.start)[0] == "\n":
        return Diagnostic(
            "E0103",
            "a pattern describes one line, so it cannot hold a line end",
            source,
            Label(span, "no line holds its own end"),
            help="write one pattern for each line, in a row",
        )
    known = '`\\"`, `\\\\`, `\\t`' + ("" if pattern else ", `\\n`") + " and `\\u{…}`"
    if written.startswith("\\u"):
        return Diagnostic(
            "E0103",
            f"`{written}` is not a character",
            source,
            Label(span, "expected a code point such as `\\u{feff}`"),
            notes=("a code point is one to six hexadecimal digits, at most 10ffff, and no surrogate",),
        )
    named = _NAMED.get(written[1:])
    return Diagnostic(
        "E0103",
        f"unknown escape `{written}`",
        source,
        Label(span, "not an escape"),
        notes=(f"the escapes here are {known}", *((named,) if named else ())),
        help="double the backslash to mean one",
        edits=(Edit(Span(span.start, span.start), "\\"),),
    )


def decode_block(source: Source, span: Span) -> Text:
    """Return the value of the triple-quoted block at `span`.

    The indentation that all its lines share with the closing quotes is taken away (lines of nothing but blanks do
    not count, and keep what they have beyond it). The line ends after the opening and before the closing quotes are
    not part of the value. There are no escapes in a block.
    """
    text = source.text
    begin = text.index("\n", span.start) + 1
    closing = text.rfind("\n", span.start, span.end) + 1
    margin = text[closing : span.end - 3]
    lines: list[tuple[int, int]] = []
    at = begin
    while at < closing:
        stop = text.index("\n", at)
        lines.append((at, stop))
        if text[at:stop].strip(" \t"):
            margin = _common(margin, text, at, stop)
        at = stop + 1
    value: list[str] = []
    offsets: list[int] = []
    for start, stop in lines:
        kept = start + len(_common(margin, text, start, stop))
        value.append(text[kept : stop + 1])
        offsets.extend(range(kept, stop + 1))
    if lines:
        value[-1] = value[-1][:-1]
    else:
        offsets.append(closing)
    return Text("".join(value), block=True, offsets=tuple(offsets), span=span)


def _common(margin: str, text: str, start: int, stop: int) -> str:
    """Return the longest beginning of `margin` that the line at `start` begins with."""
    if start + len(margin) <= stop and text.startswith(margin, start):
        return margin
    length = 0
    while length < len(margin) and start + length < stop and text[start + length] == margin[length]:
        length += 1
    return margin[:length]
