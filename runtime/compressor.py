"""The runtime for Python hosts: one object that turns results into views.

Input: `ToolResult` records, or tool functions to wrap. Output: `View` records, or functions that return what a model
should see.

Invariants: a `Compressor` may be shared by threads and used after fork; what it passes is the same object; an error of
a wrapped function is raised as it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .catalogue import Catalogue, PackUnusableError
from .reasons import Reason
from .records import Decision, Outcome, ToolResult, View, text_size
from .settings import LEVELS, Settings, SettingsError, read_settings
from .store import Store
from .walk import Context, decide, may_compress

if TYPE_CHECKING:
    from .events import Event, Listeners
    from .ledger import Ledger

_Function = TypeVar("_Function", bound=Callable[..., Any])
_ADMIT_LEVELS = ("exact", "value", "normal")
# Above this, deciding takes long enough to be felt by what else runs on an event loop.
_LARGE_BYTES = 64 * 1024


class Compressor:
    """Turns results of tools into views. Make one with `Compressor.default`, or from a `Context` of your own."""

    _listeners: Listeners | None = None
    _recorded = False

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
    ) -> Compressor:
        """Make a compressor as this process is configured.

        `enable` and `disable` name packs (`curated`) and rules (`bash.git_diff`), in addition to the configuration.
        `admit` is the level up to which content kinds apply where no rule does: `exact`, `value` or `normal`. `store`
        is a store, True for the configured one, or False for none; `unrecoverable_ok` allows summaries without one.
        `packs` are files of packs that are asked before all others. `count` adds exact token counts to decisions.
        `ledger` writes a line about each decision into the store, without content, from which `report` is made.
        `installed`: the packs and codecs of installed packages are used, too, and all packs are read now.
        `budget_tokens` is what codecs at level `aggressive` may take.

        Raises ValueError for an unknown level, and for a pack in `packs` that cannot be used. A broken configuration
        raises nothing: then everything passes (`disabled`), and the decisions say why.
        """
        if admit is not None and admit not in _ADMIT_LEVELS:
            raise ValueError(f"`admit` is {admit!r}, not one of {', '.join(_ADMIT_LEVELS)}")
        broken = None
        try:
            settings = read_settings(os.environ, os.getcwd())
        except (SettingsError, OSError) as error:
            settings, broken = Settings(), str(error)
        settings = settings._replace(
            enabled=settings.enabled | _names(enable), disabled=settings.disabled | _names(disable)
        )
        files = tuple(packs)
        context = Context(
            settings=settings,
            catalogue=_open_catalogue(settings, files) if installed else Catalogue(settings, files),
            store=_LazyStore(settings) if store is True else store or None,
            unrecoverable_ok=unrecoverable_ok,
            counted=count,
            budget_tokens=budget_tokens,
        )
        compressor = cls(context, broken)
        compressor._recorded = ledger and broken is None and context.store is not None and not settings.killed
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
        return self.tell(result, self.decide(result, note, level))

    def decide(
        self, result: ToolResult, note: Callable[[str, Any], None] | None = None, level: str | None = None
    ) -> View:
        """Decide as `view` does, and tell nobody: for a caller that has still to learn what becomes of the view."""
        if level is not None and level not in LEVELS:
            raise ValueError(f"`level` is {level!r}, not one of {', '.join(LEVELS)}")
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
        from .events import Listeners

        # Two threads may both be first: `setdefault` lets one win.
        return self.__dict__.setdefault("_listeners", Listeners()).add(listener)

    def tell_recovered(self, handle: str, size: int) -> None:
        """Write down that `size` bytes of an original were shown again, where a ledger is kept. Never raises."""
        if self._recorded:
            self._ledger().recovered(handle, size)

    def _ledger(self) -> Ledger:
        from .ledger import Ledger

        return Ledger(self._context.store)

    def report(self, *, tool: str | None = None, since: float | None = None) -> dict[str, Any]:
        """Return what the decisions in the store's ledger saved, as published in `schemas/report.schema.json`.

        `tool` chooses one tool, `since` (seconds since 1970) later entries. Without a store the report is empty. Raises
        StoreError.
        """
        from .savings import aggregate, report_record

        entries = getattr(self._context.store, "entries", tuple)
        return report_record(aggregate(entries(), since), tool)

    async def view_async(self, result: ToolResult) -> View:
        """Like `view`, with large payloads decided in a thread of their own."""
        if isinstance(result.content, str) and len(result.content) <= _LARGE_BYTES:
            return self.view(result)
        import asyncio

        return await asyncio.to_thread(self.view, result)

    def may_compress(self, tool: str, command: str) -> bool:
        """Tell whether a rule that is on claims this command, before it has run. Never raises."""
        if self._broken is not None:
            return False
        return may_compress(ToolResult(tool, "", {"command": command}), self._context)

    def wrap(self, function: _Function, *, tool: str | None = None) -> _Function:
        """Wrap a tool function, sync or async, so that it returns what a model should see.

        A function that returns a `ToolResult` gives one back, with the content replaced; any other value is itself the
        content, of the tool `tool` (the function's name where absent) with the call's arguments.
        """
        import functools
        import inspect

        name = tool or getattr(function, "__name__", type(function).__name__)

        def take(value: Any, args: Any, kwargs: Any) -> ToolResult:
            return (
                value if isinstance(value, ToolResult) else ToolResult(name, value, _arguments(function, args, kwargs))
            )

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def call_async(*args: Any, **kwargs: Any) -> Any:
                value = await function(*args, **kwargs)
                return _give(value, await self.view_async(take(value, args, kwargs)))

            return cast("_Function", call_async)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            value = function(*args, **kwargs)
            return _give(value, self.view(take(value, args, kwargs)))

        return cast("_Function", call)


def _open_catalogue(settings: Settings, packs: tuple[str, ...]) -> Catalogue:
    """Read all packs, those of installed packages included, and log what is wrong with them.

    Raises PackUnusableError for a pack that was given by hand; a fault in one of ours is for the decisions to say.
    """
    from .codecs.plugins import load_codec_plugins
    from .installed import find_installed

    load_codec_plugins()
    found = find_installed()
    catalogue = Catalogue(settings, packs, tuple(found.packs.values()))
    faults = [*found.faults.values()]
    try:
        faults += [shadow.words for shadow in catalogue.manifest().shadows]
    except PackUnusableError as error:
        if str(error).startswith(tuple(f"{path}:" for path in packs)):
            raise
    faults += [remark.words for remark in catalogue.known_remarks() if remark.damaged]
    if faults:
        import logging

        for fault in dict.fromkeys(faults):
            logging.getLogger("cablese").warning("%s", fault)
    return catalogue


class _LazyStore:
    """The configured store, loaded when the first original is kept: most results pass, and need none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: Store | None = None

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep an original and return its handle."""
        return self._open().keep(content, tenant=tenant, run=run)

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None."""
        return self._open().fetch(handle, tenant=tenant, run=run)

    def log(self, entry: bytes) -> None:
        """Add an entry to the ledger, without loading the store for it."""
        from .ledger_file import LedgerFile

        LedgerFile.beside(self._settings.store).log(entry)

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first."""
        from .ledger_file import LedgerFile

        return LedgerFile.beside(self._settings.store).entries()

    def _open(self) -> Store:
        if self._store is None:
            from .sqlite_store import SqliteStore

            self._store = SqliteStore(self._settings.store, self._settings.retention)
        return self._store


def _names(given: str | Iterable[str]) -> frozenset[str]:
    return frozenset((given,)) if isinstance(given, str) else frozenset(given)


def _arguments(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """Return the arguments of a call by name. What has no signature (some built-ins) gives those that were named."""
    import inspect

    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return dict(kwargs)


def _give(value: Any, view: View) -> Any:
    """Return a view in the shape in which the function returned the original."""
    if not isinstance(value, ToolResult):
        return view.content
    return value if view.content is value.content else value._replace(content=view.content)
