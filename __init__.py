"""Cablese: a declarative language, its compiler and its runtime for showing a language model less tool output.

Importing this package costs nothing: the public names are loaded on first use (PEP 562).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .runtime import Compressor, Decision, ToolResult, View

__all__ = ["Compressor", "Decision", "ToolResult", "View", "__version__"]

__version__ = "0.1.0"

_PUBLIC = frozenset({"Compressor", "Decision", "ToolResult", "View"})


def __getattr__(name: str) -> object:
    """Load a public name from `cablese.runtime` on first use."""
    if name in _PUBLIC:
        from . import runtime  # noqa: PLC0415 - the point of this function

        return getattr(runtime, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
