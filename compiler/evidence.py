"""Everything `cablese test` asks of a rule: its examples, the commands it selects and leaves, near misses of them, the
checks that every rule must stand, mutations of what it shows, and how much of it all this has touched.

Input: a compilation, also one whose examples do not hold. Output: an `Evidence` per rule. Nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..dsl import ast
from ..dsl.diagnostics import Diagnostic, Report
from ..runtime.reasons import PassThrough, Reason
from ..runtime.shell import parse_command
from .compilation import Compilation, CompiledRule
from .coverage import Coverage, Shown, measure_coverage
from .examples import Case, try_example
from .forms import Form, rule_forms
from .mutations import Silence, check_mutants
from .near_misses import Derived, derive_commands
from .selection import Check, check_selection
from .selects import claimed_by, try_selections
from .sources import Read
from .trials import Bench, Verdict

TESTED: Final = frozenset({*("E0705", "E0706", "E0707", "E0708"), *("E0801", "E0802", "E0803", "E0804", "E0805")})
"""What a test says of a rule, beside which everything else can still be tried."""

_DEMANDS: Final = frozenset({"E0803", "E0804"})


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """One example: what it demands (`shows` or `passes`), whether it is shown in strictly fewer tokens under both
    encodings, and what is wrong with it.
    """

    title: str
    line: int
    demands: str
    saves: bool
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One command of `selects` or `leaves` (`role`), and what is wrong with it."""

    role: str
    command: str
    line: int
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Misled:
    """A derived command that went where it must not: to `owner`, None where no rule took it."""

    derived: Derived
    owner: str | None


