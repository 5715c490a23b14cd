"""`cablese fmt`: give rule files their one layout, or say which ones have another."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import Literal

from ..dsl.diagnostics import Diagnostic
from ..dsl.render import render_human
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, InputError, complain, write_bytes
from .rule_files import RuleFiles, read_rule_files

COMMAND = Command(
    "fmt",
    "Give rule files their one layout. Comments and texts stay as they are.\n\n"
    "Exits with 0, with 1 if --check or --diff found a file with another layout, and with 2 if a file is broken.\n"
    "Broken files are left as they are.",
    (
        Option("--check", "write nothing, name the files that have another layout"),
        Option("--diff", "write nothing, print what would change"),
    ),
    Operands("PATH", "rule files, or folders of them"),
)

Outcome = Literal["same", "changed", "broken"]


def execute(arguments: Arguments) -> int:
    """Format the files; 0 done, 1 if one would change, 2 broken."""
    try:
        files = read_rule_files(arguments["path"], os.getcwd())
    except InputError as error:
        complain(str(error))
        return 2
    _show(files.diagnostics)
    outcomes: set[Outcome] = {"broken"} if files.diagnostics else set()
    # Trees are kept until their file is done, so that looking for garbage among them costs a third and finds none.
    collecting = gc.isenabled()
    gc.disable()
    try:
        outcomes |= {_format(files, name, text, arguments) for name, text in files.sources.items()}
    finally:
        if collecting:
            gc.enable()
    if "broken" in outcomes:
        return 2
    return 1 if "changed" in outcomes and (arguments["check"] or arguments["diff"]) else 0


def _format(files: RuleFiles, name: str, text: str, arguments: Arguments) -> Outcome:
    """Format one file, unless it is only to be looked at."""
    from ..dsl.format import FormatError, format_source
    from ..dsl.source import Source

    try:
        formatted = format_source(Source(name, text))
    except FormatError as error:
        complain(f"internal error: {name} is left as it is: {error}")
        return "broken"
    if formatted.text is None:
        _show(formatted.diagnostics)
        return "broken"
    if formatted.text == text:
        return "same"
    if arguments["diff"]:
        write_bytes(STDOUT, render_diff(name, text, formatted.text).encode())
    if arguments["check"]:
        print(f"{name} has another layout", flush=True)
    elif not arguments["diff"]:
        try:
            replace_file(os.path.join(files.base, name), formatted.text.encode())
        except OSError as error:
            complain(f"{name}: {error.strerror or error}")
            return "broken"
        print(f"formatted {name}", flush=True)
    return "changed"


def _show(diagnostics: Sequence[Diagnostic]) -> None:
    """Print what is wrong on standard error: standard output may be a patch."""
    if diagnostics:
        color = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        sys.stderr.write(render_human(diagnostics, color=color))


def render_diff(name: str, old: str, new: str) -> str:
    """Return a unified diff of two texts of a file."""
    from difflib import unified_diff

    lines = unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def replace_file(path: str, data: bytes) -> None:
    """Replace the content of a file at once, keeping its mode; a link stays one. Raises OSError."""
    path = os.path.realpath(path)
    mode = os.stat(path).st_mode & 0o7777
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".cablese-", suffix=".tmp")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
