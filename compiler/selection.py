"""The six checks that every rule must stand, beyond its examples.

Input: a pack, a rule, a case that is shown. Output: what does not hold. The checks are those of the document: a rule
that is switched off, a command that is not its own, one that is, a stream that is missing, a result too short to gain,
a compound command. They go through the runtime's whole walk, gate included, as a host would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..runtime.decision.walk import Context, decide
from ..runtime.reasons import PassThrough, Reason
from ..runtime.records import ToolResult, View
from ..runtime.settings import Settings
from .trials import Bench, Trial


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what it is called, whether it holds, what happened instead."""

    name: str
    holds: bool
    detail: str = ""


class _Shelf:
    """A catalogue of one pack, with rules that are switched off."""

    def __init__(self, bench: Bench, off: frozenset[str] = frozenset()) -> None:
        self.bench = bench
        self.off = off

    @property
    def only_own(self) -> bool:
        """Whether only rules can claim a result: there are no admission entries."""
        return True

    def claim(self, tool: str, words: tuple[str, ...]) -> Any:
        """Return the rule that accepts a command; raises PassThrough."""
        claim = self.bench.claim(tool, words)
        if claim.rule.id in self.off:
            raise PassThrough(Reason.DISABLED, f"the rule `{claim.rule.id}` is not enabled")
        return claim


def check_selection(bench: Bench, rule: str, trial: Trial, *, saves: bool) -> Iterator[Check]:
    """Make the six checks with a case that the rule accepts; `saves`: it is strictly fewer tokens."""
    look = _looker(bench)
    result = trial.result()
    yield _passes("disabled", look(result, off=frozenset({rule})), Reason.DISABLED)
    yield _passes("non-match", look(_with_command(trial, f"not-{trial.command}")), Reason.NO_RULE)
    yield _matches(look(result), rule, saves=saves)
    yield _passes("missing stream", look(_without_streams(trial)), Reason.MISSING_STREAM)
    yield _short(look(_shortest(trial)))
    for joint in (" && true", " | cat", "; true"):
        yield _passes(
            f"compound command ({joint.strip()})", look(_with_command(trial, trial.command + joint)), Reason.NO_RULE
        )


def _looker(bench: Bench) -> Callable[..., View]:
    def look(result: ToolResult, *, off: frozenset[str] = frozenset()) -> View:
        settings = Settings(enabled=frozenset({bench.pack.name}))
        shelf: Any = _Shelf(bench, off)
        return decide(result, Context(settings, shelf, store=None, unrecoverable_ok=True))

    return look


def _with_command(trial: Trial, command: str) -> ToolResult:
    return replace(trial, command=command).result()


def _without_streams(trial: Trial) -> ToolResult:
    result = trial.result()
    metadata = {name: value for name, value in result.metadata.items() if name not in ("stdout", "stderr")}
    return result._replace(metadata=metadata, content=trial.stdout or trial.stderr)


def _shortest(trial: Trial) -> ToolResult:
    """Return the result with one line of output only."""
    stream = "stdout" if trial.stdout else "stderr"
    text: str = getattr(trial, stream)
    return trial.with_output(stream, text.split("\n", 1)[0] + "\n").result()


def _passes(name: str, view: View, reason: Reason) -> Check:
    decided = view.decision
    if decided.outcome == "passed" and decided.reason == reason:
        return Check(name, holds=True)
    return Check(name, holds=False, detail=f"{decided.outcome}, {decided.reason}: {decided.detail}")


def _matches(view: View, rule: str, *, saves: bool) -> Check:
    decided = view.decision
    holds = decided.rule == rule and (decided.outcome == "compressed" if saves else decided.reason == Reason.NO_GAIN)
    return Check(
        "match", holds, "" if holds else f"{decided.outcome} under {decided.rule}, {decided.reason}: {decided.detail}"
    )


def _short(view: View) -> Check:
    """One line is never shorter with a header before it: whatever the rule makes of it, the original is shown."""
    decided = view.decision
    holds = decided.outcome == "passed"
    return Check("short result", holds, "" if holds else f"{decided.outcome} under {decided.rule}")
