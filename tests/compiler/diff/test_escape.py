"""A command that one rule takes and others do not is found, and what is found is one."""

from __future__ import annotations

from itertools import product

from cablese.compiler.commands import BUILT_IN
from cablese.compiler.diff.escape import find_escape
from cablese.runtime.engine.command import accepts
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = ("git", "log", "-a", "-b", "x", "7", "-b7", "--")


def option(text):
    """Return an option as the pack holds it: `-a`, `-b <int>`, `-b<int>`, `-b <word>`."""
    flag, space, kind = text.partition(" <")
    if not space:
        flag, attached, kind = text.partition("<")
        return [[[flag, BUILT_IN[kind.rstrip(">")] if attached else []]]]
    return [[[flag, []], ["", BUILT_IN[kind.rstrip(">")]]]]


OPTION = st.sampled_from(["-a", "-b", "-b <int>", "-b<int>", "-b <word>", "-a <word>"]).map(option)
HEADS = st.sampled_from([["git"], ["git", "log"]])
COMMANDS = st.builds(
    lambda head, globals_, rest: {"head": head, "globals": globals_ if len(head) > 1 else [], **rest},
    HEADS,
    st.lists(st.sampled_from(["-a", "-b <word>"]).map(option), max_size=2),
    st.fixed_dictionaries(
        {
            "needs": st.lists(st.lists(OPTION, min_size=1, max_size=2), max_size=2),
            "options": st.lists(OPTION, max_size=3),
            "refuse": st.lists(st.sampled_from(["-a", "-b7", "-b <int>"]).map(option), max_size=2),
            "operand": st.booleans(),
            "after": st.booleans(),
        }
    ),
)
LINES = [("git", *words) for length in range(5) for words in product(WORDS, repeat=length)]


@given(COMMANDS, st.lists(COMMANDS, max_size=2))
@settings(max_examples=60, deadline=None)
def test_an_escape_is_found_where_there_is_one(one, others):
    """The command is taken by the one and by none of the others; where there is none, no short command is."""
    found = find_escape(one, others)
    if found is not None:
        assert accepts(one, found)
        assert not any(accepts(other, found) for other in others)
        return
    for words in LINES:
        assert not accepts(one, words) or any(accepts(other, words) for other in others), words


def command(**given):
    """Return `git log` with the options given."""
    rest = {"globals": [], "needs": [], "options": [], "refuse": [], "operand": False, "after": False}
    return {"head": ["git", "log"], **rest, **given}


def test_narrower_values_are_told_apart():
    """`-b <word>` takes what `-b <int>` does not; `<int>` has at most 18 digits."""
    wide, narrow = command(options=[option("-b <word>")]), command(options=[option("-b <int>")])
    found = find_escape(wide, [narrow])
    assert found is not None
    assert found[:3] == ("git", "log", "-b")
    assert not found[3].isdigit()
    assert find_escape(narrow, [wide]) is None
    longer = command(options=[[[["-b", []], ["", [[[[0x30, 0x39]], 1, 19]]]]]])
    assert find_escape(longer, [narrow]) == ("git", "log", "-b", "0" * 19)


def test_two_commands_together_may_take_what_one_does():
    """Nothing escapes from a command that two others share out."""
    whole = command(options=[option("-a")], operand=True)
    with_dash, without = command(needs=[[option("-a")]], operand=True), command(operand=True)
    assert find_escape(whole, [with_dash]) == ("git", "log")
    assert find_escape(whole, [with_dash, command(options=[option("-a")], operand=True, needs=[])]) is None
    assert find_escape(whole, [with_dash, without]) is None
