r"""Finds the run of neighbouring lines that saves most when its common prefix and suffix are written once.

Input: lines as UTF-8 bytes, without their line feeds, each of which had one. Output: where the run begins and ends, and
what its lines share.

What a run of n lines saves is counted in bytes of UTF-8: n-1 times prefix and suffix, less three for the quotes and the
comma of each middle. Its lines end alike (all with `\r\n`, or none), share something besides that, and are three at
least. Prefix and suffix end between characters and do not overlap in any line; where they could, the prefix has the
characters. The run that saves most is found, of equals the one that begins first, then the one that ends first.

Extending a run only lowers what it shares. So the runs worth looking at begin where the one before cannot be extended
to the left, and end where what is shared drops next; from one beginning it can drop no more often than its line has
bytes. That bounds the work by the length of the text.
"""

from __future__ import annotations

from typing import NamedTuple

MIN_LINES = 3
_MIDDLE_COST = 3


class Run(NamedTuple):
    """Lines `start` up to but not with `end`, and the bytes that each begins and ends with."""

    start: int
    end: int
    prefix: bytes
    suffix: bytes


def find_run(lines: list[bytes]) -> Run | None:
    """Return the best run, or None where none saves anything."""
    best = _search(*_compare(lines))
    if best is None:
        return None
    start, end, prefix, suffix = best
    first = lines[start]
    return Run(start, end, first[:prefix], first[len(first) - suffix :])


def _compare(lines: list[bytes]) -> tuple[list[int], list[int], list[int], list[int]]:
    r"""Return, for each pair of neighbours: bytes shared in front and behind, the shorter's length, and the ending's.

    Lengths are of lines without their `\r`. Neighbours that end differently, or share too little for any run with both
    to save something, share -1.
    """
    prefixes, suffixes, lengths, endings = [], [], [], []
    previous = lines[0] if lines else b""
    for line in lines[1:]:
        carriage = previous[-1:] == b"\r"
        length = min(len(previous), len(line)) - carriage
        ending = carriage + 1
        prefix = suffix = -1
        if length + ending > _MIDDLE_COST and carriage == (line[-1:] == b"\r"):
            prefix, suffix = (length, length) if previous == line else _shared(previous, line, length, carriage)
            if min(prefix + suffix, length) + ending <= _MIDDLE_COST:
                prefix = suffix = -1
        prefixes.append(prefix)
        suffixes.append(suffix)
        lengths.append(length)
        endings.append(ending)
        previous = line
    return prefixes, suffixes, lengths, endings


def _shared(one: bytes, other: bytes, length: int, carriage: int) -> tuple[int, int]:
    """Return how many bytes two different lines share in front and behind, as whole characters.

    The first difference is the highest bit of what differs, read as one number: linear, and at the speed of C.
    """
    read = int.from_bytes
    front = read(one[:length], "big") ^ read(other[:length], "big")
    prefix = length - (front.bit_length() + 7) // 8
    one_end, other_end = len(one) - carriage, len(other) - carriage
    back = read(one[one_end - length : one_end], "little") ^ read(other[other_end - length : other_end], "little")
    suffix = length - (back.bit_length() + 7) // 8
    # Within a character, the next byte is one of its continuation bytes.
    while prefix < one_end and one[prefix] & 0xC0 == 0x80:
        prefix -= 1
    while suffix and one[one_end - suffix] & 0xC0 == 0x80:
        suffix -= 1
    return prefix, suffix


def _search(
    prefixes: list[int], suffixes: list[int], lengths: list[int], endings: list[int]
) -> tuple[int, int, int, int] | None:
    """Return the best run as start, end, and the lengths of what is shared, the suffix's without its ending."""
    pairs = len(prefixes)
    if max(prefixes, default=-1) < 0:
        return None
    prefix_drops, suffix_drops, length_drops = map(_next_smaller, (prefixes, suffixes, lengths))
    most, best = 0, None
    for start in range(pairs):
        if start and (
            prefixes[start - 1] >= prefixes[start]
            and suffixes[start - 1] >= suffixes[start]
            and lengths[start - 1] >= lengths[start]
        ):
            continue
        ending = endings[start]
        at_prefix = at_suffix = at_length = start
        while (prefix := prefixes[at_prefix]) >= 0:
            suffix = min(suffixes[at_suffix], lengths[at_length] - prefix)
            shared = prefix + suffix
            # Neither this run nor a longer one can save more than this.
            if shared == 0 or (pairs - start) * (shared + ending) - _MIDDLE_COST * (pairs - start + 1) <= most:
                break
            drop = min(prefix_drops[at_prefix], suffix_drops[at_suffix], length_drops[at_length])
            count = drop - start + 1
            saved = (count - 1) * (shared + ending) - _MIDDLE_COST * count
            if count >= MIN_LINES and saved > most:
                most, best = saved, (start, drop + 1, prefix, suffix + ending - 1)
            if drop == pairs:
                break
            if prefix_drops[at_prefix] == drop:
                at_prefix = drop
            if suffix_drops[at_suffix] == drop:
                at_suffix = drop
            if length_drops[at_length] == drop:
                at_length = drop
    return best


def _next_smaller(values: list[int]) -> list[int]:
    """Return, for each place, the next one with a smaller value, or the number of places."""
    nearest = [len(values)] * len(values)
    open_places: list[int] = []
    for place, value in enumerate(values):
        while open_places and values[open_places[-1]] > value:
            nearest[open_places.pop()] = place
        open_places.append(place)
    return nearest
