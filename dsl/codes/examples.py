"""E08xx: examples and their evidence."""

from __future__ import annotations

from .code import Code
from .sketch import sketch

_PASSES = 'example "cut" { command "jobs"  stdout "[1] Running a\\n"  passes invalid_output }'
_SHORT = 'example "one job" { command "jobs"  stdout "[1] Running a\\n1 jobs\\n"  shows "running: 1" }'
_LONG = "".join(
    f"    [{number}] Running the nightly import of archive {number} from the northern warehouse\n"
    for number in range(1, 16)
)
_SAVES = (
    'example "many jobs" {\n    command "jobs"\n    stdout  """\n'
    + _LONG
    + '    15 jobs\n    """\n    shows   "running: 15"\n  }'
)

CODES: tuple[Code, ...] = (
    Code(
        "E0801",
        "the summary of an example differs",
        "The body that `shows` demands is compared character by character with what the runtime makes of the "
        "example's output. The header and the line that leads back to the original are not part of it.",
        sketch(examples=_SHORT.replace("running: 1", "running: 2")),
        sketch(examples=_SHORT),
    ),
    Code(
        "E0802",
        "an example has another outcome",
        "The example says that its output is shown, or that it passes for a reason, and the runtime decides "
        "otherwise. The label tells what decided: the word of the command, the line of the output or the claim.",
        sketch(examples=_PASSES.replace("invalid_output", "unreconciled")),
        sketch(examples=_PASSES),
    ),
    Code(
        "E0803",
        "a rule without evidence",
        "A rule that is shipped has at least one example that is shown and one that passes through, best from real "
        "runs. Drafts may lack them: compile with `--draft`.",
        sketch(examples=_SAVES),
        sketch(examples=_SAVES + "\n  " + _PASSES),
    ),
    Code(
        "E0804",
        "no example saves tokens",
        "At least one example that is shown must cost strictly fewer tokens than its output under both tokenizers, "
        "header and pointer included. A rule that never does would never be used. Long outputs are best kept in "
        'files: `stdout file "…"`.',
        sketch(examples=_SHORT + "\n  " + _PASSES),
        sketch(examples=_SAVES + "\n  " + _PASSES),
    ),
    Code(
        "E0805",
        "a file of an example cannot be read",
        "The path of `file` is relative to the rule file and uses `/`.",
        sketch(examples='example "recorded" { command "jobs"  stdout file "missing.txt"  shows "running: 1" }'),
        sketch(examples=_SHORT),
    ),
)
