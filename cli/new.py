"""`cablese new rule`: a captured output in, a draft of a rule for it out, with the files that its examples name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .new_files import write_new
from .options import Arguments, Command, Operands, Option
from .output import InputError, complain, count_of, read_bytes
from .project import PROJECT_RULES

if TYPE_CHECKING:
    from ..compiler.drafting import Captured, Draft

COMMAND = Command(
    "new",
    "Make a draft of a rule from a captured output. It compiles, and its examples hold: kinds of lines are\n"
    "guessed, totals are held against what they count, and lines that are not understood are kinds to be done,\n"
    "for which the output passes. Files that are there already are left as they are.\n\n"
    "Exits with 0 if the draft was written, 2 if there is nothing of which a rule could be made, or something\n"
    "cannot be read or written.",
    (
        Option("--command", "the command that was run", "CMD"),
        Option("--stdout", "its standard output (`-`: read from standard input); absent: it was empty", "FILE"),
        Option("--stderr", "its standard error; absent: it was empty", "FILE"),
        Option("--merged", "both streams interleaved, in place of --stdout and --stderr", "FILE"),
        Option("--exit-code", "its exit code; absent: unknown", "N", number=True),
        Option("--tool", "the tool that ran it (default: bash)", "NAME", choices=("bash", "shell"), default="bash"),
        Option("--name", "the name of the rule (default: of the command)", "NAME"),
        Option("--output", "the rule file to write (default: of that name, in `.cablese/rules`)", "FILE", short="-o"),
    ),
    Operands("WHAT", "`rule`", most=1),
)


def execute(arguments: Arguments) -> int:
    """Write the draft; 0 written, 2 if no rule can be made or something cannot be read or written."""
    from ..compiler.drafting import DraftError, draft_rule

    try:
        if arguments["what"] != ["rule"]:
            raise InputError(f"what is new can be a `rule`, not a `{arguments['what'][0]}`")
        draft = draft_rule(_read(arguments), name=arguments["name"])
        path = arguments["output"] or os.path.join(PROJECT_RULES, f"{_short(draft.id)}.cable")
        folder = os.path.dirname(path)
        beside = {os.path.join(folder, *name.split("/")): text for name, text in draft.files.items()}
        write_new(beside | {path: draft.text}, "remove it, or give the draft another --name")
    except (InputError, DraftError) as error:
        complain(str(error))
        return 2
    _say(path, draft)
    return 0


def _read(arguments: Arguments) -> Captured:
    from ..compiler.drafting import Captured

    if arguments["command"] is None:
        raise InputError("--command is missing: the command that printed this")
    merged = arguments["merged"]
    if merged is not None:
        if arguments["stdout"] is not None or arguments["stderr"] is not None:
            raise InputError("--merged stands in place of --stdout and --stderr")
        text = _read_text(merged)
        return Captured(arguments["command"], text, "", arguments["exit_code"], joined=True, tool=arguments["tool"])
    if arguments["stdout"] is None and arguments["stderr"] is None:
        raise InputError("--stdout, --stderr or --merged is missing: the file in which the output was kept")
    if arguments["stdout"] == arguments["stderr"] == "-":
        raise InputError("--stdout and --stderr cannot both be standard input")
    stdout, stderr = ("" if arguments[name] is None else _read_text(arguments[name]) for name in ("stdout", "stderr"))
    return Captured(arguments["command"], stdout, stderr, arguments["exit_code"], tool=arguments["tool"])


def _read_text(path: str) -> str:
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 at byte {error.start}; such an output is always shown as it came"
        ) from None


def _short(rule: str) -> str:
    return rule.partition(".")[2].replace(".", "_")


def _say(path: str, draft: Draft) -> None:
    todos = f", {len(draft.todos)} of them TODO" if draft.todos else ""
    print(f"{path}: {draft.id}, {count_of(draft.kinds, 'kind')} of lines{todos}")
    for name in draft.files:
        print(f"{os.path.join(os.path.dirname(path), *name.split('/'))}: written for its examples")
    if draft.todos:
        print(f"the output passes while it has a line of {', '.join(f'`{name}`' for name in draft.todos)}")
    elif not draft.saves:
        print("the summary saves nothing of this output: capture a longer one, or show less")
    flag = "" if draft.saves else "--draft "
    print(f"next: read it, then `cablese check {flag}{path}` and `cablese test {flag}{path}`")
