"""The failed-search diagnostic: what a failed, silent search had to say.

Independent of summaries and of the gate: a search tool that fails with blank content shows its captured stderr (else
stdout), verbatim, so that the model learns what went wrong.
"""

from __future__ import annotations

from .decision.policy import SEARCH_TOOLS
from .records import ToolResult


def search_diagnostic(result: ToolResult) -> str | None:
    """Return the text to show in place of the blank content of a failed search, or None."""
    if result.tool not in SEARCH_TOOLS or result.stated_success is not False:
        return None
    if not isinstance(result.content, str) or result.content.strip():
        return None
    for name in ("stderr", "stdout"):
        text = result.metadata.get(name)
        if isinstance(text, str) and text.strip():
            return text
    return None
