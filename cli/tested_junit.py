"""The report of `cablese test` as JUnit XML, for the pages that build servers make of it.

Input: what was tested, or the findings that kept it from being tested. Output: one `testsuite` for each rule, with a
`testcase` for each example, each listed command, the derived commands, each check, the mutants of each example, and the
coverage.
INVARIANT: well-formed XML 1.0 whatever commands and outputs hold: characters that XML cannot hold are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from ..dsl.render import render_human
from .tested_human import describe_misled

if TYPE_CHECKING:
    from ..dsl.diagnostics import Diagnostic
    from .test import Tested

# XML 1.0, production 2 (Char): https://www.w3.org/TR/xml/#charsets
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Case(NamedTuple):
    """One test case: the sort of test, its name, and what failed (the first line is its message)."""

    sort: str
    name: str
    failure: str = ""


def render_junit(tested: Sequence[Tested], findings: Sequence[Diagnostic], seconds: float) -> str:
    """Return the whole document, a line end behind it."""
    suites = [_suite(each.evidence.rule, list(_cases(each)), each.seconds) for each in tested]
    if findings:
        cases = [_Case(found.code, f"{found.source.path}:{_line(found)}", _findings((found,))) for found in findings]
        suites.append(_suite("rule files", cases, seconds))
    tests = sum(count for _, count, _ in suites)
    failures = sum(failed for _, _, failed in suites)
    head = f'<testsuites name="cablese test" tests="{tests}" failures="{failures}" errors="0" time="{seconds:.3f}">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, *(text for text, _, _ in suites), "</testsuites>"]
    return "\n".join(lines) + "\n"


def _cases(tested: Tested) -> Iterator[_Case]:
    evidence = tested.evidence
    yield _Case("evidence", "what a finished rule needs", _findings(evidence.lacking))
    for example in evidence.examples:
        yield _Case("examples", f"line {example.line}: {example.title}", _findings(example.findings))
    for listed in evidence.listed:
        yield _Case("selection", f"{listed.role} {listed.command}", _findings(listed.findings))
    misled = [describe_misled(evidence, number) for number in range(len(evidence.misled))]
    yield _Case("selection", f"{evidence.derived} derived commands", "\n".join(misled))
    for check in evidence.checks:
        yield _Case("checks", check.name, "" if check.holds else check.detail or "does not hold")
    for mutated in evidence.mutated:
        silent = [f"{each.mutant.name}: {each.problem}" for each in mutated.silent]
        yield _Case("mutants", f"{mutated.count} mutants of {mutated.title}", "\n".join(silent))
    coverage = evidence.coverage
    missing = [f"not touched: {point.words}  {point.path}:{point.line}" for point in coverage.missing]
    short = [f"{coverage.percent} % touched, {tested.least} % demanded", *missing]
    yield _Case("coverage", f"at least {tested.least} % touched", "" if tested.covered else "\n".join(short))


def _suite(name: str, cases: Sequence[_Case], seconds: float) -> tuple[str, int, int]:
    """Return a suite with how many cases it has, and how many failed."""
    failed = sum(bool(case.failure) for case in cases)
    counts = f'tests="{len(cases)}" failures="{failed}" errors="0" skipped="0"'
    lines = [f"  <testsuite name={_attribute(name)} {counts} time={_attribute(f'{seconds:.3f}')}>"]
    for case in cases:
        # The time of a rule is measured as a whole; it is that of its suite.
        head = f'    <testcase classname={_attribute(f"{name}.{case.sort}")} name={_attribute(case.name)} time="0.000"'
        if not case.failure:
            lines.append(f"{head}/>")
            continue
        message = _attribute(case.failure.split("\n", 1)[0])
        text = escape(_visible(case.failure))
        lines += [
            f"{head}>",
            f'      <failure type="{case.sort}" message={message}>{text}</failure>',
            "    </testcase>",
        ]
    return "\n".join([*lines, "  </testsuite>"]), len(cases), failed


def _findings(found: Sequence[Diagnostic]) -> str:
    return render_human(found).strip("\n") if found else ""


def _line(found: Diagnostic) -> int:
    return found.source.position(found.primary.span.start)[0]


def _attribute(text: str) -> str:
    return quoteattr(_visible(text).replace("\n", "\\n"))


def _visible(text: str) -> str:
    """Return a text with escapes for what XML cannot hold, and for carriage returns, which it would lose."""
    return _NO_XML.sub(_escaped, text).replace("\r", "\\r")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
