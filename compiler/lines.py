"""From `lines` blocks and stream clauses to the grammar of a rule.

Input: syntax trees, scopes. Output: `Block`s per file, and a `Grammar` per rule. Patterns are lowered and checked
here, once each, whoever uses them. Reports unknown (E0202), doubled (E0203) and circular (E0204) definitions, misplaced
`otherwise` (E0409) and streams that are not spelt out (E0407).
A block may name what another block defines: the rule that takes in both ties them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..dsl import ast
from ..dsl.diagnostics import Edit, Label, Report
from ..dsl.source import Source, Span
from .diagnose import error, unknown
from .grammar import Alt, Definition, Expr, Grammar, Leaf, Ref, Rep, Seq, StreamGrammar, refs
from .patterns import check_pattern, lower_pattern
from .patterns.program import Program
from .scope import Placed, Scope
from .sources import Files

STREAMS = ("stdout", "stderr", "merged")


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A `lines` block: its own definitions and the blocks it takes in. A broken one has been reported."""

    node: ast.Lines
    definitions: tuple[Definition, ...]
    uses: tuple[Block, ...]
    broken: bool

    def everything(self) -> Iterator[Block]:
        """Yield the blocks it takes in, depth first, then itself."""
        for used in self.uses:
            yield from used.everything()
        yield self


Blocks = Mapping[int, Block]
"""Blocks by the identity of their syntax node: one block for all files that see it."""


def resolve_blocks(files: Files, scopes: Mapping[str, Scope], report: Report) -> Blocks:
    """Resolve the shared `lines` of all files."""
    blocks: dict[int, Block] = {}
    for path, tree in files.trees.items():
        for node in tree.lines:
            resolve_block(Placed(node, tree.source), scopes, blocks, (), report)
        del path
    return blocks


def resolve_block(
    placed: Placed[ast.Lines],
    scopes: Mapping[str, Scope],
    blocks: dict[int, Block],
    way: tuple[ast.Lines, ...],
    report: Report,
) -> Block | None:
    """Resolve a block and those it takes in, unless they are in `blocks`; None where it takes in itself (`way`)."""
    node, source = placed.node, placed.source
    if id(node) in blocks:
        return blocks[id(node)]
    found = Report()
    scope = scopes[source.path]
    uses = []
    for name in node.uses:
        target = scope.lines.get(name.text)
        if target is None:
            unknown(found, "E0202", "lines", name, scope.lines, source)
        elif target.node is node or any(target.node is other for other in way):
            circle = " → ".join([*(other.name.text for other in way), node.name.text, name.text])
            error(
                found,
                "E0204",
                f"lines `{name.text}` take in themselves",
                source,
                name.span,
                "closes the circle",
                notes=(f"the circle: {circle}",),
            )
        else:
            used = resolve_block(target, scopes, blocks, (*way, node), report)
            if used is not None:
                uses.append(used)
    shared = tuple(_distinct(uses))
    known = {each.name: each for block in shared for each in block.definitions}
    definitions = resolve_definitions(node.definitions, known, scope, source, found)
    names = {each.name.text for other in scope.lines.values() for each in other.node.definitions}
    for definition in definitions:
        _check_names(definition.expr, names, source, found)
    report.extend(found)
    broken = bool(found) or any(block.broken for block in shared)
    blocks[id(node)] = Block(node, definitions, tuple(uses), broken)
    return blocks[id(node)]


def _distinct(uses: Iterable[Block]) -> Iterator[Block]:
    seen: set[int] = set()
    for use in uses:
        for block in use.everything():
            if id(block) not in seen:
                seen.add(id(block))
                yield block


def resolve_definitions(
    nodes: tuple[ast.Definition, ...],
    known: Mapping[str, Definition],
    scope: Scope,
    source: Source,
    report: Report,
) -> tuple[Definition, ...]:
    """Lower definitions; what they name is looked up later, in the rule."""
    own: dict[str, Definition] = {}
    for node in nodes:
        name = node.name.text
        first = own.get(name) or known.get(name)
        if first is not None:
            error(
                report,
                "E0203",
                f"`{name}` is defined twice",
                source,
                node.name.span,
                "again here",
                also=(Label(first.node.name.span, "first defined here", first.source),),
                help="a definition taken in by `with` cannot be replaced; rename this one",
            )
            continue
        own[name] = _Lowering(scope, source, report).definition(node)
    return tuple(own.values())


