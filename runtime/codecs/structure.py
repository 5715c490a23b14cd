"""The structural summary of level `aggressive`: fields, counts, ranges and examples, within a budget of tokens.

    {"summary":"structure only","list":500,"each":{"id":"integer 1 to 500","city":"text, 3 distinct: Faro 170, …"},
     "examples":[{"id":1,"city":"Faro"}]}

Input: a payload that was opened, and a budget. Output: the same form (text for text), of guarantee `summary`. The
richest of `DETAILS` that fits is shown, so the same payload and budget give the same text.

Invariants: every count, range and example is of the payload itself; what is cut short or left out says so; a text that
could be taken for words of ours stands in quotes, and no field of the payload takes a name of ours.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, NamedTuple

from .codec import Encoded, NotApplicableError, Request
from .json_text import Number, Pairs, check_depth, write_json
from .payloads import Opened, as_not_applicable, close_payload
from .profile import MAX_DISTINCT, MAX_LEVELS, Profile

DEFAULT_BUDGET = 400

_MARK = "…"
_PLAIN = re.compile(r"""[^\s,;'"…]+(?: [^\s,;'"…\d][^\s,;'"…]*)*""")
"""Text that needs no quotes: nothing in it is taken for the end of it, or for a count."""


class Detail(NamedTuple):
    """How much to show: fields of an object, values of a place, examples, characters of a text, levels."""

    fields: int
    values: int
    examples: int
    chars: int
    levels: int


DETAILS = (
    Detail(200, 8, 3, 80, MAX_LEVELS),
    Detail(100, 6, 2, 60, 6),
    Detail(60, 4, 1, 40, 5),
    Detail(60, 3, 0, 30, 4),
    Detail(40, 0, 0, 20, 3),
    Detail(20, 0, 0, 16, 2),
    Detail(40, 0, 0, 16, 1),
    Detail(10, 0, 0, 16, 1),
    Detail(0, 0, 0, 0, 0),
)


def summarise(opened: Opened, request: Request) -> Encoded:
    """Summarise a payload. Raises NotApplicableError where not even an outline fits into the budget."""
    from ..tokens import count_tokens

    budgets = [request.budget_tokens, request.params.get("budget")]
    budget = min([each for each in budgets if each is not None], default=DEFAULT_BUDGET)
    profile = Profile()
    profile.add(opened.value)
    with as_not_applicable():
        check_depth(opened.value)
        for detail in DETAILS:
            made = _outline(opened.value, profile, detail)
            text = write_json(made)
            # Descriptions have some four characters a token; what is so far beyond the budget is not worth counting.
            if len(text) > 16 * budget:
                continue
            tokens = max(count_tokens(text).values())
            if tokens <= budget:
                shown = close_payload(made, textual=opened.textual)
                return Encoded(shown, "summary", f"the structure in {tokens} of {budget} tokens")
    raise NotApplicableError(f"not even an outline fits into {budget} tokens")


def _outline(value: Any, profile: Profile, detail: Detail) -> dict[str, Any]:
    made: dict[str, Any] = {"summary": "structure only"}
    described = _describe(profile, detail, detail.levels)
    if type(value) is list:
        made["list"] = len(value)
        if profile.items is not None and detail.levels:
            made["each"] = _describe(profile.items, detail, detail.levels - 1)
    elif detail.levels:
        made["object"] = described
    else:
        made["object"] = f"{len(value):,} fields"
    rows = value if type(value) is list else value.get("rows") if type(value) is dict else None
    if type(rows) is list and rows and detail.examples:
        steps = sorted({round(step * (len(rows) - 1) / max(detail.examples - 1, 1)) for step in range(detail.examples)})
        made["examples"] = [_clip(rows[step], detail, 2) for step in steps]
    return made


def _describe(profile: Profile, detail: Detail, levels: int) -> Any:
    """Return what a place holds: text, or an object with the description of each field."""
    parts = _scalars(profile, detail)
    if profile.lists:
        parts.append(f"{_of(profile.lists, profile, 'list')} of {_span(profile.sizes)}")
    if not profile.objects:
        if profile.items is None or levels <= 0:
            return "; ".join(parts)
        return ["; ".join(parts), _describe(profile.items, detail, levels - 1)]
    if levels <= 0:
        parts.append(_names(profile, detail))
        return "; ".join(parts)
    fields: dict[str, Any] = {_free_name(_MARK, profile.fields): "; ".join(parts)} if parts else {}
    limit = max(detail.chars, 16)
    left_out = len(profile.fields) > detail.fields or profile.more_fields > 0
    for key, field in list(profile.fields.items())[: detail.fields]:
        described = _describe(field, detail, levels - 1)
        held = field.count - field.again
        if held < profile.objects or field.again:
            presence = f"in {held:,} of {profile.objects:,}"
            presence = f"{field.count:,} values {presence}" if field.again else presence
            described = f"{presence}: {described}" if type(described) is str else [presence, described]
        name = key if len(key) <= limit else f"{key[:limit]}{_MARK}"
        # Of long keys that begin alike only the first has a name that is its own.
        if name in fields or (name != key and name in profile.fields):
            left_out = True
        else:
            fields[name] = described
    if left_out:
        fields[_free_name(f"{_MARK} fields", profile.fields)] = _count_fields(profile)
    return fields


def _free_name(name: str, fields: Any) -> str:
    """Return a name of ours that no field of the payload has."""
    while name in fields:
        name = _MARK + name
    return name


def _names(profile: Profile, detail: Detail) -> str:
    """Describe an object by the names of its fields, as many as there is room for."""
    if not profile.fields:
        # Empty, or deeper than was looked.
        return _of(profile.objects, profile, f"object of {_span(profile.widths)} fields")
    described = _of(profile.objects, profile, f"object of {_count_fields(profile)} fields")
    if not detail.fields:
        return described
    names = [_quote(key, 40) for key in list(profile.fields)[: detail.fields]]
    more = ", …" if len(profile.fields) > detail.fields or profile.more_fields else ""
    return f"{described}: {', '.join(names)}{more}"


def _count_fields(profile: Profile) -> str:
    """Say how many different fields the objects of a place have; beyond a bound they are not told apart."""
    return f"over {len(profile.fields):,}" if profile.more_fields else f"{len(profile.fields):,}"


def _scalars(profile: Profile, detail: Detail) -> list[str]:
    parts: list[str] = []
    if profile.numbers:
        kind = "number" if profile.fractions else "integer"
        low, high = (_spell(each, detail) for each in (profile.low, profile.high))
        span = low if low == high else f"{low} to {high}"
        parts.append(f"{_of(profile.numbers, profile, kind)} {span}")
    if profile.texts:
        parts.append(_texts(profile, detail))
    if any(profile.booleans):
        false, true = profile.booleans
        if false and true:
            parts.append(f"true {true:,}, false {false:,}")
        else:
            parts.append(_of(false or true, profile, "true" if true else "false"))
    if profile.nulls:
        parts.append(_of(profile.nulls, profile, "null"))
    return parts


def _texts(profile: Profile, detail: Detail) -> str:
    distinct = len(profile.distinct)
    shown = [_quote(text, detail.chars) for text in islice(profile.distinct, max(1, detail.values))]
    kind = _of(profile.texts, profile, "text")
    if profile.count == 1 and detail.chars:
        return f"{kind} {shown[0]}"
    if distinct == 1 and detail.chars:
        return f"{kind}, always {shown[0]}"
    many = f"over {MAX_DISTINCT:,}" if distinct > MAX_DISTINCT else f"{distinct:,}"
    described = f"{kind}, {many} distinct"
    if not detail.values:
        return described
    if distinct <= detail.values:
        counts = zip(shown, profile.distinct.values(), strict=True)
        return f"{described}: {', '.join(f'{text} {count:,}' for text, count in counts)}"
    span = _span((profile.shortest, profile.longest))
    return f"{described}, {span} chars, as {', '.join(shown[: max(1, detail.values // 3)])}"


def _span(ends: tuple[int, int]) -> str:
    low, high = ends
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _quote(text: str, limit: int) -> str:
    """Return a text of the payload, of so many characters, within words of ours."""
    shown, cut = (text, "") if len(text) <= limit else (text[:limit], _MARK)
    return f"{shown}{cut}" if _PLAIN.fullmatch(shown) else f"'{shown}'{cut}"


def _of(count: int, profile: Profile, kind: str) -> str:
    """Name a kind, with how many there are where not all are of it."""
    return kind if count == profile.count else f"{count:,} {kind}"


def _spell(number: Any, detail: Detail) -> str:
    text = number if type(number) is Number else write_json(number)
    limit = max(detail.chars, 16)
    return str(text) if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def _clip(value: Any, detail: Detail, levels: int) -> Any:
    """Return an example: long text and what is nested deeper cut short, visibly."""
    kind = type(value)
    if kind is str:
        return value if len(value) <= detail.chars else f"{value[: detail.chars]}…"
    if kind in (Number, int) and len(_spell(value, detail)) > detail.chars:
        return _spell(value, detail)
    if kind not in (list, dict, Pairs):
        return value
    if levels <= 0:
        return f"… {len(value):,} {'items' if kind is list else 'fields'}"
    if kind is list:
        made = [_clip(each, detail, levels - 1) for each in value[: detail.values]]
        return made if len(value) <= detail.values else [*made, f"… {len(value) - detail.values:,} more"]
    pairs = list(value.items()) if kind is dict else list(value)
    clipped = [(key, _clip(each, detail, levels - 1)) for key, each in pairs[: detail.fields]]
    if len(pairs) > detail.fields:
        clipped.append((_free_name(_MARK, dict(clipped)), f"{len(pairs) - detail.fields:,} more fields"))
    return dict(clipped) if kind is dict else Pairs(clipped)
