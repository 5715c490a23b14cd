"""The registry of diagnostic codes, gathered from one module per family."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from . import admission, commands, examples, facts, lines, names, patterns, summary, syntax
from .code import Code

__all__ = ["CODES", "FAMILIES", "Code"]

FAMILIES: tuple[tuple[Code, ...], ...] = (
    syntax.CODES,
    names.CODES,
    patterns.CODES,
    lines.CODES,
    facts.CODES,
    summary.CODES,
    commands.CODES,
    examples.CODES,
    admission.CODES,
)

CODES: Mapping[str, Code] = MappingProxyType({code.code: code for family in FAMILIES for code in family})
