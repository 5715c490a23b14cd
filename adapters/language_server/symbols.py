"""The shape of a file: its entries and what they define, as symbols, and what of it can be folded.

Input: a view. Output: symbols and folding ranges; also of text that is broken.
"""

from __future__ import annotations

from typing import Final

from lsprotocol import types

from .outline import Entry, Mark
from .view import View

_KINDS: Final = {
    "rule": types.SymbolKind.Class,
    "lines": types.SymbolKind.Namespace,
    "options": types.SymbolKind.Array,
    "word": types.SymbolKind.TypeParameter,
    "phrase": types.SymbolKind.String,
    "kind": types.SymbolKind.Struct,
    "fact": types.SymbolKind.Field,
    "example": types.SymbolKind.Event,
}


def list_symbols(view: View) -> list[types.DocumentSymbol]:
    """Return an entry each, with its line kinds, facts and examples inside."""
    return [symbol for entry in view.entries if (symbol := _entry(view, entry)) is not None]


def _entry(view: View, entry: Entry) -> types.DocumentSymbol | None:
    head = entry.head
    if head is None or not head.text:
        return None
    inner = [_inner(view, mark) for mark in entry.marks if mark.defines and mark.role in {"kind", "fact", "example"}]
    return types.DocumentSymbol(
        name=head.text,
        detail=entry.keyword,
        kind=_KINDS[entry.keyword],
        range=view.range(entry.start, entry.end),
        selection_range=view.range(head.start, head.end),
        children=[symbol for symbol in inner if symbol.name],
    )


def _inner(view: View, mark: Mark) -> types.DocumentSymbol:
    here = view.range(mark.start, mark.end)
    name = f"{mark.owner}.{mark.text}" if mark.role == "fact" and mark.owner else mark.text
    return types.DocumentSymbol(
        name=name.strip(), detail=mark.role, kind=_KINDS[mark.role], range=here, selection_range=here
    )


def list_folds(view: View) -> list[types.FoldingRange]:
    """Return braces and blocks over several lines, the innermost of those that begin in one line left out."""
    folds: dict[int, int] = {}
    for entry in view.entries:
        for start, end in entry.bodies:
            first, last = (view.document.lines.position(at).line for at in (start, end))
            # The line with the closing brace stays in sight.
            if last - 1 > first:
                folds[first] = max(folds.get(first, 0), last - 1)
    return [
        types.FoldingRange(first, last, kind=types.FoldingRangeKind.Region) for first, last in sorted(folds.items())
    ]
