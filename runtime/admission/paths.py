"""PATHS: lists of paths, and what `ls -R` and `ls -l` print, with what many lines share written once.

    [paths by folder: folder/ names]
    src/ main.py totals.py
    src/text/ lines.py

Input: text. Output: the names behind their folders, a folder a line: flat, or as a tree where that falls into a tenth
fewer pieces (`pieces.count_pieces`), since it is harder to read; long listings as `long_listing.py` says.

Invariants: `decode` returns the same text, order included, and takes nothing but what `encode` writes.
"""

from __future__ import annotations

from . import long_listing
from .kinds import DecodeError
from .long_listing import Listing
from .path_rows import (
    HERE,
    Group,
    Node,
    grow_tree,
    join_lone,
    read_flat,
    read_tree,
    split_folder,
    write_flat,
    write_tree,
)
from .paths_read import Paths, join_path, read_paths, split_path
from .pieces import count_pieces
from .text_lines import Lines, check_written, join_lines, read_shown, write_shown

NAME = "paths_by_folder"
GUARANTEE = "exact"
MAX_TREE_ROWS = 10_000
"""Longer ones are not made trees, which take their time."""

_FLAT, _TREE, _ENTRIES = range(3)
_ABOVE = "as a tree: folder/ names; `.` is the folder above"
_WORDS = {
    # (form, listed): what the head line says of it
    (_FLAT, False): "by folder: folder/ names",
    (_TREE, False): _ABOVE,
    (_ENTRIES, False): f"{_ABOVE}; each folder is a path, too",
    (_FLAT, True): "ls -R, by folder: folder/ names",
    (_TREE, True): "ls -R, as a tree: folder/ names",
}
_HEADS = {
    f"[paths {said}{', CRLF' * crlf}]": (form, listed, crlf)
    for (form, listed), said in _WORDS.items()
    for crlf in (False, True)
}
_HEAD_OF = {key: head for head, key in _HEADS.items()}


def recognise(text: str) -> Paths | Listing:
    """Read a text. Raises NotThisKindError."""
    return long_listing.read_listing(text) if long_listing.may_be(text) else read_paths(text)


def encode(parsed: Paths | Listing) -> str:
    """Return the form of what was read."""
    if isinstance(parsed, Listing):
        return long_listing.write_form(parsed)
    listed, groups, crlf, closed = parsed
    flat = write_shown(_HEAD_OF[_FLAT, listed, crlf], write_flat(groups), closed=closed)
    if len(groups) > MAX_TREE_ROWS:
        return flat
    tree = grow_tree(groups)
    join_lone(tree)
    trees: list[tuple[int, list[str]]] = []
    if not listed or _each_is_listed(tree):
        trees.append((_TREE, write_tree(tree)))
    entries = None if listed else _write_entries(groups)
    if entries is not None:
        trees.append((_ENTRIES, entries))
    forms = [write_shown(_HEAD_OF[form, listed, crlf], rows, closed=closed) for form, rows in trees]
    best = min(forms, key=count_pieces, default=flat)
    return best if count_pieces(best) * 10 <= count_pieces(flat) * 9 else flat


def decode(shown: str) -> str:
    """Return the text behind a form. Raises DecodeError."""
    text = long_listing.read_form(shown) if long_listing.is_form(shown) else _read(shown)
    check_written(shown, lambda: encode(recognise(text)), "paths")
    return text


def _read(shown: str) -> str:
    head, rows, closed = read_shown(shown)
    if head not in _HEADS:
        raise DecodeError("it does not begin with a head line of paths")
    form, listed, crlf = _HEADS[head]
    if form == _FLAT:
        groups = read_flat(rows)
    elif form == _TREE:
        groups = [(above if label == HERE else above + label, names) for above, label, names in read_tree(rows)]
    else:
        return join_lines(Lines(_read_entries(rows), crlf, closed))
    if not listed:
        return join_lines(Lines([join_path(folder, name) for folder, names in groups for name in names], crlf, closed))
    lines: list[str] = []
    for folder, names in groups:
        lines += [*[""] * bool(lines), f"{folder[:-1]}:", *names]
    return join_lines(Lines(lines, crlf, closed))


def _each_is_listed(tree: Node) -> bool:
    """Tell whether each row of a tree would be one section of a listing: no folder without, none with two."""
    waiting = list(tree.items)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Node) or node.names_first() is None:
            return False
        waiting += node.items[1:]
    return True


def _write_entries(groups: list[Group]) -> list[str] | None:
    """Return the rows of a tree whose folders are paths of the list as well; None where not all of them are.

    `find` prints a folder right before what it holds, so the row of the folder can stand for both.
    """
    paths = [join_path(folder, name) for folder, names in groups for name in names]
    root = f"{paths[0]}/"
    if paths[0].endswith("/") or not all(path.startswith(root) for path in paths[1:]) or len(paths) < 2:
        return None
    kept: list[Group] = []
    opened: set[str] = set()
    for at, path in enumerate(paths):
        inner = f"{path}/"
        following = paths[at + 1] if at + 1 < len(paths) else ""
        if inner not in opened and split_path(following)[0] == inner:
            opened.add(inner)
            if at == 0:
                kept.append((inner, []))
            continue
        if not kept:
            # The first path is a folder of which nothing is listed right behind it.
            return None
        folder, name = split_path(path)
        if kept[-1][0] != folder:
            kept.append((folder, []))
        kept[-1][1].append(name)
    tree = grow_tree(kept, root)
    join_lone(tree, root=True)
    rows = write_tree(tree)
    try:
        return rows if _read_entries(rows) == paths else None
    except DecodeError:
        return None


def _read_entries(rows: list[str]) -> list[str]:
    paths: list[str] = []
    for above, label, names in read_tree(rows):
        folder = above
        if label != HERE:
            for part in split_folder(label) if above else [label]:
                folder += part
                paths.append(folder[:-1])
        paths += [join_path(folder, name) for name in names]
    return paths
