"""The summary as Jinja itself renders it: the reference that the lowered template is compared with.

The values come from the runtime's facts, read part by part as the template asks; what is compared is the lowering:
line rules, alternatives, loops, conditions, filters.
"""

from __future__ import annotations

import re

import jinja2
from cablese.runtime.engine.facts import Facts
from cablese.runtime.engine.values import MISSING, WHOLE, Capped, Group, Node

LONE_TAG = re.compile(r"[ 	]*(\{%(?:(?!%\}).)*%\})[ 	]*")
LONE_VALUE = re.compile(r"([ 	]*)\{\{((?:(?!\}\}).)*)\}\}[ 	]*")


class Shown(list):
    """A capped list."""

    left = 0


class Part:
    """A record, line or group whose parts are looked up when asked for; a capture may have any public name."""

    def __init__(self, facts: Facts, value, steps: dict[str, str]) -> None:
        self._facts = facts
        self._value = value
        self._steps = steps

    def __getattr__(self, name: str):
        step = self._steps.get(name)
        if step is None:
            raise AttributeError(name)
        last = [name] if step == "own" else [step, [name] if step == "all" else name]
        path = [["var", "it"], last]
        found = self._facts.alternative(["path", path], WHOLE, {"it": self._value})
        if found is MISSING:
            raise AttributeError(name)
        return wrap(self._facts, found, self._steps)


def wrap(facts: Facts, value, steps: dict[str, str]):
    """Return a value as Jinja can use it."""
    if isinstance(value, Capped):
        shown = Shown(wrap(facts, item, steps) for item in value.items)
        shown.left = value.left
        return shown
    if isinstance(value, list):
        return [wrap(facts, item, steps) for item in value]
    return Part(facts, value, steps) if isinstance(value, Node | Group) else value


def steps_of(summary) -> dict[str, str]:
    """Return how each name of a template is looked up: as it is in the lowered one."""
    found: dict[str, str] = {}

    def walk(value) -> None:
        if isinstance(value, list):
            match value:
                case ["kind" | "field" as step, str(name)]:
                    found[name] = step
                case ["all", [str(name)]]:
                    found[name] = "all"
                case ["line" | "key" | "count" | "first" | "rows" as name]:
                    found[name] = "own"
                case _:
                    for item in value:
                        walk(item)

    walk(summary)
    return found


def with_line_rules(template: str) -> str:
    """Write the line rules out in plain Jinja, line by line."""
    lines = []
    for line in template.removesuffix("\n").split("\n"):
        value, tag = LONE_VALUE.fullmatch(line), LONE_TAG.fullmatch(line)
        if value is not None:
            shown = f"{value[1]}{{{{{value[2]}}}}}\n"
            lines.append(f"{{% if ({value[2]}) | shows %}}{shown}{{% endif %}}")
        else:
            lines.append(line + "\n" if tag is None else tag[1])
    return "".join(lines)


def render(template: str, section, facts: Facts, exit_code: int | None) -> str:
    """Return the body of a summary, as Jinja renders it."""
    environment = jinja2.Environment(keep_trailing_newline=True, undefined=jinja2.ChainableUndefined)
    environment.finalize = lambda value: "null" if value is None else value
    environment.filters.update(
        clip=lambda value: text if len(text := str(value)) <= 200 else text[:199] + "…",
        more=lambda value: f"- (+{value.left} more)" if value.left else "",
        earlier=lambda value: f"- (+{value.left} earlier)" if value.left else "",
        shows=lambda value: value is None or str(value) != "",
    )
    steps = steps_of(section["summary"])
    context = {}
    for name, _ in section["facts"]:
        value = facts.alternative(["path", [["fact", name]]], WHOLE, {})
        if value is not MISSING:
            context[name] = wrap(facts, value, steps)
    for kind in section["kinds"]:
        value = facts.alternative(["path", [["scope"], ["kind", kind]]], WHOLE, {})
        if value is not MISSING:
            context[kind] = wrap(facts, value, steps)
    return environment.from_string(with_line_rules(template)).render(context, exit_code=exit_code).removesuffix("\n")
