"""TABULAR: a table of text without its padding, and without what is the same in every row.

    NAMESPACE     NAME          READY   STATUS    NODE      GATES
    default       web-5d9c-x2   1/1     Running   node-17   <none>
    kube-system   dns-64f4-9b   1/1     Running   node-17   <none>
    kube-system   dns-64f4-kk   0/1     Pending   node-3    <none>

    [aligned table of 3 rows, cells split by spaces; name=value holds for the rows below it]
    NAMESPACE NAME READY STATUS NODE GATES=<none>
    default web-5d9c-x2 1/1 Running node-17
    kube-system dns-64f4-9b 1/1 Running node-17
    kube-system dns-64f4-kk 0/1 Pending node-3

Input: text that is one table, in a style of `tabular_styles.py`. Output: the form of `tabular_form.py`, of guarantee
`value`: the same header and the same cells, empty ones included. How wide columns are, on which side padding stands and
how rules are drawn is left out.

Invariants: every line is a line of the table; the first is its header; a cell is what stands between two boundaries
that hold for the whole text, without the spaces around it, so no cell ever moves to another column.
"""

from __future__ import annotations

from .kinds import NotThisKindError
from .tabular_form import HEAD, read_form, write_form
from .tabular_grid import Grid
from .tabular_styles import read_table, write_table

NAME = "tabular"
GUARANTEE = "value"


def recognise(text: str) -> Grid:
    """Read a text that is one table. Raises NotThisKindError."""
    if HEAD.match(text) is not None:
        raise NotThisKindError("it begins as the form of a table does")
    return read_table(text)


def encode(parsed: Grid) -> str:
    """Return the form of a table."""
    return write_form(parsed)


def decode(shown: str) -> str:
    """Return a table of the same style, header and cells. Raises DecodeError."""
    return write_table(read_form(shown))


def same(text: str, other: str) -> bool:
    """Tell whether two texts are tables of the same style with the same header and cells."""
    try:
        return read_table(text) == read_table(other)
    except NotThisKindError:
        return False
