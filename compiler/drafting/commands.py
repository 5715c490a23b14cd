"""From the words of a command to the form that a rule takes, and to a name for the rule.

Input: words, and the text of the output. Output: a `Form`. Only what was seen is taken: options are named one by one, a
value that is a number may be another number, any other value is the one that it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_SUBCOMMAND: Final = re.compile(r"[a-z][a-z0-9-]*(?::[a-z0-9-]+)*")
_VALUE: Final = re.compile(r"[A-Za-z0-9_./@:%][^\s,|{}<>\"#()]*")
_FLAG: Final = re.compile(r"(?!--?\Z)[-+][^\s,|{}<>\"#()]*")
_HEAD: Final = re.compile(r"[A-Za-z0-9_./@:+=][A-Za-z0-9_./@:+=-]*")
_OTHERS: Final = ("--help", "--version", "--json", "--no-such-option")


@dataclass(frozen=True, slots=True)
class Form:
    """The head of a command, the lines of its body, and a near miss that is not the rule's."""

    head: str
    body: tuple[str, ...]
    near_miss: str
    operand_like: str | None
    """A word of the head that may rather be what the command works on."""


def make_form(words: Sequence[str], output: str) -> Form:
    """Return the form of a command whose program can stand in a rule."""
    head, rest = _split_head(words, output)
    options: dict[str, None] = {}
    operand = after = False
    at = 0
    while at < len(rest):
        word = rest[at]
        following = rest[at + 1] if at + 1 < len(rest) else None
        at += 1
        if word == "--":
            after = True
            break
        if not _FLAG.fullmatch(word):
            operand = True
            continue
        name, equals, value = word.partition("=")
        if equals and re.fullmatch("[0-9]{1,18}", value):
            options[f"{name}=<int>"] = None
        elif not word.startswith("--") and (number := re.fullmatch(r"(-[A-Za-z]+)([0-9]{1,18})", word)):
            options[f"{number[1]}<int>"] = None
        elif following is not None and re.fullmatch("[0-9]{1,18}", following):
            options[f"{word} <int>"] = None
            at += 1
        elif following is not None and _SUBCOMMAND.fullmatch(following) and _VALUE.fullmatch(following):
            options[f"{word} {following}"] = None
            at += 1
        else:
            options[word] = None
    body = [f"option {', '.join(options)}"] if options else []
    body += ["operand any"] * operand + ["after -- any"] * after
    used = next((number for number, word in enumerate(words) if word == "--"), len(words))
    other = next(option for option in _OTHERS if option not in words)
    near = " ".join([*words[:used], other, *words[used:]])
    doubtful = head[1] if len(head) == 2 and not rest else None
    return Form(" ".join(head), tuple(body), near, doubtful)


def _split_head(words: Sequence[str], output: str) -> tuple[list[str], list[str]]:
    """Return the words that name the command, and the others."""
    head, rest = [words[0]], list(words[1:])
    if rest[:1] == ["-m"] and len(rest) > 1 and _HEAD.fullmatch(rest[1]):
        head, rest = [*head, *rest[:2]], rest[2:]
    elif rest and _SUBCOMMAND.fullmatch(rest[0]) and not _is_place(rest[0], output):
        head, rest = [*head, rest[0]], rest[1:]
        if head[1] == "run" and rest and _SUBCOMMAND.fullmatch(rest[0]):
            head, rest = [*head, rest[0]], rest[1:]
    return head, rest


def _is_place(word: str, output: str) -> bool:
    """Say whether the output names files below a word: then it is no subcommand."""
    return re.search(rf"(?<![\w/.-]){re.escape(word)}/[\w.]", output) is not None


def make_id(form: Form, wanted: str | None) -> str:
    """Return the id of the rule: the wanted one, or one made of the head."""
    if wanted is not None:
        return wanted if "." in wanted else f"bash.{wanted}"
    plain = [word for word in form.head.split(" ") if not word.startswith("-")]
    name = "_".join(re.sub(r"[^A-Za-z0-9]+", "_", word.rpartition("/")[2]).strip("_").lower() for word in plain).strip(
        "_"
    )
    return f"bash.{name or 'command'}" if not name[:1].isdigit() else f"bash.run_{name}"
