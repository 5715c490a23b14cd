"""Programs as the pack writes them.

Input: a program and the names that facts, claims or the summary use. Output: the JSON operations of
`docs/pack-format.md`. What nobody uses is matched, not captured.
"""

from __future__ import annotations

from typing import Any

from .program import Cap, CString, Enum, Fit, Group, Lit, Op, Opt, Program, Quoted, Raw, Rest, Run


def emit_pattern(program: Program, wanted: frozenset[str]) -> list[Any]:
    """Return the operations of a pattern; `cap` only for the wanted names."""
    ops: list[Any] = []
    for op in program:
        ops.extend(_emit_op(op, wanted))
    return ops


def _emit_op(op: Op, wanted: frozenset[str]) -> list[Any]:
    match op:
        case Lit(text):
            return [["lit", text]]
        case Run(ranges, low, high, cap):
            return [["run", [list(pair) for pair in ranges], low, high, _emit_cap(cap, wanted)]]
        case Group(runs, cap):
            inner = emit_pattern(runs, frozenset())
            kept = _emit_cap(cap, wanted)
            return inner if kept is None else [["group", inner, kept]]
        case Fit(kind, cap):
            return [["fit", kind, _emit_cap(cap, wanted)]]
        case Enum(choices, cap):
            return [["enum", list(choices), _emit_cap(cap, wanted)]]
        case Opt(ops):
            return [["opt", emit_pattern(ops, wanted)]]
        case Rest(cap):
            return [["rest", _emit_cap(cap, wanted)]]
        case Raw(cap):
            return [["raw", _emit_cap(cap, wanted)]]
        case CString(cap):
            return [["cstring", _emit_cap(cap, wanted)]]
        case Quoted(cap):
            return [["quoted", _emit_cap(cap, wanted)]]


def _emit_cap(cap: Cap | None, wanted: frozenset[str]) -> list[Any] | None:
    return [cap.name, cap.type, cap.default] if cap is not None and cap.name in wanted else None