@dataclass(frozen=True, slots=True)
class Mutated:
    """The mutants of one example: how many there were, and those with a result that they must not have."""

    title: str
    count: int
    silent: tuple[Silence, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was tried of one rule, and what came of it. `lacking` says which evidence a finished rule would need."""

    rule: str
    path: str
    line: int
    examples: tuple[ExampleRun, ...]
    listed: tuple[Listed, ...]
    checks: tuple[Check, ...]
    derived: int
    misled: tuple[Misled, ...]
    mutated: tuple[Mutated, ...]
    coverage: Coverage
    lacking: tuple[Diagnostic, ...] = ()

    @property
    def shown(self) -> int:
        """How many examples demand a text."""
        return sum(each.demands == "shows" for each in self.examples)

    @property
    def passing(self) -> int:
        """How many examples demand a reason."""
        return len(self.examples) - self.shown

    @property
    def saving(self) -> int:
        """How many shown examples are strictly fewer tokens under both encodings."""
        return sum(each.saves for each in self.examples)

    @property
    def mutants(self) -> int:
        """How many mutants were tried."""
        return sum(each.count for each in self.mutated)

    @property
    def silent(self) -> tuple[tuple[str, Silence], ...]:
        """Mutants with a result that they must not have, each with the title of its example."""
        return tuple((each.title, silence) for each in self.mutated for silence in each.silent)

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What is wrong with what the author wrote."""
        written = (*self.examples, *self.listed)
        return (*self.lacking, *(found for each in written for found in each.findings))

    @property
    def holds(self) -> bool:
        """Say whether nothing was found. Coverage is no demand by itself."""
        return not (self.findings or self.misled or self.silent) and all(check.holds for check in self.checks)


def gather_evidence(compilation: Compilation, *, read: Read | None = None) -> tuple[Evidence, ...]:
    """Try every rule of a compilation. Raises ValueError where more is wrong with it than what tests say."""
    gatherer = Gatherer(compilation, read)
    return tuple(gatherer.gather(rule) for rule in compilation.rules)


class Gatherer:
    """Tries rules of one compilation, one at a time; of mutants, the first of `every` so many."""

    def __init__(self, compilation: Compilation, read: Read | None = None, *, every: int = 1) -> None:
        if any(found.code not in TESTED for found in compilation.diagnostics):
            raise ValueError("a compilation with faults in its rules cannot be tried")
        self.compilation = compilation
        self.read = read
        self.every = every
        self.bench = Bench(compilation.tried)

    def gather(self, rule: CompiledRule) -> Evidence:
        """Try one rule."""
        bench, forms = self.bench, rule_forms(rule.node, rule.source, rule.scope)
        tried = [self._example(rule, node) for node in rule.node.examples]
        # An example that does not hold says nothing under mutation; its own finding is what counts.
        shown = [
            (case, verdict)
            for run, case, verdict in tried
            if case is not None and verdict is not None and run.demands == "shows" and not run.findings
        ]
        saving = [case for run, case, _ in tried if run.saves and case is not None]
        best: Case | None = next(iter([*saving, *(case for case, _ in shown)]), None)
        listed = tuple(
            Listed(role, command.value, rule.source.position(command.span.start)[0], tuple(found))
            for role, command, found in try_selections(rule, bench)
        )
        derived, misled = self._derived(rule, forms)
        return Evidence(
            rule.id,
            rule.source.path,
            rule.source.position(rule.node.id.span.start)[0],
            tuple(run for run, _, _ in tried),
            listed,
            () if best is None else tuple(check_selection(bench, rule.id, best.trial, saves=best in saving)),
            derived,
            misled,
            tuple(self._mutated(rule, case) for case, _ in shown),
            self._coverage(rule, forms, [(case, verdict) for _, case, verdict in tried]),
            tuple(
                found
                for found in self.compilation.diagnostics
                if found.code in _DEMANDS and found.source is rule.source and found.primary.span == rule.node.id.span
            ),
        )

    def touched(self, rule: CompiledRule) -> Coverage:
        """Say how much of a rule is touched, and try nothing else."""
        tried = [self._example(rule, node) for node in rule.node.examples]
        forms = rule_forms(rule.node, rule.source, rule.scope)
        return self._coverage(rule, forms, [(case, verdict) for _, case, verdict in tried])

    def _example(self, rule: CompiledRule, node: ast.Example) -> tuple[ExampleRun, Case | None, Verdict | None]:
        found = Report()
        case, verdict = try_example(rule, node, self.bench, self.read, found)
        holds = case is not None and case.shows is not None and verdict is not None and not found
        saves = holds and case is not None and verdict is not None and self.bench.saves(case.trial, verdict)
        line = rule.source.position(node.title.span.start)[0]
        demands = "passes" if node.shows is None else "shows"
        return ExampleRun(node.title.value, line, demands, saves, tuple(found)), case, verdict

    def _derived(self, rule: CompiledRule, forms: tuple[Form, ...]) -> tuple[int, tuple[Misled, ...]]:
        written = [words for _, words in written_commands(rule)]
        count, misled = 0, []
        for each in derive_commands(forms, written):
            count += 1
            owner = self._owner(rule, each.command)
            if (owner == rule.id) != each.ours:
                misled.append(Misled(each, owner))
        return count, tuple(misled)

    def _owner(self, rule: CompiledRule, command: str) -> str | None:
        try:
            words = parse_command(command).words
        except PassThrough:
            return None
        return claimed_by(self.bench, rule.node.tools[0].text, words)

    def _mutated(self, rule: CompiledRule, case: Case) -> Mutated:
        count, found = check_mutants(self.bench, rule, case.trial, self.every)
        return Mutated(case.node.title.value, count, tuple(found))

    def _coverage(
        self, rule: CompiledRule, forms: tuple[Form, ...], tried: list[tuple[Case | None, Verdict | None]]
    ) -> Coverage:
        pack = self.bench.pack
        shown = [
            Shown(verdict.readings, case.trial.exit_code)
            for case, verdict in tried
            if case is not None and verdict is not None and verdict.body is not None and verdict.rule == rule.id
        ]
        commands = list(written_commands(rule))
        own = [words for left, words in commands if not left and any(form.accepts(words) for form in forms)]
        others = [words for left, words in commands if left]
        return measure_coverage(rule, pack.rule(pack.rules.index(rule.id)), shown, forms, own, others)


def written_commands(rule: CompiledRule) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """Yield the words of each command that is written in a rule, and whether the rule has to leave it."""
    for node in rule.node.examples:
        if isinstance(node.command, ast.Text):
            left = node.passes is not None and node.passes.text == Reason.NO_RULE
            yield from ((left, words) for words in _words(node.command.value))
    for selection in rule.node.selections:
        for command in selection.commands:
            yield from ((selection.role == "leaves", words) for words in _words(command.value))


def _words(command: str) -> Iterator[tuple[str, ...]]:
    try:
        yield parse_command(command).words
    except PassThrough:
        return
