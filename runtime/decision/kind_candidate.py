"""The candidate of a content kind: what the look of a text tells, where neither a rule nor an entry for its tool does.

Input: a result whose content is text, the level of admission. Output: a `KindEncoding`, or PassThrough.

Of a shell result in framed text, `stdout` is read, and stands in the view with the framing and stderr as they were.
One stream, or text without framing, is read as a whole.

Invariants: what is no complete success (a failed call, a stream that was cut, output that a rule refused) is shown in
forms of guarantee `exact` only; something is left out only where the original is kept or the caller does without; the
levels of the configuration and of the call are ceilings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..admission.choice import THRESHOLD_TOKENS, Refusal, choose_form, estimate_tokens
from ..framing import parse_framing
from ..hosting.routing import DEFAULT_GUARD
from ..reasons import PassThrough, Reason
from ..records import ToolResult
from .header import begins_like_ours
from .levels import cap_level
from .policy import SHELL_TOOLS, failure_of

if TYPE_CHECKING:
    from ..admission.choice import Choice
    from ..packs.manifest import Entry
    from .walk import Context

Note = Callable[[str, Any], None]

NOT_TAKEN = frozenset(
    {
        Reason.BELOW_THRESHOLD,
        Reason.UNCLASSIFIED,
        Reason.NOT_APPLICABLE,
        Reason.LEVEL_NONE,
        Reason.UNRECOVERABLE,
        Reason.DISABLED,
    }
)
"""Reasons for which what comes behind the content kinds is asked."""
REFUSED_BY_RULE = frozenset(
    {
        Reason.STDERR_PRESENT,
        Reason.INVALID_OUTPUT,
        Reason.UNRECONCILED,
        Reason.MISSING_STREAM,
        Reason.NO_GAIN,
        Reason.UNRECOVERABLE,
        Reason.LEVEL_NONE,
    }
)
"""Reasons for which a rule shows the original, and an exact form of the same text may be shown all the same."""

_FRAME = "stdout:\n"
_FRAMED_STDERR = "\nstderr:\n"
_BY_CEILING = {"minimal": "value", "normal": "normal", "aggressive": "normal"}
_CUT = ("timed_out", "stdout_truncated", "stderr_truncated", "merged_truncated")


class KindEncoding(NamedTuple):
    """The form of a text, with what stands before and behind it in the content. `level` is that of the record."""

    choice: Choice
    before: str
    behind: str
    level: str
    detail: str

    @property
    def guarantee(self) -> str:
        """What the form guarantees."""
        return self.choice.form.guarantee

    @property
    def keeps(self) -> bool:
        """Whether the original is to be kept, and the model told where."""
        return self.choice.keeps

    def render(self, hint: str, handle: str | None) -> tuple[str, str]:
        """Return the content of the view, twice: it is its own text. The pointer is the last line of the form."""
        shown = self.choice.shown
        if handle is not None:
            shown = f"{shown.removesuffix(chr(10))}\noriginal: {hint.replace('{handle}', handle)}"
        text = f"{self.before}{shown}{self.behind}"
        return text, text


def find_kind(
    result: ToolResult,
    context: Context,
    given: str | None,
    note: Note,
    fields: dict[str, Any],
    *,
    narrowing: Entry | None = None,
    refused: str | None = None,
) -> KindEncoding:
    """Tell the kind of a result and choose its form. `given` is the level of this call, `refused` the id of a rule.

    `fields` takes what the record says of the kind. Raises PassThrough.
    """
    level = _level(result, context, given, narrowing, refused)
    before, text, behind = split_content(result)
    tokens = estimate_tokens(text)
    if tokens <= THRESHOLD_TOKENS:
        words = f"some {tokens} tokens; content kinds are for more than {THRESHOLD_TOKENS}"
        raise PassThrough(Reason.BELOW_THRESHOLD, words)
    if begins_like_ours(text):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the output begins with the header of a summary")
    with (context.guard or DEFAULT_GUARD).watch("admission", text, "minimal"):
        choice = choose_form(text, level, recoverable=context.recoverable, budget_tokens=context.budget_tokens)
    fields["kind"] = str(choice.kind)
    if f"kind.{choice.kind}" in context.settings.disabled:
        raise PassThrough(Reason.DISABLED, f"the kind `{choice.kind}` is disabled")
    note("kind", choice)
    if isinstance(choice, Refusal):
        raise PassThrough(choice.reason, choice.detail)
    fields["level"] = ("aggressive" if level == "aggressive" else "normal") if choice.keeps else "minimal"
    return KindEncoding(choice, before, behind, fields["level"], f"shown in the form `{choice.name}`")


def split_content(result: ToolResult) -> tuple[str, str, str]:
    """Return what stands before the text that is read, that text, and what stands behind it. Raises PassThrough."""
    content = result.content
    if result.tool not in SHELL_TOOLS or not content.startswith(_FRAME):
        return "", content, ""
    streams = parse_framing(content)
    for name, framed in (("stdout", streams.stdout), ("stderr", streams.stderr)):
        captured = result.metadata.get(name)
        if isinstance(captured, str) and captured != framed:
            raise PassThrough(Reason.MISSING_STREAM, f"the framed {name} is not the one in the metadata")
    return _FRAME, streams.stdout, _FRAMED_STDERR + streams.stderr


def _level(
    result: ToolResult, context: Context, given: str | None, narrowing: Entry | None, refused: str | None
) -> str:
    """Return the level up to which forms are admitted. Raises PassThrough (`level_none`)."""
    settings = context.settings
    ceiling = settings.ceiling(result.tool) if refused is None else settings.ceiling(result.tool, refused)
    for bound in (given, None if narrowing is None else narrowing.level):
        ceiling = ceiling if bound is None else cap_level(bound, ceiling)
    if ceiling == "none":
        raise PassThrough(Reason.LEVEL_NONE, "the level of this call, or the ceiling for the tool, is `none`")
    admitted = settings.admission
    if refused is not None or failure_of(result) is not None or _is_cut(result):
        return "exact"
    if admitted == "normal":
        return "aggressive" if given == ceiling == "aggressive" else _BY_CEILING[ceiling]
    return admitted


def _is_cut(result: ToolResult) -> bool:
    return any(result.metadata.get(flag) not in (None, False) for flag in _CUT)
