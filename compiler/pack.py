"""Writes a pack: canonical JSON sections behind a header that holds their digests.

Input: emitted rules, source maps, admission entries. Output: the bytes of `docs/pack-format.md`.
INVARIANT: the bytes depend on the content alone: no clock, no path of the machine, no order of a set.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from .. import __version__
from ..runtime.packs.features import group_features
from .features import find_features

FORMAT = 1
LANGUAGE = 1


def canonical(value: Any) -> bytes:
    """Return canonical JSON: UTF-8, sorted keys, no spaces. Raises ValueError for floats that are no numbers."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


class Encoder:
    """Encodes sections, and those of one pack again for the next: only what is new in it takes time.

    INVARIANT: a section that was given once does not change.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[dict[str, Any], bytes]] = {}
        self._features: dict[int, tuple[dict[str, Any], frozenset[str]]] = {}

    def encode(self, sections: Sequence[dict[str, Any]]) -> list[bytes]:
        """Return the sections as canonical JSON; what is not among them is forgotten."""
        before = self._known
        # The section is kept beside its text, so that no other takes its identity.
        self._known = {id(each): before.get(id(each)) or (each, canonical(each)) for each in sections}
        return [self._known[id(each)][1] for each in sections]

    def features(self, rules: Sequence[dict[str, Any]], admits: Sequence[dict[str, Any]]) -> frozenset[str]:
        """Return what these sections make use of."""
        before = self._features
        self._features = {id(rule): before.get(id(rule)) or (rule, find_features([rule], ())) for rule in rules}
        return find_features((), admits).union(*(found for _, found in self._features.values()))


def emit_pack(
    rules: Sequence[dict[str, Any]],
    maps: Sequence[dict[str, Any]],
    admits: Sequence[dict[str, Any]],
    *,
    name: str,
    version: str,
    requires: Sequence[str] = (),
    roots: Sequence[str] = (),
    encoder: Encoder | None = None,
) -> bytes:
    """Return the whole pack. `roots` own ids beyond those of the rules, each of which is below one of them.

    `encoder` is one that made a pack before, of which most is in this one, too.
    """
    encoder = encoder or Encoder()
    sections = encoder.encode([*rules, *admits, *maps])
    table: list[list[Any]] = []
    offset = 0
    for section in sections:
        table.append([offset, len(section), hashlib.sha256(section).hexdigest()])
        offset += len(section) + 1
    runtime, features = group_features(encoder.features(rules, admits))
    header = canonical(
        {
            "language": LANGUAGE,
            "runtime": runtime,
            "features": features,
            "name": name,
            "version": version,
            "requires": sorted(set(requires)),
            "roots": sorted(set(roots)),
            "index": _index(rules),
            "rules": [rule["id"] for rule in rules],
            "admits": len(admits),
            "tool": __version__,
            "sections": table,
        }
    )
    first = f"cablepack {FORMAT} {hashlib.sha256(header).hexdigest()}\n".encode()
    return b"".join((first, header, b"\n", *(section + b"\n" for section in sections)))


def _index(rules: Sequence[dict[str, Any]]) -> dict[str, dict[str, list[int]]]:
    index: dict[str, dict[str, list[int]]] = {}
    for number, rule in enumerate(rules):
        for command in rule["commands"]:
            head = command["head"]
            numbers = index.setdefault(head[0], {}).setdefault(head[-1], [])
            if number not in numbers:
                numbers.append(number)
    return index
