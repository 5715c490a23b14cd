"""The last line of defence: a text that is still too long for a model is cut, and says so.

Input: the text that a model would see, and how long it may be. Output: the text itself where it is short enough, else
its beginning, up to the end of a record, and a last line that says how much is missing.

For hosts to call last, on the very text that goes to a model: cutting knows nothing of what matters in a text. Whatever
can be made shorter by its meaning should have been, and its original kept, before.

Records are the elements of a JSON array where the whole text is one, else lines. Where whole records would fill less
than half of the room (one of them is enormous), the cut is within a record, between two characters as a reader sees
them: no surrogate pair, no accent, flag or joined emoji is taken apart.

Invariants: what is returned is never longer than allowed, its last line included; the same call on it returns it.
"""

from __future__ import annotations

from typing import NamedTuple

from .settings import DEFAULT_HINT

DEFAULT_MAX_CHARS = 200_000
LONGEST = 1024
"""Code points of a character, at most: those of real ones are a dozen."""
SHORT_NOTICE, SHORTEST_NOTICE = "[truncated]", "…"


class _Cut(NamedTuple):
    """Where a text is cut: how much of it is kept, and what is left out, as records of a unit."""

    kept: int
    unit: str
    left_out: int
    total: int


def truncate(
    text: str,
    max_chars: int = DEFAULT_MAX_CHARS,
    *,
    tool: str = "",
    handle: str | None = None,
    hint: str = DEFAULT_HINT,
) -> str:
    """Return a text of at most `max_chars` characters (code points): this one, or its beginning and a last line.

    `tool` is for the log: each cut is a warning of the logger `cablese.truncate` with the tool and both sizes.
    `handle`, that of the whole original (`view.decision.handle`), goes into the last line as `hint` says.
    Raises ValueError where `max_chars` is negative.
    """
    if max_chars < 0:
        raise ValueError(f"`max_chars` is {max_chars}; a text has no fewer than 0 characters")
    if len(text) <= max_chars:
        return text
    shown = _shorten(text, max_chars, "" if handle is None else f"; original: {hint.replace('{handle}', handle)}")
    _log(tool, len(text), len(shown))
    return shown


def _shorten(text: str, max_chars: int, pointer: str) -> str:
    # The numbers of a notice are never longer than those of a cut that keeps nothing.
    most = max(len(_describe(_Cut(0, unit, len(text), len(text)), len(text))) for unit in ("element", "line"))
    for after in dict.fromkeys((pointer, "")):
        room = max_chars - len("\n[]") - most - len(after)
        if room >= 0:
            cut = _find_cut(text, room)
            kept = text[: cut.kept]
            feed = "" if not kept or kept.endswith("\n") else "\n"
            return f"{kept}{feed}[{_describe(cut, len(text))}{after}]"
    if max_chars > len(SHORT_NOTICE):
        kept = text[: find_boundary(text, max_chars - 1 - len(SHORT_NOTICE))]
        return f"{kept}\n{SHORT_NOTICE}" if kept else SHORT_NOTICE
    kept = text[: find_boundary(text, max(max_chars - len(SHORTEST_NOTICE), 0))]
    return (kept + SHORTEST_NOTICE)[:max_chars]


def _describe(cut: _Cut, size: int) -> str:
    missing = f"{size - cut.kept:,} of {size:,} characters"
    if cut.unit == "character":
        return f"truncated: {missing} left out"
    plural = "" if cut.total == 1 else "s"
    return f"truncated: {cut.left_out:,} of {cut.total:,} {cut.unit}{plural} left out, {missing}"


def _find_cut(text: str, room: int) -> _Cut:
    """Choose the cut that keeps at most `room` characters, at the end of a record if that keeps half of them."""
    for cut in (_cut_elements(text, room), _cut_lines(text, room)):
        if cut is not None and 2 * cut.kept >= room:
            return cut
    return _Cut(find_boundary(text, room), "character", 0, 0)


def _cut_lines(text: str, room: int) -> _Cut:
    kept = text.rfind("\n", 0, room) + 1
    total = text.count("\n") + (not text.endswith("\n"))
    return _Cut(kept, "line", total - text.count("\n", 0, kept), total)


