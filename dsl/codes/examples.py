"""E08xx: examples and their evidence."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
