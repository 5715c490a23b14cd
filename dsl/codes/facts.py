"""E05xx: facts and claims."""

from __future__ import annotations

from .code import Code
from .sketch import sketch

CODES: tuple[Code, ...] = (
    Code(
        "E0501",
        "unknown name in a fact or claim",
        "Facts and claims name kinds of the rule, captures of their lines, other facts and `exit_code`. A fact is "
        "`name = …`, a fact of every record K is `K.name = …`.",
        sketch(facts="running = count jobs"),
        sketch(facts="running = count job"),
    ),
    Code(
        "E0502",
        "a number that may be missing",
        "A path in a sum must be there exactly once in every output that the rule accepts, else the claim would say "
        "nothing. `sum K.n` adds up as many as there are, also none. A field that lists are grouped or sorted by "
        "must be there in every element.",
        sketch(stdout="job* done?", ensure="running = done.n"),
        sketch(stdout="job* done?", ensure="when some done: running = sum done.n"),
    ),
    Code(
        "E0503",
        "a value of the wrong type",
        "Only numbers add up and compare with `<`, only lists can be capped, only records can be sorted. Text that "
        "looks like a number is text: capture it as `{n:int}`. A kind that may stand more than once is a list: say "
        "`each`, `count`, `first of` or `last of`.",
        sketch(facts="running = sum job.name"),
        sketch(facts="running = sum job.n"),
    ),
    Code(
        "E0504",
        "a fact reads itself",
        "Facts may be written in any order and may read each other, but not in a circle.",
        sketch(
            facts="running = first 3 of jobs\n    jobs = running",
            summary="{% for j in running %}\n  {{ j.line }}\n  {% endfor %}\n  {{ running | more }}",
        ),
        sketch(
            facts="running = first 3 of jobs\n    jobs = each job",
            summary="{% for j in running %}\n  {{ j.line }}\n  {% endfor %}\n  {{ running | more }}",
        ),
    ),
    Code(
        "E0505",
        "a fact is not used",
        "A fact that neither the summary nor a claim nor another fact reads is dead text, or its name is misspelt "
        "where it should be read. (Kinds and captures that nobody reads are documentation, and cost nothing.)",
        sketch(facts="running = count job\n    names   = distinct job.name"),
        sketch(
            facts="running = count job\n    names   = distinct job.name",
            summary='running: {{ running }}\n  names: {{ names | join(", ") }}',
        ),
    ),
    Code(
        "E0506",
        "the name of a fact is taken",
        "A fact may not be called like a kind of the rule, a fact of a record not like one of its captures or of the "
        "kinds within it: it would hide them. `line` and `exit_code` are always there.",
        sketch(facts="done = count job", summary="running: {{ done }}"),
        sketch(facts="running = count job"),
    ),
    Code(
        "E0507",
        "a claim about nothing",
        "The claim, condition or fact reads a kind that never occurs where it is looked for, compares only numbers "
        "with numbers, or depends on an exit code that the rule does not admit.",
        sketch(exit="0", ensure="when exit 1: no job"),
        sketch(exit="0, 1", ensure="when exit 1: no job"),
    ),
    Code(
        "E0508",
        "a claim that always holds",
        "The grammar already says what the claim says: a kind that is always there is there, a "
        "count is not negative, both sides are the same. Such a claim protects from nothing.",
        sketch(ensure="count job >= 0"),
        sketch(ensure="count job = done.n"),
    ),
    Code(
        "E0509",
        "a claim that never holds",
        "No output that the rule reads can fulfil the claim, so that every one would pass through and the rule never "
        "apply. What refuses certain outputs on purpose stands behind a condition: `when some K: …`.",
        sketch(ensure="count done = 2"),
        sketch(ensure="count done = done.n"),
    ),
)
