"""E06xx: the summary template."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
