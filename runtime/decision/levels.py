"""The levels: how much of a result may be lost on the way to a model, and which guarantees each admits.

A level is a ceiling on loss: `none` touches nothing, `minimal` admits forms from which the payload can be read again
(`exact`, `value`), `normal` and `aggressive` admit all, `aggressive` within a budget of tokens.
"""

from __future__ import annotations

from ..settings import LEVELS

__all__ = ["LEVELS", "RECOVERABLE_FORMS", "admits_guarantee", "cap_level"]

RECOVERABLE_FORMS = frozenset({"exact", "value"})
"""Guarantees under which a decoder gives the payload back, so that no original need be kept."""
_WITH_ORIGINAL_AT_MINIMAL = frozenset({"json_compact"})
"""Codecs whose loss of `shape` (null keys left out) is admitted at `minimal`, once the original is kept."""


def cap_level(level: str, ceiling: str) -> str:
    """Return the level, or the ceiling where the level is above it."""
    return level if LEVELS.index(level) <= LEVELS.index(ceiling) else ceiling


def admits_guarantee(level: str, guarantee: str, codec: str) -> bool:
    """Tell whether a codec may give this guarantee at this level."""
    if guarantee in RECOVERABLE_FORMS:
        return level != "none"
    if level == "minimal":
        return guarantee == "shape" and codec in _WITH_ORIGINAL_AT_MINIMAL
    return level != "none" and guarantee in ("shape", "summary")
