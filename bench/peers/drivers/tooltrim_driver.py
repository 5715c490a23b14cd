"""tooltrim: `ToolCompressor().compress(text)` with its default budget; the `ref=…` of its footer is expanded."""

from __future__ import annotations

import re

from protocol import drive
from tooltrim import ToolCompressor  # pyright: ignore[reportMissingImports]

FOOTER = re.compile(r"full output ref=(\w+)\]\s*$")
COMPRESSOR = ToolCompressor()


def show(text: str, _command: str) -> str:
    """Return the extract with its footer."""
    return COMPRESSOR.compress(text).text


def retrieve(shown: str) -> str | None:
    """Return the original behind the footer."""
    found = FOOTER.search(shown)
    return COMPRESSOR.expand(found[1]) if found else None


if __name__ == "__main__":
    drive(show, retrieve)
