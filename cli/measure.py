"""`cablese measure`: what compression would have saved in past sessions, as sums without any content."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..runtime.measuring.archives import ARCHIVES
from ..runtime.measuring.held import UnsafeError
from ..runtime.measuring.limits import choose_limits
from ..runtime.measuring.models import encoding_of
from ..runtime.measuring.run import LostProcessError, UnsupportedSystemError, find_sessions, make_pool, measure_sample
from ..runtime.measuring.sampling import TooManyFilesError
from ..runtime.settings import SettingsError
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, complain, write_bytes

if TYPE_CHECKING:
    from ..runtime.measuring.aggregate import Aggregate
    from ..runtime.measuring.limits import Limits
    from ..runtime.measuring.scan import Work

COMMAND = Command(
    "measure",
    "Measure what compression would have saved in past sessions, and print sums alone, as one JSON object.\n\n"
    "Sessions are read where they are, and nothing is written. No link is followed. The output holds no content,\n"
    "no path and no name of a session. With --dask the network is used, and links and swapped files are a matter\n"
    "of the storage.",
    (
        Option("--model", "count tokens as for this model (gpt-5, gpt-4o, gpt-4 …)", "MODEL"),
        Option("--format", "whose sessions these are (default: sessions)", "NAME", choices=tuple(ARCHIVES)),
        Option("--rules", "measure what the packs in use would do today, rule by rule, in place of the report v0"),
        Option("--admit", "with --rules, let content kinds apply", "LEVEL", choices=("exact", "value", "normal")),
        Option("--pack", "with --rules, a pack that is asked before all others", "FILE"),
        Option("--table", "with --rules, print a short table for people, as a terminal gets it"),
        Option("--json", "print the object, also on a terminal"),
        Option("--max-files", "read at most so many files, the newest", "N", number=True),
        Option("--max-bytes", "read at most so many bytes, in whole files", "B", number=True),
        Option("--jobs", "measure in so many processes (default: one for each processor)", "N", number=True),
        Option("--dask", "measure on a Dask cluster: its address, or `local`; ROOT may be a URL then", "ADDRESS"),
        Option("--checkpoint", "with --dask, keep the sums of what is done in this file, and go on from it", "FILE"),
    ),
    Operands("ROOT", "the folder of the sessions (default: where the tool keeps them, or `sessions`)", 0, 1),
)


class UsageError(ValueError):
    """Options that do not go together. The message names them."""


def execute(arguments: Arguments) -> int:
    """Print the report; 0, 1 if the sessions cannot be measured, 2 if an option or the folder is refused."""
    try:
        record = _measure(arguments)
    except (ValueError, UnsafeError, SettingsError) as error:
        complain(str(error))
        return 2
    except (TooManyFilesError, UnsupportedSystemError, LostProcessError) as error:
        complain(str(error))
        return 1
    if arguments["table"] or (arguments["rules"] and not arguments["json"] and os.isatty(STDOUT)):
        from .measured_table import render_table

        write_bytes(STDOUT, render_table(record).encode("utf-8", "backslashreplace"))
        return 0
    from json import dumps

    write_bytes(STDOUT, dumps(record, indent=2).encode() + b"\n")
    return 0


def _measure(arguments: Arguments) -> dict[str, Any]:
    work, render = _plan(arguments)
    folder = (arguments["root"] or [ARCHIVES[work.archive].place])[0]
    if arguments["dask"] is not None:
        from .measure_dask import measure_by_dask

        jobs = arguments["jobs"] or os.cpu_count() or 1
        found = measure_by_dask(folder, work, arguments["dask"], jobs, arguments["checkpoint"], _progress())
        return render(found, arguments["model"], work.limits)
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
    return render(found, arguments["model"], work.limits)


def _plan(arguments: Arguments) -> tuple[Work, Callable[[Aggregate, str, Limits], dict[str, Any]]]:
    """Return what is to be done and what makes a record of it. Raises what refuses the options."""
    rules = arguments["rules"]
    for name in ("admit", "pack", "table"):
        if arguments[name] and not rules:
            raise UsageError(f"--{name} needs --rules")
    if arguments["table"] and arguments["json"]:
        raise UsageError("--table and --json cannot both be")
    if arguments["jobs"] is not None and arguments["jobs"] < 1:
        raise UsageError(f"--jobs: {arguments['jobs']} is no number of processes")
    if arguments["checkpoint"] is not None and arguments["dask"] is None:
        raise UsageError("--checkpoint needs --dask")
    if arguments["model"] is None:
        raise UsageError("--model is needed, to know how tokens are counted")
    encoding = encoding_of(arguments["model"])
    limits = choose_limits(rules=rules, max_files=arguments["max_files"], max_bytes=arguments["max_bytes"])
    archive = arguments["format"] or "sessions"
    if not rules:
        from ..runtime.measuring.basis import plan_report
        from ..runtime.measuring.report import report_record

        return plan_report(archive, encoding, limits), report_record
    from ..runtime.measuring.basis import plan_rules
    from ..runtime.measuring.rules_report import rules_record

    packs = () if arguments["pack"] is None else (arguments["pack"],)
    return plan_rules(archive, encoding, limits, admit=arguments["admit"], packs=packs), rules_record


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
