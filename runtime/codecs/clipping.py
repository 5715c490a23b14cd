"""Clips long text in the cells of a table, and says in each place how much is missing.

Input: a table, and how many characters of a text to show. Output: the table, and how many texts were clipped. A clipped
text ends with `…[+873 chars]`: so many characters of it are left out.
"""

from __future__ import annotations

from typing import Any

from .tables import Table

_WORTH = 24
"""Fewer characters than the mark itself takes are not left out."""


def clip_cells(table: Table, limit: int) -> tuple[Table, int]:
    """Clip the texts of all cells and constants, not those inside nested values."""
    clipped = 0

    def clip(value: Any) -> Any:
        nonlocal clipped
        if type(value) is not str or len(value) <= limit + _WORTH:
            return value
        clipped += 1
        return f"{value[:limit]}…[+{len(value) - limit} chars]"

    cells = [list(map(clip, column)) if str in set(map(type, column)) else column for column in table.cells]
    constants = {key: clip(value) for key, value in table.constants.items()}
    return table._replace(cells=cells, constants=constants), clipped
