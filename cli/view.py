"""`cablese view`: a captured result in, what a model sees of it out."""

from __future__ import annotations

from ..runtime.compressor import Compressor
from ..runtime.records import RecordError
from .captured import CAPTURED, DECIDING, make_compressor, own_fault, read_captured
from .options import Arguments, Command, Option
from .output import STDOUT, InputError, complain, read_bytes, to_bytes, to_json, write_bytes, write_content

COMMAND = Command(
    "view",
    "Show what a model sees of a captured result: its summary, or the result as it is.\n\n"
    "The result is given by --command and its streams, as a record (JSON) on standard input,\n"
    "or as many records, one a line, by --jsonl; then each line of the output is a view record.",
    (
        *CAPTURED,
        Option("--jsonl", "result records, one a line", "FILE"),
        Option("--json", "print the view record instead of the text"),
        Option("--count", "add exact token counts to the record"),
        *DECIDING,
    ),
)


def execute(arguments: Arguments) -> int:
    """Print views; 0, 2 for a malformed record or input, 1 if some line of --jsonl was malformed."""
    try:
        compressor = make_compressor(arguments)
        if arguments["jsonl"] is not None:
            return _view_lines(read_bytes(arguments["jsonl"]), compressor, arguments["level"])
        result, source = read_captured(arguments)
        view = compressor.view(result, level=arguments["level"])
    except (InputError, RecordError) as error:
        complain(str(error))
        return 2
    if arguments["json"]:
        from .json_records import view_json

        write_bytes(STDOUT, to_bytes(view_json(view, source) + "\n"))
    elif isinstance(view.content, str) and source is None:
        write_content(view.content)
    else:
        from .json_records import content_text

        write_content(content_text(view, source))
    fault = own_fault(view, compressor)
    if fault is not None:
        complain(fault)
    return 0


def _view_lines(data: bytes, compressor: Compressor, level: str | None) -> int:
    from .json_records import parse_record, view_json

    malformed = 0
    fault: str | None = None
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            view = compressor.view(parse_record(line), level=level)
            text = view_json(view, line)
            fault = fault or own_fault(view, compressor)
        except RecordError as error:
            malformed = 1
            text = to_json({"error": str(error), "line": number})
        write_bytes(STDOUT, to_bytes(text + "\n"))
    if fault is not None:
        complain(fault)
    return malformed
