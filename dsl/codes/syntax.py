"""E01xx: syntax and the limits of a file."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
