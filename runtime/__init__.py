"""The runtime: everything that happens to a result, from loading packs to the text that a model sees.

It never imports the language or the compiler. Public names are loaded on first use (PEP 562), so that a process pays
only for what its decision needs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .admission.classify import classify
    from .admission.kinds import ContentKind
    from .admission.reversible import ReversibleRouter
    from .admission.router import Compressed, ContentRouter
    from .codecs.codec import Encoded, NotApplicableError, Request
    from .codecs.plugins import load_codec_plugins
    from .codecs.registry import register_codec
    from .compressor import Compressor
    from .decoding import decode
    from .frozen_prefix import FrozenPrefix, PrefixDriftError
    from .hosting.breaker import CircuitBreaker
    from .hosting.events import Event
    from .hosting.reloading import ReloadError
    from .hosting.routing import BudgetRouter, Budgets, Thresholds
    from .reasons import Reason
    from .records import Decision, Outcome, RecordError, ToolResult, View
    from .recovery.originals import UnknownHandleError
    from .savings import SessionReport
    from .stores.file_store import FileStore
    from .stores.redis_store import RedisStore
    from .stores.sqlite_store import SqliteStore
    from .stores.store import MemoryStore, Retention, Store, StoreError
    from .truncation import truncate

__all__ = [
    "BudgetRouter",
    "Budgets",
    "CircuitBreaker",
    "Compressed",
    "Compressor",
    "ContentKind",
    "ContentRouter",
    "Decision",
    "Encoded",
    "Event",
    "FileStore",
    "FrozenPrefix",
    "MemoryStore",
    "NotApplicableError",
    "Outcome",
    "PrefixDriftError",
    "Reason",
    "RecordError",
    "RedisStore",
    "ReloadError",
    "Request",
    "Retention",
    "ReversibleRouter",
    "SessionReport",
    "SqliteStore",
    "Store",
    "StoreError",
    "Thresholds",
    "ToolResult",
    "UnknownHandleError",
    "View",
    "classify",
    "decode",
    "load_codec_plugins",
    "register_codec",
    "truncate",
]

_HOME = {
    "BudgetRouter": "hosting.routing",
    "Budgets": "hosting.routing",
    "CircuitBreaker": "hosting.breaker",
    "Compressed": "admission.router",
    "Compressor": "compressor",
    "ContentKind": "admission.kinds",
    "ContentRouter": "admission.router",
    "Decision": "records",
    "Encoded": "codecs.codec",
    "Event": "hosting.events",
    "FileStore": "stores.file_store",
    "FrozenPrefix": "frozen_prefix",
    "MemoryStore": "stores.store",
    "NotApplicableError": "codecs.codec",
    "Outcome": "records",
    "PrefixDriftError": "frozen_prefix",
    "Reason": "reasons",
    "RecordError": "records",
    "RedisStore": "stores.redis_store",
    "ReloadError": "hosting.reloading",
    "Request": "codecs.codec",
    "Retention": "stores.store",
    "ReversibleRouter": "admission.reversible",
    "SessionReport": "savings",
    "SqliteStore": "stores.sqlite_store",
    "Store": "stores.store",
    "StoreError": "stores.store",
    "Thresholds": "hosting.routing",
    "ToolResult": "records",
    "UnknownHandleError": "recovery.originals",
    "View": "records",
    "classify": "admission.classify",
    "decode": "decoding",
    "load_codec_plugins": "codecs.plugins",
    "register_codec": "codecs.registry",
    "truncate": "truncation",
}


def __getattr__(name: str) -> object:
    """Load a public name from the module it lives in."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{home}", __name__), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
