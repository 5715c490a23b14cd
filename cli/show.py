"""`cablese show`: the original behind a handle, byte for byte."""

from __future__ import annotations

import os

from ..runtime.ledger import Ledger
from ..runtime.settings import SettingsError, read_settings
from ..runtime.sqlite_store import SqliteStore
from ..runtime.store import StoreError
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, complain, write_bytes

COMMAND = Command(
    "show",
    "Print the original that a summary stands for, byte for byte.",
    (
        Option("--lines", "only the lines from A to B, counted from 1 (`A:`, `:B`: open ends)", "A:B"),
        Option("--grep", "only the lines in which a regular expression (Python's) is found", "RE"),
        Option("--tenant", "the tenant that the original belongs to", "NAME", default=""),
        Option("--run", "the run that the original belongs to", "NAME", default=""),
    ),
    Operands("HANDLE", "the digits behind `cablese show` in the last line of a summary", most=1),
)


def execute(arguments: Arguments) -> int:
    """Print the original; 0, 1 if the handle is unknown, 2 if the store or an option cannot be read."""
    (handle,) = arguments["handle"]
    try:
        settings = read_settings(os.environ, os.getcwd())
        store = SqliteStore(settings.store, settings.retention)
        content = store.fetch(handle, tenant=arguments["tenant"], run=arguments["run"])
    except (SettingsError, StoreError) as error:
        complain(str(error))
        return 2
    if content is None:
        complain(f"no original is kept under `{handle}`")
        return 1
    try:
        shown = _select(content, arguments["lines"], arguments["grep"])
    except ValueError as error:
        complain(str(error))
        return 2
    write_bytes(STDOUT, shown)
    if not settings.killed:
        Ledger(store).recovered(handle, len(shown))
    return 0


def _select(content: bytes, window: str | None, pattern: str | None) -> bytes:
    """Choose lines, each with its line end. Raises ValueError for a malformed window or expression."""
    if window is None and pattern is None:
        return content
    lines = content.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + lines[-1:]
    if window is not None:
        lines = lines[_slice(window)]
    if pattern is not None:
        import re

        try:
            found = re.compile(os.fsencode(pattern))
        except re.error as error:
            raise ValueError(f"--grep: {error}") from None
        lines = [line for line in lines if line and found.search(line.removesuffix(b"\n"))]
    return b"".join(lines)


def _slice(window: str) -> slice:
    first, colon, last = window.partition(":")
    if not colon or not all(end == "" or (end.isascii() and end.isdigit() and int(end) > 0) for end in (first, last)):
        raise ValueError(f"--lines: `{window}` is not A:B with line numbers from 1")
    return slice(int(first) - 1 if first else 0, int(last) if last else None)
