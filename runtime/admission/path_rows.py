r"""Writes names by folder, a folder a line: flat, or as a tree; and reads both.

    src/ main.py totals.py          ./
    src/text/ lines.py               src/ main.py
    . setup.py                        text/ lines.py
                                      . totals.py

Input: groups `(folder, names)` in their order, a folder with its final `/` or empty. Output: rows, or the groups again.

In a row stands the folder, then its names, each behind one space; a space within is written `\ `, as in a shell. `.`
stands for the folder above, which is that of the row that is indented less, or none at all.

Invariant: reading what was written gives the same groups; trees are walked without recursion, whatever their depth.
"""

from __future__ import annotations

import re

from ..codecs.envelope import check_expansion
from .kinds import DecodeError

Group = tuple[str, list[str]]
HERE = "."
INDENT = " "

_TOKEN = re.compile(r"(?:\\ |[^ ])+")
_COMPONENT = re.compile(r"[^/]*/")


class Node:
    """A folder of a tree. `items` are lists of names, and folders, in their order."""

    __slots__ = ("items", "label")

    def __init__(self, label: str) -> None:
        self.label = label
        self.items: list[list[str] | Node] = []

    def names_first(self) -> list[str] | None:
        """Return the names that stand before any folder, None where there are none."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, list) else None


def write_flat(groups: list[Group]) -> list[str]:
    """Return one row for each group."""
    return [_row(folder, names) for folder, names in groups]


def read_flat(rows: list[str]) -> list[Group]:
    """Return the groups of rows. Raises DecodeError."""
    groups: list[Group] = []
    size = 0
    for row in rows:
        label, names = read_row(row)
        size += len(label) * len(names)
        check_expansion(size)
        groups.append(("" if label == HERE else label, names))
    return groups


def grow_tree(groups: list[Group], root: str = "") -> Node:
    """Return a node without a label that holds these groups; `root` is one label, whatever slashes are in it."""
    top = Node("")
    opened: list[Node] = [top]
    labels: list[str] = []
    for folder, names in groups:
        parts = [root, *split_folder(folder[len(root) :])] if root else split_folder(folder)
        same = 0
        while same < len(labels) and same < len(parts) and labels[same] == parts[same]:
            same += 1
        del labels[same:], opened[same + 1 :]
        for part in parts[same:]:
            node = Node(part)
            opened[-1].items.append(node)
            opened.append(node)
            labels.append(part)
        opened[-1].items.append(names)
    return top


def join_lone(top: Node, *, root: bool = False) -> None:
    """Make folders that hold nothing but one folder a part of its label; not the outermost ones where `root`."""
    waiting = [item for item in top.items if isinstance(item, Node)]
    if root:
        waiting = [item for node in waiting for item in node.items if isinstance(item, Node)]
    while waiting:
        node = waiting.pop()
        parts = [node.label]
        while len(node.items) == 1 and isinstance(inner := node.items[0], Node):
            parts.append(inner.label)
            node.items = inner.items
        node.label = "".join(parts)
        waiting += [item for item in node.items if isinstance(item, Node)]


def write_tree(top: Node) -> list[str]:
    """Return the rows of a tree."""
    rows: list[str] = []
    waiting: list[tuple[int, Node | list[str]]] = [(0, item) for item in reversed(top.items)]
    while waiting:
        depth, item = waiting.pop()
        if isinstance(item, list):
            rows.append(INDENT * depth + _row(HERE, item))
            continue
        names = item.names_first()
        rows.append(INDENT * depth + _row(item.label, names or []))
        waiting += [(depth + 1, inner) for inner in reversed(item.items[names is not None :])]
    return rows


def read_tree(rows: list[str]) -> list[tuple[str, str, list[str]]]:
    """Return `(folder above, label, names)` of each row; the label is `.` where names go on. Raises DecodeError."""
    found: list[tuple[str, str, list[str]]] = []
    opened: list[str] = [""]
    size = 0
    for row in rows:
        bare = row.lstrip(INDENT)
        depth = len(row) - len(bare)
        if depth >= len(opened):
            raise DecodeError("a row is indented below none")
        label, names = read_row(bare)
        above = opened[depth]
        size += (len(above) + len(label)) * (len(names) + 1)
        check_expansion(size)
        found.append((above, label, names))
        del opened[depth + 1 :]
        if label != HERE:
            opened.append(above + label)
    return found


def read_row(row: str) -> Group:
    """Return the label of a row, and its names. Raises DecodeError."""
    tokens = [token.replace("\\ ", " ") for token in _TOKEN.findall(row)]
    if not tokens or (tokens[0] != HERE and not tokens[0].endswith("/")):
        raise DecodeError("a row does not begin with a folder")
    return tokens[0], tokens[1:]


def split_folder(folder: str) -> list[str]:
    """Return the parts of a folder, each with its final slash."""
    return _COMPONENT.findall(folder)


def _row(label: str, names: list[str]) -> str:
    row = " ".join([label or HERE, *names]) if not _spaced(label, names) else ""
    return row or " ".join([part.replace(" ", "\\ ") for part in (label or HERE, *names)])


def _spaced(label: str, names: list[str]) -> bool:
    return " " in label or any(" " in name for name in names)
