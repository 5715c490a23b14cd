"""What a grammar cannot see, said about every rule in its documentation: no mistakes, but worth knowing.

Input: the streams of a rule section of a pack. Output: notes as sentences, in a fixed order.
"""

from __future__ import annotations

from typing import Any, Final

OPEN_ENDED: Final = "open-ended"
OPEN_TO_STRANGERS: Final = "open to strangers"

_TEXTS: Final = {
    OPEN_ENDED: "every line of {stream} may be its last: cut at a line end, it cannot be told from a whole one",
    OPEN_TO_STRANGERS: "any text may end {stream}: what another command appended would be read as part of it",
}


def describe_openness(streams: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return each note about the streams of a rule section as its short name and its sentence."""
    found = []
    for stream, table in streams.items():
        if table == "empty":
            continue
        for name, holds in ((OPEN_ENDED, _open_ended(table)), (OPEN_TO_STRANGERS, _open_to_strangers(table))):
            if holds:
                found.append((name, _TEXTS[name].format(stream=stream)))
    return tuple(found)


def _open_ended(table: dict[str, Any]) -> bool:
    """Say whether every position can be the last. Counters still close a record that was cut."""
    free = [number for number, position in enumerate(table["positions"]) if not position["sets"] + position["spends"]]
    return set(table["final"]).issuperset(free)


def _open_to_strangers(table: dict[str, Any]) -> bool:
    """Say whether a position without a pattern can be the last, behind one that can be the last."""
    last = set(table["final"])
    following = {table["labels"][label][0] for number in last for label in table["rows"][number]}
    return any(not table["positions"][number]["patterns"] for number in following & last)
