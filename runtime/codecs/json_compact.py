"""`json_compact`: equal neighbours in lists as one marker; null values left out where the original is kept.

    {"log":[{"x":1},{"x":1},{"x":1}]}      {"log":[{"_repeat":3,"_value":{"x":1}}]}

Input: JSON text, or a JSON value. Output: the same, without white space in text. In a list, an object whose only keys
are `_repeat` and `_value`, in this order, stands for so many elements. An element of the payload that has these keys is
itself written as the value of a marker, of 1 if it does not repeat; so every such object in a list is a marker, and
decoding is unambiguous whatever the settings.

Settings: `dedup on` (every run of two or more), `auto` (runs whose marker is the shorter text), `off`; `nulls keep`,
`drop`. Dropping nulls is of guarantee `shape`, everything else of guarantee `value`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from .codec import DecodeError, Encoded, NotApplicableError, Request
from .json_text import MAX_DEPTH, Number, Pairs, same, write_json
from .payloads import Opened, as_not_applicable, close_payload, decline_text, open_payload

REPEAT, VALUE = "_repeat", "_value"

_MARKER_KEYS = [REPEAT, VALUE]
_MARKER_LENGTH = len('{"_repeat":,"_value":}')
_CONTAINERS = (dict, list, Pairs)
_SHOWN_DEPTH = 2 * MAX_DEPTH + 2
"""A marker may stand around every element of a list."""

MAX_EXPANDED = 50_000_000
NULLS_KEPT = "nulls kept: without the original they could not be told from absent keys"


class JsonCompact:
    """The codec; see the module."""

    codec_name: ClassVar[str] = "json_compact"
    declines = staticmethod(decline_text)

    def compress(self, payload: Any, request: Request) -> Encoded:
        """Encode a payload. Raises NotApplicableError where nothing would change."""
        if request.level == "none":
            raise NotApplicableError("level none")
        with as_not_applicable():
            opened = open_payload(payload)
            if type(opened.value) not in _CONTAINERS:
                raise NotApplicableError("neither an object nor a list")
            if request.level == "aggressive" and request.recoverable:
                from .structure import summarise

                return summarise(opened, request)
            return compact(opened, request)

    def decode(self, shown: Any) -> Any:
        """Write the markers out. Raises DecodeError."""
        try:
            with as_not_applicable():
                opened = open_payload(shown, _SHOWN_DEPTH)
                return close_payload(expand_markers(opened.value, _SHOWN_DEPTH), textual=opened.textual)
        except NotApplicableError as error:
            raise DecodeError(str(error)) from None


def compact(opened: Opened, request: Request) -> Encoded:
    """Encode a payload that was opened. Raises NotApplicableError where nothing would change."""
    drop = request.params.get("nulls", "keep") == "drop"
    work = _Compaction(drop_nulls=drop and request.recoverable, dedup=request.params.get("dedup", "on"))
    made = work.compact(opened.value, MAX_DEPTH)
    shown = close_payload(made, textual=opened.textual, depth=_SHOWN_DEPTH)
    if (shown == opened.text) if opened.textual else not work.changed:
        raise NotApplicableError("nothing repeats, and nothing can be left out")
    guarantee = "shape" if work.dropped else "value"
    return Encoded(shown, guarantee, NULLS_KEPT if drop and not request.recoverable else None)


class _Compaction:
    """One pass over a value, bottom-up. `changed`, `dropped`: what it did."""

    def __init__(self, *, drop_nulls: bool, dedup: str) -> None:
        self.drop_nulls = drop_nulls
        self.dedup = dedup
        self.dropped = False
        self.changed = False

    def compact(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind not in _CONTAINERS:
            return value
        if depth <= 0:
            raise NotApplicableError(f"nested deeper than {MAX_DEPTH} levels")
        if kind is list:
            return self._fold([self.compact(each, depth - 1) for each in value])
        pairs = value.items() if kind is dict else value
        kept = [(key, self.compact(each, depth - 1)) for key, each in pairs if each is not None or not self.drop_nulls]
        if len(kept) < len(value):
            self.dropped = self.changed = True
        return dict(kept) if kind is dict else _as_object(kept)

    def _fold(self, elements: list[Any]) -> list[Any]:
        """Replace runs of equal elements, and elements that look like markers."""
        if not elements:
            return []
        folded: list[Any] = []
        head, count = elements[0], 1
        for element in elements[1:]:
            if self.dedup != "off" and same(head, element):
                count += 1
            else:
                self._emit(folded, head, count)
                head, count = element, 1
        self._emit(folded, head, count)
        return folded

    def _emit(self, folded: list[Any], element: Any, count: int) -> None:
        if (count > 1 and (self.dedup != "auto" or _pays(element, count))) or _looks_like_marker(element):
            folded.append({REPEAT: count, VALUE: element})
            self.changed = True
        else:
            folded.extend([element] * count)


def _as_object(pairs: list[tuple[str, Any]]) -> Any:
    """Return pairs as an object: plain where dropping nulls has left each key once."""
    made = dict(pairs)
    return made if len(made) == len(pairs) else Pairs(pairs)


def _pays(element: Any, count: int) -> bool:
    """Tell whether a marker is the shorter text."""
    saved = len(write_json(element, _SHOWN_DEPTH)) + 1
    return (count - 1) * saved > _MARKER_LENGTH + len(str(count))


def _looks_like_marker(element: Any) -> bool:
    return type(element) is dict and len(element) == 2 and REPEAT in element and VALUE in element


def holds_marker(value: Any, depth: int) -> bool:
    """Tell whether something in a list looks like a marker, down to a depth."""
    if type(value) not in _CONTAINERS or depth <= 0:
        return False
    if type(value) is list and any(map(_looks_like_marker, value)):
        return True
    each = value.values() if type(value) is dict else value if type(value) is list else [pair[1] for pair in value]
    return any(holds_marker(inner, depth - 1) for inner in each)


def expand_markers(value: Any, depth: int) -> Any:
    """Return a value with its markers written out, all containers new. Raises DecodeError."""
    # Counted before anything is written out: a marker of a few bytes may claim anything.
    if _count_expanded(value, depth) > MAX_EXPANDED:
        raise DecodeError(f"more than {MAX_EXPANDED:,} values")
    return _expand(value)


def _count_expanded(value: Any, depth: int) -> int:
    """Count the values that a value stands for."""
    kind = type(value)
    if kind not in _CONTAINERS:
        return 1
    if depth <= 0:
        raise DecodeError("nested too deeply")
    if kind is dict:
        return 1 + sum(_count_expanded(each, depth - 1) for each in value.values())
    if kind is Pairs:
        return 1 + sum(_count_expanded(each, depth - 1) for _, each in value)
    return 1 + sum(count * _count_expanded(each, depth - 1) for count, each in map(_read_element, value))


def _expand(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {key: _expand(each) for key, each in value.items()}
    if kind is Pairs:
        return Pairs([(key, _expand(each)) for key, each in value])
    if kind is list:
        return [_expand(each) for count, each in map(_read_element, value) for _ in range(count)]
    return value


def _read_element(element: Any) -> tuple[int, Any]:
    """Return what stands in a list, and how often."""
    return (_read_count(element), element[VALUE]) if _looks_like_marker(element) else (1, element)


def _read_count(marker: dict[str, Any]) -> int:
    """Return how often the value of a marker stands there. Raises DecodeError where no encoder wrote it."""
    count = marker[REPEAT]
    if type(count) is Number and count.isdecimal() and len(count) < 20:
        count = int(count)
    if type(count) is not int or count < 1 or list(marker) != _MARKER_KEYS:
        raise DecodeError("an object with the keys of a marker is none")
    return count
