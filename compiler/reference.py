"""What rules do, as Markdown made from the rules themselves: for a page that cannot go stale.

Input: a side of `compiler.diff.side`, a pack or compiled rule files. Output: the page. Examples and what they save are
there where they are known: a pack does not hold them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .diff.changes import spell_option
from .diff.markdown import cell, plain, span
from .diff.record import ENCODINGS
from .diff.results import Item, look_at
from .diff.side import Side
from .notes import describe_openness

# Of a kind whose patterns have several places, the mark that says most stands.
_LAST = " (otherwise)"
_ANY = " (any other line)"
_MARKS = ("", _LAST, _ANY)

HEAD = """# Rules, one by one

What each rule takes, reads, claims and saves, as `cablese docs` says it of the rule files themselves.
"""


def render_rules(side: Side, head: str = HEAD) -> str:
    """Return the page: a section a rule, in the order of the pack."""
    sections = ("\n".join(_section(rule, side)) for rule in side.rules)
    return "\n".join([head, *sections]).rstrip("\n") + "\n"


def _section(rule: str, side: Side) -> Iterator[str]:
    section, source = side.rules[rule], side.maps[rule]
    yield f"## {rule}\n"
    yield f"{plain(section['title'])}; {span(source['path'])}, line {source['line']}.\n"
    yield "| | |\n|---|---|"
    for name, words in _rows(section):
        yield f"| {name} | {cell(words)} |"
    yield ""
    claims = list(dict.fromkeys(text for _, text in source["ensure"]))
    if claims:
        yield "*Claims*, without which the output passes:\n"
        yield from (f"* {span(claim)}" for claim in claims)
        yield ""
    for name, text in describe_openness(section["streams"]):
        yield f"*{name.capitalize()}*: {text}.\n"
    yield from _savings(rule, side)


def _rows(section: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "tools", ", ".join(map(span, section["tools"]))
    yield "commands", ", ".join(span(" ".join(command["head"])) for command in section["commands"])
    # Heads of one command have the same options; several commands of a rule are told one after the other.
    told: list[dict[str, Any]] = []
    for command in section["commands"]:
        options = {key: value for key, value in command.items() if key != "head"}
        if options in told:
            continue
        told.append(options)
        of = f" of {span(' '.join(command['head']))}" if len(told) > 1 else ""
        for key, words in (("globals", "before the last word"), ("options", "options"), ("refuse", "refused")):
            if command[key]:
                yield words + of, ", ".join(dict.fromkeys(span(spell_option(option)) for option in command[key]))
        for need in command["needs"]:
            yield f"one is needed{of}", ", ".join(span(spell_option(option)) for option in need)
        operands = [*["operands"] * command["operand"], *["words behind `--`"] * command["after"]]
        yield f"besides{of}", " and ".join(operands) or "nothing"
    codes = section["exit"]
    yield "exit code", "any" if codes is None else ", ".join("unknown" if code is None else str(code) for code in codes)
    for name, stream in sorted(section["streams"].items(), reverse=True):
        yield name, "empty" if stream == "empty" else _kinds(stream)


def _kinds(stream: dict[str, Any]) -> str:
    """Return the kinds of lines of a stream, those marked that get what others leave."""
    names: dict[str, str] = {}
    for position in stream["positions"]:
        name = position["kind"].partition("#")[0]
        mark = "" if not position["otherwise"] else _LAST if position["patterns"] else _ANY
        names[name] = max(names.get(name, ""), mark, key=_MARKS.index)
    shown = ", ".join(span(name) + mark for name, mark in names.items())
    return shown + ("; colours are taken out" if stream["uncoloured"] else "")


def _savings(rule: str, side: Side) -> Iterator[str]:
    cases = [case for case in (side.examples or {}).get(rule, ()) if case.shows is not None]
    if not cases:
        return
    yield f"| shown | {' | '.join(ENCODINGS)} |\n|---|{'---:|' * len(ENCODINGS)}"
    for item, original, seen in look_at((Item(case.node.title.value, case.trial.result()) for case in cases), side):
        if seen.shown is None:
            counts = " | ".join(f"{original[name]:,}, too short" for name in ENCODINGS)
        else:
            counts = " | ".join(f"{original[name]:,} → {seen.tokens[name]:,}" for name in ENCODINGS)
        yield f"| {cell(plain(item.name))} | {counts} |"
    yield ""
