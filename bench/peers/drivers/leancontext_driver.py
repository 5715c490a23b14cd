"""leancontext: `reduce(text).text` with its defaults. What it reduces is kept nowhere and carries no handle."""

from __future__ import annotations

from leancontext import reduce  # pyright: ignore[reportMissingImports]
from protocol import drive, nothing_kept


def show(text: str, _command: str) -> str:
    """Return the reduced text."""
    return reduce(text).text


if __name__ == "__main__":
    drive(show, nothing_kept)
