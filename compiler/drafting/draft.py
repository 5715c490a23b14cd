"""The walk of a draft: guess, compile, look what the runtime makes of it, guess less where it does not hold.

Input: `Captured`. Output: a `Draft`, which compiles as a draft and whose examples hold; or DraftError.

The guesses go from the most exact order of lines to the most lenient, and end with a rule of which nothing is known but
its command. The compiler is the judge: a kind that shares lines with another becomes the one that gets what the other
leaves, and a kind whose pattern is refused is given up. INVARIANT: the same input gives the same draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...dsl.diagnostics import Diagnostic
from ...dsl.format import format_source
from ...dsl.source import Source
from ...runtime.reasons import Reason
from ..compilation import compile_sources
from ..trials import Bench, Trial, Verdict
from .captured import Captured, DraftError, Stream, read_streams, read_words
from .claims import find_claims
from .commands import Form, make_form, make_id
from .examples import SHORT_SUMMARY, Texts, write_example
from .kinds import Kind, Names, find_kinds
from .layout import make_layouts
from .shapes import find_shapes
from .writing import Plan, Read, write_rule

_ATTEMPTS: Final = 24
_SHARED: Final = re.compile(r"`(\w+)` and `(\w+)` share")
_DEFINED: Final = re.compile(r"\s*(\w+)\s*=")
_ID: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
_PATH: Final = "draft.cable"
_WHEN_DONE: Final = '# TODO: with no kind to be done, this is `shows ""`; `cablese test --update` fills it in.'
_STRANGER: Final = "a line that nothing here describes"


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule, the files that it needs beside it, and what becomes of the captured output under it.

    `todos`: the kinds that are still to be described; `reason`: why the output passes, None where it is summarised;
    `saves`: whether the summary is strictly fewer tokens.
    """

    id: str
    text: str
    files: dict[str, str]
    kinds: int
    todos: tuple[str, ...]
    reason: Reason | None
    saves: bool


def draft_rule(captured: Captured, *, name: str | None = None) -> Draft:
    """Return a draft for what was captured. `name` is the id of the rule, or what follows `bash.` in it.

    Raises DraftError where no rule could ever hold.
    """
    words = read_words(captured)
    streams = read_streams(captured)
    form = make_form(words, captured.stdout + captured.stderr)
    rule_id = make_id(form, name)
    if not _ID.fullmatch(rule_id):
        raise DraftError(f"--name: `{rule_id}` is no name; it has letters, digits, `_` and dots")
    seen = [(stream, _kinds_of(streams, number)) for number, stream in enumerate(streams)]
    trial = Trial(
        captured.tool,
        " ".join(words) + " 2>&1" * captured.joined,
        captured.stdout,
        captured.stderr,
        captured.exit_code,
    )
    last = _most_layouts(seen)
    for level in range(last + 1):
        found = _try_level(seen, level, captured, rule_id, form, words)
        if found is not None:
            plan, pack = found
            bench = Bench(pack)
            verdict = bench.decide(trial)
            # Where lines that nobody understood are shown all the same, another kind takes too much.
            shown = verdict.body is not None and (not plan.todos or level == last)
            if shown or (verdict.reason == Reason.UNRECONCILED and plan.todos):
                return _finish(plan, trial, bench, verdict)
    raise DraftError(
        "no rule can be written for this output: no pattern reads its lines, or they are too long to be lines"
    )


def _kinds_of(streams: Sequence[Stream], number: int) -> list[Kind]:
    """Return the kinds of a stream; two streams share no names."""
    stream = streams[number]
    prefix = "err_" if stream.name == "stderr" and len(streams) > 1 else ""
    return find_kinds(stream.lines, find_shapes(stream.lines), Names({"exit_code"}), prefix)


_Seen = Sequence[tuple[Stream, list[Kind]]]


def _most_layouts(seen: _Seen) -> int:
    return max(len(make_layouts(_order(stream, kinds))) for stream, kinds in seen)


def _order(stream: Stream, kinds: Sequence[Kind]) -> list[Kind]:
    by_line = {line: kind for kind in kinds for line in kind.lines}
    return [by_line[number] for number in range(len(stream.lines))]


def _try_level(
    seen: _Seen, level: int, captured: Captured, rule_id: str, form: Form, words: Sequence[str]
) -> tuple[Plan, bytes] | None:
    """Return a plan that compiles, with the layouts of one level; the last level knows no kinds."""
    last = level >= _most_layouts(seen)
    current = [(stream, _unknown(stream, kinds) if last else kinds) for stream, kinds in seen]
    general: frozenset[str] = frozenset()
    for _ in range(_ATTEMPTS):
        plan = Plan(
            rule_id,
            " ".join(words),
            captured.tool,
            form,
            captured.exit_code,
            tuple(_read(stream, kinds, level) for stream, kinds in current),
            general,
        )
        done = compile_sources({_PATH: write_rule(plan)}, name="draft", version="1", draft=True)
        if done.pack is not None:
            return plan, done.pack
        repaired = _repair(done.diagnostics, plan)
        if repaired is None:
            return None
        more, given_up = repaired
        if more:
            general |= more
        else:
            current = [(stream, _give_up(kinds, given_up)) for stream, kinds in current]
    return None


def _read(stream: Stream, kinds: Sequence[Kind], level: int) -> Read:
    layouts = make_layouts(_order(stream, kinds))
    layout = layouts[min(level, len(layouts) - 1)]
    return Read(stream.name, tuple(kinds), layout, tuple(find_claims(kinds, stream.lines)), stream.coloured)


