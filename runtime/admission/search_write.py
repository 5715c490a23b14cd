"""Writes search results: the form that a model sees, and the text that it was made of; and reads the form.

    [matches by folder and file: line:match, line context]

    src/
    totals.py
    11 def sums(rows):
    12:    return total(rows)
    --

Input: rows (`search_rows.py`), or a form. Output: the form, the text, or the rows.

An empty line announces a path, and stands nowhere else. Paths are written whole, or their folders apart where that
leaves a quarter fewer pieces (`pieces.count_pieces`) of them, and saves a twentieth of the whole. Between number
and text stands a space, which most tokens have in front anyway; `:` marks matches where lines of context stand beside.
"""

from __future__ import annotations

import re

from .kinds import DecodeError
from .pieces import count_pieces
from .search_rows import SEPARATOR, Parsed, Row, is_note
from .text_lines import Lines, join_lines, read_shown, write_shown

_GROUPED = {"rows": "by file", "headings": "under headings", "bare": "by file"}
_FOLDERS = "by folder and file"
_FOLDERED = {"rows": _FOLDERS, "headings": "under headings, by folder", "bare": _FOLDERS}
_COLUMNS = {
    # (columns, context): how rows are written
    (False, False): "line text",
    (False, True): "line:match, line context",
    (True, False): "line:column text",
    (True, True): "line:column match, line context",
}
_TEXT_ONLY = "text"
_HEADS = {
    f"[matches {words}: {rows}{', CRLF' * crlf}]": (shape, columns, context, folders, crlf)
    for folders, names in ((False, _GROUPED), (True, _FOLDERED))
    for shape, words in names.items()
    for (columns, context), rows in (_COLUMNS.items() if shape != "bare" else [((False, False), _TEXT_ONLY)])
    for crlf in (False, True)
}
_HEAD_OF = {key: head for head, key in _HEADS.items()}
_ROW = re.compile(r"([1-9][0-9]{0,8})([ :])(.*)", re.DOTALL)
_AT_COLUMN = re.compile(r"([1-9][0-9]{0,8}) (.*)", re.DOTALL)


def write_form(parsed: Parsed) -> str:
    """Return the form of a search result."""
    shape, columns, context, rows, crlf, closed = parsed
    chars = sum(len(row[1]) + len(row[3]) for row in rows)
    folders = _folders_pay([row[0] for row in rows], chars // 4)
    shown: list[str] = []
    current: str | None = None
    folder = ""
    for path, number, mark, text in rows:
        if path is None:
            shown.append(text)
            current = current if text == SEPARATOR else None
            continue
        if path != current:
            current = path
            shown.append("")
            name = path
            if folders:
                cut = path.rindex("/") + 1
                name = path[cut:]
                if path[:cut] != folder:
                    folder = path[:cut]
                    shown.append(folder)
            shown.append(name)
        shown.append(_show_row(number, mark, text, columns=columns, context=context))
    return write_shown(_HEAD_OF[shape, columns, context, folders, crlf], shown, closed=closed)


def write_raw(parsed: Parsed) -> str:
    """Return the text of which the rows were read."""
    raw: list[str] = []
    current: str | None = None
    for path, number, mark, text in parsed.rows:
        if path is None:
            raw.append(text)
        elif parsed.shape == "bare":
            raw.append(f"{path}:{text}")
        elif parsed.shape == "rows":
            raw.append(f"{path}{mark}{number}{mark}{text}")
        else:
            if path != current:
                raw += [path] if current is None else ["", path]
                current = path
            raw.append(f"{number}{mark}{text}")
    return join_lines(Lines(raw, parsed.crlf, parsed.closed))


def read_form(shown: str) -> Parsed:
    """Return the rows of a form. Raises DecodeError."""
    head, lines, closed = read_shown(shown)
    if head not in _HEADS:
        raise DecodeError("it does not begin with a head line of matches")
    shape, columns, context, folders, crlf = _HEADS[head]
    rows: list[Row] = []
    path: str | None = None
    folder = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line == "":
            if folders and at < len(lines) and lines[at].endswith("/"):
                folder = lines[at]
                at += 1
            if at == len(lines):
                raise DecodeError("a path is missing")
            path = folder + lines[at]
            at += 1
        elif shape != "bare" and is_note(line):
            rows.append((None, "", "", line))
            path = path if line == SEPARATOR else None
        elif path is None:
            raise DecodeError("a row has no path")
        elif shape == "bare":
            rows.append((path, "", ":", line))
        else:
            rows.append((path, *_read_row(line, columns=columns, context=context)))
    return Parsed(shape, columns, context, rows, crlf, closed)


def _show_row(number: str, mark: str, text: str, *, columns: bool, context: bool) -> str:
    if not number:
        return text
    if mark == "-":
        return f"{number} {text}"
    if columns:
        column, _, rest = text.partition(":")
        return f"{number}:{column} {rest}"
    return f"{number}:{text}" if context else f"{number} {text}"


def _read_row(line: str, *, columns: bool, context: bool) -> tuple[str, str, str]:
    found = _ROW.fullmatch(line)
    if found is None:
        raise DecodeError("a row has no number")
    number, mark, text = found.groups()
    if mark == " ":
        if columns and not context:
            raise DecodeError("a row has no column")
        return number, "-" if context else ":", text
    if columns:
        placed = _AT_COLUMN.fullmatch(text)
        if placed is None:
            raise DecodeError("a row has no column")
        return number, ":", f"{placed[1]}:{placed[2]}"
    if not context:
        raise DecodeError("a match is marked where all rows are matches")
    return number, ":", text


def _folders_pay(paths: list[str | None], others: int) -> bool:
    """Tell whether it pays to write folders apart, beside so many other tokens; never where a path has no folder."""
    whole = apart = 0
    before: str | None = None
    folder = ""
    pieces: dict[str, int] = {}
    for path in paths:
        if path is None or path == before:
            continue
        before = path
        cut = path.rfind("/") + 1
        if not cut or cut == len(path):
            return False
        for part in (path, path[:cut], path[cut:]):
            if part not in pieces:
                pieces[part] = count_pieces(part) + 1
        whole += pieces[path]
        apart += pieces[path[cut:]]
        if path[:cut] != folder:
            folder = path[:cut]
            apart += pieces[folder]
    return apart * 4 <= whole * 3 and (whole - apart) * 20 >= whole + others
