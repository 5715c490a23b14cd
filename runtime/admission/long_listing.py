"""What `ls -l` prints: columns that are the same in all rows stand in the head line, padding is left out.

    [paths ls -l: mode size time name; all of links 1, owner dev, group dev, day Jan 15]
    total 8
    644 3963 10:30 notes.md
    755 120 10:31 run.sh

Input: what `ls -l`, `-la`, `-lh`, `-ln` or `-lR` prints, dates as `Jan 15 10:30`, `Jan 15  2024` or `2025-01-15 10:30`.
Output: `total` and the names of folders as they are, rows with one space between columns. A mode of nine plain letters
is written as chmod takes it, behind the letter of its type where that is not `-`.

Invariants: the widths of columns are those of their widest cells, section by section; where the last section was cut
and is wider, the head line says so (`; widths size 8`); any other text is not read. So `decode` returns the same text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import DecodeError, NotThisKindError
from .text_lines import Lines, join_lines, read_shown, split_lines, write_shown

MIN_ROWS = 6
"""Fewer rows may be anything."""

_MODE = r"[-bcdlps][-r][-w][-xsS][-r][-w][-xsS][-r][-w][-xtT][.+@]?"
_DAY = r"[A-Z][a-z]{2} +[0-9]{1,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}"
_ROW = re.compile(
    rf"({_MODE}) +([0-9]+) +([^ ]+) +([^ ]+) +([0-9]+(?:[.,][0-9]+)?[KMGTPE]?|[0-9]+, +[0-9]+) +({_DAY}) +"
    r"([0-9]{2}:[0-9]{2}|[0-9]{4}) ([^ \n].*)",
    re.DOTALL,
)
_TOTAL = re.compile(r"total [0-9]+(?:[.,][0-9]+)?[KMGTPE]?")
_FOLDER = re.compile(r"[^ \n][^\n]*:")
_COLUMNS = ("mode", "links", "owner", "group", "size", "day", "time")
_RIGHT = frozenset({"links", "size"})
_BITS = ("---", "--x", "-w-", "-wx", "r--", "r-x", "rw-", "rwx")
_OCTAL = re.compile(r"([bcdlps]?)([0-7])([0-7])([0-7])")
_OPEN = "[paths ls -l: "
_HEAD = re.compile(r"\[paths ls -l: ((?:[a-z]+ )*)name(?:; all of ([^\n]+?))?(?:; widths ([a-z0-9, ]+?))?(, CRLF)?\]")
_WIDTH = re.compile(r"(links|owner|size) ([1-9][0-9]{0,2})")
_MONTH_DAY = re.compile(r"([A-Z][a-z]{2}) ([0-9]{1,2})")

Cells = tuple[str, ...]


class Listing(NamedTuple):
    """A long listing. A row is a line of its own, or the cells of the seven columns and the name.

    `wider` has the widths of columns of the last section that are wider than all of their cells.
    """

    rows: list[str | Cells]
    wider: dict[str, int]
    crlf: bool
    closed: bool


def may_be(text: str) -> bool:
    """Tell whether a text begins as a long listing does."""
    first, _, rest = text[:8192].partition("\n")
    second = rest.partition("\n")[0]
    return any(_ROW.match(line) or _TOTAL.match(line) for line in (first, second))


def is_form(shown: str) -> bool:
    """Tell whether a text begins with the head line of this form."""
    return shown.startswith(_OPEN)


def read_listing(text: str) -> Listing:
    """Read a long listing. Raises NotThisKindError."""
    lines, crlf, closed = split_lines(text)
    rows: list[str | Cells] = []
    found = 0
    for at, line in enumerate(lines):
        match = _ROW.fullmatch(line)
        if match is not None:
            rows.append((*(" ".join(cell.split()) for cell in match.groups()[:7]), match[8]))
            found += 1
        elif _TOTAL.fullmatch(line) or (line == "" and 0 < at < len(lines) - 1) or _opens_folder(lines, at):
            rows.append(line)
        else:
            raise NotThisKindError(f"line {at + 1} is none of a long listing")
    if found < MIN_ROWS:
        raise NotThisKindError("too few files are listed")
    wider: dict[str, int] = {}
    if _align(rows, wider) != lines:
        wider = _measure(lines, rows)
        if _align(rows, wider) != lines:
            raise NotThisKindError("the columns are not as wide as their widest cells")
    return Listing(rows, wider, crlf, closed)


def write_form(listing: Listing) -> str:
    """Return the form of a long listing."""
    rows, wider, crlf, closed = listing
    files = [row for row in rows if not isinstance(row, str)]
    shared = {name: files[0][at] for at, name in enumerate(_COLUMNS) if all(row[at] == files[0][at] for row in files)}
    kept = [at for at, name in enumerate(_COLUMNS) if name not in shared]
    head = _OPEN + " ".join([*(_COLUMNS[at] for at in kept), "name"])
    if shared:
        if "mode" in shared:
            shared["mode"] = _short_mode(shared["mode"])
        head += "; all of " + ", ".join(f"{name} {value}" for name, value in shared.items())
    if wider:
        head += "; widths " + ", ".join(f"{name} {width}" for name, width in wider.items())
    shown = [
        row if isinstance(row, str) else " ".join([*(_short(row[at], at) for at in kept), row[-1]]) for row in rows
    ]
    return write_shown(f"{head}{', CRLF' * crlf}]", shown, closed=closed)


def read_form(shown: str) -> str:
    """Return the text behind a form. Raises DecodeError."""
    head, lines, closed = read_shown(shown)
    found = _HEAD.fullmatch(head)
    if found is None:
        raise DecodeError("it does not begin with the head line of a long listing")
    kept = found[1].split()
    wider: dict[str, int] = {}
    for part in found[3].split(", ") if found[3] else ():
        width = _WIDTH.fullmatch(part)
        if width is None:
            raise DecodeError("a width is none of a column")
        wider[width[1]] = int(width[2])
    shared: dict[str, str] = {}
    for part in re.split(f", (?=(?:{'|'.join(_COLUMNS)}) )", found[2] or ""):
        name, _, value = part.partition(" ")
        shared[name] = value
    if sorted([*kept, *(name for name in shared if name)]) != sorted(_COLUMNS):
        raise DecodeError("its columns are not those of a long listing")
    # A day of two words, and a size of two (`8, 0`), are the only cells with a space.
    cells = {"day": r"[A-Z][a-z]{2} [0-9]{1,2}|[0-9-]{10}", "size": r"[0-9]+, [0-9]+|[^ ]+"}
    row_of = re.compile(" ".join([*(f"({cells.get(name, '[^ ]+')})" for name in kept), "(.+)"]), re.DOTALL)
    rows: list[str | Cells] = []
    for at, line in enumerate(lines):
        if _TOTAL.fullmatch(line) or line == "" or _opens_folder(lines, at):
            rows.append(line)
            continue
        match = row_of.fullmatch(line)
        if match is None:
            raise DecodeError("a row has other columns than the head line says")
        values = shared | dict(zip(kept, match.groups(), strict=False))
        values["mode"] = _long_mode(values["mode"])
        rows.append((*(values[name] for name in _COLUMNS), match.groups()[-1]))
    return join_lines(Lines(_align(rows, wider), found[4] is not None, closed))


def _opens_folder(lines: list[str], at: int) -> bool:
    """Tell whether a line is the name of the folder whose listing follows."""
    return (at == 0 or lines[at - 1] == "") and _FOLDER.fullmatch(lines[at]) is not None


def _measure(lines: list[str], rows: list[str | Cells]) -> dict[str, int]:
    """Return the widths of columns in the last section that are wider than its cells, told by one of its rows."""
    start = len(rows) - rows[::-1].index("") if "" in rows else 0
    files = [row for row in rows[start:] if not isinstance(row, str)]
    match = _ROW.fullmatch(lines[-1])
    if match is None or not files:
        return {}
    widest: dict[str, int] = dict(
        zip(_COLUMNS, (max(map(len, cells)) for cells in zip(*files, strict=True)), strict=False)
    )
    # Between two columns that meet, the room belongs to the one that is aligned to the right.
    measured = {
        "links": match.end(2) - widest["mode"] - 1,
        "owner": match.start(4) - match.start(3) - 1,
        "size": match.end(5) - match.start(4) - widest["group"] - 1,
    }
    return {name: width for name, width in measured.items() if width > widest[name] and width < 1000}


def _align(rows: list[str | Cells], wider: dict[str, int]) -> list[str]:
    """Return the rows as `ls` prints them: each section in columns as wide as their widest cells."""
    lines: list[str] = []
    start = 0
    for at in range(len(rows) + 1):
        if at < len(rows) and rows[at] != "":
            continue
        section = [row for row in rows[start:at] if not isinstance(row, str)]
        widths = [max((len(row[column]) for row in section), default=0) for column in range(len(_COLUMNS))]
        if at == len(rows):
            widths = [wider.get(name, width) for name, width in zip(_COLUMNS, widths, strict=True)]
        lines += [row if isinstance(row, str) else _aligned(row, widths) for row in rows[start:at]]
        if at < len(rows):
            lines.append("")
        start = at + 1
    return lines


def _aligned(row: Cells, widths: list[int]) -> str:
    mode, links, owner, group, size, day, time, name = row
    month = _MONTH_DAY.fullmatch(day)
    if month:
        day, time = f"{month[1]} {month[2]:>2}", f"{time:>5}"
    return (
        f"{mode:{widths[0]}} {links:>{widths[1]}} {owner:{widths[2]}} {group:{widths[3]}} {size:>{widths[4]}} "
        f"{day} {time} {name}"
    )


def _short(cell: str, column: int) -> str:
    return cell if column else _short_mode(cell)


def _short_mode(mode: str) -> str:
    parts = (mode[1:4], mode[4:7], mode[7:])
    if not all(part in _BITS for part in parts):
        return mode
    return mode[0].replace("-", "") + "".join([str(_BITS.index(part)) for part in parts])


def _long_mode(short: str) -> str:
    found = _OCTAL.fullmatch(short)
    if found is None:
        return short
    return (found[1] or "-") + "".join([_BITS[int(digit)] for digit in found.groups()[1:]])
