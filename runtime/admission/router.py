"""`ContentRouter`: admits the output of a tool in the form that suits its content, or whole.

Input: text, and how far it may change. Output: `Compressed`, whose content is the same object where it passes.

Invariants: no state, no network, no clock; the same text gives the same record; `untrusted` is what came in, in every
branch: a shorter form is as little to be trusted as the output. Nothing raises, whatever the text, a form or the
caller's `count` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..reasons import Reason
from .choice import THRESHOLD_TOKENS, Choice, Refusal, choose_form, estimate_tokens
from .kinds import ContentKind
from .registry import ADMITTED

if TYPE_CHECKING:
    from collections.abc import Callable

PASS_THROUGH = "pass-through"  # noqa: S105 - the name of a compressor
BELOW_THRESHOLD = "below the compression threshold"


class Compressed(NamedTuple):
    """What to admit, and how it came about. `reason` is empty where it was compressed. Sizes are as `count` counts."""

    content: str
    kind: ContentKind
    compressor: str
    original_tokens: int
    compressed_tokens: int
    reason: str = ""
    untrusted: bool = False
    handle: str | None = None

    @property
    def ratio(self) -> float:
        """What is left, as a share of what was; 1.0 of nothing."""
        return self.compressed_tokens / self.original_tokens if self.original_tokens else 1.0

    @property
    def saved_tokens(self) -> int:
        """How many tokens fewer."""
        return max(0, self.original_tokens - self.compressed_tokens)

    @property
    def passed(self) -> bool:
        """Whether the content is the original."""
        return self.compressor == PASS_THROUGH


class ContentRouter:
    """Admits content by its kind. May be shared by threads.

    `threshold_tokens`, and all sizes, are in the tokens of `count`: four characters each, unless a counter is given.
    `level` is `exact`, `value`, `normal` or `aggressive`. Forms that leave something out, which `normal` admits, are
    used only with `unrecoverable_ok`, or by a `ReversibleRouter`, which keeps originals.
    """

    def __init__(
        self,
        threshold_tokens: int = THRESHOLD_TOKENS,
        *,
        count: Callable[[str], int] = estimate_tokens,
        level: str = "value",
        unrecoverable_ok: bool = False,
    ) -> None:
        """Raise ValueError for an unknown level or a threshold below 0."""
        if level not in ADMITTED:
            raise ValueError(f"`level` is {level!r}, not one of {', '.join(ADMITTED)}")
        if threshold_tokens < 0:
            raise ValueError("`threshold_tokens` is not below 0")
        self.threshold_tokens = threshold_tokens
        self.level = level
        self.count = count
        self.unrecoverable_ok = unrecoverable_ok

    def admit(self, content: str, *, budget_tokens: int | None = None, untrusted: bool = False) -> Compressed:
        """Return what to admit of a text. `budget_tokens` is advice, which only prose at `aggressive` takes."""
        return self.admit_within(content, budget_tokens, untrusted=untrusted, recoverable=self.unrecoverable_ok)

    def admit_within(
        self,
        content: str,
        budget_tokens: int | None,
        *,
        untrusted: bool,
        recoverable: bool,
        finish: Callable[[str, Choice], str] = lambda shown, _: shown,
    ) -> Compressed:
        """Do what `admit` does. `recoverable`: the original will be kept. `finish` adds what is weighed with a form."""
        try:
            before = self.count(content)
            if before <= self.threshold_tokens:
                return self.passing(content, ContentKind.UNKNOWN, before, BELOW_THRESHOLD, untrusted=untrusted)
            choice = choose_form(
                content, self.level, recoverable=recoverable, count=self.count, budget_tokens=budget_tokens
            )
            if isinstance(choice, Refusal):
                return self.passing(content, choice.kind, before, _reason(choice), untrusted=untrusted)
            shown = finish(choice.shown, choice)
            after = self.count(shown)
        except Exception as error:  # noqa: BLE001 - a counter of the caller, or no text at all
            reason = f"{PASS_THROUGH} failed: {type(error).__name__}"
            return self.passing(content, ContentKind.UNKNOWN, 0, reason, untrusted=untrusted)
        if after >= before:
            reason = f"{choice.name} expanded its input"
            return self.passing(content, choice.kind, before, reason, untrusted=untrusted)
        return Compressed(shown, choice.kind, choice.name, before, after, untrusted=untrusted)

    @staticmethod
    def passing(content: str, kind: ContentKind, tokens: int, reason: str, *, untrusted: bool) -> Compressed:
        """Return the record of content that passes."""
        return Compressed(content, kind, PASS_THROUGH, tokens, tokens, reason, untrusted)


def _reason(refusal: Refusal) -> str:
    if refusal.reason is Reason.CODEC_ERROR:
        return f"{refusal.failed} failed: {refusal.error}"
    return f"no compressor for {refusal.kind}"
