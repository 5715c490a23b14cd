"""What of a rule its examples and selection tests have touched, and what they have not.

Input: a rule, the outputs that its examples show, the commands written in it. Output: `Point`s: lines, the patterns of
a line with several, claims, branches of the summary, options. Measured beside the runtime, never in it: lines are read
off traces, branches off a summary whose bodies note that they were entered, claims off a body that never holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import jinja2
from jinja2 import nodes

from ..dsl import ast
from ..dsl.source import Source, Span
from ..runtime.engine.claims import first_failure
from ..runtime.engine.facts import Facts, Reading
from ..runtime.engine.patterns import lower_line
from ..runtime.engine.summary import render_summary
from .compilation import CompiledRule
from .forms import Form
from .grammar import Leaf, own_leaves

SORTS: Final = ("line", "pattern", "claim", "branch", "option")

_NEVER: Final = ["rel", "=", [["const", 0]], [["const", 1]]]
_NOTHING: Final = ["distinct", []]


class Point(NamedTuple):
    """Something that can be touched: its sort (of `SORTS`), its name, its place, and whether it was."""

    sort: str
    name: str
    path: str
    line: int
    covered: bool

    @property
    def words(self) -> str:
        """The name with its sort, as a reader is told of it."""
        if self.sort == "pattern":
            return self.name
        if self.name.startswith("refused "):
            return f"refused {self.sort} {self.name.removeprefix('refused ')}"
        return f"{self.sort} {self.name}"


class Shown(NamedTuple):
    """An output that the rule accepts."""

    readings: tuple[Reading, ...]
    exit_code: int | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """All points of a rule."""

    points: tuple[Point, ...]

    @property
    def percent(self) -> int:
        """How many of a hundred points were touched, rounded down: 100 means all."""
        return 100 * sum(point.covered for point in self.points) // max(1, len(self.points))

    @property
    def missing(self) -> tuple[Point, ...]:
        """The points that were not touched, by place."""
        found = [point for point in self.points if not point.covered]
        return tuple(sorted(found, key=lambda point: (point.path, point.line, point.name)))

    def of(self, sort: str) -> tuple[int, int]:
        """Return how many points of a sort were touched, and how many there are."""
        found = [point.covered for point in self.points if point.sort == sort]
        return sum(found), len(found)


def measure_coverage(
    rule: CompiledRule,
    program: Any,
    shown: Sequence[Shown],
    forms: Sequence[Form],
    own: Sequence[tuple[str, ...]],
    others: Sequence[tuple[str, ...]],
) -> Coverage:
    """Return all points of a rule.

    `program` is the rule as the runtime has it; `own` are the words of the commands that it accepts, `others` of those
    that it must leave: they touch the options that it refuses.
    """
    facts = [Facts(program, list(each.readings), each.exit_code) for each in shown]
    return Coverage(
        (
            *_lines(rule, shown),
            *_claims(rule, facts),
            *_branches(rule, facts),
            *_options(forms, own, others),
        )
    )


def _lines(rule: CompiledRule, shown: Sequence[Shown]) -> Iterator[Point]:
    """Yield a point for each kind of line, and one for each pattern of a kind that has several."""
    met: dict[str, set[int]] = {}
    matchers: dict[tuple[int, int], Any] = {}
    for each in shown:
        for reading in each.readings:
            for char, line in dict.fromkeys(zip(reading.trace, reading.lines, strict=True)):
                position = reading.program.positions[reading.program.position_of(char)]
                touched = met.setdefault(position["kind"], set())
                patterns: list[int] = position["patterns"]
                if len(touched) < max(1, len(patterns)):
                    touched.add(_alternative(reading, patterns, line, matchers))
    for leaf, places in _leaves(rule):
        touched = met.get(leaf.kind, set())
        path, number = _place(leaf.source, leaf.span)
        yield Point("line", _kind_name(leaf), path, number, bool(touched))
        for at, place in enumerate(places if len(places) > 1 else ()):
            path, number = _place(leaf.source, place)
            yield Point("pattern", f"pattern {at + 1} of `{leaf.kind}`", path, number, at in touched)


def _alternative(reading: Reading, patterns: list[int], line: str, matchers: dict[tuple[int, int], Any]) -> int:
    """Return the first pattern of a kind that matches a line; they are tried in this order."""
    for at, number in enumerate(patterns[:-1]):
        key = (id(reading.program), number)
        if key not in matchers:
            matchers[key] = re.compile(lower_line(reading.program.patterns[number])).match
        if matchers[key](line):
            return at
    return max(0, len(patterns) - 1)


def _leaves(rule: CompiledRule) -> Iterator[tuple[Leaf, list[Span]]]:
    """Yield each line that can be read, with the places of its patterns."""
    grammar = rule.grammar
    for name in grammar.below(None):
        definition = grammar.definitions[name]
        value = definition.node.value
        places = [option.span for option in value.options] if isinstance(value, ast.Choice) else [value.span]
        for leaf in grammar.leaves(name):
            yield leaf, places if definition.role == "line" else [leaf.span]
    for root in grammar.roots(None):
        for leaf in own_leaves(root):
            yield leaf, [leaf.span]


def _kind_name(leaf: Leaf) -> str:
    owner, _, number = leaf.kind.partition("#")
    return f"line {number} of `{owner}`" if number else f"`{owner}`"


def _place(source: Source, span: Span) -> tuple[str, int]:
    return source.path, source.position(span.start)[0]


def _claims(rule: CompiledRule, facts: Sequence[Facts]) -> Iterator[Point]:
    """Yield a point for each claim: touched where its condition held, with something to say it about."""
    for (when, each, body), (line, text) in zip(rule.section["ensure"], rule.map["ensure"], strict=True):
        probe = ["within", body[1], _NOTHING] if body[0] == "within" else _NEVER
        covered = any(first_failure(one, [[when, each, probe]], one.exit_code) is not None for one in facts)
        yield Point("claim", f"`{text}`", rule.source.path, line, covered)


class _Body(list[Any]):
    """A body of a template that notes when it is rendered."""

    entered = False

    def __iter__(self) -> Iterator[Any]:
        self.entered = True
        return super().__iter__()


class _Branch(NamedTuple):
    name: str
    line: int
    body: _Body


def _branches(rule: CompiledRule, facts: Sequence[Facts]) -> Iterator[Point]:
    """Yield a point for each body of the summary."""
    text = rule.node.summary.value
    environment = jinja2.Environment(keep_trailing_newline=True, autoescape=False)  # noqa: S701 - as the compiler's own
    tree = environment.parse(text if text.endswith("\n") else text + "\n")
    branches: list[_Branch] = []
    program = _noting(rule.section["summary"], tree.body, text.split("\n"), branches)
    for one in facts:
        render_summary(one, program)
    begin = rule.source.position(rule.node.summary.place(0, 0).start)[0]
    for branch in branches:
        yield Point("branch", branch.name, rule.source.path, begin + branch.line - 1, branch.body.entered)


def _noting(program: list[Any], tree: Sequence[nodes.Node], lines: list[str], branches: list[_Branch]) -> list[Any]:
    """Return a program whose bodies note that they are entered; the blocks of `tree` stand in the same order."""
    blocks = (node for node in tree if isinstance(node, nodes.For | nodes.If))
    return [node if node[0] in {"text", "out"} else _block(node, next(blocks), lines, branches) for node in program]


def _block(node: list[Any], block: nodes.For | nodes.If, lines: list[str], branches: list[_Branch]) -> list[Any]:
    def body(program: list[Any], tree: list[nodes.Node], keyword: str, line: int) -> _Body:
        name = _tag(lines, line, keyword)
        noting = _Body()
        branches.append(_Branch(name, line, noting))
        noting.extend(_noting(program, tree, lines, branches))
        return noting

    def otherwise(program: list[Any], tree: list[nodes.Node]) -> list[Any]:
        return body(program, tree, "else", tree[0].lineno) if tree else program

    if isinstance(block, nodes.For):
        inner = body(node[3], block.body, "for", block.lineno)
        return [*node[:3], inner, otherwise(node[4], block.else_)]
    arms = [
        [test, body(program, arm.body, "if" if arm is block else "elif", arm.lineno)]
        for (test, program), arm in zip(node[1], (block, *block.elif_), strict=True)
    ]
    return ["if", arms, otherwise(node[2], block.else_)]


def _tag(lines: list[str], number: int, keyword: str) -> str:
    """Return a tag as it is written in a line of the summary."""
    line = lines[number - 1] if number <= len(lines) else ""
    found = re.search(rf"\{{%-?\s*({keyword}\b[^%]*?)\s*-?%\}}", line)
    return f"`{found[1] if found else keyword}`"


def _options(
    forms: Sequence[Form], own: Iterable[tuple[str, ...]], others: Iterable[tuple[str, ...]]
) -> Iterator[Point]:
    """Yield a point for each option: touched by a command that has it, a refused one by a command that is left."""
    used = [words[: words.index("--")] if "--" in words else words for words in own]
    left = list(others)
    points: dict[tuple[str, int, str], Point] = {}
    for form in forms:
        for given in form.options:
            covered = any(map(given.stands_in, left if given.role == "refuse" else used))
            path, line = _place(given.source, given.option.span)
            key = (path, given.option.span.start, given.role)
            before = points.get(key)
            covered = covered or (before is not None and before.covered)
            name = f"refused `{given.option}`" if given.role == "refuse" else f"`{given.option}`"
            points[key] = Point("option", name, path, line, covered)
    yield from points.values()
