"""Finds shared definitions that nothing uses: most often a name that was misspelt elsewhere.

Input: the files that were given. Output: E0205. A file without rules is a library: others may use what this
compilation does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..dsl import ast
from ..dsl.diagnostics import Report
from .diagnose import error
from .sources import Files


def check_unused(files: Files, report: Report) -> None:
    """Report unused words, phrases, options and lines of files that hold rules."""
    used = {name for tree in files.trees.values() for name in _used(tree)}
    for path in files.given:
        tree = files.trees[path]
        if not tree.rules:
            continue
        for what, nodes in (
            ("word", tree.words),
            ("phrase", tree.phrases),
            ("options", tree.options),
            ("lines", tree.lines),
        ):
            for node in nodes:
                if (what, node.name.text) not in used:
                    error(
                        report,
                        "E0205",
                        f"{what} `{node.name.text}` {'are' if what in ('options', 'lines') else 'is'} not used",
                        tree.source,
                        node.name.span,
                        "nothing names it",
                        help="remove it, or look for where its name is misspelt",
                    )


def _used(tree: ast.File) -> Iterator[tuple[str, str]]:
    for phrase in tree.phrases:
        yield from _parts(phrase.parts)
    for options in tree.options:
        yield from _options(options.lines)
    for lines in tree.lines:
        yield from (("lines", name.text) for name in lines.uses)
        for definition in lines.definitions:
            yield from _expr(definition.value)
    for rule in tree.rules:
        yield from (("lines", name.text) for name in rule.uses)
        for command in rule.commands:
            yield from _options(command.lines)
        for definition in rule.definitions:
            yield from _expr(definition.value)
        for stream in rule.streams:
            if stream.expr is not None:
                yield from _expr(stream.expr)


def _options(lines: tuple[ast.CommandLine, ...]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if isinstance(line, ast.WithOptions):
            yield "options", line.name.text
        elif isinstance(line, ast.OptionLine):
            yield from (("word", option.type.text) for option in line.options if option.type is not None)


def _expr(expr: ast.Expr) -> Iterator[tuple[str, str]]:
    match expr:
        case ast.Pattern(parts=parts):
            yield from _parts(parts)
        case ast.Repeat(item=item):
            yield from _expr(item)
        case ast.Sequence(items=items) | ast.Choice(options=items):
            for item in items:
                yield from _expr(item)
        case ast.CatchAll() | ast.Reference():
            pass


def _parts(parts: tuple[ast.Part, ...]) -> Iterator[tuple[str, str]]:
    for part in parts:
        match part:
            case ast.Hole(type=name):
                yield "word", name.text
            case ast.OptionalPart(parts=inner):
                yield from _parts(inner)
            case ast.PhraseUse(name=name):
                yield "phrase", name.text
            case ast.LiteralText():
                pass
