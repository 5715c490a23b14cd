"""`cablese show`: the original behind a handle, byte for byte."""

from __future__ import annotations

import os

from ..runtime.hosting.ledger import Ledger
from ..runtime.recovery.originals import UnknownHandleError, choose, fetch_original, parse_window
from ..runtime.settings import SettingsError, read_settings
from ..runtime.stores.open_store import ConfiguredStore
from ..runtime.stores.store import StoreError
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, complain, write_bytes

NAMESPACE = (
    Option("--tenant", "the tenant that the original belongs to", "NAME", default=""),
    Option("--run", "the run that the original belongs to", "NAME", default=""),
)
COMMAND = Command(
    "show",
    "Print the original that a summary stands for, byte for byte.\n\n"
    "Where only a part is printed, standard error says which part of how much it is.",
    (
        Option("--lines", "only the lines from A to B, counted from 1 (`A:`, `:B`: open ends)", "A:B"),
        Option("--bytes", "only the bytes from A to B, likewise; no character is cut", "A:B"),
        Option("--grep", "only the lines in which a regular expression (Python's) is found", "RE"),
        *NAMESPACE,
    ),
    Operands("HANDLE", "the digits behind `cablese show` in the last line of a summary", most=1),
)


def execute(arguments: Arguments) -> int:
    """Print the original; 0, 1 if the handle is unknown, 2 if the store or an option cannot be read."""
    (handle,) = arguments["handle"]
    try:
        windows = {
            name: parse_window(arguments[name], f"--{name}")
            for name in ("lines", "bytes")
            if arguments[name] is not None
        }
        settings = read_settings(os.environ, os.getcwd())
        store = ConfiguredStore(settings)
        content = fetch_original(store, handle, tenant=arguments["tenant"], run=arguments["run"])
        excerpt = choose(content, **windows, grep=arguments["grep"])
    except UnknownHandleError as error:
        complain(str(error))
        return 1
    except (SettingsError, StoreError, ValueError) as error:
        complain(str(error))
        return 2
    write_bytes(STDOUT, excerpt.content)
    if not excerpt.is_whole:
        complain(excerpt.words)
    if not settings.killed:
        Ledger(store).recovered(handle, len(excerpt.content))
    return 0
