"""Runs the examples of all rules through the real runtime.

Input: a pack, the rules in it, a way to read files. Output: diagnostics. Reports a body that differs (E0801), another
outcome than the example says (E0802), missing evidence (E0803), no saving under both tokenizers (E0804), a file that
cannot be read (E0805).
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ..dsl import ast
from ..dsl.diagnostics import Edit, Label, Report
from ..dsl.source import Source, Span
from ..dsl.suggest import did_you_mean
from ..runtime.reasons import Reason
from .diagnose import error
from .outcomes import Mapped, explain_refusal
from .sources import Read, resolve_path
from .trials import Bench, Trial, Verdict

REASONS: Final = tuple(
    reason.value
    for reason in (
        Reason.NO_RULE,
        Reason.MISSING_STREAM,
        Reason.STDERR_PRESENT,
        Reason.INVALID_OUTPUT,
        Reason.UNRECONCILED,
        Reason.TOO_LARGE,
        Reason.ALREADY_COMPRESSED,
        Reason.NO_GAIN,
    )
)
"""What an example can demonstrate; the other reasons are not about a rule."""

_DIFF_LINES: Final = 60
_SHOWN_LINES: Final = 12


class Ruled(Mapped, Protocol):
    """What is needed of a compiled rule."""

    @property
    def node(self) -> ast.Rule:
        """Its tree."""
        ...

    @property
    def source(self) -> Source:
        """Its file."""
        ...

    @property
    def id(self) -> str:
        """Its id."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """An example with its texts read: the trial, and the body it demands (None: it demands a reason)."""

    node: ast.Example
    trial: Trial
    shows: str | None


def check_examples(
    pack: bytes, rules: Sequence[Ruled], read: Read | None, report: Report, *, draft: bool = False
) -> None:
    """Run all examples; unless `draft`, demand evidence of every rule."""
    bench = Bench(pack)
    for rule in rules:
        report.extend(check_rule_examples(rule, Trying(bench, read), draft=draft))


class Trying:
    """How the examples of a rule are tried: what a session that keeps results does otherwise."""

    def __init__(self, bench: Bench, read: Read | None) -> None:
        self.bench = bench
        self.read = read

    def attempt(self, rule: Ruled, node: ast.Example, report: Report) -> tuple[Case | None, Verdict | None]:
        """Run an example."""
        return try_example(rule, node, self.bench, self.read, report)

    def saves(self, case: Case, verdict: Verdict) -> bool:
        """Say whether what it shows is fewer tokens."""
        return self.bench.saves(case.trial, verdict)


def check_rule_examples(rule: Ruled, trying: Trying, *, draft: bool = False) -> Report:
    """Run the examples of one rule; unless `draft`, demand evidence."""
    found = Report()
    saving = False
    for node in rule.node.examples:
        case, verdict = trying.attempt(rule, node, found)
        if case is None or verdict is None or draft or case.shows is None or saving or verdict.body is None:
            continue
        saving = trying.saves(case, verdict)
    if not draft and not found:
        _check_evidence(rule, saving=saving, report=found)
    return found


def try_example(
    rule: Ruled, node: ast.Example, bench: Bench, read: Read | None, report: Report
) -> tuple[Case | None, Verdict | None]:
    """Run an example and report what comes out otherwise; None where its texts cannot be read."""
    case = read_example(rule, node, read, report)
    if case is None:
        return None, None
    verdict = bench.decide(case.trial)
    check_case(rule, case, verdict, bench, report)
    return case, verdict


def read_example(rule: Ruled, node: ast.Example, read: Read | None, report: Report) -> Case | None:
    """Read the texts of an example; None after a diagnostic."""
    texts: dict[str, str] = {}
    for name in ("command", "stdout", "stderr", "shows"):
        part: ast.Text | ast.FileText | None = getattr(node, name)
        if isinstance(part, ast.FileText):
            text = _read_file(rule.source, part, read, report)
            if text is None:
                return None
            texts[name] = text.removesuffix("\n") if name == "shows" else text
        elif part is not None:
            texts[name] = part.value
    trial = Trial(
        rule.node.tools[0].text,
        texts["command"],
        texts.get("stdout", ""),
        texts.get("stderr", ""),
        node.exit.value if node.exit else None,
    )
    return Case(node, trial, texts.get("shows"))


def _read_file(source: Source, part: ast.FileText, read: Read | None, report: Report) -> str | None:
    written = part.path.value
    cause = "no other files are at hand here"
    if written.startswith("/") or "\\" in written or not written:
        cause = "no relative path; give it with `/`"
    elif resolve_path(source.path, written).startswith("../"):
        # What an example holds is shown where it differs: a rule file from elsewhere must not reach for other files.
        cause = "outside the folder of the rules"
    elif read is not None:
        try:
            return read(resolve_path(source.path, written)).decode("utf-8", "surrogateescape")
        except OSError as failure:
            cause = (failure.strerror or "it cannot be read").lower()
        except KeyError:
            cause = "no such file"
    error(report, "E0805", f"cannot read `{written}`", source, part.path.span, cause)
    return None


def check_case(rule: Ruled, case: Case, verdict: Verdict, bench: Bench, report: Report) -> None:
    """Report where a verdict is not what an example demands."""
    if case.shows is not None:
        # What another rule found lies in its own lines and claims, not in those of this one.
        if verdict.rule is not None and verdict.rule != rule.id:
            _claimed(rule, case, verdict, report)
        elif verdict.body is None:
            _passed(rule, case, verdict, report)
        elif verdict.body != case.shows:
            _differs(rule, case, verdict.body, report)
        return
    assert case.node.passes is not None
    expected = case.node.passes
    if expected.text not in REASONS:
        near = did_you_mean(expected.text, REASONS)
        error(
            report,
            "E0802",
            f"no output passes for the reason `{expected.text}`",
            rule.source,
            expected.span,
            "unknown reason",
            notes=(f"reasons: {', '.join(REASONS)}",),
            help=f"did you mean `{near}`?" if near else None,
            edits=(Edit(expected.span, near),) if near else (),
        )
        return
    reason = verdict.reason
    if reason is None and verdict.rule == rule.id and not bench.saves(case.trial, verdict):
        reason = Reason.NO_GAIN
    if verdict.rule is not None and verdict.rule != rule.id:
        if expected.text != Reason.NO_RULE:
            _claimed(rule, case, verdict, report)
    elif reason is None:
        lines = (verdict.body or "").split("\n")[:_SHOWN_LINES]
        notes = ("it would show:\n" + "\n".join(f"          {line}" for line in lines),)
        _say(rule, expected.span, "the rule accepts this output", f"does not pass as `{expected.text}`", report, notes)
    elif reason != expected.text:
        edits = (Edit(expected.span, reason.value),)
        explained = explain_refusal(rule, case.node, verdict)
        _say(
            rule,
            expected.span,
            f"this output passes for another reason: `{reason}`",
            explained.label,
            report,
            explained.notes,
            also=explained.also,
            help_=f"say `passes {reason}`, if that is meant",
            edits=edits,
        )


def _claimed(rule: Ruled, case: Case, verdict: Verdict, report: Report) -> None:
    place = case.node.command.span
    _say(rule, place, "another rule claims this command", f"claimed by `{verdict.rule}`", report)


def _passed(rule: Ruled, case: Case, verdict: Verdict, report: Report) -> None:
    assert case.node.shows is not None
    place = case.node.command.span if verdict.reason == Reason.NO_RULE else case.node.shows.span
    message = f"this output passes as `{verdict.reason}`, the example says it is shown"
    explained = explain_refusal(rule, case.node, verdict)
    also = (Label(case.node.title.span, "in this example"), *explained.also)
    _say(rule, place, message, explained.label, report, explained.notes, also=also)


def _differs(rule: Ruled, case: Case, body: str, report: Report) -> None:
    shows = case.node.shows
    assert shows is not None
    assert case.shows is not None
    wanted, found = case.shows.split("\n"), body.split("\n")
    index = next(
        (number for number, (one, other) in enumerate(zip(wanted, found, strict=False)) if one != other),
        min(len(wanted), len(found)),
    )
    span, label = shows.span, "differs"
    if isinstance(shows, ast.Text):
        start = sum(len(line) + 1 for line in wanted[:index])
        if start <= len(shows.value):
            end = start + (len(wanted[index]) if index < len(wanted) else 0)
            span = shows.place(start, max(end, start))
            label = "the first line that differs" if index < len(wanted) else "more is shown behind this"
    else:
        file = f"`{shows.path.value}`"
        label = f"differs from line {index + 1} of {file} on"
        if index == len(wanted):
            label = f"more is shown behind line {index}, the last of {file}"
    lines = [line for line in difflib.ndiff(wanted, found) if not line.startswith(("?", "  "))]
    more = len(lines) - _DIFF_LINES
    cut = [*lines[:_DIFF_LINES], *([f"… and {more} more that differ"] if more > 0 else [])]
    error(
        report,
        "E0801",
        "the summary of this example differs",
        rule.source,
        span,
        label,
        also=(Label(case.node.title.span, "in this example"),),
        notes=("expected (-) and shown (+):\n" + "\n".join(f"          {line}" for line in cut),),
        help="correct the example, or the rule; `cablese test --update` writes what is shown into the example",
    )


def _check_evidence(rule: Ruled, *, saving: bool, report: Report) -> None:
    shows = [node for node in rule.node.examples if node.shows is not None]
    passes = [node for node in rule.node.examples if node.passes is not None]
    if not shows or not passes:
        missing = "`shows`" if not shows else "`passes`"
        error(
            report,
            "E0803",
            f"rule `{rule.id}` has no example that {'is shown' if not shows else 'passes'}",
            rule.source,
            rule.node.id.span,
            f"no example with {missing}",
            notes=("a rule proves itself on one output that it shows and one that it leaves alone",),
            help="add one from a real run, or compile with `--draft` until you have it",
        )
    elif not saving:
        error(
            report,
            "E0804",
            f"no example of `{rule.id}` saves tokens",
            rule.source,
            rule.node.id.span,
            "every example costs as much as it saves",
            also=tuple(Label(node.title.span, "no fewer tokens") for node in shows[:3]),
            notes=("what a model sees, header included, must be strictly fewer tokens under both tokenizers",),
            help='add a larger output: `stdout file "…"`, or compile with `--draft` until you have one',
        )


def _say(
    rule: Ruled,
    span: Span,
    message: str,
    label: str,
    report: Report,
    notes: tuple[str, ...] = (),
    *,
    also: tuple[Label, ...] = (),
    help_: str | None = None,
    edits: tuple[Edit, ...] = (),
) -> None:
    error(report, "E0802", message, rule.source, span, label, also=also, notes=notes, help=help_, edits=edits)
