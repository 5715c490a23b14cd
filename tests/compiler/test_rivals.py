"""Two rules never accept one command; where they would, the command is shown."""

from __future__ import annotations

from itertools import product

from cablese.compiler import check_sources
from cablese.compiler.commands import BUILT_IN
from cablese.compiler.rivals import find_common
from cablese.runtime.engine.command import accepts
from hypothesis import given, settings
from hypothesis import strategies as st

from .rules import sketch

WORDS = ("git", "log", "-a", "-b", "x", "7", "-b7")


def option(text: str):
    """Return an option as the pack holds it: `-a`, `-b <int>`, `-b<int>`, `-b <word>`."""
    flag, space, kind = text.partition(" <")
    if not space:
        flag, attached, kind = text.partition("<")
        return [[[flag, BUILT_IN[kind.rstrip(">")] if attached else []]]]
    return [[[flag, []], ["", BUILT_IN[kind.rstrip(">")]]]]


OPTIONS = st.lists(
    st.sampled_from(["-a", "-b", "-b <int>", "-b<int>", "-b <word>", "-a <word>"]).map(option), max_size=3
)
COMMANDS = st.fixed_dictionaries(
    {
        "head": st.sampled_from([["git"], ["git", "log"]]),
        "globals": st.lists(st.sampled_from(["-a", "-b <word>"]).map(option), max_size=2),
        "needs": st.lists(OPTIONS.filter(bool), max_size=2),
        "options": OPTIONS,
        "refuse": st.lists(st.sampled_from(["-a", "-b7"]).map(option), max_size=1),
        "operand": st.booleans(),
        "after": st.booleans(),
    }
)
LINES = [("git", *words) for length in range(4) for words in product(WORDS, repeat=length)]


@given(COMMANDS, COMMANDS)
@settings(max_examples=100, deadline=None)
def test_a_common_command_is_found(one, other):
    """The witness is accepted by both; where there is none, no short command is accepted by both."""
    if len(one["head"]) == 1:
        one = {**one, "globals": []}
    if len(other["head"]) == 1:
        other = {**other, "globals": []}
    witness = find_common(one, other)
    if witness is not None:
        assert accepts(one, witness)
        assert accepts(other, witness)
    else:
        assert not [words for words in LINES if accepts(one, words) and accepts(other, words)]


def test_rules_of_different_tools_may_share_commands():
    """A command belongs to a rule and a tool."""
    other = sketch(id="fish.jobs").replace("tool     bash", "tool     fish")
    assert not check_sources({"a": sketch() + other}, draft=True)


def test_rivals_are_found_over_files():
    """Rules of different files of one pack are compared; the finding shows both places."""
    (found,) = check_sources({"a": sketch(), "b": sketch(id="bash.more", command="jobs { option -l }")}, draft=True)
    assert found.code == "E0703"
    assert "`jobs`" in found.message
    assert {found.source.path, found.secondary[0].source.path} == {"a", "b"}


def test_a_one_word_head_can_reach_into_another():
    """`python` with `-m <word>` and operands accepts what `python -m pytest` accepts."""
    one = sketch(command="python {\n    option -m <word>\n  }")
    other = sketch(id="bash.pytest", command="python -m pytest { }")
    (found,) = check_sources({"a": one + other}, draft=True)
    assert "`python -m pytest`" in found.message
