"""The runtime: everything that happens to a result, from loading packs to the text that a model sees.

It never imports the language or the compiler. Public names are loaded on first use (PEP 562), so that a process pays
only for what its decision needs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .compressor import Compressor
    from .decoding import decode
    from .reasons import Reason
    from .records import Decision, Outcome, RecordError, ToolResult, View
    from .sqlite_store import SqliteStore
    from .store import MemoryStore, Store, StoreError

__all__ = [
    "Compressor",
    "Decision",
    "MemoryStore",
    "Outcome",
    "Reason",
    "RecordError",
    "SqliteStore",
    "Store",
    "StoreError",
    "ToolResult",
    "View",
    "decode",
]

_HOME = {
    "Compressor": "compressor",
    "Decision": "records",
    "MemoryStore": "store",
    "Outcome": "records",
    "Reason": "reasons",
    "RecordError": "records",
    "SqliteStore": "sqlite_store",
    "Store": "store",
    "StoreError": "store",
    "ToolResult": "records",
    "View": "records",
    "decode": "decoding",
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
