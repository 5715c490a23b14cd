"""One of the two things that are compared: a pack, or rule files that were compiled.

Input: the bytes of a pack, or a compilation. Output: a `Side`. Nothing is read from disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics import Report
from ..compilation import Compilation
from ..examples import Case, read_example
from ..sources import Read
from ..trials import Bench


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared. `rules`, `maps` and `admits` are the sections of the pack, rules by id in its order.

    `version` is what a pack declares, None for rule files. `examples`, and `texts` as they are written, are by rule;
    None where they are not known, as a pack does not hold them.
    """

    label: str
    bench: Bench
    version: str | None
    rules: dict[str, dict[str, Any]]
    maps: dict[str, dict[str, Any]]
    admits: tuple[dict[str, Any], ...]
    examples: dict[str, tuple[Case, ...]] | None
    texts: dict[str, str] | None

    @property
    def name(self) -> str:
        """The name of the pack."""
        return self.bench.pack.name


def side_of_pack(label: str, data: bytes) -> Side:
    """Return a pack as a side. Raises PackError for one that does not hold."""
    return _side(label, data, None, None, declared=True)


def side_of_rules(label: str, done: Compilation, pack: bytes, read: Read | None) -> Side:
    """Return compiled rule files as a side; examples whose files cannot be read are left out."""
    examples = {
        rule.id: tuple(
            case for node in rule.node.examples if (case := read_example(rule, node, read, Report())) is not None
        )
        for rule in done.rules
    }
    texts = {rule.id: rule.source.text[rule.node.span.start : rule.node.span.end] for rule in done.rules}
    return _side(label, pack, examples, texts, declared=False)


def _side(
    label: str,
    data: bytes,
    examples: dict[str, tuple[Case, ...]] | None,
    texts: dict[str, str] | None,
    *,
    declared: bool,
) -> Side:
    bench = Bench(data)
    bench.pack.verify()
    sections = _sections(data)
    ids = bench.pack.rules
    rules = dict(zip(ids, sections, strict=False))
    admits = tuple(next(sections) for _ in range(bench.pack.admits))
    maps = dict(zip(ids, sections, strict=True))
    return Side(label, bench, bench.pack.version if declared else None, rules, maps, admits, examples, texts)


def _sections(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the sections of a pack that was verified: canonical JSON holds no line end."""
    for line in data.split(b"\n")[2:-1]:
        yield json.loads(line)
