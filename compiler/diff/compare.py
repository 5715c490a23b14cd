"""The whole comparison: rules, commands that change hands, admission entries, results, and the version it deserves.

Input: two sides and the results to try. Output: a `Difference`, in an order that depends on the content alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from ...runtime.packs.versions import is_lower
from .changes import compare_rule, describe_commands
from .hands import Handover, find_handovers
from .levels import Finding, Level, Versions, level_of, weigh_versions
from .results import Compared, Item, compare_results
from .side import Side

_PLACES: Final = frozenset({"path", "line"})
"""Where an admission entry stands in its file."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs. `findings` are in order of rules; `commands` say by rule how its commands are written now."""

    old: Side
    new: Side
    findings: tuple[Finding, ...]
    handovers: tuple[Handover, ...]
    commands: dict[str, tuple[str, ...]]
    results: tuple[Compared, ...]
    versions: Versions | None

    @property
    def level(self) -> Level:
        """The release that the change deserves."""
        return level_of(self.findings)

    @property
    def added(self) -> tuple[str, ...]:
        """Rules of the newer side only."""
        return tuple(sorted(self.new.rules.keys() - self.old.rules.keys()))

    @property
    def removed(self) -> tuple[str, ...]:
        """Rules of the older side only."""
        return tuple(sorted(self.old.rules.keys() - self.new.rules.keys()))

    @property
    def changed(self) -> tuple[str, ...]:
        """Rules of both sides that differ."""
        both = self.old.rules.keys() & self.new.rules.keys()
        return tuple(sorted(both & {finding.rule for finding in self._about_rules()}))

    @property
    def differs(self) -> bool:
        """Say whether anything differs, or a version is declared that is too small."""
        return bool(self.findings) or (self.versions is not None and not self.versions.holds)

    def _about_rules(self) -> Iterator[Finding]:
        return (finding for finding in self.findings if not finding.name.startswith(("result_", "reason_")))


def compare(old: Side, new: Side, items: Iterable[Item]) -> Difference:
    """Compare two sides; `items` are decided under both."""
    both = sorted(old.rules.keys() & new.rules.keys())
    handovers, about_commands = find_handovers(old, new)
    results = tuple(compare_results(items, old, new))
    findings = [
        *(finding for rule in both for finding in compare_rule(rule, old, new)),
        *(handover.finding for handover in handovers),
        *about_commands,
        *(Finding(rule, "rule_added", new.rules[rule]["title"]) for rule in new.rules if rule not in old.rules),
        *(Finding(rule, "rule_removed", old.rules[rule]["title"]) for rule in old.rules if rule not in new.rules),
        *_admissions(old, new),
        *_header(old, new),
        *(compared.finding for compared in results if compared.finding is not None),
    ]
    commands = {rule: words for rule in both if (words := tuple(describe_commands(old.rules[rule], new.rules[rule])))}
    ordered = tuple(sorted(set(findings)))
    return Difference(
        old, new, ordered, handovers, commands, results, weigh_versions(old.version, new.version, level_of(ordered))
    )


def _admissions(old: Side, new: Side) -> Iterator[Finding]:
    one, other = (
        {entry["pattern"]: {key: entry[key] for key in entry.keys() - _PLACES} for entry in side.admits}
        for side in (old, new)
    )
    for pattern in sorted(one.keys() | other.keys()):
        if pattern not in other:
            yield Finding("", "admit_changed", f"`{pattern}` is gone")
        elif pattern not in one:
            # A longer pattern goes before a shorter one.
            above = sorted(known for known in one if fnmatchcase(pattern, known) or fnmatchcase(known, pattern))
            if above:
                yield Finding("", "admit_changed", f"`{pattern}` takes tools from `{above[0]}`")
            else:
                yield Finding("", "admit_added", f"`{pattern}` by `{other[pattern]['codec']}`")
        elif one[pattern] != other[pattern]:
            changes = _changes(_spelled(one[pattern]), _spelled(other[pattern]))
            yield Finding("", "admit_changed", f"`{pattern}`: {'; '.join(changes)}")


def _spelled(entry: dict[str, Any]) -> dict[str, str]:
    """Return what an entry says, by the word that says it."""
    tee = {"tee": ""} if entry["tee"] else {}
    settings = {name: str(value) for name, value in entry["settings"].items()}
    return {"with": entry["codec"], "level": entry["level"], **tee, **settings}


def _changes(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for name in dict.fromkeys([*old, *new]):
        before, now = (f"{name} {side[name]}".rstrip() if name in side else None for side in (old, new))
        if before is None:
            yield f"now {now}"
        elif now is None:
            yield f"no longer {before}"
        elif before != now:
            yield f"{before}, now {new[name]}"


def _header(old: Side, new: Side) -> Iterator[Finding]:
    before, after = old.bench.pack, new.bench.pack
    if after.language > before.language:
        yield Finding("", "language_raised", f"language {before.language}; now {after.language}")
    elif is_lower(before.runtime, after.runtime):
        yield Finding("", "language_raised", f"cablese {before.runtime} or newer; now {after.runtime} or newer")
    if before.requires != after.requires:
        come = [f"new: {each}" for each in after.requires if each not in before.requires]
        gone = [f"gone: {each}" for each in before.requires if each not in after.requires]
        yield Finding("", "requires_changed", "; ".join([*come, *gone]))
