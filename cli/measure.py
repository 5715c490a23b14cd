"""`cablese measure`: what compression would have saved in past sessions, as sums without any content."""

from __future__ import annotations

import os
import sys
from typing import Any

from ..runtime.measuring.archives import ARCHIVES
from ..runtime.measuring.held import UnsafeError
from ..runtime.measuring.limits import LimitError, choose_limits
from ..runtime.measuring.models import UnsupportedModelError, encoding_of
from ..runtime.measuring.run import UnsupportedSystemError, find_sessions, make_pool, measure_sample
from ..runtime.measuring.sampling import TooManyFilesError
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, complain, write_bytes

COMMAND = Command(
    "measure",
    "Measure what compression would have saved in past sessions, and print sums alone, as one JSON object.\n\n"
    "Sessions are read where they are, and nothing is written. No link is followed. The output holds no content,\n"
    "no path and no name of a session.",
    (
        Option("--model", "count tokens as for this model (gpt-5, gpt-4o, gpt-4 …)", "MODEL"),
        Option("--format", "whose sessions these are (default: sessions)", "NAME", choices=tuple(ARCHIVES)),
        Option("--max-files", "read at most so many files, the newest", "N", number=True),
        Option("--max-bytes", "read at most so many bytes, in whole files", "B", number=True),
        Option("--jobs", "measure in so many processes (default: one for each processor)", "N", number=True),
    ),
    Operands("ROOT", "the folder of the sessions (default: where the tool keeps them, or `sessions`)", 0, 1),
)


def execute(arguments: Arguments) -> int:
    """Print the report; 0, 1 if the sessions cannot be measured, 2 if the model, a limit or the folder is refused."""
    try:
        record = _measure(arguments)
    except (UnsupportedModelError, LimitError, UnsafeError) as error:
        complain(str(error))
        return 2
    except (TooManyFilesError, UnsupportedSystemError) as error:
        complain(str(error))
        return 1
    from json import dumps

    write_bytes(STDOUT, dumps(record, indent=2).encode() + b"\n")
    return 0


def _measure(arguments: Arguments) -> dict[str, Any]:
    from ..runtime.measuring.basis import plan_report
    from ..runtime.measuring.report import report_record

    model = arguments["model"]
    if model is None:
        raise UnsupportedModelError("--model is needed, to know how tokens are counted")
    encoding = encoding_of(model)
    limits = choose_limits(rules=False, max_files=arguments["max_files"], max_bytes=arguments["max_bytes"])
    archive = arguments["format"] or "sessions"
    folder = (arguments["root"] or [ARCHIVES[archive].place])[0]
    work = plan_report(archive, encoding, limits)
    sample = find_sessions(folder, work)
    try:
        pool = make_pool(arguments["jobs"] or os.cpu_count() or 1, sample)
        if pool is None:
            found = measure_sample(sample, work, told=_progress())
        else:
            with pool:
                found = measure_sample(sample, work, pool, _progress())
    finally:
        sample.close()
    return report_record(found, model, limits)


def _progress() -> Any:
    """Return what draws a bar on a terminal, or None where nobody would see it."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def draw(files: int, of_files: int, size: int, of_size: int) -> None:
        done = 20 * size // of_size if of_size else 20
        bar = "#" * done + "." * (20 - done)
        end = "\r\x1b[K" if files == of_files else ""
        words = f"\r[{bar}] {files:,} of {of_files:,} files, {size >> 20:,} of {of_size >> 20:,} MiB{end}"
        print(words, end="", file=sys.stderr, flush=True)

    return draw
