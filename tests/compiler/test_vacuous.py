"""Claims that say nothing are found, and what is found is so of every output; words that are there twice are found."""

from __future__ import annotations

from functools import cache

import pytest
from cablese.compiler import compile_sources, stages
from cablese.compiler.trials import Bench, Trial
from hypothesis import given, settings
from hypothesis import strategies as st

from .rules import codes, sketch

CLAIMS = (
    "count job >= 0",
    "0 <= count job",
    "count job = count job",
    "count done = 1",
    "count done <= 1",
    "count done >= 2",
    "count job, done >= 1",
    "count job + count done >= 2",
    "some done",
    "no done",
    "some job",
    "no job where n > 1",
    "count job = done.n",
    "done.n >= 0",
    "exit_code >= 0",
    "when some job: no done",
    "when some job: some done",
    "each pair: count row = 2",
    "each pair: some row",
    "each pair: no tail",
    "distinct job.name within distinct job.name",
    "distinct job.name within distinct row.name",
)
LINES = """job  = "[{n:int}] Running {name}"
    pair = row row tail?
    row  = "row {name}"
    tail = "tail"
    done = "{n:int} jobs\""""
OUTPUT = st.lists(
    st.sampled_from(["[1] Running a", "[2] Running b", "row a\nrow b", "row a\nrow b\ntail"]), max_size=4
).flatmap(lambda lines: st.integers(0, 5).map(lambda n: "\n".join([*lines, f"{n} jobs"]) + "\n"))


@cache
def judged(claim: str):
    """Return what the compiler says of a claim, and the rule with it as if it had said nothing, and without it."""
    texts = [sketch(stdout="(job | pair)* done", lines=LINES, ensure=each) for each in (claim, "")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "check_claims", lambda *_: None)
        packs = [compile_sources({"a": text}, name="a", version="1", draft=True).pack for text in texts]
    assert None not in packs
    return codes(texts[0]), *(Bench(pack) for pack in packs)


@given(st.sampled_from(CLAIMS), OUTPUT, st.sampled_from([None, -9, 0, 1]))
@settings(max_examples=300, deadline=None)
def test_what_is_said_of_a_claim_is_so_of_every_output(claim, output, exit_code):
    """A claim that always holds refuses no output, one that never does refuses each."""
    found, with_claim, without = judged(claim)
    trial = Trial("bash", "jobs", output, exit_code=exit_code)
    assert without.decide(trial).body is not None
    shown = with_claim.decide(trial).body is not None
    if found == ["E0508"]:
        assert shown
    elif found == ["E0509"]:
        assert not shown
    else:
        assert not found


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("count job >= 0", "E0508"),
        ("count job = count job", "E0508"),
        ("count done = 1", "E0508"),
        ("some done", "E0508"),
        ("when some job: some done", "E0508"),
        ("distinct job.name within distinct job.name", "E0508"),
        ("count done >= 2", "E0509"),
        ("no done", "E0509"),
    ],
)
def test_claims_that_say_nothing_are_refused(claim, code):
    """With the code that says which way."""
    assert judged(claim)[0] == [code]


@pytest.mark.parametrize(
    "claim", ["count job = done.n", "exit_code >= 0", "when some job: no done", "no job where n > 1"]
)
def test_claims_that_say_something_are_not(claim):
    """Exit codes may be negative, and what never holds behind a condition refuses outputs on purpose."""
    assert not judged(claim)[0]


@pytest.mark.parametrize(
    "text",
    [
        sketch(exit="0, 1, 0"),
        sketch(exit="unknown, unknown"),
        sketch().replace("tool     bash", "tool     bash, shell, bash"),
        sketch(command="jobs | jobs { }"),
        sketch(before="options o {\n  option -a\n}\n", command="jobs {\n    with o\n    with o\n  }"),
        sketch(exit="0, 1", ensure="when exit 1, 1: no job"),
        sketch(command="jobs {\n    operand any\n    option -l\n    operand  any\n  }"),
        sketch(command="jobs {\n    after -- any\n    after -- any\n  }"),
        sketch(command="jobs {\n    option -l\n  }\n  command jobs | jobs list { option -l }"),
        sketch(ensure="running = sum done.n\n    running =  sum done.n"),
        sketch(exit="0, 1", ensure="when exit 1: no job\n    when exit 0: some job\n    when exit 1: no job"),
    ],
)
def test_words_that_are_there_twice_are_found(text):
    """Tools, commands, their lines, blocks of options, claims, and exit codes of a rule and of a condition."""
    assert codes(text) == ["E0709"]


@pytest.mark.parametrize(
    "text",
    [
        sketch(command="jobs {\n    option -l\n  }\n  command jobs {\n    option -p\n  }"),
        sketch(exit="0, 1", ensure="when exit 1: no job\n    when exit 0: no job"),
    ],
)
def test_what_only_looks_alike_is_none(text):
    """Two forms of a command that take other options, and one claim under two conditions."""
    assert codes(text) == []
