"""E07xx: commands and the selection of rules."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
