"""E06xx: the summary template."""

from __future__ import annotations

from .code import Code
from .sketch import sketch

_LOOP = "{% for j in jobs %}\n  - {{ j.name }}\n  {% endfor %}"
_JOBS = "jobs = first 5 of each job"

CODES: tuple[Code, ...] = (
    Code(
        "E0601",
        "a construct that summaries do not have",
        "Summaries are written in Jinja's syntax and hold `{{ path }}`, `or`, `for`, `if`, `not`, `and` and the "
        "filters clip, join, length, more and earlier. There is no indexing, no arithmetic, no comparison, no "
        "assignment: what is to be computed is a fact. A summary must show something of the output; a constant text "
        "would claim what no line says.",
        sketch(summary="running: {{ running + 1 }}"),
        sketch(summary="running: {{ running }}"),
    ),
    Code(
        "E0602",
        "a path that may be missing",
        "A summary must be able to show every output that the rule accepts. What an output may lack stands under `{% "
        'if path %}`, or has a fallback: `{{ path or "" }}`. Below a missing record everything is missing.',
        sketch(stdout="job* done?", summary="running: {{ running }} of {{ done.n }}"),
        sketch(stdout="job* done?", summary="running: {{ running }}{% if done %} of {{ done.n }}{% endif %}"),
    ),
    Code(
        "E0603",
        "a cap that is not disclosed",
        "Where a capped list is shown, the reader must see how many elements it leaves out. `{{ list | more }}` "
        "shows `- (+N more)`, `{{ list | earlier }}` shows `- (+N earlier)`; both disappear when nothing is left "
        "out. It stands in the same block as the loop, or in one around it, so that it is never left away where the "
        "list is shown.",
        sketch(facts=_JOBS, summary=_LOOP),
        sketch(facts=_JOBS, summary=_LOOP + "\n  {{ jobs | more }}"),
    ),
    Code(
        "E0604",
        "a value that cannot be shown like this",
        "Text and numbers can be shown. A list is looped over or joined, a record is shown by one of its parts "
        "(`.line` is its first line as text), a group by `.key` and `.count`. `more` and `earlier` belong to capped "
        "lists, `length` to lists without a cap.",
        sketch(facts="jobs = each job", summary="{{ jobs }}"),
        sketch(facts="jobs = each job", summary="{% for j in jobs %}\n  {{ j.line }}\n  {% endfor %}"),
    ),
    Code(
        "E0605",
        "unknown name in the summary",
        "Summaries name facts, loop variables, `exit_code`, kinds, and the captures and facts of records. A loop "
        "variable may not be called like something that already has a meaning.",
        sketch(summary="running: {{ runing }}"),
        sketch(summary="running: {{ running }}"),
    ),
)
