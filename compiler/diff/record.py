"""A difference as plain data, of the shape of `runtime/schemas/diff.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .compare import Difference
from .levels import Finding
from .results import Compared, Seen
from .side import Side

ENCODINGS: tuple[str, ...] = ("o200k_base", "cl100k_base")


def difference_record(difference: Difference) -> dict[str, Any]:
    """Return the whole difference; results that are as they were are counted, not listed."""
    changed = [each for each in difference.results if each.change is not None]
    return {
        "old": _side(difference.old),
        "new": _side(difference.new),
        "differs": difference.differs,
        "level": difference.level.word,
        "versions": _versions(difference),
        "findings": [_finding(each) for each in difference.findings],
        "rules": {
            "added": list(difference.added),
            "removed": list(difference.removed),
            "changed": list(difference.changed),
            "commands": {rule: list(words) for rule, words in difference.commands.items()},
        },
        "handovers": [
            {"from": each.old, "to": each.new, "command": each.command, "tools": list(each.tools)}
            for each in difference.handovers
        ],
        "results": [_compared(each) for each in changed],
        "totals": {"results": len(difference.results), "changed": len(changed), **total_tokens(difference.results)},
    }


def total_tokens(results: Iterable[Compared]) -> dict[str, dict[str, int]]:
    """Return the tokens of all results: of the originals, and of what a model sees under each side."""
    totals: dict[str, dict[str, int]] = {name: dict.fromkeys(ENCODINGS, 0) for name in ("original", "old", "new")}
    for each in results:
        for name, tokens in (("original", each.original), ("old", each.old.tokens), ("new", each.new.tokens)):
            _add(totals[name], tokens)
    return totals


def _add(total: dict[str, int], tokens: Mapping[str, int]) -> None:
    for name, count in tokens.items():
        total[name] += count


def _side(side: Side) -> dict[str, Any]:
    return {
        "label": side.label,
        "name": side.name if side.version is not None else None,
        "version": side.version,
        "digest": side.bench.pack.digest,
    }


def _versions(difference: Difference) -> dict[str, Any] | None:
    versions = difference.versions
    if versions is None:
        return None
    return {"old": versions.old, "new": versions.new, "deserved": versions.deserved, "holds": versions.holds}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "level": finding.level.word,
        "meaning": finding.meaning,
        "rule": finding.rule or None,
        "words": finding.words,
    }


def _compared(each: Compared) -> dict[str, Any]:
    return {
        "name": each.item.name,
        "command": each.item.result.command,
        "change": each.change,
        "original": dict(each.original),
        "old": _seen(each.old),
        "new": _seen(each.new),
    }


def _seen(seen: Seen) -> dict[str, Any]:
    return {
        "outcome": seen.outcome,
        "reason": seen.reason,
        "detail": seen.detail,
        "rule": seen.rule,
        "body": seen.body,
        "shown": seen.shown,
        "tokens": dict(seen.tokens),
    }
