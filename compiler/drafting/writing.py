"""A plan of a rule becomes text.

Input: a `Plan`. Output: rule text, before it is given its layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...dsl.quoting import quote_character
from .claims import Claim
from .commands import Form
from .kinds import BARS, Kind, Names, bar_word, pattern_parts, write_pattern
from .layout import Layout
from .templates import TREE

_SHOWN: Final = 10
_NOUNS: Final = frozenset({"item", "row", "path", "name", "error", "warning", "note", "test", "package", "failure"})
"""Names that have a plural: of others, nobody knows whether they are things."""


@dataclass(frozen=True, slots=True)
class Read:
    """A stream that is read: its kinds, their order, and what its numbers count."""

    name: str
    kinds: tuple[Kind, ...]
    layout: Layout
    claims: tuple[Claim, ...]
    coloured: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a rule says but its examples. `general`: kinds that take what others leave."""

    id: str
    command: str
    tool: str
    form: Form
    exit_code: int | None
    streams: tuple[Read, ...]
    general: frozenset[str] = frozenset()

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of all streams."""
        return [kind for stream in self.streams for kind in stream.kinds]

    @property
    def todos(self) -> list[str]:
        """The names of the kinds that are still to be described."""
        return [kind.name for kind in self.kinds if kind.role == "todo"]


@dataclass(slots=True)
class _Summary:
    facts: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    names: Names = field(default_factory=Names)


def write_rule(plan: Plan, examples: Sequence[str] = ()) -> str:
    """Return the text of a rule file with one rule."""
    summary = _write_summary(plan)
    return "\n".join(
        [
            *_comment(plan),
            "",
            *_words(plan),
            f'rule {plan.id} "output of {escape_text(plan.command)}" {{',
            f"tool {'bash, shell' if plan.tool in {'bash', 'shell'} else plan.tool}",
            *_command(plan.form),
            "",
            *_exit(plan.exit_code),
            *_streams(plan),
            "lines {",
            *_definitions(plan),
            "}",
            *(["facts {", *summary.facts, "}"] if summary.facts else []),
            *_ensure(plan),
            'summary """',
            *summary.lines,
            '"""',
            f'selects "{escape_text(plan.command)}"',
            f'leaves "{escape_text(plan.form.near_miss)}"',
            *examples,
            "}",
            "",
        ]
    )


def escape_text(text: str) -> str:
    """Return text as it stands between quotes."""
    return "".join(map(quote_character, text))


def _comment(plan: Plan) -> list[str]:
    lines = [
        f"# A draft, guessed from one output of `{plan.command}`. Names, kinds and claims are yours to correct.",
    ]
    if plan.todos:
        lines.append(
            "# While a line of a TODO kind is there, the output passes: describe it, or show it, or drop it by name."
        )
    return [line if line.isprintable() else "# A draft, guessed from one output." for line in lines]


def _words(plan: Plan) -> Iterator[str]:
    marks = {part.text for kind in plan.kinds for part in pattern_parts(kind) if part.type == "bar"}
    for mark in BARS:
        if mark in marks:
            yield f"word {bar_word(mark)} = [{chr(92) * (mark == '-')}{mark}]+"
    if TREE in marks:
        yield f"word {bar_word(TREE)} = [│├└┬─ ]+"
    if marks:
        yield ""


def _command(form: Form) -> Iterator[str]:
    if form.operand_like is not None:
        yield f"# TODO: if `{form.operand_like}` is what it works on, and no subcommand: take it out; `operand any`."
    yield f"command {form.head} {{"
    yield from form.body
    yield "}"


def _exit(code: int | None) -> Iterator[str]:
    if code is None:
        yield "# TODO: for which exit codes? Without a line `exit`, for any."
    else:
        yield f"exit {code}"


def _streams(plan: Plan) -> Iterator[str]:
    by_name = {stream.name: stream for stream in plan.streams}
    for name in ("stdout", "stderr"):
        stream = by_name.get(name)
        if stream is None:
            yield f"{name} empty"
        else:
            yield f"{name} {'uncoloured ' if stream.coloured else ''}{stream.layout.expression}"


def _definitions(plan: Plan) -> Iterator[str]:
    # General kinds are asked in this order, so the most exact of them comes first.
    ordered = sorted(
        plan.kinds,
        key=lambda kind: (
            (kind.name in plan.general, 0 if kind.template is None else -kind.template.fixed)
            if kind.name in plan.general
            else (False, 0)
        ),
    )
    for kind in [*(each for each in ordered if not each.catch_all), *(each for each in ordered if each.catch_all)]:
        mark = "otherwise " if kind.name in plan.general else ""
        if kind.catch_all:
            yield "# TODO: all the lines that nothing else here describes."
            yield f"{kind.name} = otherwise"
        elif kind.role == "blank":
            yield f"""{kind.name} = ""{' | "{:spaces}"' * kind.spaced}"""
        else:
            yield f"{kind.name} = {mark}{write_pattern(kind)}{'  # TODO: what is this?' * (kind.role == 'todo')}"


def _ensure(plan: Plan) -> Iterator[str]:
    claims = []
    for stream in plan.streams:
        for claim in stream.claims:
            told = f"{claim.kind}.{claim.capture}"
            claims.append(f"{claim.counted.written} = {told if claim.kind in stream.layout.once else f'sum {told}'}")
    if plan.todos:
        claims.append(f"no {', '.join(plan.todos)}  # TODO: until these lines are understood, the output passes")
    if claims:
        yield from ("ensure {", *claims, "}")


def _write_summary(plan: Plan) -> _Summary:
    summary = _Summary()
    summary.names.taken.update(kind.name for kind in plan.kinds)
    for stream in plan.streams:
        for fact in dict.fromkeys(claim.counted.fact for claim in stream.claims if claim.counted.fact):
            summary.names.taken.add("files")
            summary.facts.append(f"files = {fact}")
        for kind in stream.kinds:
            if kind.role in {"title", "total", "heading"} and kind.name in stream.layout.once:
                summary.lines.append(f"{{{{ {kind.name}.line | clip }}}}")
            elif kind.role in {"row", "title", "total", "heading"}:
                _list(kind, summary)
    if not summary.lines:
        fact = summary.names.give(["lines"], "lines_seen")
        summary.facts.append(f"{fact} = count {', '.join(kind.name for kind in plan.kinds)}")
        summary.lines.append(f"lines: {{{{ {fact} }}}}")
    return summary


def _list(kind: Kind, summary: _Summary) -> None:
    """Count a kind, and show the first lines of it; where they end in verdicts, those that differ from most."""
    plural = f"{kind.name}s" if kind.name in _NOUNS else kind.name
    total = summary.names.give([plural if plural != kind.name else f"n_{kind.name}"], "total")
    choices = kind.captured("choice")
    summary.facts.append(f"{total} = count {kind.name}")
    summary.lines.append(f"{plural}: {{{{ {total} }}}}")
    if choices:
        _, capture = choices[0]
        groups = summary.names.give([f"{kind.name}_by_{capture}"], "groups")
        summary.facts.append(f"{groups} = group {kind.name} by {capture}")
        summary.lines += [f"{{% for g in {groups} %}}", "- {{ g.key }} x{{ g.count }}", "{% endfor %}"]
    shown = summary.names.give([f"first_{plural}"], "shown")
    summary.facts.append(f"{shown} = first {_SHOWN} of each {kind.name}")
    summary.lines += [
        f"{{% for r in {shown} %}}",
        "- {{ r.line | clip }}",
        "{% endfor %}",
        f"{{{{ {shown} | more }}}}",
    ]
