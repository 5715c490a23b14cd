"""The walk of one result: policy, candidate, guarantee, gate, retain, render.

Input: a `ToolResult`, and the `Context` of the process. Output: a `View`, with its `Decision`.

Each step returns what the next one needs, or raises PassThrough with a reason. The gate weighs the very text that is
shown, pointer included: a handle costs the same whatever its digits are, so a stand-in is weighed first, and an
original is kept only once its summary is sure to be shown.

Invariants: nothing but KeyboardInterrupt, SystemExit and GeneratorExit leaves the walk; whatever else goes wrong is a
reason on the record, and the content of the view is the original object. No result is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from .catalogue import PackUnusableError
from .framing import Streams, obtain_streams
from .header import Header, begins_like_ours, render_view
from .reasons import PassThrough, Reason
from .records import Decision, Outcome, ToolResult, View, text_size
from .settings import LEVELS, Settings
from .shell import Command, parse_command, reads_recovered_output
from .store import HANDLE_DIGITS, Store, StoreError

if TYPE_CHECKING:
    from .catalogue import Catalogue, Claim

Note = Callable[[str, Any], None]
"""Told of each step that was taken and what it gave; `why` listens."""

_SHELL_TOOLS = frozenset({"bash", "shell"})
_RULE_LEVEL = "normal"
_STAND_IN = "0" * HANDLE_DIGITS


class Context(NamedTuple):
    """What decisions of a process depend on. `store` None: nothing is kept, so nothing below `value` is shown."""

    settings: Settings
    catalogue: Catalogue
    store: Store | None
    unrecoverable_ok: bool = False
    counted: bool = False


class Candidate(NamedTuple):
    """A summary before it is weighed: the documented header, the body of the rule."""

    header: Header
    body: str


def decide(result: ToolResult, context: Context, note: Note | None = None) -> View:
    """Decide what a model sees of a result. Never raises; see the module's invariants."""
    start = perf_counter()
    try:
        view = _walk(result, context, note or _ignore)
        if context.counted:
            view = _count(view, result.content)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - the promise of this module
        view = _pass(result, Reason.CODEC_ERROR, _describe(error))
    elapsed_ms = round((perf_counter() - start) * 1000, 3)
    return view._replace(decision=view.decision._replace(ms=elapsed_ms))


def may_compress(result: ToolResult, context: Context) -> bool:
    """Tell whether a rule that is on claims the command of a result, whatever its output. Never raises."""
    try:
        check_switches(result, context.settings)
        find_claim(result, check_policy(result, context.settings), context)
    except Exception:  # noqa: BLE001 - then `decide` would pass it
        return False
    return True


def _walk(result: ToolResult, context: Context, note: Note) -> View:
    claim: Claim | None = None
    try:
        check_switches(result, context.settings)
        diagnosed = _diagnose(result)
        if diagnosed is not None:
            return diagnosed
        command = check_policy(result, context.settings)
        note("command", command)
        claim = find_claim(result, command, context)
        note("rule", claim)
        candidate = make_candidate(result, command, claim, note)
        note("summary", candidate)
        check_guarantee(context)
        shown = _render(candidate, context, _STAND_IN)
        note("shown", shown)
        weigh(shown, result.content)
        handle = retain(result, context)
        shown = _render(candidate, context, handle)
        if handle is not None and len(handle) != HANDLE_DIGITS:
            weigh(shown, result.content)
        note("handle", handle)
    except PassThrough as verdict:
        return _pass(result, verdict.reason, verdict.detail, claim)
    except StoreError as error:
        return _pass(result, Reason.STORE_FAILED, str(error), claim)
    except Exception as error:  # noqa: BLE001 - here the rule can still be named
        return _pass(result, Reason.CODEC_ERROR, _describe(error), claim)
    decision = _decision(result, Outcome.COMPRESSED, claim)._replace(
        level=_RULE_LEVEL, guarantee="summary", handle=handle, bytes=(text_size(result.content), text_size(shown))
    )
    return View(shown, decision)


# --- policy ---------------------------------------------------------------------------------------------------------


def check_switches(result: ToolResult, settings: Settings) -> None:
    """Stop where nothing may be touched at all: the kill switch, and results that no model reads."""
    if settings.killed:
        raise PassThrough(Reason.KILL_SWITCH, "CABLESE_DISABLED=1")
    if result.metadata.get("return_direct") not in (None, False):
        raise PassThrough(Reason.RETURN_DIRECT, "the result goes to the user directly")


def _diagnose(result: ToolResult) -> View | None:
    from .diagnostic import search_diagnostic

    text = search_diagnostic(result)
    if text is None:
        return None
    decision = _decision(result, Outcome.DIAGNOSED, None)
    return View(text, decision._replace(detail="a failed search with blank content", bytes=(0, text_size(text))))


def check_policy(result: ToolResult, settings: Settings) -> Command:
    """Decide whether rules are asked at all, and give the words they are asked about."""
    if isinstance(result.content, str) and begins_like_ours(result.content):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the content begins with the header of a summary")
    text = result.command
    if text is not None and reads_recovered_output(text):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the command shows an original that was kept")
    if not settings.enabled:
        raise PassThrough(Reason.DISABLED, "no rules are enabled")
    if result.tool not in _SHELL_TOOLS:
        raise PassThrough(Reason.NO_RULE, f"no rule is for the tool `{result.tool}`")
    if text is None:
        raise PassThrough(Reason.NO_RULE, "the result has no command")
    return parse_command(text)


