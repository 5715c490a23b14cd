"""What authors get wrong inside one pattern.

Input: a lowered program. Output: diagnostics; nothing else depends on their order. One small check per code:

* E0304: a hole that takes all it can takes what follows it;
* E0305: a choice, taken for good, hides the reading that would have fitted;
* E0306: an open hole without an end: two that touch, or text behind `rest`;
* E0307: a look-ahead that reads the same text again and again;
* E0308: a part that can make no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...dsl.diagnostics import Diagnostic, Edit, Label, Report
from ...dsl.source import Source
from .automaton import look_automaton
from .characters import intersect, subtract
from .linear import pumping_word
from .lost import lost_lines
from .notation import show_op
from .program import CString, Enum, Fit, Group, Lit, Op, Opt, Program, Ranges, Raw, Rest, Run, caps, walk

_NEVER_IN_A_LINE: Final = {"\n": "a line end", "\0": "NUL", "\x1b": "ESC"}

_MOST_CLEAN: Final = 1 << 14
_clean: set[Program] = set()
"""Patterns without findings: they are clean wherever they stand."""

Check = Callable[[Program, Source], Iterator[Diagnostic]]


def check_pattern(program: Program, source: Source, report: Report) -> None:
    """Report what is wrong with a pattern as it stands alone."""
    if program in _clean:
        return
    before = len(report)
    for check in (check_ends, check_touching, check_parts):
        report.extend(check(program, source))
    if len(report) == before:
        # Where a hole has no end the checks below would only repeat that in other words.
        for check in (check_taking, check_linear):
            report.extend(check(program, source))
    if len(report) == before:
        if len(_clean) >= _MOST_CLEAN:
            _clean.clear()
        _clean.add(program)


def each_with_follow(ops: Program, follow: Program = ()) -> Iterator[tuple[Op, Program]]:
    """Yield every operation with all that stands behind it, also behind the optional parts around it."""
    for index, op in enumerate(ops):
        after = ops[index + 1 :] + follow
        yield op, after
        if isinstance(op, Opt):
            yield from each_with_follow(op.ops, after)


def check_ends(program: Program, source: Source) -> Iterator[Diagnostic]:
    """Find `rest` and `raw` with something behind them."""
    for op, follow in each_with_follow(program):
        if isinstance(op, Rest | Raw) and follow:
            kind = "rest" if isinstance(op, Rest) else "raw"
            name = op.cap.name if op.cap else ""
            written = source.text[op.span.start : op.span.end]
            edits = (Edit(op.span, f"{{{name}}}"),) if kind == "rest" and written == f"{{{name}:rest}}" else ()
            yield Diagnostic(
                "E0306",
                f"nothing can follow {_shown(op, source)}",
                source,
                Label(op.span, f"`{kind}` takes everything to the end of the line"),
                _behind(op, follow[0], "never reached"),
                help=f"use `{{{name}}}`, which ends where what follows it fits",
                edits=edits,
            )


def check_touching(program: Program, source: Source) -> Iterator[Diagnostic]:
    """Find first-fit holes behind which another open hole can begin at once."""
    for op, follow in each_with_follow(program):
        if isinstance(op, Fit) and 0 in look_automaton(follow).opens:
            yield Diagnostic(
                "E0306",
                "two open holes touch",
                source,
                Label(op.span, "nothing says where this ends: it would take one character"),
                _behind(op, _next_open(follow), "this may begin anywhere"),
                notes=("a text, word or cell hole ends at the first place where what stands before the next one fits",),
                help="put fixed text or a typed hole between them, or make them one hole",
            )


def check_taking(program: Program, source: Source) -> Iterator[Diagnostic]:
    """Find holes and choices that take, for good, what something behind them needs."""
    found = [lost for lost in lost_lines(program) if lost.line is not None]
    reported = {id(lost.op) for lost in found}
    for op, line, follow in ((lost.op, lost.line, lost.follow) for lost in found):
        # An optional part that loses a line because a hole in it does would say the same again.
        if not (isinstance(op, Opt) and any(id(inner) in reported for inner, _ in walk(op.ops))):
            yield _lost_choice(op, follow, line or "", source)
    for op, follow in each_with_follow(program):
        taken = _takes(op)
        dead = _first_dead(taken, follow) if taken else None
        if dead is not None and id(op) not in reported:
            yield Diagnostic(
                "E0304",
                f"{_shown(dead, source)} can never take anything",
                source,
                Label(dead.span, "nothing is left for this"),
                _behind(dead, op, "takes all of it"),
                notes=("such a hole takes all it can and gives nothing back",),
                help="remove the second, or let the first admit less",
            )


def _lost_choice(op: Op, follow: Program, line: str, source: Source) -> Diagnostic:
    behind = _behind(op, follow[0], "what follows") if follow else ()
    if isinstance(op, Enum | Opt):
        what = "the longest text that stands here is taken" if isinstance(op, Enum) else "the part is taken if it fits"
        return Diagnostic(
            "E0305",
            f"{_shown(op, source)} hides another reading",
            source,
            Label(op.span, f"{what}, for good"),
            behind,
            notes=(f"`{line}` could be read from here on, but not after this choice",),
            help="write the two readings as two patterns, or let the choice hold what tells them apart",
        )
    if _within_one_hole(op, follow, source):
        return Diagnostic(
            "E0304",
            f"a run of {_shown(op, source)} swallows the next run of the word",
            source,
            Label(op.span, "each run takes all it can and gives nothing back"),
            notes=(f"`{line}` could be read from here on, but only by giving something back",),
            help="let the classes of the two runs not meet, or make them one run",
        )
    return Diagnostic(
        "E0304",
        f"{_shown(op, source)} swallows what follows it",
        source,
        Label(op.span, "takes all it can and gives nothing back"),
        behind,
        notes=(f"`{line}` could be read from here on, but only by giving something back",),
        help="use a first-fit hole (`{name}`, `{name:word}`, `{name:cell}`), or a `word` that admits less",
    )


def check_linear(program: Program, source: Source) -> Iterator[Diagnostic]:
    """Find first-fit holes whose look-ahead can read the same text from many places."""
    for op, follow in each_with_follow(program):
        word = pumping_word(op, follow) if isinstance(op, Fit) else None
        if word is not None:
            yield Diagnostic(
                "E0307",
                f"{_shown(op, source)} is not linear",
                source,
                Label(op.span, "every place in it is a place where what follows may begin"),
                _behind(op, follow[0], "and this reads on to find out"),
                notes=(f"on a line that repeats `{word}` the same text would be read from every place again",),
                help=_closer(op, follow),
            )


def _closer(op: Op, follow: Program) -> str:
    """Advise on a hole that is not linear."""
    blanks = any(isinstance(other, Run) and intersect(other.ranges, ((0x20, 0x20),)) for other in follow[:2])
    if isinstance(op, Fit) and op.kind == "text" and blanks:
        return "use `{name:word}`, which cannot take the blanks, or end the hole with fixed text"
    return "let what follows begin with something it cannot repeat, such as fixed text"


def check_parts(program: Program, source: Source) -> Iterator[Diagnostic]:
    """Find parts that make no difference: defaults never used, parts that fit nothing, text no line holds."""
    for op, _ in walk(program):
        if isinstance(op, Opt) and _admits_nothing(op.ops):
            yield Diagnostic(
                "E0308",
                "an optional part that fits nothing is always there",
                source,
                Label(op.span, "this fits everywhere" if op.ops else "this is empty"),
                help="leave out the `{? … }`: what is in it may be empty already" if op.ops else "remove it",
            )
        for text in (op.text,) if isinstance(op, Lit) else op.choices if isinstance(op, Enum) else ():
            for char in dict.fromkeys(text):
                if char in _NEVER_IN_A_LINE:
                    yield Diagnostic(
                        "E0308",
                        f"no line holds {_NEVER_IN_A_LINE[char]}",
                        source,
                        Label(op.span, "so this claims no line"),
                    )
    for cap, optional in caps(program):
        if cap.default is not None and not (optional and cap.type == "int"):
            why = "only an `int` has a default" if cap.type != "int" else "it is not in an optional part"
            yield Diagnostic(
                "E0308",
                f"the default of `{cap.name}` is never used",
                source,
                Label(cap.span, why),
                help="remove the default" + ("" if optional else ", or put the hole into `{? … }`"),
            )


def _takes(op: Op) -> Ranges:
    """Return the characters that cannot stand behind an operation, as it would have taken them."""
    match op:
        case Run(ranges, low, high) if high != low:
            return ranges
        case Group(runs):
            return _takes(runs[-1])
        case _:
            return ()


def _first_dead(taken: Ranges, follow: Program) -> Op | None:
    """Return the first operation behind a run that could only begin with what the run has taken."""
    for op in follow:
        ops: Program = op.ops if isinstance(op, Opt) else op.runs if isinstance(op, Group) else (op,)
        first = ops[0] if ops else op
        match first:
            case Run(ranges, _, _) if not subtract(ranges, taken):
                return first
            case Lit(text) if isinstance(op, Opt) and intersect(((ord(text[0]), ord(text[0])),), taken):
                return op
            case Run(_, 0, _):
                continue
            case _ if isinstance(op, Opt):
                continue
            case _:
                return None
    return None


def _admits_nothing(ops: Program) -> bool:
    """Say whether the operations may fit without taking a character."""
    return all(
        isinstance(op, Opt | Rest | Raw | CString)
        or (isinstance(op, Run) and op.low == 0)
        or (isinstance(op, Group) and all(run.low == 0 for run in op.runs))
        for op in ops
    )


def _next_open(follow: Program) -> Op:
    """Return the first open hole of the operations."""
    return next(op for op, _ in walk(follow) if isinstance(op, Fit | Rest | Raw))


def _shown(op: Op, source: Source) -> str:
    """Return an operation as written, in backticks; for what a phrase brought in, also the phrase."""
    written = source.text[op.span.start : op.span.end]
    if not written or written.startswith("{="):
        return f"`{show_op(op)}`" + (f" of the phrase `{written}`" if written else "")
    return f"`{written}`"


def _behind(op: Op, other: Op, text: str) -> tuple[Label, ...]:
    """Return the label of another operation; none where both came in by one phrase."""
    return (Label(other.span, text),) if other.span != op.span else ()


def _within_one_hole(op: Op, follow: Program, source: Source) -> bool:
    """Say whether the two are runs of one word of the file."""
    runs = isinstance(op, Group) or (bool(follow) and isinstance(op, Run) and isinstance(follow[0], Run))
    return runs and bool(follow) and follow[0].span == op.span and not source.text.startswith("{=", op.span.start)
