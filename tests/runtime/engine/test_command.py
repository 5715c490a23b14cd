"""Commands: which words a rule is for."""

import itertools

import pytest
from cablese.runtime.engine import accepts
from cablese.runtime.engine.command import find_obstacle
from hypothesis import given
from hypothesis import strategies as st

DIGITS = [[[[48, 57]], 1, 18]]
ANY = [[[[0, 0x10FFFF]], 0, None]]
SOME = [[[[0, 0x10FFFF]], 1, None]]


def flag(text):
    """Return an option that is one fixed word."""
    return [[[text, []]]]


def with_value(long, runs):
    """Return `--long VALUE` and `--long=VALUE`."""
    return [[[long, []], ["", runs]], [[f"{long}=", runs]]]


def command(*head, **parts):
    """Return a command."""
    base = {
        "head": list(head),
        "globals": [],
        "needs": [],
        "options": [],
        "refuse": [],
        "operand": False,
        "after": False,
    }
    return {**base, **parts}


LOG = command(
    "git", "log",
    globals=[flag("--no-pager"), [[["-C", []], ["", SOME]]]],
    needs=[[flag("--oneline"), flag("--pretty=oneline")]],
    options=[with_value("--max-count", DIGITS), [[["-n", []], ["", DIGITS]]], [[["-", DIGITS]]], flag("--all")],
    refuse=[flag("--graph"), [[["--color", []], ["always", []]]], [[["--format=", ANY]]]],
    operand=True, after=True,
)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("git log --oneline", True),
        ("git log", False),
        ("git --no-pager log --oneline -20 main", True),
        ("git --no-pager --no-pager log --oneline", False),
        ("git -C log log --oneline", True),
        ("git -C log --oneline", False),
        ("git -C -x log --oneline", False),
        ("git log --oneline -n 5 --max-count 3 --max-count=4", True),
        ("git log --oneline -n x", False),
        ("git log --oneline -n", False),
        ("git log --oneline --unknown", False),
        ("git log --onelin", False),
        ("git log --oneline -- --unknown path", True),
        ("git log -- --oneline", False),
        ("git log --oneline -- --graph", False),
        ("git --graph log --oneline", False),
        ("git log --oneline --color always", False),
        ("git log --oneline --format=", False),
        ("git log --oneline -", False),
        ("git log --oneline -1x", False),
        ("git --oneline log", False),
        ("log --oneline", False),
        ("git", False),
        ("", False),
    ],
)
def test_words_of_a_command(words, expected):
    """The table of the language's page, case by case."""
    assert accepts(LOG, words.split()) is expected


def test_one_reading_that_succeeds_is_enough():
    """Where an option may or may not take the next word, and where a head word may be a global's value."""
    either = command("t", options=[flag("-a"), [[["-a", []], ["", SOME]]]], needs=[[flag("x")]])
    assert accepts(either, ["t", "-a", "x"])
    assert accepts(either, ["t", "-a", "y", "x"])
    assert not accepts(either, ["t", "-a", "y"])
    head = command("t", "a", "b", globals=[[[["-g", []], ["", SOME]]]])
    assert accepts(head, ["t", "-g", "a", "a", "b"])
    assert accepts(head, ["t", "a", "-g", "b", "b"])
    assert not accepts(head, ["t", "a", "b", "-g", "b"])


def test_runs_take_all_they_can():
    """A run of a word gives nothing back, as in patterns."""
    swallowing = command("t", options=[[[["-", [[[[97, 122]], 1, None], [[[98, 98]], 1, 1]]]]]])
    assert not accepts(swallowing, ["t", "-ab"])


WORDS = st.sampled_from(
    ["git", "log", "-C", "--no-pager", "--oneline", "-5", "-n", "5", "--all", "--", "--graph", "x", "-"]
)


def reading(parts, words):
    """Say whether the words are a row of parts, each used any number of times."""
    reached = {0}
    for at in range(len(words) + 1):
        if at in reached:
            reached.update(at + len(part) for part in parts if tuple(words[at : at + len(part)]) == part)
    return len(words) in reached


@given(st.lists(WORDS, max_size=6).map(lambda rest: ["git", *rest]))
def test_acceptance_is_the_definition_by_trial(words):
    """Every way to split the words into globals, head, options and what follows `--`, tried one by one."""
    options = [("--oneline",), ("-5",), ("--all",), ("-n", "5"), ("git",), ("log",), ("5",), ("x",)]
    expected = False
    for at, word in enumerate(words[1:], 1):
        if word != "log":
            continue
        before = words[1:at]
        used = [("--no-pager",)] + [("-C", value) for value in words if not value.startswith("-")]
        sequences = [
            sum(order, ())
            for size in range(3)
            for order in itertools.permutations(used, size)
            if sum(part[0] == "-C" for part in order) < 2
        ]
        rest = words[at + 1 :]
        body = rest[: rest.index("--")] if "--" in rest else rest
        if tuple(before) in sequences and "--oneline" in body and reading(options, body):
            expected = "--graph" not in words
            break
    assert accepts(LOG, words) is expected


@given(st.lists(WORDS, max_size=6))
def test_an_obstacle_is_found_where_a_command_is_nearly_admitted(words):
    """A command that is refused behind its head has an obstacle, and it names one of its words or a need."""
    words = ("git", "log", *words)
    if not accepts(LOG, words):
        obstacle = find_obstacle(LOG, words)
        assert obstacle is not None
        assert obstacle.startswith("it needs --oneline") or any(f"`{word}`" in obstacle for word in words)


def test_another_command_has_no_obstacle():
    """What has another head is not nearly this command."""
    assert find_obstacle(LOG, ("git", "diff")) is None
    assert find_obstacle(LOG, ("hg", "log")) is None


def test_a_hostile_command_ends():
    """Thousands of ways to read the words are not tried one by one."""
    globals_ = [[[["-g", []]], [["-g", []], ["", ANY]]] for _ in range(40)]
    slow = command("t", "end", globals=globals_, options=[[[["", ANY]], [["", ANY], ["", ANY]]]] * 50)
    assert not accepts(slow, ["t", *["-g", "-g"] * 60])
    assert accepts(slow, ["t", "end", *["x"] * 200]) in (True, False)
