"""The options of a command: declared once, read fast when they are well-formed, by argparse otherwise.

Input: a `Command` and the words behind its name. Output: `Arguments`.

argparse and its help texts cost more time than most decisions take, and `run` and `view` stand in front of every
command of an agent. So words that are plainly in order are read here; for help, for errors and for anything unusual,
argparse is built from the same declaration and has the last word.

Invariant: where the fast reader answers, argparse would answer the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse


class Option(NamedTuple):
    """`--name`, a switch, or with `metavar` an option that takes a value (an int if `number`, else text).

    `many`: it may be given several times, and its value is a list.
    """

    name: str
    help: str
    metavar: str | None = None
    short: str | None = None
    choices: tuple[str, ...] = ()
    number: bool = False
    default: str | None = None
    many: bool = False

    @property
    def key(self) -> str:
        """The name under which the value is found: `--exit-code` is `exit_code`."""
        return self.name.removeprefix("--").replace("-", "_")


class Operands(NamedTuple):
    """The words that are no options: at least `least`, at most `most` (None: any number)."""

    name: str
    help: str
    least: int = 1
    most: int | None = None


class Command(NamedTuple):
    """A command of the tool. `verbatim`: from the first operand on, all words belong to the operands."""

    name: str
    summary: str
    options: tuple[Option, ...] = ()
    operands: Operands | None = None
    verbatim: bool = False


Arguments = dict[str, Any]
"""Values by `Option.key`: True or False for switches, None for what was not given, lists for what may be given several
times; operands as a list by their name.
"""


def read_arguments(command: Command, words: Sequence[str]) -> Arguments:
    """Read the words behind a command's name. Exits through argparse after help (0) and errors (2)."""
    arguments = _read_plain(command, words)
    return _read_slowly(command, words) if arguments is None else arguments


def _read_plain(command: Command, words: Sequence[str]) -> Arguments | None:
    """Read words that are in order; None for everything else."""
    known = {option.name: option for option in command.options}
    known.update((option.short, option) for option in command.options if option.short is not None)
    arguments = _defaults(command)
    operands: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--" or (command.verbatim and not word.startswith("-")):
            # argparse forgets a second `--` in some versions; words that belong to a command must not be lost.
            operands += [word] * (word != "--") + list(rest)
            break
        if not word.startswith("-"):
            operands.append(word)
            continue
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = known.get(name)
        if option is None:
            return None
        if option.metavar is None:
            if equals:
                return None
            arguments[option.key] = True
            continue
        if not equals:
            value = next(rest, None)
            if value is None or (value.startswith("-") and value != "-"):
                return None
        converted = _convert(option, value)
        if converted is None:
            return None
        if option.many:
            arguments[option.key] = [*arguments[option.key], converted]
        else:
            arguments[option.key] = converted
    return arguments if _take_operands(command, operands, arguments) else None


def _convert(option: Option, value: str) -> str | int | None:
    if option.choices and value not in option.choices:
        return None
    if not option.number:
        return value
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None


def _take_operands(command: Command, operands: list[str], arguments: Arguments) -> bool:
    """Put the operands where they belong; False if their number is wrong."""
    wanted = command.operands
    if wanted is None:
        return not operands
    arguments[wanted.name.lower()] = operands
    return wanted.least <= len(operands) <= (len(operands) if wanted.most is None else wanted.most)


def _defaults(command: Command) -> Arguments:
    return {option.key: _default(option) for option in command.options}


def _default(option: Option) -> Any:
    if option.many:
        return []
    return option.default if option.metavar else False


def _read_slowly(command: Command, words: Sequence[str]) -> Arguments:
    parser = build_parser(command)
    if command.verbatim:
        arguments, behind = vars(parser.parse_args(list(words))), []
    else:
        # argparse loses track of `--` once options stand between operands, so what follows it is kept from it.
        end = words.index("--") if "--" in words else len(words)
        arguments, behind = vars(parser.parse_intermixed_args(list(words[:end]))), list(words[end + 1 :])
    operands = arguments.pop("operands", []) + behind
    if command.verbatim and operands[:1] == ["--"]:
        del operands[0]
    if not _take_operands(command, operands, arguments):
        wanted = command.operands
        parser.error(
            f"unrecognized arguments: {' '.join(operands)}"
            if wanted is None
            else f"{wanted.name}: {_expected(wanted)} expected, {len(operands)} given"
        )
    return arguments


def _expected(wanted: Operands) -> str:
    if wanted.most == wanted.least:
        return str(wanted.least)
    return f"at least {wanted.least}" if wanted.most is None else f"at most {wanted.most}"


def build_parser(command: Command) -> argparse.ArgumentParser:
    """Build the argparse parser of a command."""
    import argparse

    parser = argparse.ArgumentParser(
        prog=f"cablese {command.name}",
        description=command.summary,
        allow_abbrev=False,
        formatter_class=_formatter(command.operands if not command.verbatim else None),
    )
    for option in command.options:
        names = [option.name] if option.short is None else [option.short, option.name]
        if option.metavar is None:
            parser.add_argument(*names, dest=option.key, action="store_true", help=option.help)
        else:
            parser.add_argument(
                *names,
                dest=option.key,
                metavar=option.metavar,
                choices=option.choices or None,
                type=int if option.number else str,
                default=_default(option),
                action="append" if option.many else "store",
                help=option.help,
            )
    wanted = command.operands
    if wanted is not None:
        parser.add_argument(
            "operands",
            metavar=wanted.name,
            nargs=argparse.REMAINDER if command.verbatim else "*",
            help=wanted.help,
        )
    return parser


def _usage(wanted: Operands) -> str:
    """Return how many operands are taken, in the notation of usage lines."""
    name = wanted.name
    if wanted.most is None:
        return f"[{name} ...]" if wanted.least == 0 else f"{name} [{name} ...]"
    return f"[{name}]" if wanted.least == 0 else name


def _formatter(operands: Operands | None) -> Any:
    """Return a help formatter of fixed width, so that the texts are the same everywhere.

    argparse itself takes any number of operands, so that options may stand between them.
    """
    import argparse

    class Formatter(argparse.RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            super().__init__(prog, max_help_position=28, width=100)

        def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
            if action.dest == "operands" and operands is not None:
                return _usage(operands)
            return super()._format_args(action, default_metavar)

    return Formatter
