"""The slow reading of a rule and an output says what the quick one decided."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from cablese.runtime.engine import Body, evaluate
from cablese.runtime.engine.inspection import inspect, kinds_of_lines
from cablese.runtime.framing import obtain_streams
from cablese.runtime.packs.catalogue import CURATED_PACK, EXTRA_PACK
from cablese.runtime.packs.pack import open_pack
from cablese.runtime.reasons import PassThrough
from cablese.runtime.records import is_unicode, parse_result
from cablese.runtime.shell import parse_command

SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
RULES = {
    rule.removeprefix("bash."): pack.rule(number)
    for pack in map(open_pack, (CURATED_PACK, EXTRA_PACK))
    for number, rule in enumerate(pack.rules)
    if (SAMPLES / rule.removeprefix("bash.")).is_dir()
}


def outputs(name):
    """Yield rule, streams and exit code of every fourth sample of a rule whose streams can be had."""
    for path in sorted((SAMPLES / name).glob("*.json"))[::4]:
        result = parse_result(json.loads(path.read_text("utf-8")))
        try:
            command, streams = parse_command(result.command or ""), obtain_streams(result)
        except PassThrough:
            continue
        if is_unicode(streams.stdout) and is_unicode(streams.stderr):
            yield RULES[name], streams._replace(merged=streams.merged or command.merges), result.exit_code


@pytest.mark.parametrize("name", sorted(RULES))
def test_what_is_told_is_what_was_decided(name):
    """Of a summary every line is claimed and every claim holds; of a refusal the place is that of its cause."""
    seen = 0
    for rule, streams, exit_code in outputs(name):
        seen += 1
        verdict, told = evaluate(rule, streams, exit_code), inspect(rule, streams, exit_code)
        stops = [stream.stop for stream in told.streams if stream.stop is not None]
        if isinstance(verdict, Body):
            assert not stops
            assert all(claim.holds for claim in told.claims)
            assert {fact.name for fact in told.facts} >= set(rule.facts)
            lines = [kind for _, _, kind, _ in kinds_of_lines(rule, streams)]
            assert None not in lines
            assert sum(run.lines for stream in told.streams for run in stream.runs) == len(lines)
        elif verdict.cause.claim is not None:
            failing = next(claim for claim in told.claims if not claim.holds)
            assert failing.number == verdict.cause.claim
            if isinstance(verdict.cause.left, int):
                assert (failing.left, failing.right) == (verdict.cause.left, verdict.cause.right)
        elif verdict.cause.kinds and verdict.cause.line is not None:
            (stop,) = stops
            assert (stop.line, stop.text, stop.kinds) == verdict.cause[1:4]
            assert stop.near is None or stop.near.kind in stop.kinds
            assert not set(stop.elsewhere) & set(stop.kinds)
            stream = told.streams[-1]
            assert sum(run.lines for run in stream.runs) == stop.line - 1
    assert seen


def test_runs_are_lines_in_a_row():
    """Each run begins where the one before has ended, and two in a row are of two kinds."""
    for rule, streams, exit_code in outputs("cargo_test"):
        for stream in inspect(rule, streams, exit_code).streams:
            at = 1
            for run in stream.runs:
                assert run.first == at
                at += run.lines
            assert all(run.kind != following.kind for run, following in pairwise(stream.runs))


def test_a_branch_is_counted_as_it_was_taken():
    """The parts of the summary say how the text came about: an `if` that holds has its text, a loop its elements."""
    for rule, streams, exit_code in outputs("git_status"):
        verdict = evaluate(rule, streams, exit_code)
        if isinstance(verdict, Body):
            tags = {tag.asked[0]: tag.taken for tag in inspect(rule, streams, exit_code).tags}
            assert ("conflicts: " in verdict.text) == bool(tags["conflicts"][0])
            shown = verdict.text.partition("status:\n")[2].splitlines()
            assert tags["entry in entries"][0] == len([line for line in shown if not line.startswith("- (+")])
