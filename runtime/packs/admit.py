"""Checks an admission entry of a pack: its types always, its settings where the codec is one of ours.

Input: a section as JSON. Output: the same, checked. Raises PackOutOfBounds with the place.

A codec that is not in the table may be one that a plugin brings; whether it is known is for those to say who find
codecs (`manifest.py`).
"""

from __future__ import annotations

from typing import Any

from ..codecs_table import CODECS, LEVELS
from .strict_json import fail, take_bool, take_int, take_object, take_text, take_word

_KEYS = frozenset({"pattern", "codec", "level", "tee", "settings", "path", "line"})
_MOST_SETTINGS = 100


def check_admit(value: Any, where: str) -> dict[str, Any]:
    """Return the entry. Raises PackOutOfBounds."""
    entry = take_object(value, _KEYS, where)
    pattern = take_text(entry["pattern"], where, empty=False)
    where = f"{where} (`{pattern}`)"
    if any(character.isspace() for character in pattern):
        raise fail(where, "no tool has a name with white space")
    codec = take_text(entry["codec"], where, empty=False)
    take_word(entry["level"], LEVELS, where)
    take_bool(entry["tee"], where)
    take_text(entry["path"], where)
    take_int(entry["line"], where, 1)
    settings = entry["settings"]
    if not isinstance(settings, dict) or len(settings) > _MOST_SETTINGS:
        raise fail(where, f"the settings are not an object of at most {_MOST_SETTINGS}")
    known = CODECS.get(codec)
    for name, given in settings.items():
        shape = ("any",) if known is None else known.get(name)
        if shape is None:
            listed = ", ".join(f"`{each}`" for each in sorted(known or ())) or "none"
            raise fail(where, f"`{codec}` has no setting `{name}`; it has {listed}")
        _check_setting(given, shape, f"{where}, `{name}`")
    return entry


def _check_setting(value: Any, shape: tuple[object, ...], where: str) -> None:
    kind, *limits = shape
    if kind == "int":
        low, high = limits
        assert isinstance(low, int)
        assert isinstance(high, int)
        take_int(value, where, low, high)
    elif kind == "words":
        take_word(value, [str(word) for word in limits], where)
    elif kind == "flag":
        if value is not True:
            raise fail(where, "it stands alone")
    elif not isinstance(value, bool):
        if isinstance(value, int):
            take_int(value, where)
        else:
            take_text(value, where)
