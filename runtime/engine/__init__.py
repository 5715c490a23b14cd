"""The engine: command words, lines, facts and summaries of a rule, run from the tables of a pack.

Public names load on first use: to decide about a command nothing of the rest is needed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .command import accepts
    from .evaluation import Body, Cause, Refusal, Streams, evaluate, explain

__all__ = ["Body", "Cause", "Refusal", "Streams", "accepts", "evaluate", "explain"]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "accepts":
        from .command import accepts

        return accepts
    from . import evaluation

    return getattr(evaluation, name)
