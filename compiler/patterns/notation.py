"""Operations in the notation of patterns, for messages about text that is not in the file at hand."""

from __future__ import annotations

from .lower import HEX_WIDTH, INT_DIGITS
from .program import BLANK, DIGIT, HEX, Cap, CString, Enum, Fit, Group, Lit, Op, Opt, Quoted, Ranges, Raw, Rest, Run


def show_op(op: Op) -> str:
    """Return an operation as an author could have written it; a word of the file as its classes."""
    match op:
        case Lit(text):
            return text.replace("{", "{{").replace("}", "}}")
        case Opt(ops):
            return "{?" + "".join(map(show_op, ops)) + "}"
        case Enum(choices, cap):
            return _hole(cap, f":({'|'.join(choices)})")
        case Fit(kind, cap):
            return _hole(cap, "" if kind == "text" else f":{kind}")
        case Run(ranges, low, high, cap):
            known = {
                (DIGIT, 1, INT_DIGITS): "int",
                (BLANK, 1, None): "spaces",
                (BLANK, 2, None): "gap",
                (BLANK, 0, None): "indent",
                (HEX, *HEX_WIDTH): "hex(4..64)",
            }.get((ranges, low, high))
            return _hole(cap, f":{known}") if known else _show_run(ranges, low, high)
        case Group(runs):
            return " ".join(_show_run(run.ranges, run.low, run.high) for run in runs)
        case Rest(cap) | Raw(cap) | CString(cap) | Quoted(cap):
            return _hole(cap, f":{type(op).__name__.lower()}")


def _hole(cap: Cap | None, kind: str) -> str:
    default = "" if cap is None or cap.default is None else f" = {cap.default}"
    return f"{{{cap.name if cap else ''}{kind}{default}}}"


def _show_run(ranges: Ranges, low: int, high: int | None) -> str:
    chars = "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in ranges)
    times = {(1, 1): "", (0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
    if times is None:
        times = f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"
    return f"[{chars}]{times}"
