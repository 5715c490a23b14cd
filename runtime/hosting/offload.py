"""Deciding about large results off the event loop.

Input: a result and the context of the process. Output: the view that `decide` gives, made in a helper process
(`offload_worker.py`) where the result can be sent there, else in a thread of this one.

A thread alone would keep an event loop waiting: what reads or writes megabytes of JSON in C holds the interpreter lock
for as long as it takes. A helper process needs no lock of ours, and text is sent to it in a few milliseconds. So it is
with the native codec, too, which the helper uses: its work needs no lock, but the gate between cuts texts in Python.

Invariants: the store is written by this process, before the view is returned. Whatever goes wrong with a helper is no
error of the caller: one that cannot be started is replaced by a thread; one that dies at work is replaced once, and
then the original passes, as the same payload might kill this process, too. Helpers are started when first needed,
used again, and end with this process. After a fork the child has helpers of its own.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet, finalize

from ..codecs.registry import is_built_in, known_codecs, register_plugin
from ..decision.walk import Context, decide
from ..reasons import PassThrough, Reason
from ..records import Decision, Outcome, ToolResult, View, text_size
from .offload_wire import NotPlainError, pack_value

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from ..packs.catalogue import Catalogue
    from ..stores.store import Store
    from .offload_process import Helper
    from .offload_worker import Line
    from .routing import Guard

_PIECE = 1 << 16
"""Text that is not ASCII is sent in pieces of so many characters: all at once, its UTF-8 takes 8 ms for 5 MB."""
HELPERS = 2
"""At most so many helper processes of one compressor, so many threads that wait for them, and no more."""
_STARTS = 3
"""After so many that could not be started there is no further attempt until `close`."""


class Job:
    """One decision on its way, with the context in which it began. Cancelled from the event loop, carried out in a
    thread.
    """

    def __init__(self, result: ToolResult, level: str | None, context: Context) -> None:
        self.result = result
        self.context = context
        self.level = level
        self.cancelled = False
        self.helper: Helper | None = None

    def cancel(self) -> None:
        """End the work: nobody waits for it any more."""
        self.cancelled = True
        helper = self.helper
        if helper is not None:
            helper.kill()


class _State:
    """What is to be cleared away at the end, whoever ends first: the offload or the process."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Begin anew: nothing is started yet, or, after a fork, nothing of it is ours."""
        self.lock = Lock()
        self.pid = os.getpid()
        self.threads: ThreadPoolExecutor | None = None
        self.idle: list[Helper] = []
        self.failed_starts = 0

    def close(self, *, wait: bool = True) -> None:
        """End threads (after what they are at) and helpers."""
        if self.pid != os.getpid():
            return
        with self.lock:
            threads, self.threads, self.failed_starts = self.threads, None, 0
        if threads is not None:
            threads.shutdown(wait=wait)
        with self.lock:
            idle, self.idle = self.idle, []
        for helper in idle:
            helper.end()


_states: WeakSet[_State] = WeakSet()


def _renew_all() -> None:
    """Leave the helpers of the parent to the parent."""
    for state in list(_states):
        for helper in state.idle:
            helper.forget()
        state.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


