"""E04xx: the grammar over lines."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
