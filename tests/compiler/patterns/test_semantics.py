"""The reference, the runtime's lowering and the automata agree on random patterns and lines."""

from __future__ import annotations

import re
from random import Random

from cablese.compiler.patterns import emit_pattern, match_line, overlap
from cablese.compiler.patterns.automaton import Automaton, line_automaton, look_automaton
from cablese.compiler.patterns.check import check_pattern
from cablese.compiler.patterns.lost import keeps_all
from cablese.compiler.patterns.program import Program, captures
from cablese.compiler.patterns.reference import Matcher, admits, count_steps
from cablese.dsl.diagnostics import Report
from cablese.dsl.source import Source
from cablese.runtime.engine.patterns import Capture, lower_line, lower_reader
from hypothesis import given, settings
from hypothesis import strategies as st

from .building import ALPHABET, lines_near, programs

FEW = settings(max_examples=60, deadline=None)
SEEDS = st.integers(0, 2**32).map(Random)


def accepts(automaton: Automaton, line: str) -> bool:
    """Run an automaton on a line."""
    states = {0}
    for char in line:
        if states & automaton.opens:
            return True
        states = {target for state in states for ranges, target in automaton.edges[state] if admits(ranges, char)}
    return bool(states & (automaton.opens | automaton.ends))


def is_sound(program: Program) -> bool:
    """Say whether the checks have nothing against a program."""
    report = Report()
    check_pattern(program, Source("test.cable", ""), report)
    return not report


@given(programs(), SEEDS)
@FEW
def test_the_runtime_reads_what_the_reference_reads(program, random):
    """Equal acceptance and equal captures, for every program, refused ones too."""
    names = frozenset(captures(program))
    reader = lower_reader(emit_pattern(program, names))
    plain = re.compile(lower_line(emit_pattern(program, frozenset())))
    for line in lines_near(random, program):
        expected = match_line(program, line)
        assert reader.read(line) == expected, line
        assert (plain.match(line) is not None) == (expected is not None), line


@given(programs(), SEEDS)
@FEW
def test_the_rows_take_the_captures_the_reference_takes(program, random):
    """What a row's expression captures on the way is what a reader of its own would have."""
    names = frozenset(name for name in captures(program) if random.random() < 0.7)
    taken: list[Capture] = []
    row = re.compile(lower_line(emit_pattern(program, names), names, taken))
    for line in lines_near(random, program):
        found = row.match(line)
        expected = match_line(program, line)
        assert (found is not None) == (expected is not None), line
        if found is not None and expected is not None and names:
            got = {
                capture.name: capture.default if text is None else int(text) if capture.is_int else text
                for capture, text in zip(taken, found.groups(), strict=True)
            }
            assert {name: expected.get(name) for name in names} == got, line


@given(programs(), SEEDS)
@FEW
def test_the_line_automaton_misses_nothing(program, random):
    """What the match claims, the automaton accepts."""
    for line in lines_near(random, program):
        if match_line(program, line) is not None:
            assert accepts(line_automaton(program), line), line


@given(programs(), SEEDS)
@FEW
def test_a_look_that_keeps_all_is_its_automaton(program, random):
    """Where no choice loses a line, the committed look and the free reading agree."""
    if keeps_all(program):
        for line in lines_near(random, program):
            assert Matcher(program, line).look(program, 0) == accepts(look_automaton(program), line), line


@given(programs(fits=False, rest=False), SEEDS)
@FEW
def test_a_sound_pattern_without_open_holes_reads_all_that_can_be_read(program, random):
    """What no check refuses loses no line."""
    if is_sound(program):
        for line in lines_near(random, program):
            assert (match_line(program, line) is not None) == accepts(look_automaton(program), line), line


@given(programs(), programs(), SEEDS)
@FEW
def test_overlap_never_misses(left, right, random):
    """A line that both claim is found, whatever the two are, and the line shown is no longer than it."""
    both = [
        line
        for line in lines_near(random, left, right, number=40)
        if match_line(left, line) is not None and match_line(right, line) is not None
    ]
    if both:
        witness = overlap(left, right)
        assert witness is not None
        assert len(witness) <= min(map(len, both))


@given(programs(), programs())
@FEW
def test_a_witness_of_sound_patterns_is_real(left, right):
    """The line shown to the author is claimed by both."""
    if is_sound(left) and is_sound(right):
        witness = overlap(left, right)
        if witness is not None:
            assert match_line(left, witness) is not None
            assert match_line(right, witness) is not None


@given(programs(), SEEDS)
@FEW
def test_sound_patterns_read_in_linear_time(program, random):
    """Twice the line costs about twice the steps, on lines that repeat any short word."""
    if not is_sound(program):
        return
    for line in lines_near(random, program, number=4):
        at = random.randint(0, len(line))
        word = "".join(random.choice(ALPHABET) for _ in range(random.randint(1, 3)))
        short, long = (count_steps(program, line[:at] + word * times + line[at:]) for times in (150, 300))
        assert long <= 2.5 * short + 200, (line[:at], word, line[at:])
