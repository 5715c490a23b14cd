"""The index of beginnings leaves no pair out that shares a line."""

from cablese.compiler.patterns import overlap
from cablese.compiler.patterns.beginnings import Beginnings
from hypothesis import given
from hypothesis import strategies as st

from .building import programs


@given(st.lists(programs(), min_size=2, max_size=6))
def test_who_is_left_out_shares_no_line(given_programs):
    """Against the comparison of all pairs."""
    index: Beginnings[int] = Beginnings()
    for number, program in enumerate(given_programs):
        near = list(index.add(number, (program,)))
        assert near == sorted(near)
        for other in set(range(number)) - set(near):
            assert overlap(given_programs[other], program) is None


def test_a_pattern_meets_only_those_that_may_begin_like_it():
    """By text that one begins with and the other goes on from; a pattern of holes meets all."""
    from .building import program_of

    index: Beginnings[str] = Beginnings()
    texts = ["error: {}", "err{}", "warning: {}", "{}: note", "{v:(errors|ok)} x", "warn"]
    near = {text: list(index.add(text, (program_of(text),))) for text in texts}
    assert near == {
        "error: {}": [],
        "err{}": ["error: {}"],
        "warning: {}": [],
        "{}: note": ["error: {}", "err{}", "warning: {}"],
        "{v:(errors|ok)} x": ["err{}", "{}: note"],
        "warn": ["warning: {}", "{}: note"],
    }
