"""`cablese fmt`: give rule files their one layout, or say which ones have another."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Literal

from ..dsl.diagnostics import Report
from ..dsl.files import read_source
from .findings import show_findings
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, InputError, complain, read_bytes, write_bytes
from .project import rule_paths
from .rule_files import RuleFiles, read_rule_files

if TYPE_CHECKING:
    from ..dsl.format import FormatError, Formatted

COMMAND = Command(
    "fmt",
    "Give rule files their one layout. Comments and texts stay as they are. With `-`, standard input goes to\n"
    "standard output.\n\n"
    "Exits with 0, with 1 if --check or --diff found a file with another layout, and with 2 if a file is broken.\n"
    "Broken files are left as they are.",
    (
        Option("--check", "write nothing, name the files that have another layout"),
        Option("--diff", "write nothing, print what would change"),
    ),
    Operands("PATH", "rule files, or folders of them (default: `.cablese/rules`, or `rules`); or `-` alone", least=0),
)

Outcome = Literal["same", "changed", "broken"]


def execute(arguments: Arguments) -> int:
    """Format the files; 0 done, 1 if one would change, 2 broken."""
    from ..dsl.format.many import format_many

    try:
        files = _read(arguments["path"])
    except InputError as error:
        complain(str(error))
        return 2
    show_findings(files.diagnostics)
    outcomes: set[Outcome] = {"broken"} if files.diagnostics else set()
    outcomes |= {_settle(files, name, formatted, arguments) for name, formatted in format_many(files.sources)}
    if "broken" in outcomes:
        return 2
    return 1 if "changed" in outcomes and (arguments["check"] or arguments["diff"]) else 0


def _read(paths: list[str]) -> RuleFiles:
    """Read what is to be formatted; standard input has no folder. Raises InputError."""
    if "-" not in paths:
        return read_rule_files(rule_paths(paths), os.getcwd())
    if len(paths) > 1:
        raise InputError("`-` is standard input, and stands alone")
    report = Report()
    source = read_source("standard input", read_bytes("-"), report)
    return RuleFiles("", {} if source is None else {source.path: source.text}, tuple(report))


def _settle(files: RuleFiles, name: str, formatted: Formatted | FormatError, arguments: Arguments) -> Outcome:
    """Write the layout of a file, unless it is only to be looked at."""
    if isinstance(formatted, Exception):
        complain(f"internal error: {name} is left as it is: {formatted}")
        return "broken"
    if formatted.text is None:
        show_findings(formatted.diagnostics)
        return "broken"
    text = files.sources[name]
    looking = arguments["check"] or arguments["diff"]
    if arguments["path"] == ["-"] and not looking:
        write_bytes(STDOUT, formatted.text.encode())
        return "same"
    if formatted.text == text:
        return "same"
    if arguments["diff"]:
        write_bytes(STDOUT, render_diff(name, text, formatted.text).encode())
    if arguments["check"]:
        print(f"{name} has another layout", flush=True)
    elif not looking:
        try:
            replace_file(os.path.join(files.base, name), formatted.text.encode())
        except OSError as error:
            complain(f"{name}: {error.strerror or error}")
            return "broken"
        print(f"formatted {name}", flush=True)
    return "changed"


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
