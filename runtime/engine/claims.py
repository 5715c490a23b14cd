"""Claims: what must hold of an output before anything is said about it.

Input: CLAIM programs and the facts. Output: the first claim that does not hold, with what it compared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .facts import Facts
from .values import MISSING, WHOLE, Capped, Node, elements


class Failure(NamedTuple):
    """A claim that does not hold.

    `claim` is its index in the rule's `ensure`; `node` is the occurrence it was made about (`WHOLE`: the output);
    `left` and `right` are the sums or the lists that were compared, None where it is about presence.
    """

    claim: int
    node: Node
    left: Any = None
    right: Any = None


def first_failure(facts: Facts, claims: list[Any], exit_code: int | None) -> Failure | None:
    """Return the first claim that does not hold of the output, None when all do."""
    for index, (when, each, body) in enumerate(claims):
        if when is not None and not applies(facts, when, exit_code):
            continue
        scopes = [WHOLE] if each is None else facts.occurrences(each, WHOLE)
        for scope in scopes:
            compared = check(facts, body, scope)
            if compared is not None:
                return Failure(index, scope, *compared)
    return None


def holds_for_success(facts: Facts, claims: list[Any]) -> bool:
    """Say whether the output looks like one of exit code 0: every claim made `when exit 0` holds."""
    about_success = [
        claim
        for claim in claims
        if claim[0] is not None and claim[0][0] == "exit" and 0 in claim[0][2] and not claim[0][1]
    ]
    return first_failure(facts, about_success, 0) is None


def applies(facts: Facts, when: list[Any], exit_code: int | None) -> bool:
    """Say whether the condition of a claim is met."""
    if when[0] == "exit":
        _, negated, codes = when
        # An unknown code is only ever met by `unknown` itself: `exit not 0` says that the code is another one.
        return exit_code is not None and exit_code not in codes if negated else exit_code in codes
    return (facts.count(when[1], None, WHOLE) > 0) == (when[0] == "some")


def check(facts: Facts, body: list[Any], scope: Node) -> tuple[Any, Any] | None:
    """Return what was compared if the body does not hold, else None."""
    name = body[0]
    if name == "rel":
        left, right = total_of(facts, body[2], scope), total_of(facts, body[3], scope)
        if left is not None and right is not None:
            holds = {"=": left == right, "<=": left <= right, ">=": left >= right}[body[1]]
            return None if holds else (left, right)
        return (left, right)
    if name == "within":
        left, right = (list(map(facts.show, elements(facts.value(value, scope)))) for value in body[1:3])
        known = set(right)
        strange = [text for text in left if text not in known]
        return (strange, right) if strange else None
    some = any(True for _ in facts.each(body[1], body[2], scope))
    return None if some == (name == "some") else (None, None)


def total_of(facts: Facts, terms: list[Any], scope: Node) -> int | None:
    """Return a sum, None where one of its terms is no number."""
    total = 0
    for term in terms:
        value = facts.alternative(term, scope) if term[0] in ("const", "path") else facts.value(term, scope)
        if isinstance(value, list | Capped):
            value = len(elements(value))
        if value is MISSING or not isinstance(value, int):
            return None
        total += value
    return total