def _cut_elements(text: str, room: int) -> _Cut | None:
    """Return the cut behind the last element that fits; None where the text is no JSON array that can be read."""
    found = _element_ends(text, room)
    if found is None:
        return None
    ends, total = found
    return _Cut(ends[-1] if ends else 0, "element", total - len(ends), total)


def _element_ends(text: str, room: int) -> tuple[list[int], int] | None:
    """Return where the elements of a JSON array end, up to `room`, and how many there are; None for other text."""
    if not (text.lstrip(" \t\n\r").startswith("[") and text.rstrip(" \t\n\r").endswith("]")):
        return None
    import re
    from json import JSONDecoder

    space = re.compile(r"[ \t\n\r]*+")

    def skip(at: int) -> int:
        found = space.match(text, at)
        return at if found is None else found.end()

    decoder = JSONDecoder(parse_int=_drop, parse_float=_drop, parse_constant=_refuse_constant, object_pairs_hook=_drop)
    try:
        total = len(decoder.decode(text))
    except (ValueError, RecursionError):
        return None
    if not total:
        return None
    ends: list[int] = []
    at = skip(text.index("[") + 1)
    while len(ends) < total:
        # What was read as a whole can be read in pieces.
        _, end = decoder.raw_decode(text, at)
        if end > room:
            break
        ends.append(end)
        at = skip(skip(end) + 1)
    return ends, total


def _drop(_value: object) -> None:
    """Keep nothing of what was read."""


def _refuse_constant(name: str) -> None:
    raise ValueError(f"`{name}` is not JSON")


# --- characters -----------------------------------------------------------------------------------------------------


def find_boundary(text: str, at: int) -> int:
    """Return the last place up to `at` where a text may be cut without taking a character apart, 0 at worst.

    A character is a grapheme cluster; where the rules of Unicode (UAX #29) depend on more than is looked at here, none
    is cut either, so a place may be found earlier than need be. What goes on for more than `LONGEST` code points is no
    character to anyone, and is cut like any other text.
    """
    for place in range(at, max(at - LONGEST, 0), -1):
        if place >= len(text) or _may_cut(text, place):
            return place
    if at <= LONGEST:
        return 0
    return at - 1 if _is_pair(text[at - 1], text[at]) else at


_ZERO_WIDTH = "\u200c\u200d"
_PREPENDED = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")


def _may_cut(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return (before, after) != ("\r", "\n")
    if _is_pair(before, after):
        return False
    if before == "\u200d" or before in _PREPENDED or _extends(after):
        return False
    if _is_hangul(before) and _is_hangul(after):
        return "\uac00" <= after <= "\ud7a3" and not _is_leading(before)
    if _is_flag_half(before) and _is_flag_half(after):
        start = at
        while start and _is_flag_half(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 0
    from unicodedata import combining

    # Behind a virama, the next consonant belongs to the same cluster.
    return combining(before) != 9


def _is_pair(before: str, after: str) -> bool:
    """Tell whether two code points are the halves of a surrogate pair."""
    return "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"


def _extends(character: str) -> bool:
    """Tell whether a character belongs to the one before it."""
    if character in _ZERO_WIDTH or "\uff9e" <= character <= "\uff9f":
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f":
        return True
    from unicodedata import category

    return category(character) in ("Mn", "Mc", "Me")


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_leading(character: str) -> bool:
    return "\u1100" <= character <= "\u115f" or "\ua960" <= character <= "\ua97c"


def _is_hangul(character: str) -> bool:
    return (
        "\u1100" <= character <= "\u11ff"
        or "\ua960" <= character <= "\ua97c"
        or "\uac00" <= character <= "\ud7a3"
        or "\ud7b0" <= character <= "\ud7fb"
    )


# --- log ------------------------------------------------------------------------------------------------------------


def _log(tool: str, before: int, after: int) -> None:
    import logging

    logger = logging.getLogger("cablese.truncate")
    logger.warning("truncated a result of the tool %r from %d to %d characters", tool, before, after)
