"""Facts and claims as they are for outputs that were read before: without the kinds that are new.

Input: tables of a rule section (`docs/pack-format.md`), names of kinds that no earlier output has. Output: the same
tables without them, so that `count a, b` and `count a, b, new` compare as equal.
"""

from __future__ import annotations

from typing import Any

Strangers = frozenset[str]
_OVER_KINDS = frozenset({"count", "each", "group", "some", "no"})


def reduce_value(value: Any, strangers: Strangers) -> Any:
    """Return a VALUE, PATH or BODY without the strangers. One that is about strangers alone stays as it is."""
    if not isinstance(value, list):
        return value
    if len(value) > 1 and isinstance(value[0], str) and isinstance(value[1], list):
        if value[0] in _OVER_KINDS or (value[0] == "all" and len(value) == 2):
            value = [value[0], _known(value[1], strangers), *value[2:]]
        elif value[0] == "distinct":
            value = [value[0], _paths(value[1], strangers)]
    if len(value) == 4 and value[0] == "pick" and isinstance(value[2], list):
        value = [value[0], value[1], _paths(value[2], strangers), value[3]]
    return [reduce_value(each, strangers) for each in value]


def reduce_claims(claims: list[list[Any]], strangers: Strangers) -> list[list[Any]]:
    """Return the claims that can fail for outputs without strangers."""
    kept = []
    for when, each, body in claims:
        vacuous = (
            each in strangers
            or (when is not None and when[0] == "some" and strangers.issuperset(when[1]))
            or (body[0] == "no" and strangers.issuperset(body[1]))
        )
        if not vacuous:
            kept.append([reduce_value(when, strangers), each, reduce_value(body, strangers)])
    return kept


def _known(kinds: list[Any], strangers: Strangers) -> list[Any]:
    if not all(isinstance(kind, str) for kind in kinds):
        return kinds
    return [kind for kind in kinds if kind not in strangers] or kinds


def _paths(paths: list[Any], strangers: Strangers) -> list[Any]:
    """Return the pairs of a kind path and a field that some earlier output can have."""
    return [pair for pair in paths if not strangers.intersection(pair[0])] or paths
