"""Preflight of a shell command: from its text to its words, or a refusal.

Input: the command as the tool was given it. Output: `Command`, the words that a shell would see.

Only text for which splitting at blanks gives exactly the words of the shell is taken: anything that quotes, expands,
redirects, joins or comments is refused. `2>&1` and `1>&2` as whole words are taken out and remembered.
"""

from __future__ import annotations

from typing import NamedTuple

from .reasons import PassThrough, Reason

RECOVERY_TOOL = "read_original"
"""The name of the ready-made tool that shows originals which were kept."""
_BLANKS = " \t"
_MERGING = frozenset({"2>&1", "1>&2"})
# `!` is history expansion where it is on.
_SPECIAL = frozenset("|&;<>`$()'\"\\*?[]{}!")


class Command(NamedTuple):
    """A simple command. `text` is trimmed, `words` without redirections; `merges`: the two streams were joined."""

    text: str
    words: tuple[str, ...]
    merges: bool


def parse_command(text: str) -> Command:
    """Split a command into words. Raises PassThrough (`no_rule`) with the first thing that makes it uncertain."""
    # Blank lines around a command change nothing; a carriage return would be part of a word.
    text = text.strip(" \t\n")
    _check_characters(text)
    words = text.replace("\t", " ").split(" ")
    kept = tuple(word for word in words if word and word not in _MERGING)
    for word in kept:
        _check_word(word)
    if not kept:
        raise PassThrough(Reason.NO_RULE, "the command is empty")
    return Command(text, kept, any(word in _MERGING for word in words))


def _check_characters(text: str) -> None:
    """Refuse line ends, control characters, foreign white space and what is not Unicode."""
    if text.isascii() and text.isprintable():
        return
    for character in text:
        code = ord(character)
        if character in _BLANKS:
            continue
        if character in "\r\n":
            raise PassThrough(Reason.NO_RULE, "the command has several lines")
        if code < 0x20 or 0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF:
            raise PassThrough(Reason.NO_RULE, f"the command holds the character U+{code:04X}")
        if character.isspace():
            raise PassThrough(Reason.NO_RULE, f"the command holds the white space U+{code:04X}")


def _check_word(word: str) -> None:
    """Refuse a word that the shell would read as anything but itself."""
    for character in word:
        if character in _SPECIAL:
            raise PassThrough(Reason.NO_RULE, f"the command is no plain list of words: `{character}` in `{word}`")
    if word.startswith("#"):
        raise PassThrough(Reason.NO_RULE, f"the command is no plain list of words: comment at `{word}`")
    if word.startswith("~") or "=~" in word or ":~" in word:
        raise PassThrough(Reason.NO_RULE, f"the command is no plain list of words: the shell expands `~` in `{word}`")


def reads_recovered_output(text: str) -> bool:
    """Tell whether a command shows an original that was kept (`cablese show …`): never to be summarised again."""
    return text.split(maxsplit=2)[:2] == ["cablese", "show"]
