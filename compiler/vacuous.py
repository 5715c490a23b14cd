"""Finds claims that say nothing: those that hold for every output that the rule reads, and those that hold for none.

Input: lowered claims, the grammar as multiplicities. Output: E0508 and E0509. Sums are compared as intervals: a count
lies where the grammar lets it lie; of other numbers nothing is known.
"""

from __future__ import annotations

from typing import Any, Final

from ..dsl.diagnostics import Report
from ..dsl.source import Source, Span
from .claims import LoweredClaim
from .diagnose import error
from .grammar import MANY
from .paths import Names

_MORE: Final = 10**19
"""More than any number that is captured, and any number of lines."""

Interval = tuple[int, int]


def check_claims(claims: tuple[LoweredClaim, ...], names: Names, source: Source, report: Report) -> None:
    """Report the claims of a rule that need no output to be decided."""
    # A claim over a group stands for one of every member, and says something if one of them does.
    verdicts: dict[Span, set[bool | None]] = {}
    for claim in claims:
        verdicts.setdefault(claim.node.span, set()).add(_decide(claim.json, names))
    for span, found in verdicts.items():
        if found == {True}:
            _say(report, "E0508", "this claim always holds", source, span, "true of every output that the rule reads")
        elif found == {False}:
            _say(report, "E0509", "this claim never holds", source, span, "true of no output that the rule reads")


def _say(report: Report, code: str, message: str, source: Source, span: Span, label: str) -> None:
    help_ = "claim what a broken output would violate, or remove it" if code == "E0508" else "correct the claim"
    error(report, code, message, source, span, label, help=help_)


def _decide(claim: list[Any], names: Names) -> bool | None:
    """Say whether a claim holds for every output (True) or for none (False); None where that depends on it."""
    when, each, body = claim
    held = _holds(body, each, names)
    if held is True:
        return True
    # Behind a condition, and for each of what need not be there, what never holds refuses outputs on purpose.
    return held if when is None and each is None else None


def _holds(body: list[Any], scope: str | None, names: Names) -> bool | None:
    name = body[0]
    if name in ("some", "no"):
        low, high = _count(body[1], body[2], scope, names)
        some = True if low > 0 else False if high == 0 else None
        return some if some is None or name == "some" else not some
    if name == "within":
        return True if body[1] == body[2] else None
    _, operator, left, right = body
    return True if left == right else _compare(operator, _sum(left, scope, names), _sum(right, scope, names))


def _compare(operator: str, left: Interval, right: Interval) -> bool | None:
    if operator == ">=":
        operator, left, right = "<=", right, left
    if left[0] > right[1] or (operator == "=" and left[1] < right[0]):
        return False
    if operator == "<=":
        return True if left[1] <= right[0] else None
    return True if left[0] == left[1] == right[0] == right[1] else None


def _sum(terms: list[Any], scope: str | None, names: Names) -> Interval:
    intervals = [_term(term, scope, names) for term in terms]
    return max(sum(low for low, _ in intervals), -_MORE), min(sum(high for _, high in intervals), _MORE)


def _term(term: list[Any], scope: str | None, names: Names) -> Interval:
    if term[0] == "const":
        return term[1], term[1]
    if term[0] == "count":
        return _count(term[1], term[2], scope, names)
    # The number of a path may be an exit code, of which hosts report negative ones; a list has a length.
    return (0, _MORE) if term[0] in ("each", "distinct", "group") else (-_MORE, _MORE)


def _count(kinds: list[str], where: Any, scope: str | None, names: Names) -> Interval:
    often = names.occurs(scope, tuple(kinds))
    return 0 if where is not None else often.low, _MORE if often.high >= MANY else often.high
