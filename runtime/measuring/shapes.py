"""The shape of a command that no rule claims: what a rule could be written for, and nothing of what it was about.

Input: the text of a command. Output: program and subcommand, or one of a few fixed words in parentheses.

INVARIANT: nothing of a command but the name of its program, and of a program that is known to have subcommands the word
of one, leaves a measurement; both are short and plain words. Paths, scripts, arguments and variables do not.
"""

from __future__ import annotations

import re

_PROGRAM = re.compile(r"[a-z][a-z0-9_+-]{0,23}(?:\.[0-9]{1,2})?")
_SUBCOMMAND = re.compile(r"[a-z][a-z-]{1,19}")
_SETTING = re.compile(r"[A-Za-z_]\w*\+?=(?P<value>\S*)")
# A value that goes on behind white space: what follows it is a part of it, and no program.
_CONTINUED = re.compile(r"[\"'\\${}]")
_ENTERED = re.compile(r"\s*cd\s+[^\s;&|\"'\\{}()`]+\s*(?:&&|;)\s*")
_WORDS = re.compile(r"[^\s;&|<>()`]+")
_COMPOUND = re.compile(r"[;&|<>()`\n]|\$\(")
_MERGED = re.compile(r"(?:\s|^)(?:2>&1|1>&2)(?=\s|\Z)")

_NAMES = """
apt apt-get aws az brew cargo conda deno docker docker-compose dotnet flutter gcloud gh git go helm hg kubectl nix npm
pip pip3 podman poetry rustup svn swift systemctl terraform uv
"""
WITH_SUBCOMMANDS = frozenset(_NAMES.split())
"""Programs whose first plain word is one of their own; for others (`make`, `yarn`) a project may have given it."""


def shape_of(command: str | None) -> str:
    """Return the shape of a command."""
    if command is None or not command.strip():
        return "(no command)"
    rest = _ENTERED.sub("", command.strip(), count=1) if _ENTERED.match(command) else command.strip()
    suffix = " (compound)" if _COMPOUND.search(_MERGED.sub(" ", rest)) or rest != command.strip() else ""
    # Only what stands before anything that joins or redirects is looked at.
    head = _COMPOUND.split(rest, maxsplit=1)[0]
    words: list[str] = _WORDS.findall(head)
    at = 0
    while at < len(words) and (setting := _SETTING.fullmatch(words[at])) is not None:
        if _CONTINUED.search(setting["value"]):
            return "(other)"
        at += 1
    if at == len(words):
        return "(other)"
    program, *others = words[at:]
    if "/" in program:
        return f"(path){suffix}"
    if not _PROGRAM.fullmatch(program):
        return "(other)"
    if program not in WITH_SUBCOMMANDS:
        return program + suffix
    subcommand = next((word for word in others if not word.startswith("-")), None)
    if subcommand is None or not _SUBCOMMAND.fullmatch(subcommand) or others[0] != subcommand:
        return program + suffix
    return f"{program} {subcommand}{suffix}"
