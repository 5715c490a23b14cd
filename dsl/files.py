"""The limits of a rule file: size, encoding and characters, checked before anything reads it.

Input: the bytes of a file (`read_source`) or a text that is already decoded (`check_text`). What breaks a limit is
E0107; never an exception. Nesting is bounded by the parser.
"""

from __future__ import annotations

import re

from .diagnostics import Diagnostic, Edit, Label, Report
from .source import Source, Span

MAX_BYTES = 1 << 20

# Control characters but tab and line feed, surrogates, and characters that are invisible or reorder what is seen:
# soft hyphen, Arabic letter mark, zero-width space to right-to-left mark, line and paragraph separators, embeddings
# and overrides, word joiner to deprecated format characters, BOM, interlinear annotation, tags.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def read_source(path: str, data: bytes, report: Report) -> Source | None:
    """Return the source that the bytes of a file hold; None when they break a limit, which is then in the report."""
    if len(data) > MAX_BYTES:
        return _refuse(report, Source(path, ""), Span(0, 0), f"the file has {len(data)} bytes", "the limit is 1 MiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        shown = Source(path, before + "\ufffd")
        place = Span(len(before), len(before) + 1)
        message = f"byte {error.start} of the file is not UTF-8"
        return _refuse(report, shown, place, message, f"found the byte {data[error.start]:02x}")
    source = Source(path, text)
    return source if check_text(source, report) else None


def check_text(source: Source, report: Report) -> bool:
    """Tell whether a text keeps to the limits; what breaks them, the first of each kind, is in the report."""
    text = source.text
    # A text has at least as many bytes in UTF-8 as code points; only near the limit is it worth counting them.
    if len(text) > MAX_BYTES or (len(text) > MAX_BYTES // 4 and len(text.encode("utf-8", "replace")) > MAX_BYTES):
        _refuse(report, source, Span(0, 0), "the file is larger than 1 MiB", "the limit is 1 MiB")
        return False
    seen: set[str] = set()
    for match in _FORBIDDEN.finditer(text):
        char = match[0]
        if char not in seen:
            seen.add(char)
            report.add(_forbidden(source, char, match.start()))
    return not seen


def _forbidden(source: Source, char: str, at: int) -> Diagnostic:
    span = Span(at, at + 1)
    if char == "\ufeff" and at == 0:
        return Diagnostic(
            "E0107",
            "the file begins with a byte order mark",
            source,
            Label(span, "nothing may stand before the first entry"),
            help="remove it",
            edits=(Edit(span, ""),),
        )
    if char == "\r":
        ends = tuple(Edit(Span(n, n + 1), "") for n, c in enumerate(source.text) if c == "\r")
        return Diagnostic(
            "E0107",
            "the file holds a carriage return",
            source,
            Label(span, "lines end with a line feed alone"),
            help="remove the carriage returns",
            edits=ends,
        )
    return Diagnostic(
        "E0107",
        f"the file holds the character U+{ord(char):04X}",
        source,
        Label(span, "it cannot be seen, or changes how its surroundings are seen"),
        help=f"in a string, write `\\u{{{ord(char):x}}}`" if not 0xD800 <= ord(char) <= 0xDFFF else None,
    )


def _refuse(report: Report, source: Source, span: Span, message: str, label: str) -> None:
    report.add(Diagnostic("E0107", message, source, Label(span, label)))
