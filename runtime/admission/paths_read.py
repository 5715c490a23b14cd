"""Reads lists of paths: all lines of a text are paths, or it is none.

Input: what `find`, `fd`, `git ls-files`, `rg -l` and `ls -R` print, or any list of paths, a path a line. Output: the
names by folder, in their order, or NotThisKindError.

A list is one where most lines have a folder, and neighbours share it, or where all are names of files with well-known
extensions. What `ls -R` prints proves itself: the folders that it goes into are names that it has printed before.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from .kinds import NotThisKindError
from .path_rows import HERE, Group
from .path_words import MAX_PATH
from .text_lines import Lines, split_lines

MIN_PATHS = 8
"""Fewer lines may be anything."""

_NEVER = re.compile(r"[\x00-\x09\x0b-\x1f\x7f<>|`{};]")
_NOWHERE = ("://", ": ", "//", "\\ ", "\\/", "/ ", '/"', "\n\n", "\n ", " \n", "\\\n", ":\n")
"""What no path has, and what no two paths in a row have between them: spaces at the ends of names, for one."""
_SIGNED = tuple((next(sign for sign in ':\\" /\n' if sign in part), part) for part in _NOWHERE)
"""Each with a character of it that few lists have: one is looked for faster than two."""
_SETTING = re.compile(r"^[A-Z_][A-Z0-9_]*=", re.MULTILINE)
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
        if row[0] == '"':
            above, name = split_path(row)
        else:
            cut = row.rfind("/", 0, -1) + 1
            above, name = row[:cut], row[cut:]
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
    text = "\n".join(rows)
    framed = f"\n{text}\n"
    if (
        _NEVER.search(text)
        or any(sign in framed and part in framed for sign, part in _SIGNED)
        or max(map(len, rows)) > MAX_PATH
    ):
        raise NotThisKindError("a line is no path")
    if "=" in text and _SETTING.search(text):
        raise NotThisKindError("a line is a setting")
    count = len(rows)
    odd = sum(" " in row for row in rows) if " " in text else 0
    if '"' in text:
        odd += _check_quotes(rows)
    if odd * 10 > count or text.count(":") * 10 > count or text.count(",") * 10 > count:
        raise NotThisKindError("too many lines have spaces, quotes, colons or commas")
    firsts = [row[: row.find("/", 1) + 1] for row in rows]
    inside = count - firsts.count("")
    if inside * 10 >= count * 6:
        shared = sum(one == other != "" for one, other in pairwise(firsts))
        # Words with a slash in them (base64, `and/or`) do not begin as their neighbours do.
        if shared * 2 < inside and _count_known(rows) * 2 < count:
            raise NotThisKindError("what the lines begin with is not shared")
    elif _count_known(rows) * 10 < count * 8:
        raise NotThisKindError("too few lines are surely paths")


def _count_known(rows: list[str]) -> int:
    return sum("." in row and row[row.rfind(".") + 1 :].lower().rstrip('"') in _KNOWN for row in rows)


def _check_quotes(rows: list[str]) -> int:
    """Return how many lines have a quote that is not git's around a whole path. Raises NotThisKindError."""
    found = 0
    for row in rows:
        if row[0] != '"':
            found += '"' in row
        elif row[-1] != '"' or len(row) < 3 or "\\" not in row:
            raise NotThisKindError("a line has quotes that are not those of git")
    return found


def _is_name(name: str) -> bool:
    """Tell whether a listing may have printed this: a name, or a folder that it goes into."""
    if not name or len(name) > MAX_PATH or name[0] in ' "' or name[-1] in " \\":
        return False
    return _NEVER.search(name) is None and not any(part in name for part in _NOWHERE[:7])


def _read_listing(lines: Lines) -> Paths:
    groups: list[Group] = []
    known: set[str] = set()
    folder, names = "", []
    opens = True
    proven = 0
    for row in lines.rows:
        if opens:
            head = row[:-1]
            if not row.endswith(":") or not _is_name(head) or head[-1] == "/":
                raise NotThisKindError("a section of a listing begins with no folder")
            proven += head in known
            folder, names = f"{head}/", []
            groups.append((folder, names))
            opens = False
        elif row == "":
            opens = True
        else:
            cut = row.removesuffix("/")
            if "/" in cut or not _is_name(row) or not cut:
                raise NotThisKindError("a line of a listing is no name")
            names.append(row)
            known.add(folder + cut)
    # Besides the folders that were asked for, all were listed as names before.
    if opens or not proven or len(groups) - proven - 1 > proven:
        raise NotThisKindError("the folders of the listing were not listed before")
    if any(folder == f"{HERE}/" for folder, _ in groups[1:]) or len({folder for folder, _ in groups}) < len(groups):
        raise NotThisKindError("a folder is listed twice")
    return Paths(listing=True, groups=groups, crlf=lines.crlf, closed=lines.closed)
