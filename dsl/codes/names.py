"""E02xx: names, uses and definitions."""

from __future__ import annotations

from .code import Code
from .sketch import sketch

CODES: tuple[Code, ...] = (
    Code(
        "E0201",
        "a file cannot be taken in",
        'The path of `use "…"` is relative to the file it stands in, uses `/` and ends in `.cable`. The file must '
        "exist, and no file may take in itself, not even through others. Only shared definitions are taken in: "
        "words, phrases, options and lines, never rules.",
        sketch(before='use "missing.cable"\n'),
        sketch(),
    ),
    Code(
        "E0202",
        "unknown name",
        "A definition, `lines` block, `options` block or type is named that neither this file nor a file it takes in "
        "defines. Most often it is misspelt, or a `with` is missing.",
        sketch(stdout="jobs* done"),
        sketch(stdout="job* done"),
    ),
    Code(
        "E0203",
        "a name means two things",
        "Every word, phrase, options block, lines block and rule has a name of its own, and so has every definition "
        "that a rule can see: one that `with` takes in cannot be replaced. Types of the language cannot be redefined.",
        sketch(lines='job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"\n    done = "no jobs"'),
        sketch(lines='job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs" | "no jobs"'),
    ),
    Code(
        "E0204",
        "a definition contains itself",
        "The grammar of an output is a regular expression over its lines: it has repetition, no recursion. What "
        "nests in the output without a bound cannot be described; what repeats is said with `*` or `+`.",
        sketch(
            stdout="list done",
            lines='list = job list?\n    job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"',
        ),
        sketch(
            stdout="list done", lines='list = job+\n    job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"'
        ),
    ),
    Code(
        "E0205",
        "a shared definition is not used",
        "A word, phrase, options block or lines block of a file with rules is named nowhere. It is dead text, or its "
        "name is misspelt where it should be used. Files without rules are libraries and may hold more than one "
        "compilation uses.",
        sketch(before="word name = [a-z]+\n").replace("word name", "word title"),
        sketch(
            before="word title = [a-z]+\n", lines='job  = "[{n:int}] Running {name:title}"\n    done = "{n:int} jobs"'
        ),
    ),
)
