"""The walk of one result: policy, candidate, guarantee, gate, retain, render.

Input: a `ToolResult`, and the `Context` of the process. Output: a `View`, with its `Decision`.

Here stands the order of the steps, and nothing else: each step returns what the next one needs, or raises PassThrough
with a reason. What a step does is in its own file: `policy`, `rule_candidate`, `codec_candidate`, `kind_candidate`,
`rendering`, `retention`. The files of a way that a result does not take are not loaded.

The gate weighs the very text that is shown, pointer included: a handle costs the same whatever its digits are, so a
stand-in is weighed first, and an original is kept only once its view is sure to be shown.

Invariants: nothing but KeyboardInterrupt, SystemExit and GeneratorExit leaves the walk; whatever else goes wrong is a
reason on the record, and the content of the view is the original object. No result is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ..reasons import PassThrough, Reason
from ..records import Decision, Outcome, ToolResult, View, is_text, text_size
from ..settings import Settings
from ..stores.store import Store, StoreError
from .policy import (
    RULE_LEVEL,
    SEARCH_TOOLS,
    SHELL_TOOLS,
    check_marks,
    check_policy,
    check_rule_level,
    check_switches,
    find_claim,
)

if TYPE_CHECKING:
    from ..hosting.routing import Guard
    from ..packs.catalogue import Catalogue, Claim
    from ..packs.manifest import Entry, Manifest
    from ..shell import Command
    from .kind_candidate import KindEncoding

Note = Callable[[str, Any], None]
"""Told of each step that was taken and what it gave; `why` listens."""

_UNCLAIMED = (Reason.NO_RULE, Reason.DISABLED)
_OTHER_TOOL = PassThrough(Reason.NO_RULE, "no rule is for this tool")
_NEVER_KEPT = (Reason.KILL_SWITCH, Reason.RETURN_DIRECT, Reason.ALREADY_COMPRESSED)


class Context(NamedTuple):
    """What decisions of a process depend on.

    `store` None: nothing is kept, so nothing below `value` is shown. `manifest` None: the entries of the catalogue's
    packs. `guard`: what stands before each call of a codec. `budget_tokens` is for codecs at level `aggressive`.
    """

    settings: Settings
    catalogue: Catalogue
    store: Store | None
    unrecoverable_ok: bool = False
    counted: bool = False
    manifest: Manifest | None = None
    guard: Guard | None = None
    budget_tokens: int | None = None

    @property
    def recoverable(self) -> bool:
        """Whether something may be left out: the original can be kept, or the caller does without."""
        return self.store is not None or self.unrecoverable_ok

    def admissions(self) -> Manifest:
        """Return the manifest. Raises PackUnusableError."""
        return self.catalogue.manifest() if self.manifest is None else self.manifest


def decide(result: ToolResult, context: Context, note: Note | None = None, level: str | None = None) -> View:
    """Decide what a model sees of a result. `level` is for this call, in place of that of the entry that claims it.

    Never raises; see the module's invariants.
    """
    start = perf_counter()
    try:
        view = _walk(result, context, note or _ignore, level)
        if context.counted:
            view = _count(view, result.content)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - the promise of this module
        view = _pass(result, Reason.CODEC_ERROR, _describe(error), {})
    # `ms` is the last field; this is a fifth of what `_replace` costs.
    elapsed_ms = round((perf_counter() - start) * 1000, 3)
    return View(view.content, Decision._make((*view.decision[:-1], elapsed_ms)))


def may_compress(result: ToolResult, context: Context, *, kinds: bool = True) -> bool:
    """Tell whether something that is on may claim the result of a command, whatever its output. Never raises.

    `kinds` False: content kinds do not count, which may claim any.
    """
    try:
        check_switches(result, context.settings)
        if kinds and context.settings.admission != "none" and context.settings.ceiling(result.tool) != "none":
            return True
        claim = _claim(result, context, _ignore, {})
        if not isinstance(claim, PassThrough):
            check_rule_level(claim[0], result, context.settings, None)
            return True
        if context.manifest is None and context.catalogue.only_own:
            return False
        from .codec_candidate import claims_text

        return claims_text(result.tool, context.admissions(), context.settings)
    except Exception:  # noqa: BLE001 - then `decide` would pass it
        return False


def _walk(result: ToolResult, context: Context, note: Note, level: str | None) -> View:
    fields: dict[str, Any] = {}
    """What the record says of the rule or the entry that the result came to, so far."""
    try:
        check_switches(result, context.settings)
        diagnosed = _diagnose(result)
        if diagnosed is not None:
            return diagnosed
        check_marks(result)
        # No rule is for another tool, so there is no claim to refuse.
        claim = _claim(result, context, note, fields) if result.tool in SHELL_TOOLS else _OTHER_TOOL
        if isinstance(claim, PassThrough):
            return _encode(result, claim, context, note, level, fields)
        try:
            return _summarise(result, *claim, context, note, level, fields)
        except PassThrough as verdict:
            exact = _admit_refused(result, claim[0], verdict, context, note, level, fields)
            if exact is None:
                raise
            return exact
    except PassThrough as verdict:
        reason, detail = verdict.reason, verdict.detail
    except StoreError as error:
        reason, detail = Reason.STORE_FAILED, str(error)
    except Exception as error:  # noqa: BLE001 - here the rule or the codec can still be named
        reason, detail = Reason.CODEC_ERROR, _describe(error)
    if result.status == "error" and reason not in _NEVER_KEPT:
        from .retention import retain_failure

        fields["handle"], fault = retain_failure(result, context)
        detail = f"{detail}; {fault}" if fault else detail
    return _pass(result, reason, detail, fields)


def _diagnose(result: ToolResult) -> View | None:
    if result.tool not in SEARCH_TOOLS:
        return None
    from ..diagnostic import search_diagnostic

    text = search_diagnostic(result)
    if text is None:
        return None
    decision = Decision(Outcome.DIAGNOSED, tool=result.tool, untrusted=result.untrusted, bytes=(0, text_size(text)))
    return View(text, decision._replace(detail="a failed search with blank content"))


def _claim(
    result: ToolResult, context: Context, note: Note, fields: dict[str, Any]
) -> tuple[Claim, Command] | PassThrough:
    """Return the rule that claims the command, or the reason why none does."""
    try:
        command = check_policy(result, context.settings)
        note("command", command)
        claim = find_claim(result, command, context.catalogue)
    except PassThrough as verdict:
        if verdict.reason in _UNCLAIMED:
            return verdict
        raise
    pack = claim.pack
    fields.update(rule=claim.rule.id, pack=f"{pack.name} {pack.version} {pack.digest[:6]}")
    return claim, command


def _summarise(
    result: ToolResult,
    claim: Claim,
    command: Command,
    context: Context,
    note: Note,
    level: str | None,
    fields: dict[str, Any],
) -> View:
    """Show what a rule says of the output. What keeps it from that is final, but for an exact form of the same text."""
    check_rule_level(claim, result, context.settings, level)
    note("rule", claim)
    from .retention import check_guarantee
    from .rule_candidate import make_candidate, render_summary

    candidate = make_candidate(result, command, claim, note)
    note("summary", candidate)
    check_guarantee(context)
    hint = context.settings.hint
    fields["level"] = RULE_LEVEL
    view = _show(
        result, result.content, context, lambda handle: render_summary(candidate, hint, handle), note, fields, keep=True
    )
    return View(view.content, view.decision._replace(guarantee="summary"))


def _admit_refused(
    result: ToolResult,
    claim: Claim,
    verdict: PassThrough,
    context: Context,
    note: Note,
    level: str | None,
    fields: dict[str, Any],
) -> View | None:
    """Show an exact form of what a rule refused, where content kinds are on; None where there is none."""
    if context.settings.admission == "none" or not is_text(result.content):
        return None
    from .kind_candidate import REFUSED_BY_RULE, find_kind

    if verdict.reason not in REFUSED_BY_RULE:
        return None
    told = dict(fields, rule=None, pack=None, level=None)
    try:
        encoding = find_kind(result, context, level, note, told, refused=claim.rule.id)
        return _show_kind(result, encoding, context, note, told, f"`{claim.rule.id}` refused it: {verdict.reason}")
    except PassThrough as refusal:
        note("kind_refused", refusal)
        return None


def _admit(
    result: ToolResult,
    context: Context,
    note: Note,
    level: str | None,
    fields: dict[str, Any],
    own: bool,  # noqa: FBT001 - as `_encode` found it
) -> View:
    """Show text as the first of these that takes it: an entry for its tool, its content kind, an entry for any tool."""
    from ..packs.manifest import EVERY_TOOL
    from .kind_candidate import NOT_TAKEN, find_kind
    from .policy import failure_of

    if own and result.tool in SHELL_TOOLS:
        manifest, entries = None, ()
    else:
        from .codec_candidate import find_entries

        manifest = context.admissions()
        entries = find_entries(result, manifest)
        note("entries", entries)
    failed = level is None and failure_of(result) is not None
    patterns = [entry.pattern for entry in entries]
    first_general = patterns.index(EVERY_TOOL) if EVERY_TOOL in patterns else len(entries)
    special, general = entries[:first_general], entries[first_general:]
    if special and manifest is not None and not failed:
        try:
            return _encode_by(special, result, manifest, context, note, level, fields)
        except PassThrough as verdict:
            if verdict.reason is not Reason.NOT_APPLICABLE:
                raise
            fields.clear()
    try:
        narrowing = None if manifest is None else manifest.narrowing(result.tool)
        encoding = find_kind(result, context, level, note, fields, narrowing=narrowing)
        return _show_kind(result, encoding, context, note, fields)
    except PassThrough as refusal:
        if refusal.reason not in NOT_TAKEN or not general or manifest is None or failed:
            raise
        try:
            return _encode_by(general, result, manifest, context, note, level, {})
        except PassThrough as verdict:
            if verdict.reason is not Reason.NOT_APPLICABLE:
                raise
        raise


def _show_kind(
    result: ToolResult,
    encoding: KindEncoding,
    context: Context,
    note: Note,
    fields: dict[str, Any],
    detail: str | None = None,
) -> View:
    """Show the form of a content kind."""
    note("admitted", encoding)
    hint = context.settings.hint
    content, render = result.content, encoding.render
    view = _show(result, content, context, lambda handle: render(hint, handle), note, fields, keep=encoding.keeps)
    words = f"{encoding.detail}; {detail}" if detail else encoding.detail
    return View(view.content, view.decision._replace(guarantee=encoding.guarantee, detail=words))


def _encode(
    result: ToolResult, unclaimed: PassThrough, context: Context, note: Note, level: str | None, fields: dict[str, Any]
) -> View:
    """Show what a codec makes of a result that no rule claims."""
    own = context.manifest is None and context.catalogue.only_own
    if context.settings.admission != "none" and is_text(result.content):
        return _admit(result, context, note, level, fields, own)
    if own and result.tool in SHELL_TOOLS and isinstance(result.content, str):
        # None of our own entries names a shell tool, so there is nothing to look up.
        raise PassThrough(unclaimed.reason, unclaimed.detail)
    from .codec_candidate import find_entries

    manifest = context.admissions()
    entries = find_entries(result, manifest)
    note("entries", entries)
    if not entries:
        raise PassThrough(unclaimed.reason, unclaimed.detail)
    return _encode_by(entries, result, manifest, context, note, level, fields)


def _encode_by(
    entries: tuple[Entry, ...],
    result: ToolResult,
    manifest: Manifest,
    context: Context,
    note: Note,
    level: str | None,
    fields: dict[str, Any],
) -> View:
    """Show what the codec of the first entry that takes a result makes of it."""
    from .codec_candidate import find_encoding

    encoding = find_encoding(result, entries, manifest, context, level, note, fields)
    note("encoding", encoding)
    from ..payload import payload_text
    from .rendering import render_encoding

    original = payload_text(result.content)
    if original is None:
        raise PassThrough(Reason.NOT_APPLICABLE, "the content is neither Unicode text nor plain JSON")
    hint = context.settings.hint
    view = _show(
        result,
        original,
        context,
        lambda handle: render_encoding(encoding, hint, handle),
        note,
        fields,
        keep=encoding.keeps,
        # As large as what the codec has read: a table of some MB is worth its counting.
        work=len(original),
    )
    said = view.decision._replace(guarantee=encoding.guarantee, detail=encoding.detail)
    return View(view.content, said)


def _show(
    result: ToolResult,
    original: str,
    context: Context,
    render: Callable[[str | None], tuple[Any, str]],
    note: Note,
    fields: dict[str, Any],
    *,
    keep: bool,
    work: int = 0,
) -> View:
    """Weigh what would be shown, keep the original, and show it. `original` is the text of the payload, `work` what the
    gate may spend if that is more than its own bound.
    """
    from .retention import HANDLE_DIGITS, STAND_IN, retain, weigh

    keep = keep and context.store is not None
    content, text = render(STAND_IN if keep else None)
    note("shown", text)
    weigh(text, original, work)
    handle = retain(result, context) if keep else None
    if handle is not None:
        content, text = render(handle)
        if len(handle) != HANDLE_DIGITS:
            weigh(text, original, work)
    note("handle", handle)
    sizes = (text_size(original), text_size(text))
    decision = Decision(
        Outcome.COMPRESSED, tool=result.tool, untrusted=result.untrusted, handle=handle, bytes=sizes, **fields
    )
    return View(content, decision)


def _pass(result: ToolResult, reason: Reason, detail: str, fields: dict[str, Any]) -> View:
    """Show the original. Takes anything for a result, since a caller's mistake must not cost the output."""
    content = getattr(result, "content", result)
    size = text_size(content)
    tool, untrusted = getattr(result, "tool", ""), getattr(result, "untrusted", False)
    return View(
        content,
        Decision(Outcome.PASSED, reason, detail, tool=tool, untrusted=untrusted, bytes=(size, size), **fields),
    )


def _count(view: View, original: object) -> View:
    """Add exact token counts under both encodings to the record, of the text of payloads that have one."""
    from ..payload import payload_text
    from ..tokens import count_tokens

    text = payload_text(original)
    if text is None:
        return view
    before = count_tokens(text)
    shown = None if view.content is original else payload_text(view.content)
    after = before if shown is None else count_tokens(shown)
    tokens = {name: (before[name], after[name]) for name in before}
    return view._replace(decision=view.decision._replace(tokens=tokens))


def _describe(error: BaseException) -> str:
    from .retention import describe_error

    return describe_error(error)


def _ignore(_step: str, _value: object) -> None:
    """Listen to no step."""
