"""Which features the sections of a pack make use of, in the words of `runtime/packs/features.py`.

Input: emitted rules and admission entries. Output: names. INVARIANT: every word of a closed list of the pack format
that a runtime has to know is looked at here; a test takes each out of `FEATURES` in turn and has a pack refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


def find_features(rules: Iterable[dict[str, Any]], admits: Iterable[dict[str, Any]]) -> frozenset[str]:
    """Return what these sections make use of."""
    found: set[str] = set()
    for rule in rules:
        found.update(_of_rule(rule))
    if list(admits):
        found.add("admit")
    return frozenset(found)


def _of_rule(rule: dict[str, Any]) -> Iterator[str]:
    for command in rule["commands"]:
        yield from (f"command.{key}" for key in ("globals", "needs", "refuse", "after") if command[key])
    for name, stream in rule["streams"].items():
        if name == "merged":
            yield "stream.merged"
        if stream != "empty":
            yield from _of_stream(stream)
    if any("lines" not in kind for kind in rule["kinds"].values()):
        yield "kind.record"
    if any(rule["fields"].values()):
        yield "kind.fields"
    for named in (rule["facts"], *rule["fields"].values()):
        for _, value in named:
            yield from _of_value(value)
    for claim in rule["ensure"]:
        yield from _of_claim(*claim)
    yield from _of_nodes(rule["summary"])


def _of_stream(stream: dict[str, Any]) -> Iterator[str]:
    if stream["uncoloured"]:
        yield "stream.uncoloured"
    if stream["counters"]:
        yield "stream.counters"
    if any(position["otherwise"] for position in stream["positions"]):
        yield "stream.otherwise"
    for pattern in stream["patterns"]:
        yield from _of_operations(pattern)


def _of_operations(operations: list[Any]) -> Iterator[str]:
    for operation in operations:
        yield f"pattern.{operation[0]}"
        if operation[0] in ("opt", "group"):
            yield from _of_operations(operation[1])


def _of_value(value: list[Any]) -> Iterator[str]:
    name = value[0]
    yield f"value.{name}"
    if name == "cap":
        yield from _of_value(value[3])
    elif name in ("sorted", "trimmed"):
        yield from _of_value(value[1])
    elif name in ("pick", "alt"):
        for expression in value[-1]:
            yield from _of_expression(expression)


def _of_expression(expression: list[Any]) -> Iterator[str]:
    if expression[0] == "path":
        yield from (f"step.{step[0]}" for step in expression[1][1:])


def _of_claim(when: list[Any] | None, _each: str | None, body: list[Any]) -> Iterator[str]:
    if when is not None:
        yield f"when.{when[0]}"
    yield f"claim.{body[0]}"
    if body[0] == "rel":
        for term in (*body[2], *body[3]):
            yield from _of_expression(term) if term[0] in ("const", "path") else _of_value(term)
    elif body[0] == "within":
        for value in body[1:]:
            yield from _of_value(value)


def _of_nodes(nodes: list[Any]) -> Iterator[str]:
    for node in nodes:
        yield f"node.{node[0]}"
        if node[0] == "out":
            for expression in node[1]:
                yield from _of_expression(expression)
            yield from (f"filter.{each[0]}" for each in node[2])
        elif node[0] == "for":
            yield from _of_expression(node[2])
            yield from _of_nodes(node[3])
            yield from _of_nodes(node[4])
        elif node[0] == "if":
            for test, body in node[1]:
                yield from _of_test(test)
                yield from _of_nodes(body)
            yield from _of_nodes(node[2])


def _of_test(test: list[Any]) -> Iterator[str]:
    if test[0] in ("path", "const"):
        yield from _of_expression(test)
        return
    yield f"test.{test[0]}"
    for each in [test[1]] if test[0] == "not" else test[1]:
        yield from _of_test(each)
