"""Finds what a rule says twice where once says it all: tools, exit codes, heads of a command, blocks of options.

Input: a rule. Output: E0709. Options that are listed twice are found where they are lowered (E0701).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..dsl import ast
from ..dsl.diagnostics import Label, Report
from ..dsl.source import Source, Span
from .diagnose import error


def check_twice(rule: ast.Rule, source: Source, report: Report) -> None:
    """Report each word of the rule that is there already."""
    _check("tool", ((tool.text, tool.span) for tool in rule.tools), source, report)
    for command in rule.commands:
        _check("command", ((" ".join(head.words), head.span) for head in command.heads), source, report)
        blocks = [line for line in command.lines if isinstance(line, ast.WithOptions)]
        _check("block", ((block.name.text, block.name.span) for block in blocks), source, report)
    if rule.exit is not None:
        _check_codes(rule.exit, _exit_span(rule, source), source, report)
    for claim in rule.claims:
        if isinstance(claim.when, ast.ExitIs):
            _check_codes(claim.when.codes, claim.when.span, source, report)


def _check(what: str, words: Iterable[tuple[str, Span]], source: Source, report: Report) -> None:
    first: dict[str, Span] = {}
    for word, span in words:
        if word in first:
            also = (Label(first[word], "first here"),)
            help_ = "remove one of them"
            error(report, "E0709", f"{what} `{word}` is there twice", source, span, "again here", also=also, help=help_)
        first.setdefault(word, span)


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
