"""terse-mcp: what its `terse compress` does, the default policy on a tool's result. Lossless, so nothing is kept."""

from __future__ import annotations

from protocol import drive, nothing_kept
from terse.policy import apply, default_policy  # pyright: ignore[reportMissingImports]

POLICY = default_policy()


def show(text: str, _command: str) -> str:
    """Return the encoded text."""
    return apply(text, "bash", POLICY).text


if __name__ == "__main__":
    drive(show, nothing_kept)
