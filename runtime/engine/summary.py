"""Summaries: NODE programs over the facts, giving the body that a model reads.

INVARIANT: a cap that left something out says so where the rule shows it; nothing left out says nothing.
"""

from __future__ import annotations

from typing import Any, Final

from .facts import Facts
from .values import MISSING, WHOLE, Capped, elements, is_true

CLIP: Final = 200
"""The longest clipped text, in code points."""


def render_summary(facts: Facts, nodes: list[Any]) -> str:
    """Return the text of a summary."""
    parts: list[str] = []
    _render(facts, nodes, {}, parts)
    return "".join(parts).removesuffix("\n")


def _render(facts: Facts, nodes: list[Any], variables: dict[str, Any], parts: list[str]) -> None:
    for node in nodes:
        name = node[0]
        if name == "text":
            facts.spend(1 + (len(node[1]) >> 6))
            parts.append(node[1])
        elif name == "out":
            text = _shown(facts, node, variables)
            facts.spend(1 + (len(text) >> 6))
            indent = node[3]
            if indent is None:
                parts.append(text)
            elif text:
                parts.append(f"{indent}{text}\n")
        elif name == "for":
            _, variable, expression, body, otherwise = node
            items = elements(facts.alternative(expression, WHOLE, variables))
            for item in items:
                _render(facts, body, {**variables, variable: item}, parts)
            if not items:
                _render(facts, otherwise, variables, parts)
        else:
            branches = (body for test, body in node[1] if holds(facts, test, variables))
            _render(facts, next(branches, node[2]), variables, parts)


def _shown(facts: Facts, node: list[Any], variables: dict[str, Any]) -> str:
    value: Any = MISSING
    for expression in node[1]:
        value = facts.alternative(expression, WHOLE, variables)
        if is_true(value):
            break
    for name, *arguments in node[2]:
        value = _FILTERS[name](facts, value, *arguments)
    return facts.show(value)


def _clip(facts: Facts, value: Any) -> str:
    text = facts.show(value)
    return text if len(text) <= CLIP else text[: CLIP - 1] + "…"


def _join(facts: Facts, value: Any, separator: str) -> str:
    return separator.join(map(facts.show, elements(value)))


def _length(facts: Facts, value: Any) -> int:
    return len(elements(value)) if isinstance(value, list | Capped) else len(facts.show(value))


def _more(_: Facts, value: Any) -> str:
    return f"- (+{value.left} more)" if isinstance(value, Capped) and value.left else ""


def _earlier(_: Facts, value: Any) -> str:
    return f"- (+{value.left} earlier)" if isinstance(value, Capped) and value.left else ""


_FILTERS: Final = {"clip": _clip, "join": _join, "length": _length, "more": _more, "earlier": _earlier}


def holds(facts: Facts, test: list[Any], variables: dict[str, Any]) -> bool:
    """Say whether a TEST holds."""
    name = test[0]
    if name == "not":
        return not holds(facts, test[1], variables)
    if name == "and":
        return all(holds(facts, inner, variables) for inner in test[1])
    if name == "or":
        return any(holds(facts, inner, variables) for inner in test[1])
    return is_true(facts.alternative(test, WHOLE, variables))
