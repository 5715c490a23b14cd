"""The runtime for Python hosts: one object that turns results into views.

Input: `ToolResult` records, or tool functions to wrap. Output: `View` records, or functions that return what a model
should see.

Invariants: a `Compressor` may be shared by threads and used after fork; what it passes is the same object; an error of
a wrapped function is raised as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from .decision.walk import Context, decide, may_compress
from .making import make_context, make_guard, make_wishes, warn
from .reasons import Reason
from .records import Decision, Outcome, ToolResult, View, text_size
from .settings import LEVELS
from .shell import RECOVERY_TOOL
from .stores.open_store import ConfiguredStore
from .stores.store import Store, StoreError

if TYPE_CHECKING:
    from .hosting.breaker import CircuitBreaker
    from .hosting.events import Event, Listeners
    from .hosting.ledger import Ledger
    from .hosting.offload import Offload
    from .hosting.reloading import Reloader
    from .hosting.routing import BudgetRouter
    from .hosting.scope import Scope
    from .hosting.wrapping import OnResult
    from .making import Wishes
    from .packs.catalogue import Catalogue
    from .recovery.originals import Excerpt, RecoveryTool, Window

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Compressor:
    """Turns results of tools into views. Make one with `Compressor.default`, or from a `Context` of your own."""

    _listeners: Listeners | None = None
    _recorded = False
    _offload: Offload | None = None
    _scoped = False
    _wishes: Wishes | None = None
    _watch: Reloader | None = None

    def __init__(self, context: Context, broken: str | None = None) -> None:
        self._context = context
        self._broken = broken

    @classmethod
    def default(
        cls,
        *,
        enable: str | Iterable[str] = (),
        disable: str | Iterable[str] = (),
        admit: str | None = None,
        store: Store | bool = True,
        packs: Iterable[str] = (),
        unrecoverable_ok: bool = False,
        count: bool = False,
        ledger: bool = False,
        installed: bool = True,
        budget_tokens: int | None = None,
        hint: str | None = None,
        router: BudgetRouter | None = None,
        breaker: CircuitBreaker | bool = False,
        debug: bool = False,
        reload_s: float | None = None,
    ) -> Compressor:
        """Make a compressor as this process is configured.

        `enable` and `disable` name packs (`curated`) and rules (`bash.git_diff`), in addition to the configuration.
        `admit` is the level up to which content kinds apply where no rule does: `exact`, `value` or `normal`. `store`
        is a store, True for the configured one, or False for none; `unrecoverable_ok` allows summaries without one.
        `packs` are files of packs that are asked before all others. `count` adds exact token counts to decisions.
        `ledger` writes a line about each decision into the store, without content, from which `report` is made.
        `installed`: the packs and codecs of installed packages are used, too, and all packs are read now.
        `budget_tokens` is what codecs at level `aggressive` may take. `hint` is the text of the last line, with
        `{handle}` in it, for a model that reads originals in another way than `cablese show`. `router` holds the bounds
        on sizes; `breaker` (True, or one of your own) leaves a codec out that keeps taking too long, and makes
        decisions depend on time. `debug` has whatever a codec claims proved by its own decoder, as `CABLESE_DEBUG=1`
        does. `reload_s`: at most every so many seconds it is looked whether packs or the configuration have changed;
        if so, `reload` is called, and what keeps it from succeeding is logged.

        Raises ValueError for an unknown level, a malformed hint, and a pack in `packs` that cannot be used. A broken
        configuration raises nothing: then everything passes (`disabled`), and the decisions say why.
        """
        wishes = make_wishes(enable, disable, admit, hint, debug=debug)
        if reload_s is not None and not reload_s >= 0:
            raise ValueError(f"`reload_s` is {reload_s!r}, not a number of seconds")
        context, wishes, broken = make_context(
            wishes,
            packs=tuple(packs),
            store=store,
            installed=installed,
            unrecoverable_ok=unrecoverable_ok,
            counted=count,
            budget_tokens=budget_tokens,
            guard=make_guard(router, breaker),
        )
        compressor = cls(context, broken)
        compressor._wishes = wishes
        compressor._recorded = ledger and broken is None and context.store is not None and not context.settings.killed
        if reload_s is not None and broken is None:
            compressor._watch = compressor._make_reloader(reload_s)
        return compressor

    @property
    def catalogue(self) -> Catalogue:
        """The packs that are asked, for tools that explain a decision."""
        return self._context.catalogue

    @property
    def fault(self) -> str | None:
        """What keeps every summary away: a broken configuration, or, once it was met, a pack that cannot be used."""
        return self._broken or self._context.catalogue.fault

    def view(
        self, result: ToolResult, note: Callable[[str, Any], None] | None = None, level: str | None = None
    ) -> View:
        """Decide what a model sees of a result. `note` is told of each step that is taken.

        `level` is for this call: it takes the place of the level of the entry that claims the result, and of its
        failed status; the ceilings of the configuration hold all the same. Raises ValueError for an unknown level, and
        nothing else.
        """
        if self._scoped:
            result = self.in_scope(result)
        return self.tell(result, self.decide(result, note, level))

    def decide(
        self, result: ToolResult, note: Callable[[str, Any], None] | None = None, level: str | None = None
    ) -> View:
        """Decide as `view` does, and tell nobody: for a caller that has still to learn what becomes of the view."""
        _check_level(level)
        if self._watch is not None and self._watch.due(self._context):
            self._reload_quietly()
        if self._broken is None:
            return decide(result, self._context, note, level)
        size = text_size(result.content)
        decision = Decision(Outcome.PASSED, Reason.DISABLED, self._broken, tool=result.tool, bytes=(size, size))
        return View(result.content, decision._replace(untrusted=result.untrusted))

    def tell(self, result: ToolResult, view: View) -> View:
        """Tell listeners of a decision that is final, and return its view. Once for each that `decide` made."""
        if self._recorded:
            self._ledger().decided(view.decision)
        if self._listeners:
            self._listeners.tell(result, view.decision)
        return view

    def subscribe(self, listener: Callable[[Event], object]) -> Callable[[], None]:
        """Tell `listener` of every decision from now on, once each; the function that is returned ends that.

        What a listener raises is logged (`logging.getLogger("cablese")`, its first error only) and changes nothing; it
        is not told of decisions that it causes itself.
        """
        from .hosting.events import Listeners

        # Two threads may both be first: `setdefault` lets one win.
        return self.__dict__.setdefault("_listeners", Listeners()).add(listener)

    def tell_recovered(self, handle: str, size: int) -> None:
        """Write down that `size` bytes of an original were shown again, where a ledger is kept. Never raises."""
        if self._recorded:
            self._ledger().recovered(handle, size)

    def excerpt(
        self,
        handle: str,
        *,
        lines: Window | None = None,
        bytes: Window | None = None,  # noqa: A002 - as in `show --bytes`
        grep: str | None = None,
        tenant: str = "",
        run: str = "",
    ) -> Excerpt:
        """Return a part of an original as bytes, with what part of how much it is.

        `lines` or `bytes` is a window `(first, last)`, counted from 1, None for an open end; `grep` chooses of it the
        lines in which an expression is found. Raises UnknownHandleError, one and the same for a handle that never was,
        is another tenant's or run's, or has expired; ValueError for a malformed choice; StoreError.
        """
        excerpt = self._excerpt(handle, tenant, run, lines=lines, bytes=bytes, grep=grep)
        self.tell_recovered(handle, len(excerpt.content))
        return excerpt

    def _excerpt(self, handle: str, tenant: str, run: str, **choice: Any) -> Excerpt:
        from .recovery.originals import UnknownHandleError, choose, fetch_original

        if self._broken is not None:
            raise StoreError(self._broken)
        if self._context.store is None:
            raise UnknownHandleError
        if self._scoped:
            from .hosting.scope import names_for

            tenant, run = names_for(self, tenant, run)
        return choose(fetch_original(self._context.store, handle, tenant=tenant, run=run), **choice)

    def recover(self, handle: str, **choice: Any) -> str:
        """Return an original, or what `choice` chooses of it, as text. Takes and raises what `excerpt` does.

        Bytes that are not UTF-8 are surrogates in it (`surrogateescape`), as they were in the result.
        """
        return self.excerpt(handle, **choice).content.decode("utf-8", "surrogateescape")

    def recovery_tool(
        self, *, name: str = RECOVERY_TOOL, max_bytes: int = 32 * 1024, tenant: str = "", run: str = ""
    ) -> RecoveryTool:
        """Return a ready-made tool with which a model reads the originals of one tenant's run: definition and handler.

        An answer holds at most `max_bytes` bytes of an original, and says which part of how much it is. What a tool of
        the default name returns counts as compressed already, and is not touched again.
        """
        from .recovery.originals import make_tool

        def recover(handle: str, **choice: Any) -> Excerpt:
            return self._excerpt(handle, tenant, run, **choice)

        return make_tool(recover, name=name, max_bytes=max_bytes, told=self.tell_recovered)

    def _ledger(self) -> Ledger:
        from .hosting.ledger import Ledger

        return self.__dict__.get("_opened_ledger") or self.__dict__.setdefault(
            "_opened_ledger", Ledger(self._context.store)
        )

    def report(self, *, tool: str | None = None, since: float | None = None) -> dict[str, Any]:
        """Return what the decisions in the store's ledger saved, as published in `schemas/report.schema.json`.

        `tool` chooses one tool, `since` (seconds since 1970) later entries. Without a store the report is empty. Raises
        StoreError.
        """
        from .savings import aggregate, report_record

        entries = getattr(self._context.store, "entries", tuple)
        return report_record(aggregate(entries(), since), tool)

    async def view_async(self, result: ToolResult, level: str | None = None) -> View:
        """Decide as `view` does; large results are decided about in a helper process, so that the event loop goes on.

        What cannot be sent there (objects of the host's own classes, codecs of others) is decided about in a thread.
        Raises ValueError for an unknown level, and nothing else; a helper that dies costs the compression at most.
        """
        from .hosting.routing import stays_inline

        if self._watch is not None and self._watch.due(self._context):
            import asyncio

            await asyncio.to_thread(self._reload_quietly)
        if stays_inline(result, self._context.guard, level):
            return self.view(result, level=level)
        _check_level(level)
        if self._scoped:
            result = self.in_scope(result)
        if self._broken is None and isinstance(result, ToolResult):
            from .hosting.offload import Offload

            offload = self._offload or self.__dict__.setdefault("_offload", Offload(self._context))
            view = await offload.decide(result, level)
        else:
            import asyncio

            view = await asyncio.to_thread(self.decide, result, None, level)
        return self.tell(result, view)

    def reload(self, *, allow_downgrade: bool = False) -> bool:
        """Read the configuration and all packs again, and use them from the next result on; tell whether that changed
        anything.

        All or nothing: every pack is read and checked as a whole first. What is being decided goes on with the packs
        that it began with. Where originals are kept stays as it is. `allow_downgrade`: also where a pack would take the
        place of a newer one. Raises ReloadError, and the packs stay as they are: for a broken configuration, and for a
        pack in use that has become one that may not be used; also where the configuration was broken at the beginning,
        and for a compressor that was not made by `default`.
        """
        reloader = self._watch or self.__dict__.get("_reloads")
        if reloader is None:
            # Two threads may both be first: `setdefault` lets one win.
            reloader = self.__dict__.setdefault("_reloads", self._make_reloader(None))
        return reloader.exchange(lambda: self._context, self._switch, allow_downgrade=allow_downgrade)

    def _reload_quietly(self) -> None:
        try:
            self.reload()
        except Exception as error:  # noqa: BLE001 - whatever it is, the packs that are in use stay in use
            warn([f"the packs stay as they are: {error}"])

    def _make_reloader(self, every_s: float | None) -> Reloader:
        """Return what reads the packs anew. Raises ReloadError where that cannot be done."""
        from .hosting.reloading import make_reloader

        return make_reloader(self._wishes, self._broken, self._context, every_s)

    def _switch(self, context: Context) -> bool:
        """Use another context from the next result on; tell whether it differs."""
        from .hosting.reloading import differs

        before, said = self._context, self.catalogue.known_remarks()
        if not differs(before, context):
            return False
        self._context = context
        if self._offload is not None:
            self._offload.switch(context)
        warn(each.words for each in context.catalogue.known_remarks() if each.damaged and each not in said)
        return True

    def close(self) -> None:
        """End helper processes, once they are done, and let go of the configured store. It may be used again."""
        if self._offload is not None:
            self._offload.close()
        if isinstance(self._context.store, ConfiguredStore):
            self._context.store.close()

    async def aclose(self) -> None:
        """Close without keeping the event loop."""
        import asyncio

        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def scope(self, *, tenant: str | None = None, run: str | None = None) -> Scope:
        """Return a context manager in which results without a tenant or a run have these.

        It holds for this compressor, in the thread or task that enters it and in tasks started from there.
        """
        from .hosting.scope import Scope

        self._scoped = True
        return Scope(self, tenant, run)

    def in_scope(self, result: ToolResult) -> ToolResult:
        """Return a result with the tenant and run of the scope, as far as it has none of its own."""
        if not self._scoped:
            return result
        from .hosting.scope import put_in_scope

        return put_in_scope(self, result)

    def may_compress(self, tool: str, command: str, *, kinds: bool = True) -> bool:
        """Tell, before it has run, whether a rule that is on, or a content kind, may claim a command. Never raises.

        `kinds` False: content kinds, which may claim any command, do not count.
        """
        if self._broken is not None:
            return False
        return may_compress(ToolResult(tool, "", {"command": command}), self._context, kinds=kinds)

    @overload
    def wrap(self, function: _Function, *, tool: str | None = None, on_result: OnResult | None = None) -> _Function: ...

    @overload
    def wrap(
        self, function: None = None, *, tool: str | None = None, on_result: OnResult | None = None
    ) -> Callable[[_Function], _Function]: ...

    def wrap(self, function: Any = None, *, tool: str | None = None, on_result: OnResult | None = None) -> Any:
        """Wrap a tool function, sync or async, so that it returns what a model should see.

        A function that returns a `ToolResult` gives one back, with the content replaced; any other value is itself the
        content, of the tool `tool` (the function's name where absent) with the call's arguments. `on_result` is told
        of each raw result and its view; for what is awaited it may be async. Without a function, a decorator. Errors
        are raised as they were; generator functions come back as they are. Raises TypeError for what is no function.
        """
        from .hosting.wrapping import wrap_function

        if function is None:
            return lambda inner: wrap_function(self, inner, tool, on_result)
        return wrap_function(self, function, tool, on_result)


def _check_level(level: str | None) -> None:
    if level is not None and level not in LEVELS:
        raise ValueError(f"`level` is {level!r}, not one of {', '.join(LEVELS)}")
