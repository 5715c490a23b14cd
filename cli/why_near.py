"""Which rules a command is nearly for, and which word keeps it from them.

Input: the packs in use, a tool, the words of a command that no rule claims. Output: records, the nearest rule first.

A command may miss a rule by an option, by an option in front of a subcommand, or by a word of its head that is missing
or misspelt. Another subcommand of the same program is another command, and near to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..dsl.suggest import did_you_mean
from ..runtime.engine.command import place_obstacle
from ..runtime.packs.catalogue import Catalogue, Claim
from ..runtime.packs.errors import PackError
from .why_record import Source

MOST_OTHERS = 3
"""So many rules with another head are named."""


def near_rules(catalogue: Catalogue, tool: str, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the rules that a command is nearly for. Raises PackUnusableError."""
    claims = [claim for claim in _claims(catalogue) if tool in claim.rule.tools]
    found = [near for claim in claims if (near := _missed_by_option(claim, words)) is not None]
    return found or _missed_by_head(claims, words)


def _claims(catalogue: Catalogue) -> Iterable[Claim]:
    for source in catalogue.sources():
        if source.narrows:
            continue
        for number in range(len(source.pack.rules)):
            try:
                yield Claim(source.pack, number, source.pack.rule(number))
            except (PackError, OSError):
                # The catalogue has a remark about it.
                continue


def _missed_by_option(claim: Claim, words: tuple[str, ...]) -> dict[str, Any] | None:
    for number, form in enumerate(claim.rule.commands):
        at, said = place_obstacle(form, words)
        if said is not None:
            return _near(claim, number, at, said)
    return None


def _missed_by_head(claims: list[Claim], words: tuple[str, ...]) -> list[dict[str, Any]]:
    found = [
        (claim, number, *missed)
        for claim in claims
        for number, form in enumerate(claim.rule.commands)
        if (missed := _head_obstacle(form["head"], words)) is not None
    ]
    return _named(found)


def _head_obstacle(head: list[str], words: tuple[str, ...]) -> tuple[int | None, str] | None:
    """Return the number of the word at which a command leaves the head of a form; None where it is not meant for it."""
    at, met = 0, 0
    passed: int | None = None
    while met < len(head) and at < len(words):
        if words[at] == head[met]:
            met += 1
        elif words[at].startswith("-") and at:
            passed = at if passed is None else passed
        else:
            break
        at += 1
    if met == len(head):
        return None if passed is None else (passed, f"`{words[passed]}` may not stand before `{head[met - 1]}`")
    if passed is not None and head[met:] == _following(head[met:], words[at:]):
        return passed, f"`{words[passed]}` may not stand before `{head[met]}`"
    if at == len(words):
        return (None, f"it needs `{head[met]}`") if met else None
    return (at, f"`{words[at]}` is not `{head[met]}`") if did_you_mean(words[at], (head[met],)) else None


def _following(head: list[str], words: tuple[str, ...]) -> list[str]:
    """Return those words of a head that stand among the words, in their order."""
    rest = iter(words)
    return [word for word in head if word in rest]


def _named(found: list[tuple[Claim, int, int | None, str]]) -> list[dict[str, Any]]:
    """Return the first of them, each rule once."""
    once = {claim.rule.id: (claim, form, at, said) for claim, form, at, said in reversed(found)}
    return [_near(*each) for each in list(once.values())[::-1][:MOST_OTHERS]]


def _near(claim: Claim, form: int, at: int | None, said: str) -> dict[str, Any]:
    source = Source(claim)
    return {
        "rule": claim.rule.id,
        "place": source.place("commands", form) or source.rule,
        "word": None if at is None else at + 1,
        "obstacle": said,
    }