class Offload:
    """The helpers of one compressor. May be used from many threads and event loops, and after fork."""

    def __init__(self, context: Context, deadline_s: float = 300.0) -> None:
        """Nothing is started yet. `deadline_s`: how long a helper may be at one result."""
        self._context = context
        self._deadline_s = deadline_s
        self._state = _State()
        _states.add(self._state)
        # Each job holds on to this object, so once it is gone there are none; the last may have been what held it, and
        # no thread can wait for itself.
        finalize(self, self._state.close, wait=False)

    async def decide(self, result: ToolResult, level: str | None = None) -> View:
        """Decide as `walk.decide` does, without keeping the event loop. Raises nothing but CancelledError."""
        import asyncio

        job = Job(result, level, self._context)
        try:
            future = self._submit(asyncio.get_running_loop(), job)
        except RuntimeError:
            # The interpreter is ending, or there can be no more threads, or the loop is not one of asyncio.
            return self._here(job)
        try:
            return await future
        except asyncio.CancelledError:
            job.cancel()
            raise

    def close(self) -> None:
        """End the helpers once they are done. The next large result starts new ones."""
        self._state.close()

    def switch(self, context: Context) -> None:
        """Decide in another context from the next result on: the same store and guard, other packs or settings."""
        self._context = context

    def _submit(self, loop: asyncio.AbstractEventLoop, job: Job) -> asyncio.Future[View]:
        state = self._state
        with state.lock:
            if state.threads is None:
                from concurrent.futures import ThreadPoolExecutor

                state.threads = ThreadPoolExecutor(HELPERS, thread_name_prefix="cablese")
            # Under the lock, so that `close` never comes between.
            return loop.run_in_executor(state.threads, self._work, job)

    # --- in a thread ------------------------------------------------------------------------------------------------

    def _work(self, job: Job) -> View:
        try:
            frames = pack_job(job)
        except Exception:  # noqa: BLE001 - what cannot be sent, and what is no result: `decide` says of it what there is
            return self._here(job)
        for _ in range(2):
            helper = self._take()
            if helper is None:
                return self._here(job)
            job.helper = helper
            answer = None if job.cancelled else helper.decide(frames, self._serve, self._deadline_s)
            job.helper = None
            if helper.alive:
                with self._state.lock:
                    self._state.idle.append(helper)
            else:
                helper.end()
            if job.cancelled:
                break
            if answer is not None:
                return self._finish(job, answer)
        return _pass(job.result, "the helper process that decided about the result ended before it did")

    def _take(self) -> Helper | None:
        """Return a helper that waits for work, a new one where none does, or None where none can be started."""
        from .offload_process import StartError, start_helper

        state = self._state
        with state.lock:
            while state.idle:
                helper = state.idle.pop()
                if helper.check():
                    return helper
                helper.end()
            if state.failed_starts >= _STARTS:
                return None
        try:
            return start_helper()
        except StartError:
            with state.lock:
                state.failed_starts += 1
            return None

    def _serve(self, question: tuple[Any, ...]) -> tuple[Any, ...]:
        """Answer what a helper asks in the middle of a decision."""
        kind, *words = question
        context = self._context
        try:
            if kind == "keep" and context.store is not None:
                content, tenant, run = words
                return "ok", context.store.keep(content, tenant=tenant, run=run)
            if kind == "admit" and context.guard is not None:
                from .routing import Estimate

                codec, estimate, level = words
                ticket, budget_ms = context.guard.admit(codec, Estimate(*estimate), level)
                return "ok", (ticket and tuple(ticket), budget_ms)
            if kind == "settle" and context.guard is not None:
                from .breaker import Ticket

                ticket, ms, budget_ms, declined = words
                context.guard.settle(Ticket(*ticket), ms, budget_ms, declined=declined)
                return "ok", None
        except PassThrough as verdict:
            return "pass", str(verdict.reason), verdict.detail
        except Exception as error:  # noqa: BLE001 - in the words in which the walk says it
            from ..decision.retention import describe_error

            if kind in ("admit", "settle"):
                return "pass", str(Reason.CODEC_ERROR), describe_error(error)
            return "store", describe_error(error)
        return "store", f"`{kind}` is not known here"

    def _here(self, job: Job) -> View:
        return decide(job.result, job.context, level=job.level)

    def _finish(self, job: Job, answer: tuple[Any, ...]) -> View:
        kind, *words = answer
        if kind != "view":
            return self._here(job)
        passed, content, fields, fault = words
        if fault is not None:
            job.context.catalogue.fault = fault
        decision = Decision(*fields)
        decision = decision._replace(
            outcome=Outcome(decision.outcome), reason=None if decision.reason is None else Reason(decision.reason)
        )
        return View(job.result.content if passed else content, decision)


def _pass(result: ToolResult, detail: str) -> View:
    size = text_size(result.content)
    decision = Decision(Outcome.PASSED, Reason.CODEC_ERROR, detail, tool=result.tool, bytes=(size, size))
    return View(result.content, decision._replace(untrusted=result.untrusted))


# --- what is sent ---------------------------------------------------------------------------------------------------


