"""Writes one checked rule as the pack holds it, with its source map.

Input: everything the earlier stages made of a rule. Output: the rule section and the source map of
`docs/pack-format.md`.
INVARIANT: only what facts, claims, the summary or a counter read is captured; everything else is matched and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..dsl import ast
from ..dsl.source import Source
from .automaton import Automaton
from .claims import LoweredClaim
from .commands import LoweredCommand
from .facts import Facts
from .grammar import Grammar
from .paths import Demand
from .patterns import captures, emit_pattern
from .template_lines import tag_lines


def emit_rule(
    rule: ast.Rule,
    automata: dict[str, Automaton],
    facts: Facts,
    claims: tuple[LoweredClaim, ...],
    summary: list[Any],
    commands: tuple[LoweredCommand, ...],
) -> dict[str, Any]:
    """Return the rule section."""
    demand = facts.names.demand
    streams: dict[str, Any] = {
        name: emit_stream(automata[name], demand) if name in automata else "empty" for name in facts.grammar.streams
    }
    return {
        "id": rule.id.text,
        "title": rule.title.value,
        "tools": [tool.text for tool in rule.tools],
        "commands": [command.json for command in commands],
        "exit": None if rule.exit is None else list(rule.exit),
        "streams": streams,
        "kinds": emit_kinds(facts.grammar, automata, demand.kinds | set(facts.fields)),
        "facts": facts.table,
        "fields": facts.fields,
        "ensure": [claim.json for claim in claims],
        "summary": summary,
    }


def emit_stream(automaton: Automaton, demand: Demand) -> dict[str, Any]:
    """Return the tables of one stream; patterns that are written alike are held once."""
    patterns: list[Any] = []
    numbers: dict[str, int] = {}
    positions = []
    for position in automaton.positions:
        leaf = position.leaf
        wanted = demand.wanted(leaf.kind) | {automaton.counters[number].name for number in position.sets}
        indices = []
        for program in leaf.programs:
            lowered = emit_pattern(program, wanted & frozenset(captures(program)))
            number = numbers.setdefault(repr(lowered), len(patterns))
            if number == len(patterns):
                patterns.append(lowered)
            indices.append(number)
        positions.append(
            {
                "kind": leaf.kind,
                "patterns": indices,
                "otherwise": leaf.otherwise,
                "path": list(position.path),
                "sets": list(position.sets),
                "spends": list(position.spends),
            }
        )
    labels = {edge: number for number, edge in enumerate(automaton.labels())}
    return {
        "uncoloured": automaton.stream.node.uncoloured,
        "patterns": patterns,
        "positions": positions,
        "start": [labels[edge] for edge in automaton.start],
        "rows": [[labels[edge] for edge in row] for row in automaton.rows],
        "final": automaton.final,
        "blank": automaton.blank,
        "labels": [[edge.position, edge.keep] for edge in labels],
        "counters": [{"name": counter.name, "record": counter.record} for counter in automaton.counters],
    }


def emit_kinds(grammar: Grammar, automata: dict[str, Automaton], kinds: set[str]) -> dict[str, Any]:
    """Return where the lines of each kind are, as labels per stream."""
    result: dict[str, Any] = {}
    for kind in sorted(kinds):
        line = grammar.definitions[kind].role == "line"
        parts: dict[str, dict[str, list[int]]] = {
            name: {} for name in (("lines",) if line else ("open", "inside", "own"))
        }
        for stream, automaton in automata.items():
            for number, edge in enumerate(automaton.labels()):
                position = automaton.positions[edge.position]
                found = []
                if line and position.leaf.kind == kind:
                    found.append("lines")
                elif not line and kind in position.path:
                    found.append("inside" if kind in position.path[: edge.keep] else "open")
                    if position.leaf.kind.startswith(f"{kind}#"):
                        found.append("own")
                for part in found:
                    parts[part].setdefault(stream, []).append(number)
        result[kind] = parts
    return result


def emit_map(
    rule: ast.Rule,
    source: Source,
    facts: Facts,
    claims: tuple[LoweredClaim, ...],
    commands: tuple[LoweredCommand, ...],
    sources: Mapping[str, Source] | None = None,
) -> dict[str, Any]:
    """Return the source map of a rule; kinds that were taken in from other files stand there with their paths.

    `sources` are these files as they are now, where they may have changed since the rule was resolved.
    """

    def line(offset: int) -> int:
        return source.position(offset)[0]

    below = set(facts.grammar.below(None))
    kinds: dict[str, int] = {}
    taken: dict[str, list[Any]] = {}
    for name, definition in facts.grammar.definitions.items():
        start = definition.node.name.span.start
        if name in below and definition.source.path == source.path:
            kinds[name] = line(start)
        elif name in below:
            path = definition.source.path
            taken[name] = [path, (sources or {}).get(path, definition.source).position(start)[0]]
    nodes = dict(facts.rule_facts)
    for kind, fields in facts.record_facts.items():
        nodes |= {f"{kind}.{name}": node for name, node in fields.items()}
    return {
        "path": source.path,
        "line": line(rule.id.span.start),
        "kinds": kinds,
        "taken": taken,
        "facts": {name: line(node.path.span.start) for name, node in nodes.items()},
        "ensure": [
            [line(claim.node.span.start), " ".join(source.text[claim.node.span.start : claim.node.span.end].split())]
            for claim in claims
        ],
        "commands": [line(command.span.start) for command in commands],
        "exit": _exit_line(rule, source),
        "streams": {name: line(stream.node.span.start) for name, stream in facts.grammar.streams.items()},
        "summary": line(rule.summary.span.start),
        "tags": tag_lines(rule.summary, source),
    }


def _exit_line(rule: ast.Rule, source: Source) -> int | None:
    """Return the line of `exit`; the tree keeps only its codes, so it is looked for between the commands and the
    streams.
    """
    if rule.exit is None:
        return None
    start = rule.commands[-1].span.end if rule.commands else rule.id.span.end
    end = min((stream.span.start for stream in rule.streams), default=rule.span.end)
    at = source.text.find("exit", start, end)
    return source.position(at if at >= 0 else start)[0]
