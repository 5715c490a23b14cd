"""The compiler: from rule files to a pack.

`compile_sources` and `check_sources` take texts and return values and diagnostics; they do not print, exit or write.
"""

from __future__ import annotations

from .compilation import Compilation, CompiledRule, StrayRuleError, check_sources, compile_sources

__all__ = ["Compilation", "CompiledRule", "StrayRuleError", "check_sources", "compile_sources"]