def pack_job(job: Job) -> list[bytes]:
    """Return a job as frames. Raises NotPlainError where a part of it has to stay in this process."""
    result, context = job.result, job.context
    try:
        digests = _find_digests(result, context)
    except NotPlainError:
        raise
    except Exception as error:
        raise NotPlainError("a pack that cannot be used") from error
    settings = context.settings
    recipe = (
        (*settings._replace(retention=None), *settings.retention),  # pyright: ignore[reportArgumentType]
        tuple(tuple(os.path.abspath(path) for path in paths) for paths in context.catalogue.files),
        context.store is not None,
        context.unrecoverable_ok,
        context.counted,
        _pack_guard(context.guard),
        context.budget_tokens,
        tuple(name for name in known_codecs() if not is_built_in(name)),
    )
    content, pieces = _cut(result.content)
    record = (
        result.tool,
        content,
        dict(result.arguments),
        dict(result.metadata),
        result.success,
        result.status,
        result.untrusted,
        result.tenant,
        result.run,
    )
    return pack_value((recipe, digests, (pieces, *record), job.level))


def _cut(content: Any) -> tuple[Any, list[str] | None]:
    """Return content that is sent as it is, or None and its pieces."""
    if type(content) is not str or len(content) <= _PIECE or content.isascii():
        return content, None
    return None, [content[start : start + _PIECE] for start in range(0, len(content), _PIECE)]


def _find_digests(result: ToolResult, context: Context) -> tuple[tuple[str, bool], ...]:
    """Return what tells the packs of this process from others. Raises NotPlainError for what a helper cannot load."""
    from ..packs.catalogue import Catalogue

    if type(context.catalogue) is not Catalogue or context.manifest is not None:
        raise NotPlainError("a catalogue or manifest of the host")
    for entry in context.admissions().candidates(result.tool):
        if not is_built_in(entry.codec):
            raise NotPlainError(f"the codec `{entry.codec}` is not ours")
    return digests_of(context.catalogue)


def digests_of(catalogue: Catalogue) -> tuple[tuple[str, bool], ...]:
    """Return the digests of the packs of a catalogue, and whether each only narrows. Raises PackUnusableError."""
    return tuple((source.pack.digest, source.narrows) for source in catalogue.sources())


def _pack_guard(guard: Guard | None) -> tuple[Any, ...] | None:
    """Return a router as its figures; one of the host and a breaker stay here, and are asked."""
    from .routing import BudgetRouter, Guard

    if guard is None:
        return None
    if type(guard) is Guard and type(guard.router) is BudgetRouter and guard.breaker is None:
        return ("router", tuple(guard.router.thresholds), tuple(guard.router.budgets))
    return ("ask",)


_ELSEWHERE = "cablese_codec_of_another_process"
"""Stands for the module of a codec that only the other process has."""


def cook_context(recipe: tuple[Any, ...], line: Line) -> Context:
    """Make the context of a recipe, in the helper."""
    from ..packs.catalogue import Catalogue
    from ..settings import Settings
    from ..stores.store import Retention
    from .offload_worker import AskedGuard, AskedStore
    from .routing import BudgetRouter, Budgets, Guard, Thresholds

    fields, files, has_store, unrecoverable_ok, counted, given_guard, budget_tokens, foreign = recipe
    for name in foreign:
        # Packs name them for other tools; a result that one of them could claim is not sent here.
        if name not in known_codecs():
            register_plugin(name, _ELSEWHERE)
    settings = Settings(*fields[: len(Settings._fields)])
    settings = settings._replace(retention=Retention(*fields[len(Settings._fields) :]))
    guard: Guard | None = None
    if given_guard is not None and given_guard[0] == "router":
        guard = Guard(BudgetRouter(Thresholds(*given_guard[1]), Budgets(*given_guard[2])))
    elif given_guard is not None:
        guard = AskedGuard(line)
    store = cast("Store", AskedStore(line)) if has_store else None
    catalogue = Catalogue(settings, *files)
    return Context(settings, catalogue, store, unrecoverable_ok, counted, guard=guard, budget_tokens=budget_tokens)


def unpack_result(record: tuple[Any, ...]) -> ToolResult:
    """Return the result of a job, in the helper."""
    pieces, tool, content, *rest = record
    return ToolResult(tool, content if pieces is None else "".join(pieces), *rest)
