"""Finds what a rule says twice where once says it all: tools, exit codes, commands and their lines, claims.

Input: a rule. Output: E0709. Options that are listed twice are found where they are lowered (E0701).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source, Span
from .diagnose import error


def check_twice(rule: ast.Rule, source: Source, report: Report) -> None:
    """Report each word of the rule that is there already."""
    _check("tool", ((tool.text, tool.text, tool.span) for tool in rule.tools), source, report)
    # Two forms of one command may differ in what they take.
    forms = [(command, head) for command in rule.commands for head in command.heads]
    _check("command", (((head, one.lines), " ".join(head.words), head.span) for one, head in forms), source, report)
    for command in rule.commands:
        blocks = [line for line in command.lines if isinstance(line, ast.WithOptions)]
        _check("block", ((block.name.text, block.name.text, block.name.span) for block in blocks), source, report)
        lines = [line for line in command.lines if isinstance(line, ast.Operands | ast.AfterDashes)]
        _check("line", ((line, _written(line.span, source), line.span) for line in lines), source, report)
    _check("claim", ((claim, _written(claim.span, source), claim.span) for claim in rule.claims), source, report)
    if rule.exit is not None:
        _check_codes(rule.exit, _exit_span(rule, source), source, report)
    for claim in rule.claims:
        if isinstance(claim.when, ast.ExitIs):
            _check_codes(claim.when.codes, claim.when.span, source, report)


def _check(what: str, said: Iterable[tuple[Hashable, str, Span]], source: Source, report: Report) -> None:
    """Report what is said again: `said` is what counts as the same, the words for it, and its place."""
    first: dict[Hashable, Span] = {}
    for key, word, span in said:
        if key in first:
            also = (Label(first[key], "first here"),)
            help_ = "remove one of them"
            error(report, "E0709", f"{what} `{word}` is there twice", source, span, "again here", also=also, help=help_)
        first.setdefault(key, span)


def _written(span: Span, source: Source) -> str:
    return " ".join(source.text[span.start : span.end].split())


def _check_codes(codes: tuple[int | None, ...], span: Span, source: Source, report: Report) -> None:
    for code in dict.fromkeys(codes):
        if codes.count(code) > 1:
            shown = "unknown" if code is None else str(code)
            words = f"exit code `{shown}` is there twice"
            error(report, "E0709", words, source, span, "in this list", help="remove one of them")


def _exit_span(rule: ast.Rule, source: Source) -> Span:
    """Return where `exit` stands: the tree keeps only its codes."""
    start = rule.commands[-1].span.end if rule.commands else rule.id.span.end
    at = source.text.find("exit", start, min((stream.span.start for stream in rule.streams), default=rule.span.end))
    if at < 0:
        return rule.id.span
    end = source.text.find("\n", at)
    line = source.text[at : end if end >= 0 else len(source.text)].partition("#")[0].rstrip()
    return Span(at, at + len(line))
