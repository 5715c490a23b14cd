"""Lets the real runtime decide about one output: what examples, checks and mutations are made of.

Input: a pack, a `Trial` (command, streams, exit code). Output: a `Verdict`. The steps are those of the runtime's own
walk, store and gate left out: nothing is kept, and short outputs can be shown too. `saves` asks the gate.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..runtime.decision.header import Header, render_view
from ..runtime.decision.rule_candidate import make_candidate
from ..runtime.engine.evaluation import Cause, Refusal
from ..runtime.engine.facts import Reading
from ..runtime.packs.catalogue import Claim
from ..runtime.packs.pack import load_pack
from ..runtime.reasons import PassThrough, Reason
from ..runtime.records import ToolResult
from ..runtime.settings import DEFAULT_HINT
from ..runtime.shell import parse_command
from ..runtime.stores.store import HANDLE_DIGITS
from ..runtime.tokens import strictly_fewer


@dataclass(frozen=True, slots=True)
class Trial:
    """A result as a host would record it. `exit_code` None: the host gives none. `metadata` adds to or overrides the
    usual; where it holds `merged`, both streams were captured as that one, and `stdout` and `stderr` are not there.
    """

    tool: str
    command: str
    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """Both streams, framed as hosts frame them."""
        if "merged" in self.metadata:
            return self.metadata["merged"]
        return f"stdout:\n{self.stdout}\nstderr:\n{self.stderr}"

    def output(self, stream: str) -> str:
        """Return the text of `stdout`, `stderr` or `merged`; an empty one where it was not captured."""
        return self.metadata.get("merged", "") if stream == "merged" else getattr(self, stream)

    def with_output(self, stream: str, text: str) -> Trial:
        """Return the same trial with another text in one stream."""
        if stream == "merged":
            return replace(self, metadata={**self.metadata, "merged": text})
        return replace(self, stdout=text) if stream == "stdout" else replace(self, stderr=text)

    def result(self) -> ToolResult:
        """Return the record."""
        metadata: dict[str, Any] = {}
        if "merged" not in self.metadata:
            metadata |= {"stdout": self.stdout, "stderr": self.stderr}
        if self.exit_code is not None:
            metadata["exit_code"] = self.exit_code
        return ToolResult(self.tool, self.content, {"command": self.command}, {**metadata, **self.metadata})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the runtime decided: the rule that claims the command, and its body or the reason for passing."""

    rule: str | None = None
    body: str | None = None
    reason: Reason | None = None
    detail: str = ""
    header: Header | None = None
    readings: tuple[Reading, ...] = ()
    words: tuple[str, ...] = ()
    """The words of the command; none where it could not be read."""
    cause: Cause | None = None
    """What in the output decided against the rule."""


class Bench:
    """Decides about trials under one pack."""

    def __init__(self, pack: bytes) -> None:
        self.pack = load_pack(pack)

    def decide(self, trial: Trial) -> Verdict:
        """Return what the runtime does with a trial, whatever its size."""
        claim: Claim | None = None
        notes: dict[str, Any] = {}
        words: tuple[str, ...] = ()
        try:
            command = parse_command(trial.command)
            words = tuple(command.words)
            claim = self.claim(trial.tool, command.words)
            candidate = make_candidate(trial.result(), command, claim, notes.__setitem__)
        except PassThrough as verdict:
            refusal = notes.get("verdict")
            return Verdict(
                claim and claim.rule.id,
                reason=verdict.reason,
                detail=str(verdict.detail),
                words=words,
                cause=refusal.cause if isinstance(refusal, Refusal) else None,
            )
        assert claim is not None
        return Verdict(
            claim.rule.id,
            candidate.body,
            header=candidate.header,
            readings=notes["verdict"].readings,
            words=words,
        )

    def saves(self, trial: Trial, verdict: Verdict) -> bool:
        """Say whether what a model would see, pointer included, is strictly fewer tokens under both encodings."""
        assert verdict.header is not None
        assert verdict.body is not None
        pointer = DEFAULT_HINT.replace("{handle}", "0" * HANDLE_DIGITS)
        return bool(strictly_fewer(render_view(verdict.header, verdict.body, pointer), trial.content))

    def claim(self, tool: str, words: tuple[str, ...]) -> Claim:
        """Return the rule that accepts a command. Raises PassThrough: `no_rule`."""
        for number in self.pack.find(words):
            rule = self.pack.rule(number)
            if tool in rule.tools and rule.accepts(words):
                return Claim(self.pack, number, rule)
        raise PassThrough(Reason.NO_RULE, f"no rule of tool `{tool}` accepts this command")