def check_closed(definitions: Mapping[str, Definition], report: Report) -> None:
    """Report names that definitions use and nobody defines, and definitions that contain themselves."""
    for definition in definitions.values():
        _check_names(definition.expr, definitions, definition.source, report)
    _check_circles(definitions, report)


def resolve_lines(rule: ast.Rule, source: Source, scope: Scope, blocks: Blocks, report: Report) -> Grammar | None:
    """Return the grammar of a rule; None where a block it takes in is broken."""
    uses = []
    for name in rule.uses:
        target = scope.lines.get(name.text)
        if target is None:
            unknown(report, "E0202", "lines", name, scope.lines, source)
        elif id(target.node) in blocks:
            uses.append(blocks[id(target.node)])
    shared = tuple(_distinct(uses))
    known: dict[str, Definition] = {}
    for block in shared:
        for each in block.definitions:
            first = known.setdefault(each.name, each)
            if first is not each:
                error(
                    report,
                    "E0203",
                    f"`{each.name}` is defined twice",
                    source,
                    rule.uses[-1].span,
                    "brings the second one",
                    also=(
                        Label(first.node.name.span, "first defined here", first.source),
                        Label(each.node.name.span, "again here", each.source),
                    ),
                )
    own = resolve_definitions(rule.definitions, known, scope, source, report)
    definitions = known | {each.name: each for each in own}
    check_closed(definitions, report)
    streams = _resolve_streams(rule, definitions, scope, source, report)
    if report or any(block.broken for block in shared):
        return None
    return Grammar(definitions, streams)


def _resolve_streams(
    rule: ast.Rule, definitions: Mapping[str, Definition], scope: Scope, source: Source, report: Report
) -> dict[str, StreamGrammar]:
    streams: dict[str, StreamGrammar] = {}
    nodes: dict[str, ast.Stream] = {}
    for node in rule.streams:
        if node.name in nodes:
            error(
                report,
                "E0407",
                f"`{node.name}` is described twice",
                source,
                node.span,
                "again here",
                also=(Label(nodes[node.name].span, "first here"),),
                help="join both with `|`",
            )
            continue
        nodes[node.name] = node
        expr = None
        if node.expr is not None:
            expr = _Lowering(scope, source, report).stream(node.name, node.expr)
            _check_names(expr, definitions, source, report)
        streams[node.name] = StreamGrammar(node, expr)
    for name in ("stdout", "stderr"):
        if name not in nodes:
            error(
                report,
                "E0407",
                f"the rule does not say what `{name}` holds",
                source,
                rule.id.span,
                f"no `{name}` here",
                help=f"add `{name} empty`, or the lines that may stand there",
            )
    if nodes and all(node.expr is None for node in nodes.values()):
        error(
            report,
            "E0407",
            "a rule whose streams are all empty never applies",
            source,
            rule.id.span,
            "no stream has lines",
            notes=("an answer without any line always passes through",),
            help="describe the lines of one stream",
        )
    return streams


def _check_names(expr: Expr, names: Iterable[str], source: Source, report: Report) -> None:
    match expr:
        case Ref(name, span):
            if name not in names:
                unknown(report, "E0202", "definition", ast.Name(name, span=span), names, source)
        case Seq(items) | Alt(items):
            for item in items:
                _check_names(item, names, source, report)
        case Rep(item, _):
            _check_names(item, names, source, report)
        case Leaf():
            pass


def _check_circles(own: Mapping[str, Definition], report: Report) -> None:
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        for inner in refs(own[name].expr):
            if inner not in own or inner in done:
                continue
            if inner in (*way, name):
                circle = [*way, name, inner]
                shown = " → ".join(circle[circle.index(inner) :])
                error(
                    report,
                    "E0204",
                    f"`{inner}` contains itself",
                    own[inner].source,
                    own[inner].node.name.span,
                    "defined here",
                    notes=(f"the circle: {shown}",),
                    help="say repetition with `*` or `+`",
                )
                continue
            visit(inner, (*way, name))
        done.add(name)

    for name in own:
        if name not in done:
            visit(name, ())


