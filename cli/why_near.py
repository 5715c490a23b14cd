"""Which rules a command is nearly for, and which word keeps it from them.

Input: the packs in use, a tool, the words of a command that no rule claims. Output: records, the nearest rule first.

A command may miss a rule by an option, or by a word of its head that is misspelt or another subcommand. Of the latter,
rules count that share the first word with the command, or whose first word is spelt almost like it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..dsl.suggest import did_you_mean
from ..runtime.catalogue import Catalogue, Claim
from ..runtime.engine.command import place_obstacle
from ..runtime.pack_errors import PackError
from .why_record import Source

MOST_OTHERS = 3
"""So many rules of other subcommands are named."""


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
    forms = [(claim, at, form["head"]) for claim in claims for at, form in enumerate(claim.rule.commands)]
    first = words[0] if any(head[0] == words[0] for _, _, head in forms) else None
    if first is None:
        first = did_you_mean(words[0], (head[0] for _, _, head in forms))
        same = [each for each in forms if each[2][0] == first]
        return _named([(claim, at, 0, f"`{words[0]}` is not `{head[0]}`") for claim, at, head in same])
    rest = [word for word in words[1:] if not word.startswith("-")]
    meant = None if not rest else did_you_mean(rest[0], (head[1] for _, _, head in forms if len(head) > 1))
    same = [each for each in forms if each[2][0] == first and len(each[2]) > 1]
    nearest = [each for each in same if each[2][1] == meant] or same
    at_word = words.index(rest[0]) if rest else None
    found = [
        (
            claim,
            at,
            at_word,
            f"`{rest[0]}` is not `{head[1]}`" if rest else f"it needs `{head[1]}`",
        )
        for claim, at, head in nearest
    ]
    return _named(found)


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
