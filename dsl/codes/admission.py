"""E09xx: admission entries."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