class _Lowering:
    """Lowers the expressions of one definition or stream; `owner` names its strings."""

    def __init__(self, scope: Scope, source: Source, report: Report) -> None:
        self.scope = scope
        self.source = source
        self.report = report
        self.owner = ""
        self.strings = 0

    def definition(self, node: ast.Definition) -> Definition:
        """Lower a definition and tell its role."""
        self.owner = name = node.name.text
        value = node.value
        if isinstance(value, ast.Pattern | ast.CatchAll):
            return self._line(node, (value,))
        if isinstance(value, ast.Choice):
            lines = [option for option in value.options if isinstance(option, ast.Pattern | ast.CatchAll)]
            if len(lines) == len(value.options):
                return self._line(node, tuple(lines))
        record = isinstance(value, ast.Sequence | ast.Repeat)
        if node.spends:
            error(
                self.report,
                "E0406",
                f"`{name}` is no line kind and cannot spend",
                self.source,
                node.spends[0].span,
                "spent here",
                help="let the line kinds in it spend",
            )
        return Definition(name, "record" if record else "group", self._lower(value), node, self.source)

    def stream(self, name: str, expr: ast.Expr) -> Expr:
        """Lower a stream clause."""
        self.owner = name
        return self._lower(expr)

    def _line(self, node: ast.Definition, lines: tuple[ast.Pattern | ast.CatchAll, ...]) -> Definition:
        name = node.name.text
        first = lines[0]
        for other in lines[1:]:
            if isinstance(other, ast.CatchAll) or isinstance(first, ast.CatchAll):
                error(
                    self.report,
                    "E0409",
                    "`otherwise` alone already claims any line",
                    self.source,
                    (other if isinstance(other, ast.CatchAll) else first).span,
                    "nothing is left for the patterns beside it",
                    help="give it a name of its own",
                )
                break
            if other.otherwise:
                at = Span(other.span.start, other.text.span.start)
                error(
                    self.report,
                    "E0409",
                    "`otherwise` covers a whole kind",
                    self.source,
                    other.span,
                    "stands behind the first pattern",
                    also=(Label(first.span, "belongs before this one"),),
                    help="write it before the first pattern, or name this pattern apart",
                    edits=()
                    if first.otherwise
                    else (Edit(at, ""), Edit(Span(first.span.start, first.span.start), "otherwise ")),
                )
        programs = tuple(
            program for line in lines if isinstance(line, ast.Pattern) and (program := self._program(line)) is not None
        )
        otherwise = isinstance(first, ast.CatchAll) or first.otherwise
        leaf = Leaf(name, programs, otherwise, node.value.span, self.source)
        return Definition(name, "line", leaf, node, self.source)

    def _program(self, pattern: ast.Pattern) -> Program | None:
        program = lower_pattern(pattern.parts, self.scope.word_nodes, self.scope.phrase_nodes, self.source, self.report)
        if program is not None:
            check_pattern(program, self.source, self.report)
        return program

    def _lower(self, expr: ast.Expr) -> Expr:
        match expr:
            case ast.Pattern():
                self.strings += 1
                kind = f"{self.owner}#{self.strings}"
                program = self._program(expr)
                return Leaf(kind, () if program is None else (program,), expr.otherwise, expr.span, self.source)
            case ast.CatchAll():
                self.strings += 1
                return Leaf(f"{self.owner}#{self.strings}", (), True, expr.span, self.source)  # noqa: FBT003 - `otherwise`
            case ast.Reference(name=name):
                return Ref(name.text, name.span, self.source)
            case ast.Repeat(item=item, operator=operator):
                return Rep(self._lower(item), operator)
            case ast.Sequence(items=items):
                return Seq(tuple(self._lower(item) for item in items))
            case ast.Choice(options=options):
                return Alt(tuple(self._lower(option) for option in options))