def find_claim(result: ToolResult, command: Command, context: Context) -> Claim:
    """Find the rule that claims the command, as far as its level is not above the ceiling."""
    claim = context.catalogue.claim(result.tool, command.words)
    ceiling = context.settings.ceiling(claim.rule.id, result.tool)
    if LEVELS.index(ceiling) < LEVELS.index(_RULE_LEVEL):
        raise PassThrough(
            Reason.LEVEL_NONE, f"the ceiling for `{claim.rule.id}` is `{ceiling}`, its level `{_RULE_LEVEL}`"
        )
    return claim


# --- candidate ------------------------------------------------------------------------------------------------------


def make_candidate(result: ToolResult, command: Command, claim: Claim, note: Note) -> Candidate:
    """Let the rule read the streams and say what it learned."""
    from . import engine

    if not isinstance(result.content, str):
        raise PassThrough(Reason.NOT_APPLICABLE, "the content is not text")
    streams = obtain_streams(result)
    note("streams", streams)
    _check_streams(result, streams)
    if command.merges:
        streams = streams._replace(merged=True)
    verdict = engine.evaluate(claim.rule, streams, result.exit_code)
    note("verdict", verdict)
    if isinstance(verdict, engine.Refusal):
        raise PassThrough(Reason(verdict.reason), verdict.detail)
    # Where the host states nothing, an output that contradicts exit 0 is no success.
    stated = result.stated_success
    header = Header(
        tool=result.tool,
        rule=claim.rule.id,
        command=command.text,
        success=verdict.success if stated is None else stated,
        exit_code=result.exit_code,
        raw_stdout_bytes=text_size(streams.stdout),
        raw_stderr_bytes=text_size(streams.stderr),
    )
    return Candidate(header, verdict.text)


def _check_streams(result: ToolResult, streams: Streams) -> None:
    code = result.metadata.get("exit_code")
    if code is not None and result.exit_code is None:
        raise PassThrough(Reason.INVALID_OUTPUT, "the exit code is not an integer")
    if not isinstance(result.stated_success, bool | None):
        raise PassThrough(Reason.INVALID_OUTPUT, "`success` is neither true nor false")
    if result.stated_success is False and not streams.stdout and not streams.stderr:
        raise PassThrough(Reason.MISSING_STREAM, "the command failed, and its streams are empty")
    if not (_is_unicode(streams.stdout) and _is_unicode(streams.stderr)):
        raise PassThrough(Reason.INVALID_OUTPUT, "the output is not UTF-8")
    if begins_like_ours(streams.stdout):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the output begins with the header of a summary")


def _is_unicode(text: str) -> bool:
    """Tell whether a text could come from UTF-8: bytes that were not stand in it as lone surrogates."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# --- guarantee, gate, retention -------------------------------------------------------------------------------------


def check_guarantee(context: Context) -> None:
    """Refuse a loss without a way back to the original, unless the caller does without one."""
    if context.store is None and not context.unrecoverable_ok:
        raise PassThrough(Reason.UNRECOVERABLE, "a summary needs a store for the original, and there is none")


def weigh(shown: str, original: str) -> None:
    """Let the gate decide whether the text is strictly shorter for a model than the original."""
    from .tokens import strictly_fewer

    verdict = strictly_fewer(shown, original)
    if not verdict:
        if verdict.outcome == "too_large":
            raise PassThrough(Reason.TOO_LARGE, "the gate could not decide within its bound on work")
        raise PassThrough(Reason.NO_GAIN, "the summary would not be strictly fewer tokens under both encodings")


def retain(result: ToolResult, context: Context) -> str | None:
    """Keep the original and return its handle; None where there is no store. Raises StoreError."""
    if context.store is None:
        return None
    # What was not UTF-8 came in as surrogates, and goes out as the same bytes.
    content = result.content.encode("utf-8", "surrogateescape")
    try:
        return context.store.keep(content, tenant=result.tenant, run=result.run)
    except StoreError:
        raise
    except Exception as error:
        # A host's store need not know our errors.
        raise StoreError(_describe(error)) from error


# --- render ---------------------------------------------------------------------------------------------------------


def _render(candidate: Candidate, context: Context, handle: str | None) -> str:
    """Return the text as the model sees it. A hint may hold `{handle}` and nothing else to fill in."""
    if context.store is None or handle is None:
        return render_view(candidate.header, candidate.body, None)
    return render_view(candidate.header, candidate.body, context.settings.hint.replace("{handle}", handle))


def _pass(result: ToolResult, reason: Reason, detail: str, claim: Claim | None = None) -> View:
    """Show the original. Takes anything for a result, since a caller's mistake must not cost the output."""
    content = getattr(result, "content", result)
    size = text_size(content)
    decision = _decision(result, Outcome.PASSED, claim)
    return View(content, decision._replace(reason=reason, detail=detail, bytes=(size, size)))


def _decision(result: ToolResult, outcome: Outcome, claim: Claim | None) -> Decision:
    return Decision(
        outcome=outcome,
        tool=getattr(result, "tool", ""),
        rule=None if claim is None else claim.rule.id,
        pack=None if claim is None else f"{claim.pack.name} {claim.pack.version} {claim.pack.digest[:6]}",
        untrusted=getattr(result, "untrusted", False),
    )


def _count(view: View, original: object) -> View:
    """Add exact token counts of text under both encodings to the record."""
    if not isinstance(original, str):
        return view
    from .tokens import count_tokens

    before = count_tokens(original)
    after = before if view.content is original else count_tokens(view.content)
    tokens = {name: (before[name], after[name]) for name in before}
    return view._replace(decision=view.decision._replace(tokens=tokens))


def _describe(error: BaseException) -> str:
    """Name an error; its own text may fail too."""
    try:
        return str(error) if isinstance(error, PackUnusableError) else f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - an error that cannot even be printed
        return type(error).__name__


def _ignore(_step: str, _value: object) -> None:
    """Listen to no step."""
