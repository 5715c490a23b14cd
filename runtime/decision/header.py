"""The text of a summary as the model sees it: header, body, and the line that leads back to the original.

Invariant: the header is one documented list of lines in fixed order; it is written, never read back. Output that looks
like it is only ever passed on.
"""

from __future__ import annotations

from typing import NamedTuple

MARKER = "[tool_output_compression]"


class Header(NamedTuple):
    """The facts of a header. Sizes are UTF-8 bytes of the captured streams. `compression`: `curated` for a rule that
    ships with us, `rule` for any other.
    """

    tool: str
    rule: str
    command: str
    success: bool
    exit_code: int | None
    raw_stdout_bytes: int
    raw_stderr_bytes: int
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    compression: str = "curated"


def render_header(header: Header) -> str:
    """Return the header, each line with its line end."""
    lines = [MARKER, *(f"{name}: {_render(value)}" for name, value in zip(Header._fields, header, strict=True))]
    return "\n".join([*lines, ""])


def render_view(header: Header, body: str, pointer: str | None) -> str:
    """Join header, body and pointer; no line end behind the last line. `pointer` None: nothing was kept, no line."""
    text = render_header(header) + body.removesuffix("\n")
    return text if pointer is None else f"{text}\noriginal: {pointer}"


def begins_like_ours(text: str) -> bool:
    """Tell whether a text begins with the header's first line: ours, or a forgery. Neither is summarised."""
    return text.startswith(MARKER + "\n") or text == MARKER


def _render(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
