"""`cablese why`: each step of a decision, with its place in the rule file and the line of the output that decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ..runtime.engine.inspection import kinds_of_lines
from ..runtime.packs.catalogue import PackUnusableError
from ..runtime.records import Outcome, RecordError, ToolResult, View
from .captured import CAPTURED, DECIDING, make_compressor, read_captured
from .options import Arguments, Command, Operands, Option
from .output import InputError, complain, to_json
from .project import pack_notes
from .why_human import render_lines, render_record
from .why_near import near_rules
from .why_record import Record, Source, make_record

COMMAND = Command(
    "why",
    "Show each step of the decision about a captured result. Nothing is kept.\n\n"
    "Exits with 0 if the result would be summarised, with 3 if it passes.",
    (
        *CAPTURED,
        *DECIDING,
        Option("--lines", "print every line of the output, too, beside the kind that claimed it"),
        Option(
            "--format",
            "how the steps are printed: `human` (default) or `json`",
            "FORMAT",
            choices=("human", "json"),
            default="human",
        ),
    ),
    Operands("RECORD", "a result record (JSON), in place of standard input", least=0, most=1),
)


def execute(arguments: Arguments) -> int:
    """Print the steps; 0 would compress, 3 passes, 2 for a malformed record or input."""
    try:
        record, view = explain_result(arguments)
    except (InputError, RecordError) as error:
        complain(str(error))
        return 2
    if arguments["format"] == "json":
        print(to_json(record))
    else:
        lines = record.pop("output")
        print(render_record(record), end="")
        if lines is not None:
            print("\n" + render_lines(lines), end="")
    return 0 if view.decision.outcome is Outcome.COMPRESSED else 3


def explain_result(arguments: Arguments) -> tuple[Record, View]:
    """Decide about the result that the options describe, and return what there is to say. Raises InputError,
    RecordError.
    """
    steps: dict[str, Any] = {}
    arguments["count"] = True
    compressor = make_compressor(arguments, kept=False)
    result, _ = read_captured(arguments, *arguments["record"])
    view = compressor.view(result, steps.__setitem__, arguments["level"])
    with suppress(PackUnusableError):
        if "command" in steps and "rule" not in steps:
            steps["near"] = near_rules(compressor.catalogue, result.tool, steps["command"].words)
        steps["notes"] = pack_notes(compressor.catalogue, result.tool)
    record = make_record(result, steps, view)
    record["output"] = list(_output(result, steps)) if arguments["lines"] else None
    return record, view


def _output(result: ToolResult, steps: dict[str, Any]) -> Iterator[Record]:
    """Yield the lines of the output, each with the kind that claimed it; of a result without a rule, its content."""
    claim, streams = steps.get("rule"), steps.get("streams")
    if claim is None or streams is None:
        for number, text in enumerate(str(result.content).removesuffix("\n").split("\n"), 1):
            yield {"stream": "content", "line": number, "kind": None, "text": text}
        return
    source = Source(claim)
    if steps["command"].merges:
        streams = streams._replace(merged=True)
    for stream, number, kind, text in kinds_of_lines(claim.rule, streams):
        yield {"stream": stream, "line": number, "kind": kind and source.kind(kind), "text": text}
