"""Whether two patterns, or two words, share a line: found, shown, never missed."""

from __future__ import annotations

import re
from random import Random

import pytest
from cablese.compiler.patterns import match_line, overlap, overlap_words
from cablese.compiler.patterns.lost import keeps_all
from hypothesis import given, settings
from hypothesis import strategies as st

from .building import program_of, word_of

LINT = word_of("lint", ("EFS", 1, None), ("0123456789", 1, None))


@pytest.mark.parametrize(
    ("left", "right", "line"),
    [
        ("error: {message}", "{file}({row:int}): {message}", "error: (0): a"),
        ("{n:int} files", "{n:int} file{?s}", "0 files"),
        ("a{?b}", "{x:word}", "a"),
        ("", "{:indent}", ""),
        (
            "test {name} ... {v:(ok|FAILED)}",
            "test result: ok. {n:int} passed ... {x}",
            "test result: ok. 0 passed ... ok",
        ),
        ("{:lint} {m}", "{a:word} {b}", "E0 a"),
    ],
)
def test_a_shared_line_is_shown(left, right, line):
    """The shortest, in letters and digits where there is a choice."""
    assert overlap(program_of(left, LINT), program_of(right, LINT)) == line
    assert overlap(program_of(right, LINT), program_of(left, LINT)) == line


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("error: {m}", "warning: {m}"),
        ("{n:int} passed", "{n:int} failed"),
        ("{:spaces}x", "x"),
        ("{:lint}", "{n:int}"),
        ("{:gap}{x}", " {x:word}"),
        ("{a:cell}\t{b:cell}", "{a:cell}\t{b:cell}\t{c:cell}"),
        ("+{:raw}", "-{:raw}"),
        ("{a:word}", "{a:word} {b:word}"),
    ],
)
def test_patterns_without_a_shared_line_are_apart(left, right):
    """None is a proof."""
    assert overlap(program_of(left, LINT), program_of(right, LINT)) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # `{a}` ends at the first gap: five columns are not four.
        ("{a}{:gap}{b:word}", "{a:word}{:gap}{b:word}{:gap}{c:word}"),
        # A first-fit hole never holds the text it ends with.
        ("{a}: {b:word}", "{a:word}: {b:word}: {c:word}"),
    ],
)
def test_first_fit_tells_patterns_apart(left, right):
    """The free readings share lines, the committed ones do not: found by remembering where the hole must not end."""
    assert overlap(program_of(left), program_of(right)) is None


def test_a_long_line_is_found_too():
    """However long the shortest one is."""
    program = program_of("a" * 6000 + "{?b}")
    assert overlap(program, program) == "a" * 6000


def test_long_bounds_exclude_nothing():
    """A bound that the automata do not count is never taken for a proof."""
    assert keeps_all(program_of("{:few}!", word_of("few", ("b", 1, 80))))
    assert not keeps_all(program_of("{:many}!", word_of("many", ("b", 1, 81))))


def test_a_pattern_overlaps_itself():
    """With a line it claims."""
    program = program_of("{a} {n:int}{? ({x})}")
    line = overlap(program, program)
    assert line is not None
    assert match_line(program, line) is not None


DIGITS = [[[48, 57]], 1, None]
NAME = [[[45, 45], [97, 122]], 1, None]


@pytest.mark.parametrize(
    ("left", "right", "word"),
    [
        (["--color=", [NAME]], ["--color=auto", []], "--color=auto"),
        (["-", [DIGITS]], ["-n", [DIGITS]], None),
        (["-", [NAME]], ["-n", []], "-n"),
        (["", [DIGITS]], ["", [NAME]], None),
        (["a", []], ["a", []], "a"),
        (["a", []], ["b", []], None),
        (["", [[[[97, 97]], 0, 2], [[[97, 98]], 1, 1]]], ["aaa", []], "aaa"),
    ],
)
def test_words_share_a_word_or_do_not(left, right, word):
    """WORDs of the pack: a prefix and runs, read freely."""
    assert overlap_words(left, right) == word
    assert overlap_words(right, left) == word


_words = st.tuples(
    st.sampled_from(["", "-", "--a", "a"]),
    st.lists(
        st.tuples(
            st.sampled_from([[[97, 97]], [[97, 98]], [[45, 45], [48, 48]]]),
            st.sampled_from([(0, 1), (1, 1), (1, 2), (0, None), (1, None)]),
        ),
        max_size=3,
    ),
).map(lambda word: [word[0], [[ranges, low, high] for ranges, (low, high) in word[1]]])


def _expression(word) -> re.Pattern[str]:
    runs = "".join(
        "["
        + "".join(f"{chr(a)}-{chr(b)}" for a, b in ranges).replace("---", "\\-")
        + f"]{{{low},{'' if high is None else high}}}"
        for ranges, low, high in word[1]
    )
    return re.compile(re.escape(word[0]) + runs)


@given(_words, _words, st.integers(0, 2**32).map(Random))
@settings(max_examples=150, deadline=None)
def test_shared_words_are_never_missed(left, right, random):
    """Words that both admit are found; the word shown is admitted by both."""
    one, other = _expression(left), _expression(right)
    shown = overlap_words(left, right)
    if shown is not None:
        assert one.fullmatch(shown)
        assert other.fullmatch(shown)
    else:
        for _ in range(60):
            word = random.choice((left[0], right[0])) + "".join(
                random.choice("ab0-") for _ in range(random.randint(0, 4))
            )
            assert not (one.fullmatch(word) and other.fullmatch(word)), word
