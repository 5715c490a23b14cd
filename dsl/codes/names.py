"""E02xx: names, uses and definitions."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
