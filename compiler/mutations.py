"""Changes accepted examples and looks whether the result changes with them.

Input: a case that is shown. Output: findings. Every mutant must pass through, or show another text where a significant
line (see `significance`) is another, more or fewer; a coloured one must pass, or show the same where the rule takes
colour out; one with CRLF must pass, or show the same text.
INVARIANT: the mutants depend on the case alone, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from .compilation import CompiledRule
from .significance import significant_lines
from .trials import Bench, Trial, Verdict

FOREIGN: Final = (
    "Traceback (most recent call last):\n",
    '  File "main.py", line 1, in <module>\n',
    "make: *** [Makefile:2: all] Error 1\n",
    "drwxr-xr-x 2 user group 4096 Jan  1 00:00 src\n",
)
"""Lines of other tools, as they follow when several commands share a stream."""

MOST_LINES: Final = 400
"""Longer streams are mutated at evenly spread lines."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed case: what was done, the trial, and what its result may be besides passing.

    `expects`: `changed` where significant lines differ, `same`, or `passes` (nothing else).
    """

    name: str
    trial: Trial
    expects: str


@dataclass(frozen=True, slots=True)
class Silence:
    """A finding: a mutant whose result is not what it must be."""

    mutant: Mutant
    problem: str


def mutants(trial: Trial, *, uncoloured: frozenset[str]) -> Iterator[Mutant]:
    """Yield all mutants of a case. `uncoloured` names the streams from which the rule takes colour out."""
    for stream in ("stdout", "stderr", "merged"):
        text = trial.output(stream)
        if not text:
            continue
        lines = text.split("\n")
        end = lines.pop() if lines[-1] == "" else None
        ending = "\n" if end is not None else ""

        def joined(changed: list[str], ending: str = ending) -> str:
            return "\n".join(changed) + (ending if changed else "")

        for index in _spread(len(lines)):
            at = f"{stream} line {index + 1}"
            half = lines[index][: len(lines[index]) // 2]
            for name, changed in (
                (f"{at} deleted", joined(lines[:index] + lines[index + 1 :])),
                (f"{at} doubled", joined(lines[: index + 1] + lines[index:])),
                (f"{at} and all behind it cut", joined(lines[:index], "\n")),
                (f"{at} cut in the middle", "\n".join([*lines[:index], half])),
            ):
                yield Mutant(name, trial.with_output(stream, changed), "changed")
        yield Mutant(f"{stream} with CRLF", trial.with_output(stream, text.replace("\n", "\r\n")), "same")
        coloured = joined([f"\x1b[1m{line}\x1b[0m" for line in lines])
        colour = "same" if stream in uncoloured else "passes"
        yield Mutant(f"{stream} coloured", trial.with_output(stream, coloured), colour)
        whole = text if text.endswith("\n") else text + "\n"
        for foreign in FOREIGN:
            name = f"{stream} followed by {foreign.strip()!r}"
            yield Mutant(name, trial.with_output(stream, whole + foreign), "changed")


def check_mutants(bench: Bench, rule: CompiledRule, trial: Trial, every: int = 1) -> tuple[int, list[Silence]]:
    """Return how many mutants were tried, and those with a result that they must not have.

    Of all mutants, the first of `every` so many is tried.
    """
    original = bench.decide(trial)
    assert original.body is not None
    count = 0
    found = []
    for mutant in islice(mutants(trial, uncoloured=uncoloured_streams(rule.section, original)), None, None, every):
        count += 1
        problem = judge_mutant(mutant, original, bench.decide(mutant.trial), rule.section)
        if problem is not None:
            found.append(Silence(mutant, problem))
    return count, found


def uncoloured_streams(section: dict[str, Any], original: Verdict) -> frozenset[str]:
    """Return the streams from which colour is taken before the rule reads them; of joined ones, all are that one."""
    joined = len(original.readings) == 1
    names: set[str] = set()
    for reading in original.readings:
        if section["streams"][reading.name]["uncoloured"]:
            names |= {reading.name, *(("merged",) * joined), *(("stdout", "stderr") * (reading.name == "merged"))}
    return frozenset(names)


def judge_mutant(mutant: Mutant, original: Verdict, verdict: Verdict, section: dict[str, Any]) -> str | None:
    """Return what is wrong with the result of a mutant, None where nothing is. `section` is the rule's, of its pack."""
    if verdict.body is None:
        return None
    if mutant.expects == "passes":
        return "was accepted"
    if mutant.expects == "same":
        same = verdict.body.replace("\r", "") == (original.body or "").replace("\r", "")
        return None if same else "shows another text"
    if verdict.body != original.body:
        return None
    before = significant_lines(section, original.readings)
    after = significant_lines(section, verdict.readings)
    if len(before) != len(after):
        return f"shows the same text for {len(after)} lines that count instead of {len(before)}"
    return None


def _spread(count: int) -> Iterator[int]:
    """Yield all line numbers, or evenly spread ones where there are too many."""
    if count <= MOST_LINES:
        yield from range(count)
    else:
        yield from sorted({index * (count - 1) // (MOST_LINES - 1) for index in range(MOST_LINES)})
