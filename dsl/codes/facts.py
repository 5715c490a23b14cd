"""E05xx: facts and claims."""

from __future__ import annotations

from .code import Code

CODES: tuple[Code, ...] = ()
