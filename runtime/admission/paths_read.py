"""Reads lists of paths: all lines of a text are paths, or it is none.

Input: what `find`, `fd`, `git ls-files`, `rg -l` and `ls -R` print, or any list of paths, a path a line. Output: the
names by folder, in their order, or NotThisKindError.

A list is one where most lines have a folder, and neighbours share it, or where all are names of files with well-known
extensions. What `ls -R` prints proves itself: the folders that it goes into are names that it has printed before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import NotThisKindError
from .path_rows import HERE, Group
from .path_words import MAX_PATH, has_extension
from .text_lines import Lines, split_lines

MIN_PATHS = 8
"""Fewer lines may be anything."""

_NEVER = re.compile(r"[\x00-\x1f\x7f<>|`{};]|://|: |//|\\ |\\/|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]")
_SETTING = re.compile(r"[A-Z_][A-Z0-9_]*=")
_FIRST = re.compile(r"/?[^/]*/")
_EXTENSIONS = """
    c cc cfg clj conf cpp cs css csv cts cxx dart db docx env erl ex exs gif go gradle graphql groovy h hpp hs htm
    html ico ini ipynb jar java jpeg jpg js json jsonl jsx kt kts less lock log lua m map md mdx mjs ml mm mts pdf
    php pl pm png po proto ps1 py pyc pyi r rb rs rst sass scala scss sh snap so sol sql svelte svg swift tar toml
    ts tsv tsx txt vue wasm webp woff woff2 xlsx xml yaml yml zig zip
"""
_KNOWN = frozenset(_EXTENSIONS.split())
"""Extensions by which a name without a folder is told from any other word with a full stop in it."""


class Paths(NamedTuple):
    """A list of paths. `listing`: `ls -R` printed it, a section for each group, which may be empty."""

    listing: bool
    groups: list[Group]
    crlf: bool
    closed: bool


def read_paths(text: str) -> Paths:
    """Return the paths of a text. Raises NotThisKindError."""
    lines = split_lines(text)
    if len(lines.rows) < MIN_PATHS:
        raise NotThisKindError("too few lines")
    if lines.rows[0].startswith("[paths "):
        raise NotThisKindError("it begins as what is made of paths")
    if lines.rows[0].endswith(":"):
        return _read_listing(lines)
    _check_list(lines.rows)
    groups: list[Group] = []
    folder = None
    for row in lines.rows:
        above, name = split_path(row)
        if above != folder:
            folder = above
            groups.append((above, []))
        groups[-1][1].append(name)
    return Paths(listing=False, groups=groups, crlf=lines.crlf, closed=lines.closed)


def split_path(path: str) -> tuple[str, str]:
    """Split a path into its folder and its name. One that git quotes has its quotes around the name instead."""
    if path.startswith('"'):
        above, name = split_path(path[1:-1])
        return above, f'"{name}"'
    cut = path.rfind("/", 0, -1) + 1
    return path[:cut], path[cut:]


def join_path(folder: str, name: str) -> str:
    """Return the path of a name: what `split_path` split."""
    return f'"{folder}{name[1:]}' if name.startswith('"') else folder + name


def _check_list(rows: list[str]) -> None:
    """Refuse what is not surely a list of paths. Raises NotThisKindError."""
    count = len(rows)
    inside = shared = known = spaced = colons = 0
    before = None
    for row in rows:
        _check_path(row)
        first = _FIRST.match(row)
        if first is not None and len(row) > 1:
            inside += 1
            shared += first[0] == before
            before = first[0]
        known += row[row.rfind(".") + 1 :].lower().rstrip('"') in _KNOWN and "." in row
        spaced += " " in row or ('"' in row and row[0] != '"')
        colons += ":" in row
    if spaced * 10 > count or colons * 10 > count:
        raise NotThisKindError("too many lines have spaces, quotes or colons")
    if inside * 10 >= count * 6:
        # Words with a slash in them (base64, `and/or`) do not begin as their neighbours do.
        if shared * 2 >= inside or known * 2 >= count:
            return
        raise NotThisKindError("what the lines begin with is not shared")
    if known * 10 < count * 8:
        raise NotThisKindError("too few lines are surely paths")


def _check_path(row: str) -> None:
    if not row or len(row) > MAX_PATH or row[0] == " " or row[-1] in " \\:" or _NEVER.search(row):
        raise NotThisKindError("a line is no path")
    if _SETTING.match(row):
        raise NotThisKindError("a line is a setting")
    if row[0] == '"':
        quoted = row[-1] == '"' and len(row) > 2 and "\\" in row
        if not quoted or row.endswith('/"') or '/"' in row:
            raise NotThisKindError("a line has quotes that are not those of git")
    elif '/"' in row:
        raise NotThisKindError("a name begins with a quote")
    elif " " in row and not ("/" in row or has_extension(row)):
        raise NotThisKindError("a line with a space need not be a path")
    if "/ " in row:
        raise NotThisKindError("a name begins with a space")


def _read_listing(lines: Lines) -> Paths:
    groups: list[Group] = []
    known: set[str] = set()
    folder, names = "", []
    opens = True
    proven = 0
    for row in lines.rows:
        if opens:
            head = row[:-1]
            if not row.endswith(":") or not head or head[-1] == "/" or head[0] == " " or _NEVER.search(head):
                raise NotThisKindError("a section of a listing begins with no folder")
            proven += head in known
            folder, names = f"{head}/", []
            groups.append((folder, names))
            opens = False
        elif row == "":
            opens = True
        else:
            cut = row.rstrip("/")
            if not cut or "/" in cut or len(row) > MAX_PATH or row[0] in ' "' or row[-1] in " \\" or _NEVER.search(cut):
                raise NotThisKindError("a line of a listing is no name")
            names.append(row)
            known.add(folder + cut)
    # Besides the folders that were asked for, all were listed as names before.
    if opens or not proven or len(groups) - proven - 1 > proven:
        raise NotThisKindError("the folders of the listing were not listed before")
    if any(folder == f"{HERE}/" for folder, _ in groups[1:]) or len({folder for folder, _ in groups}) < len(groups):
        raise NotThisKindError("a folder is listed twice")
    return Paths(listing=True, groups=groups, crlf=lines.crlf, closed=lines.closed)
