"""What the script of a page gets to know of a difference: rules as they are written, and results with their texts.

Input: a difference. Output: plain data, of strings in which everything is visible. A text that is long is held without
its middle, and says how much that is: a page is for reading, the whole is in the JSON of `diff.schema.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ...dsl.display import visible, visible_but_tabs
from .compare import Difference
from .levels import Level
from .record import ENCODINGS
from .results import Compared, Seen, text_of
from .side import Side
from .spelled import spell_section

MOST_SUMMARY: Final = 48_000
MOST_ORIGINAL: Final = 12_000
MOST_RULE: Final = 96_000
"""Characters of a text that are held. A model's view of a thousand results is then some megabytes at most."""

CHANGES: Final = {
    "result_changed": "another summary",
    "result_lost": "no longer summarised",
    "result_gained": "summarised now",
    "reason_changed": "passes for another reason",
}
"""What became of a result, by the name of its finding."""

Text = list[Any] | None
"""A text: `[all of it]`, or `[begin, characters left out, lines left out, end]`."""


def page_record(difference: Difference) -> dict[str, Any]:
    """Return the data of a page: `encodings`, `changes`, `rules` by id and `results`, the largest changes first.

    `place` of a result is where it stands by its name, in which numbers are read as such: `run 9` before `run 10`.
    """
    changed = [each for each in difference.results if each.change is not None]
    changed.sort(key=lambda each: _by_number(each.item.name))
    places = {id(each): place for place, each in enumerate(changed)}
    changed.sort(key=lambda each: (-_level(each), -abs(_grown(each))))
    return {
        "encodings": list(ENCODINGS),
        "changes": CHANGES,
        "rules": {visible(rule): texts for rule, texts in rule_texts(difference).items()},
        "results": [{**_result(each), "place": places[id(each)]} for each in changed],
    }


def rule_texts(difference: Difference) -> dict[str, tuple[Text, Text]]:
    """Return the texts of the rules that differ, on both sides: as written, or where a side is a pack, as compiled."""
    old, new = difference.old, difference.new
    written = old.texts is not None and new.texts is not None
    return {
        rule: (_rule_text(rule, old, written=written), _rule_text(rule, new, written=written))
        for rule in sorted({*difference.added, *difference.removed, *difference.changed})
    }


def _rule_text(rule: str, side: Side, *, written: bool) -> Text:
    if rule not in side.rules:
        return None
    text = side.texts[rule] if written and side.texts is not None else spell_section(side.rules[rule])
    return _hold(text, MOST_RULE)


def _by_number(name: str) -> tuple[list[tuple[str, int]], str]:
    """Return a key that orders names by their words and numbers, and names that differ in zeros by their letters."""
    parts = re.split("([0-9]{1,18})", name)
    return [*zip(parts[::2], map(int, (*parts[1::2], "0")), strict=True)], name


def _level(each: Compared) -> Level:
    finding = each.finding
    return Level.NONE if finding is None else finding.level


def _grown(each: Compared) -> int:
    """Return the tokens that a model sees more than before, under the first encoding."""
    old, new = (side.tokens.get(ENCODINGS[0], 0) for side in (each.old, each.new))
    return new - old


def _result(each: Compared) -> dict[str, Any]:
    result = each.item.result
    passes = each.old.shown is None or each.new.shown is None
    return {
        "name": visible(each.item.name),
        "command": visible(result.command or result.tool),
        "change": each.change,
        "level": _level(each).word,
        "tokens": _counts(each.original),
        "original": _hold(text_of(result.content), MOST_ORIGINAL) if passes else None,
        "old": _seen(each.old),
        "new": _seen(each.new),
    }


def _seen(seen: Seen) -> dict[str, Any]:
    """Return one side. `said`: what the rule says where a model is shown something else."""
    return {
        "outcome": seen.outcome,
        "reason": seen.reason and visible(seen.reason),
        "detail": seen.detail and visible(seen.detail),
        "rule": seen.rule and visible(seen.rule),
        "shown": None if seen.shown is None else _hold(seen.shown, MOST_SUMMARY),
        "said": None if seen.body is None or seen.shown is not None else _hold(seen.body, MOST_SUMMARY),
        "tokens": _counts(seen.tokens),
    }


def _counts(tokens: Mapping[str, int]) -> list[int | None]:
    return [tokens.get(encoding) for encoding in ENCODINGS]


def _hold(text: str, most: int) -> list[Any]:
    """Return a text, the longer ones without their middle: three quarters of the room are for the beginning."""
    if len(text) <= most:
        return [visible_but_tabs(text)]
    head, tail = text[: most * 3 // 4], text[-(most // 4) :]
    # Whole lines where there are some.
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    left = text[len(head) : len(text) - len(tail)]
    return [visible_but_tabs(head), len(left), left.count("\n"), visible_but_tabs(tail)]
