"""Checks the commands that a rule selects and leaves, as its author listed them.

Input: a pack, the rules in it. Output: diagnostics. Reports a selected command that is not the rule's (E0705), one to
be left that is (E0706), one that no rule could accept (E0707), and one that is listed twice (E0708).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..runtime.engine.command import find_obstacle
from ..runtime.reasons import PassThrough
from ..runtime.shell import parse_command
from .diagnose import error
from .examples import Ruled
from .trials import Bench


def check_selections(pack: bytes, rules: Sequence[Ruled], report: Report) -> None:
    """Ask the pack for every command of `selects` and `leaves`."""
    if any(rule.node.selections for rule in rules):
        bench = Bench(pack)
        for rule in rules:
            for _, _, found in try_selections(rule, bench):
                report.extend(found)


def try_selections(rule: Ruled, bench: Bench) -> Iterator[tuple[str, ast.Text, Report]]:
    """Yield the role of each listed command, the command, and what is wrong with it."""
    seen: dict[tuple[str, ...], ast.Text] = {}
    for selection in rule.node.selections:
        for command in selection.commands:
            found = Report()
            _try(rule, selection.role, command, bench, seen, found)
            yield selection.role, command, found


def _try(
    rule: Ruled, role: str, command: ast.Text, bench: Bench, seen: dict[tuple[str, ...], ast.Text], report: Report
) -> None:
    try:
        words = parse_command(command.value).words
    except PassThrough as refused:
        _tells_nothing(rule, command, refused.detail, report)
        return
    first = seen.setdefault(words, command)
    if first is not command:
        _twice(rule, first, command, report)
        return
    owner = claimed_by(bench, rule.node.tools[0].text, words)
    if role == "selects" and owner != rule.id:
        _not_selected(rule, command, words, owner, report)
    elif role == "leaves" and owner == rule.id:
        _not_left(rule, command, report)


def claimed_by(bench: Bench, tool: str, words: tuple[str, ...]) -> str | None:
    """Return the id of the rule that a command belongs to, None where it belongs to none."""
    try:
        return bench.claim(tool, words).rule.id
    except PassThrough:
        return None


def _tells_nothing(rule: Ruled, command: ast.Text, detail: str, report: Report) -> None:
    error(
        report,
        "E0707",
        "no rule is ever asked about this command",
        rule.source,
        command.span,
        detail,
        notes=("a command has to be a plain list of words",),
        help="name a command that only its words keep from the rule, or remove it",
    )


def _twice(rule: Ruled, first: ast.Text, command: ast.Text, report: Report) -> None:
    error(
        report,
        "E0708",
        f"`{command.value}` is listed twice",
        rule.source,
        command.span,
        "again here",
        also=(Label(first.span, "first listed here"),),
        help="remove one of them",
    )


def _not_selected(rule: Ruled, command: ast.Text, words: tuple[str, ...], owner: str | None, report: Report) -> None:
    forms = rule.section["commands"]
    label = f"claimed by `{owner}`"
    if owner is None:
        obstacle = next(filter(None, (find_obstacle(form, words) for form in forms)), None)
        label = obstacle or "none of the commands of the rule begins like this"
    error(
        report,
        "E0705",
        f"`{rule.id}` does not select `{command.value}`",
        rule.source,
        command.span,
        label,
        also=(Label(rule.node.commands[0].heads[0].span, "the rule is for this"),) if rule.node.commands else (),
        help="allow it in `command`, or list it under `leaves`",
    )


def _not_left(rule: Ruled, command: ast.Text, report: Report) -> None:
    error(
        report,
        "E0706",
        f"`{rule.id}` does not leave `{command.value}`",
        rule.source,
        command.span,
        "the rule accepts this command",
        help="refuse in `command` what makes the difference, or list it under `selects`",
    )
