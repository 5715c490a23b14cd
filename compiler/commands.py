"""Lowers `command`: from options as written to the words that the runtime compares.

Input: a rule and the scope of its file. Output: one COMMAND of `docs/pack-format.md` per head. Reports unknown types
and options blocks (E0202), options listed twice (E0701), options that `refuse` makes impossible (E0702) and forms that
cannot stand where they do (E0704).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source, Span
from ..runtime.engine.command import accepts
from .diagnose import error, unknown
from .scope import Placed, Scope

Runs = list[list[Any]]

ANY_CHARACTER: Final = [[0x01, 0x10FFFF]]
_DIGITS: Final = [[0x30, 0x39]]
_LETTERS: Final = [[0x41, 0x5A], [0x61, 0x7A]]


def _class(*ranges: list[int]) -> list[list[int]]:
    """Return ranges in order, touching ones joined."""
    merged: list[list[int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    return merged


def _characters(text: str) -> list[list[int]]:
    return [[ord(ch), ord(ch)] for ch in text]


_PATH_START: Final = _class(*_DIGITS, *_LETTERS, *_characters("/._"))

BUILT_IN: Final[Mapping[str, Runs]] = {
    "int": [[_DIGITS, 1, 18]],
    "word": [[ANY_CHARACTER, 1, None]],
    "any": [[ANY_CHARACTER, 0, None]],
    "name": [[_class(*_DIGITS, *_LETTERS, *_characters("_.:/@-")), 1, None]],
    "path": [[_PATH_START, 1, 1], [_class(*_DIGITS, *_LETTERS, *_characters("/._-")), 0, None]],
    "toolchain": [[_class(*_DIGITS, *_LETTERS, *_characters("._-")), 1, None]],
}
"""What the types of options admit."""


@dataclass(frozen=True, slots=True)
class LoweredCommand:
    """A COMMAND of the pack and where its head was written."""

    json: dict[str, Any]
    span: Span


@dataclass(slots=True)
class _Lines:
    """The options of one command, those of `with` included, by role; each with its place."""

    options: dict[str, list[Any]] = field(default_factory=lambda: {"global": [], "option": [], "refuse": []})
    needs: list[list[Any]] = field(default_factory=list)
    operand: bool = False
    after: bool = False
    placed: list[tuple[str, ast.Option, list[Any], Source]] = field(default_factory=list)


def lower_commands(rule: ast.Rule, source: Source, scope: Scope, report: Report) -> tuple[LoweredCommand, ...]:
    """Lower all commands of a rule."""
    lowered = []
    for command in rule.commands:
        lines = _Lines()
        for line, place in _all_lines(command, source, scope, report):
            _take(line, place, scope, lines, report)
        _check_twice(lines, report)
        for head in command.heads:
            json = {
                "head": list(head.words),
                "globals": lines.options["global"],
                "needs": lines.needs,
                "options": lines.options["option"],
                "refuse": lines.options["refuse"],
                "operand": lines.operand,
                "after": lines.after,
            }
            lowered.append(LoweredCommand(json, head.span))
            _check_globals(head, lines, source, report)
        _check_refused(lines, report)
    return tuple(lowered)


def _all_lines(
    command: ast.Command, source: Source, scope: Scope, report: Report
) -> Iterator[tuple[ast.CommandLine, Source]]:
    """Yield the lines of a command and, in their place, those of the blocks it takes in."""

    def expand(
        lines: tuple[ast.CommandLine, ...], place: Source, way: tuple[Placed[ast.Options], ...]
    ) -> Iterator[tuple[ast.CommandLine, Source]]:
        for line in lines:
            if not isinstance(line, ast.WithOptions):
                yield line, place
                continue
            target = scope.options.get(line.name.text)
            if target is None:
                unknown(report, "E0202", "options", line.name, scope.options, place)
            elif target in way:
                error(
                    report,
                    "E0204",
                    f"options `{line.name.text}` take in themselves",
                    place,
                    line.name.span,
                    "closes the circle",
                )
            else:
                yield from expand(target.node.lines, target.source, (*way, target))

    yield from expand(command.lines, source, ())


def _take(line: ast.CommandLine, place: Source, scope: Scope, lines: _Lines, report: Report) -> None:
    match line:
        case ast.Operands():
            lines.operand = True
        case ast.AfterDashes():
            lines.after = True
        case ast.OptionLine(role=role, options=options):
            lowered = []
            for option in options:
                words = lower_option(option, place, scope, report)
                if words is not None:
                    lowered.append(words)
                    lines.placed.append((role, option, words, place))
            if role == "needs":
                lines.needs.append(lowered)
            else:
                lines.options[role] += lowered
        case ast.WithOptions():
            pass


def lower_option(option: ast.Option, source: Source, scope: Scope, report: Report) -> list[Any] | None:
    """Return the alternatives of an option, each one or two WORDs; None after a diagnostic."""
    flag = option.flag
    if option.value == "none":
        return [[[flag, []]]]
    if option.value == "word":
        assert option.word is not None
        return [[[flag, []], [option.word, []]]]
    assert option.type is not None
    runs = _runs(option.type, source, scope, report)
    if runs is None:
        return None
    if option.value in ("either", "split") and option.type.text == "any":
        error(
            report,
            "E0704",
            "`<any>` admits nothing at all, a word of its own has characters",
            source,
            option.type.span,
            "cannot be a word of its own",
            help="say `<word>`, or attach it: `--x=<any>`",
        )
        return None
    split = [[flag, []], ["", runs]]
    match option.value:
        case "either":
            return [split, [[f"{flag}=", runs]]]
        case "split":
            return [split]
        case "equals":
            return [[[f"{flag}=", runs]]]
        case _:
            return [[[flag, runs]]]


def _runs(name: ast.Name, source: Source, scope: Scope, report: Report) -> Runs | None:
    if name.text in BUILT_IN:
        return BUILT_IN[name.text]
    placed = scope.words.get(name.text)
    if placed is None:
        unknown(report, "E0202", "type", name, [*BUILT_IN, *scope.words], source)
        return None
    return [[[list(pair) for pair in run.ranges], run.low, run.high] for run in placed.node.runs]


def _check_twice(lines: _Lines, report: Report) -> None:
    seen: dict[str, tuple[ast.Option, Source]] = {}
    for role, option, words, place in lines.placed:
        key = ("global " if role == "global" else "refuse " if role == "refuse" else "") + repr(words)
        first = seen.setdefault(key, (option, place))
        if first[0] is not option:
            error(
                report,
                "E0701",
                f"`{option}` is listed twice",
                place,
                option.span,
                "again here",
                also=(Label(first[0].span, "first listed here", first[1]),),
                help="remove one of them; what `needs` lists is allowed thereby",
            )


def _check_globals(head: ast.Head, lines: _Lines, source: Source, report: Report) -> None:
    globals_ = [(option, place) for role, option, _, place in lines.placed if role == "global"]
    if len(head.words) != 1 or not globals_:
        return
    option, place = globals_[0]
    error(
        report,
        "E0704",
        f"nothing can stand before the last word of `{head.words[0]}`",
        place,
        option.span,
        "a global stands between the words of the head",
        also=(Label(head.span, "a head of one word", source),),
        help="list it as `option`",
    )


def _check_refused(lines: _Lines, report: Report) -> None:
    """Report fixed options that a `refuse` always hits."""
    refused = [(option, words, place) for role, option, words, place in lines.placed if role == "refuse"]
    for role, option, words, place in lines.placed:
        if role == "refuse" or any(runs for alternative in words for _, runs in alternative):
            continue
        for other, pattern, other_place in refused:
            probe = {**_EMPTY, "head": ["x"], "options": [words], "refuse": [pattern]}
            if not all(accepts(probe, ["x", *(prefix for prefix, _ in each)]) for each in words):
                error(
                    report,
                    "E0702",
                    f"`{option}` can never be given",
                    place,
                    option.span,
                    "allowed here" if role != "needs" else "needed here",
                    also=(Label(other.span, "refused here", other_place),),
                    notes=("`refuse` is looked at first",),
                    help="remove one of the two",
                )
                break


_EMPTY: Final[dict[str, Any]] = {
    "head": [],
    "globals": [],
    "needs": [],
    "options": [],
    "refuse": [],
    "operand": False,
    "after": False,
}
