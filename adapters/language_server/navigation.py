"""Going to where a name or a file is defined, and to where it is used.

Input: a view and a place. Output: locations. A file that an example or a `use` names is gone to at its first line.
"""

from __future__ import annotations

from lsprotocol import types

from .names import Place, file_target
from .outline import mark_at
from .view import View


def find_definition(view: View, position: types.Position) -> list[types.Location]:
    """Return where a word is defined."""
    found = mark_at(view.entries, view.offset(position))
    if found is None:
        return []
    entry, mark = found
    target = file_target(view.file, mark)
    if target is not None:
        start = types.Position(0, 0)
        return [types.Location(view.uri_of(target), types.Range(start, start))] if view.exists(target) else []
    if mark.role == "codec" and entry.keyword == "admit":
        # A codec of the house has no file; one from elsewhere is named by the `use codec` that brings it.
        return [
            view.location(Place(view.file, other, use))
            for other in view.entries
            for use in other.marks
            if other.keyword == "use" and use.role == "codec" and use.text == mark.text
        ]
    return [view.location(place) for place in view.library.definitions(entry, mark)]


def find_references(view: View, position: types.Position, *, declaration: bool) -> list[types.Location]:
    """Return where a name is used, in this file and those that it takes in."""
    return [
        view.location(place)
        for place in _uses(view, position)
        if declaration or not place.mark.defines
    ]  # fmt: skip


def find_highlights(view: View, position: types.Position) -> list[types.DocumentHighlight]:
    """Return where a name stands in this file."""
    return [
        types.DocumentHighlight(
            view.range(place.mark.start, place.mark.end),
            types.DocumentHighlightKind.Write if place.mark.defines else types.DocumentHighlightKind.Read,
        )
        for place in _uses(view, position)
        if place.file == view.file
    ]


def _uses(view: View, position: types.Position) -> list[Place]:
    found = mark_at(view.entries, view.offset(position))
    if found is None:
        return []
    uses = {
        (use.file, use.mark.start): use
        for place in view.library.definitions(*found)
        for use in view.library.uses(place)
    }
    return sorted(uses.values(), key=lambda use: (use.file != view.file, use.file, use.mark.start))
