"""Roots: which rule ids a pack owns, and whether two packs own one.

A root is an id, or the beginning of ids up to a `.`: `acme` owns `acme`, `acme.list` and `acme.list.all`. A pack that
names no roots owns the ids of its rules, and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pack import Pack


def find_strays(rules: Sequence[str], roots: Sequence[str]) -> list[str]:
    """Return the ids that none of the roots owns; without roots there are none."""
    owned = frozenset(roots)
    return [rule for rule in rules if owned.isdisjoint(_ways(rule))] if roots else []


def find_clash(pack: Pack, other: Pack) -> str | None:
    """Return a rule id, or a root, that both packs own; None where there is none."""
    one, two = frozenset(pack.roots), frozenset(other.roots)
    clashes = [root for root in one if not two.isdisjoint(_ways(root))]
    clashes += [root for root in two if not one.isdisjoint(_ways(root))]
    if not clashes:
        return None
    # A rule that both have says more than a root.
    return min(set(pack.rules).intersection(other.rules), default=min(clashes))


def _ways(rule: str) -> list[str]:
    """Return the roots that would own an id: itself, and what of it ends before a `.`."""
    parts = rule.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
