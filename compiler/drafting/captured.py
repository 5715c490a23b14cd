"""What was captured, and what of it no rule could ever be written for.

Input: a command, its streams, its exit code. Output: `Captured`, whose command is a list of plain words and whose
streams are text; or DraftError.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...runtime.reasons import PassThrough
from ...runtime.shell import parse_command

_COLOUR: Final = re.compile(r"\x1b\[[0-9;:]*+m")
"""What the runtime takes out of a stream that a rule calls `uncoloured`."""

_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_HEAD_WORD: Final = re.compile(r"[A-Za-z0-9_./@:+][A-Za-z0-9_./@:+=-]*")
_LONGEST: Final = 900_000
"""Characters of an output that an example can hold: files of a project stay below 1 MiB."""


class DraftError(Exception):
    """Something of which no rule can be made. The message says what, and what to do."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A run of a command. `exit_code` None: nobody knows. `joined`: `stdout` holds both streams, interleaved."""

    command: str
    stdout: str
    stderr: str = ""
    exit_code: int | None = None
    joined: bool = False
    tool: str = "bash"


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream: its text as captured, its lines without colour, and whether there was any."""

    name: str
    text: str
    lines: tuple[str, ...]
    coloured: bool


def read_words(captured: Captured) -> tuple[str, ...]:
    """Return the words of the command, redirections of one stream into the other left out. Raises DraftError."""
    try:
        command = parse_command(captured.command)
    except PassThrough as verdict:
        raise DraftError(f"--command: {verdict.detail}; rules are for one program and its words") from None
    program = command.words[0]
    if _ASSIGNMENT.match(program):
        raise DraftError(f"--command: `{program}` is an assignment; no rule takes a command behind one")
    if not _HEAD_WORD.fullmatch(program):
        raise DraftError(f"--command: `{program}` cannot be the name of a program in a rule")
    return command.words


def read_streams(captured: Captured) -> tuple[Stream, ...]:
    """Return the streams that have lines. Raises DraftError where there is nothing to read, or nothing readable."""
    found = []
    for name, text in (("stdout", captured.stdout), ("stderr", captured.stderr)):
        if text:
            found.append(_read_stream(name, text))
    if not found:
        raise DraftError("both streams are empty: there is nothing to describe")
    return tuple(found)


def _read_stream(name: str, text: str) -> Stream:
    if len(text) > _LONGEST:
        raise DraftError(
            f"{name}: {len(text):,} characters; an example holds at most {_LONGEST:,}, capture a shorter run"
        )
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise DraftError(f"{name}: not UTF-8; such an output is always shown as it came")
    plain = _COLOUR.sub("", text)
    if "\x00" in plain:
        raise DraftError(f"{name}: it holds NUL, so it is no text; such an output is always shown as it came")
    if "\x1b" in plain:
        raise DraftError(
            f"{name}: it holds control sequences of a terminal besides colour; such an output is always shown as it "
            "came, capture it without a terminal"
        )
    lines = plain.split("\n")
    if not lines[-1]:
        lines.pop()
    return Stream(name, text, tuple(lines), plain != text)
