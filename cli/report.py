"""`cablese report`: what the decisions in the ledger of the store saved, as text, JSON or a page."""

from __future__ import annotations

import os

from ..runtime.savings import aggregate, render_text, report_record
from ..runtime.savings.text import NOTHING, printable
from ..runtime.settings import SettingsError, read_settings
from ..runtime.stores.open_store import ConfiguredStore
from ..runtime.stores.store import StoreError
from .options import Arguments, Command, Option
from .output import STDOUT, complain, to_bytes, to_json, write_bytes, write_file

COMMAND = Command(
    "report",
    "Show what summaries saved: by tool and rule, with what was shown again set off.\n\n"
    "`run`, `view` and `show` write a line for each decision and each recovery into the ledger of the store,\n"
    "without any content. The report sums these lines up.",
    (
        Option("--json", "print one JSON object"),
        Option("--html", "write one page with a chart instead, which needs nothing else", "FILE"),
        Option("--since", "only what was decided in this time: a number and s, m, h, d or w, as in 7d", "DURATION"),
        Option("--tool", "only the calls of this tool", "NAME"),
    ),
)

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def execute(arguments: Arguments) -> int:
    """Print the report; 0, 1 if the page cannot be written, 2 if the ledger or an option cannot be read."""
    try:
        since = None if arguments["since"] is None else _now() - parse_duration(arguments["since"])
        record = report_record(aggregate(_open_store().entries(), since), arguments["tool"])
    except (ValueError, SettingsError, StoreError) as error:
        complain(str(error))
        return 2
    if arguments["html"] is not None:
        return _write_page(arguments["html"], record)
    text = to_json(record) + "\n" if arguments["json"] else render_text(record)
    if text.startswith(NOTHING):
        text = _say_nothing(arguments["tool"], arguments["since"]) + text.removeprefix(NOTHING)
    write_bytes(STDOUT, to_bytes(text))
    return 0


def _open_store() -> ConfiguredStore:
    # Nothing is written under the kill switch; what was written before can be read all the same.
    environ = {name: value for name, value in os.environ.items() if name != "CABLESE_DISABLED"}
    return ConfiguredStore(read_settings(environ, os.getcwd()), plugins=True)


def _say_nothing(tool: str | None, since: str | None) -> str:
    """Say that nothing was found, and where alone it was looked for."""
    about = "" if tool is None else f" about the tool `{printable(tool)}`"
    within = "" if since is None else f" in the last {since}"
    return f"no decision{about} has been recorded{within}\n"


def parse_duration(text: str) -> int:
    """Return a duration in seconds. Raises ValueError."""
    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdecimal() and len(number) <= 9 and unit in _SECONDS):
        raise ValueError(f"--since: `{text}` is not a number and s, m, h, d or w, as in 7d")
    return int(number) * _SECONDS[unit]


def _write_page(path: str, record: dict) -> int:
    from ..runtime.savings.page import render_page

    data = render_page(record).encode("utf-8", "backslashreplace")
    if path == "-":
        write_bytes(STDOUT, data)
        return 0
    try:
        write_file(path, data)
    except OSError as error:
        complain(f"{path}: {error.strerror or error}")
        return 1
    return 0


def _now() -> float:
    from time import time

    return time()
