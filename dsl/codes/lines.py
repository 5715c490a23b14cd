"""E04xx: the grammar over lines."""

from __future__ import annotations

from .code import Code
from .sketch import DEFAULT_LINES, sketch

_COUNTED = 'part = "part of {n:int}" item*\n    item = "- {}" spends n\n    done = "{total:int} jobs"'
_GROWN = f"a = {'b ' * 13}\n    b = {'c ' * 13}\n    c = {'job ' * 13}\n    {DEFAULT_LINES}"

CODES: tuple[Code, ...] = (
    Code(
        "E0401",
        "two kinds share a line",
        "Where two plain kinds may follow the same line, no line may fit both: the meaning of an output must not "
        "depend on a choice. The message shows a shortest line that both claim. Make one of them more exact, or mark "
        "the more general one `otherwise`: such kinds are asked only when no plain kind claims the line.",
        sketch(lines='job  = "[{n:int}] {name}"\n    done = "[{n:int}] all done"'),
        sketch(lines='job  = otherwise "[{n:int}] {name}"\n    done = "[{n:int}] all done"'),
    ),
    Code(
        "E0402",
        "a kind may stand in two places at once",
        "After some line, the same kind is possible in two places of the grammar, so that the line would not say to "
        "which of them it belongs. Remove one of the places, or put a line between them that cannot be mistaken.",
        sketch(stdout="job* job done"),
        sketch(stdout="job+ done"),
    ),
    Code(
        "E0403",
        "a line may stay in a record or begin another",
        "A record that only repeats a kind, and is itself repeated, has no beginning that can be seen: `run = case+` "
        "under `run*`. Each step from one line to the next must say how many records stay open. Give the record a "
        "first line of its own, or repeat in one of the two places only.",
        sketch(
            stdout="run* done", lines='run  = job+\n    job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"'
        ),
        sketch(
            stdout="run done", lines='run  = job*\n    job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"'
        ),
    ),
    Code(
        "E0404",
        "nothing can reach a definition",
        "A definition of the rule is used by no stream, neither directly nor within a record. It is dead text, or "
        "its name is missing where it should stand.",
        sketch(stdout="job*", lines='job  = "[{n:int}] Running {name}"\n    note = "note: {}"'),
        sketch(stdout="(job | note)*", lines='job  = "[{n:int}] Running {name}"\n    note = "note: {}"'),
    ),
    Code(
        "E0405",
        "a kind stands behind a catch-all",
        "`otherwise` kinds are asked in the order of their definitions, those taken in by `with` first. `otherwise` "
        "without a pattern claims every line, so that no kind behind it ever gets one.",
        sketch(
            stdout="(job | said | note)*",
            lines='job  = "[{n:int}] Running {name}"\n    said = otherwise\n    note = otherwise "note: {}"',
        ),
        sketch(
            stdout="(job | said | note)*",
            lines='job  = "[{n:int}] Running {name}"\n    note = otherwise "note: {}"\n    said = otherwise',
        ),
    ),
    Code(
        "E0406",
        "a counter that no record captures",
        "`spends n` lowers an int that the first line of an enclosing record captures under that name. It must be an "
        "int, and always there: one in an optional part needs a value for its absence, `{n:int = 1}`. Only line "
        "kinds spend.",
        sketch(
            stdout="part* done",
            lines=_COUNTED.replace("{n:int}", "{}"),
            facts="parts = count part",
            summary="{{ parts }}",
        ),
        sketch(stdout="part* done", lines=_COUNTED, facts="parts = count part", summary="{{ parts }}"),
    ),
    Code(
        "E0407",
        "the streams of a rule are not spelt out",
        "A rule says of `stdout` and of `stderr` what they hold, once each: lines, or `empty`. Nothing is taken for "
        "granted: text on a stream that the rule does not expect must make the original pass.",
        sketch(stderr=""),
        sketch(),
    ),
    Code(
        "E0408",
        "the grammar or the rule is too large",
        "Every name is replaced by its definition wherever it stands. Definitions that repeat each other several "
        "times over grow out of bounds. Say repetition with `*`, `+` and `?`. A pack has bounds of its own, in depth "
        "and in numbers, and so has what a rule may be.",
        sketch(stdout="a done", lines=_GROWN),
        sketch(),
    ),
    Code(
        "E0409",
        "`otherwise` in the wrong place",
        "`otherwise` stands before the first pattern of a kind and covers all its patterns. `otherwise` without a "
        "pattern claims any line, so that patterns beside it would be idle; give it a name of its own.",
        sketch(lines='job  = "[{n:int}] Running {name}" | otherwise "job {n:int} {name}"\n    done = "{n:int} jobs"'),
        sketch(lines='job  = otherwise "[{n:int}] Running {name}" | "job {n:int} {name}"\n    done = "{n:int} jobs"'),
    ),
)