def _unknown(stream: Stream, kinds: Sequence[Kind]) -> list[Kind]:
    """Know one line, the first that can be read, and nothing of the others."""
    prefix = "err_" if any(kind.name.startswith(("err_", "todo_err_")) for kind in kinds) else ""
    told = [number for number, line in enumerate(stream.lines) if line.strip(" \t")]
    known = next((shape for shape in find_shapes([stream.lines[number] for number in told[:1]])), None)
    first = [] if known is None or known.template is None else [known.template]
    numbers = tuple(number for number, line in enumerate(stream.lines) if first and line == stream.lines[told[0]])
    kinds = (
        [
            Kind(
                f"{prefix}first",
                "title",
                numbers,
                first[0],
                (None,) * len(first[0].parts),
            )
        ]
        if first
        else []
    )
    rest = tuple(number for number in range(len(stream.lines)) if number not in numbers)
    return [*kinds, Kind(f"{prefix}todo", "todo", rest, catch_all=True)] if rest else kinds


def _repair(found: Sequence[Diagnostic], plan: Plan) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return which kinds are to take what others leave, and which to give up; None where neither helps."""
    kinds = {kind.name: kind for kind in plan.kinds}
    general: set[str] = set()
    given_up: set[str] = set()
    for each in found:
        shared = _SHARED.search(each.message)
        if each.code == "E0401" and shared and shared[1] in kinds and shared[2] in kinds:
            one, other = kinds[shared[1]], kinds[shared[2]]
            general.add(min((one, other), key=lambda kind: (_fixed(kind), kind.name)).name)
            continue
        named = _DEFINED.match(each.source.text, each.source.text.rfind("\n", 0, each.primary.span.start) + 1)
        if each.code.startswith("E03") and named and named[1] in kinds:
            given_up.add(named[1])
            continue
        return None
    general -= plan.general
    return (frozenset(general), frozenset(given_up)) if general or given_up else None


def _fixed(kind: Kind) -> int:
    return 0 if kind.template is None else kind.template.fixed


def _give_up(kinds: Sequence[Kind], names: frozenset[str]) -> list[Kind]:
    """Make one catch-all of some kinds, and of the one that is there."""
    lost = [kind for kind in kinds if kind.name in names or kind.catch_all]
    if not any(kind.name in names for kind in lost):
        return list(kinds)
    prefix = "err_" if any(kind.name.startswith("err_") for kind in kinds) else ""
    lines = tuple(sorted(line for kind in lost for line in kind.lines))
    kept = [kind for kind in kinds if kind not in lost]
    name = Names({kind.name for kind in kept}).give([f"{prefix}todo"], "todo")
    return [*kept, Kind(name, "todo", lines, catch_all=True)]


def _finish(plan: Plan, trial: Trial, bench: Bench, verdict: Verdict) -> Draft:
    """Write the examples, and prove the whole file once more."""
    short = plan.id.removeprefix("bash.").replace(".", "_")
    texts = Texts(f"examples/{short}")
    parts = [
        texts.write(name, trial.output(name), f"captured{'.stderr' * (name == 'stderr')}.txt")
        for name in ("stdout", "stderr")
        if trial.output(name)
    ]
    if verdict.body is None:
        outcome = f"{_WHEN_DONE}\npasses {verdict.reason}"
    else:
        outcome = texts.write("shows", verdict.body, "captured.shows.txt", SHORT_SUMMARY)
    examples = [write_example("as captured", trial.command, trial.exit_code, parts, outcome)]
    examples += list(_second(plan, trial, bench))[:1]
    text = _laid_out(write_rule(plan, examples))
    files = {path: body.encode("utf-8") for path, body in texts.files.items()}
    done = compile_sources({_PATH: text}, name="draft", version="1", draft=True, read=files.__getitem__)
    if done.pack is None:
        raise DraftError("no rule can be written for this output: " + done.diagnostics[0].message)
    saves = verdict.body is not None and bench.saves(trial, verdict)
    return Draft(plan.id, text, texts.files, len(plan.kinds), tuple(plan.todos), verdict.reason, saves)


def _second(plan: Plan, trial: Trial, bench: Bench) -> Iterator[str]:
    """Yield examples that pass: an output with a strange line, and the near miss."""
    for stream in plan.streams:
        kept = trial.output(stream.name).split("\n")[:2]
        strange = "\n".join([*kept, _STRANGER, ""])
        plain = replace(trial, stdout="", stderr="").with_output(stream.name, strange)
        reason = bench.decide(plain).reason
        if reason in {Reason.INVALID_OUTPUT, Reason.UNRECONCILED} and all(
            line.isprintable() and line == line.rstrip() for line in kept
        ):
            part = Texts("none").write(stream.name, strange, "none")
            if " file " not in part:
                yield write_example(
                    "a line of another program", trial.command, trial.exit_code, [part], f"passes {reason}"
                )
    yield write_example("another command", plan.form.near_miss, None, ['stdout "…\\n"'], "passes no_rule")


def _laid_out(text: str) -> str:
    """Return text in its one layout."""
    formatted = format_source(Source(_PATH, text))
    if formatted.text is None:
        raise DraftError("no rule can be written for this output: " + formatted.diagnostics[0].message)
    return formatted.text
