"""The token gate: whether a candidate is strictly shorter than the original, in tokens, under both encodings.

Input are two texts, output is a `Verdict`. Importing this package imports nothing else: the public names are loaded on
first use (PEP 562), and the gate opens the rank tables only when certain bounds do not settle the question.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .exact import count_tokens
    from .gate import Verdict, strictly_fewer
    from .ranks import RankDataError
    from .table import TableError, build_tables, verify_table

__all__ = ["RankDataError", "TableError", "Verdict", "build_tables", "count_tokens", "strictly_fewer", "verify_table"]

_HOME = {
    "RankDataError": "ranks",
    "TableError": "table",
    "Verdict": "gate",
    "build_tables": "table",
    "count_tokens": "exact",
    "strictly_fewer": "gate",
    "verify_table": "table",
}


def __getattr__(name: str) -> object:
    """Load a public name from the module it lives in."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Not importlib: importing it costs more than a decision by bounds.
    return getattr(__import__(f"{__name__}.{home}", fromlist=(name,)), name)
