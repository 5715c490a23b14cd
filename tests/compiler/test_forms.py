"""The oracle of command forms agrees with the runtime's matcher, which shares nothing with it."""

from __future__ import annotations

import pytest
from cablese.compiler.forms import rule_forms
from cablese.compiler.near_misses import derive_commands
from cablese.compiler.selects import claimed_by
from cablese.runtime.engine.command import accepts
from cablese.runtime.reasons import PassThrough
from cablese.runtime.shell import parse_command
from hypothesis import given, settings
from hypothesis import strategies as st

from .rules import compiled, sketch

OPTIONS = (
    *("-l", "-n <int>", "-j<int>", "-<int>", "--long", "--max <int>", "--since=<word>", "--name <name>"),
    *("--path=<path>", "-M<any>", "--mark <mark>", "--color never", "--color=never", "+<toolchain>", "--to=<any>"),
)
WORDS = (
    *(
        "jobs",
        "list",
        "-l",
        "-n",
        "7",
        "-j",
        "-j4",
        "-5",
        "--long",
        "--max",
        "--max=3",
        "--max=",
        "--since=x",
        "--since=",
    ),
    *("--name", "a/b", "--name=a:b", "--path=-x", "--path=x", "-M", "-Mx", "--mark", "aab", "--mark=ab", "--mark=c"),
    *("--color", "never", "--color=never", "+nightly", "+", "--to=", "--", "-", "x", "-x", "--colour"),
)
SETS = st.lists(st.sampled_from(OPTIONS), unique=True, max_size=4)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Return the text of a command with options in any role."""
    lines = []
    free = draw(st.lists(st.sampled_from(OPTIONS), unique=True, max_size=6))
    cut = draw(st.integers(0, len(free)))
    if free[:cut]:
        lines.append(f"option {', '.join(free[:cut])}")
    lines += [f"needs {' | '.join(group)}" for group in (free[cut : cut + 2], free[cut + 2 :]) if group]
    unlisted = [option for option in OPTIONS if option not in free]
    for role in ("global", "refuse"):
        picked = draw(st.lists(st.sampled_from(unlisted), unique=True, max_size=2))
        unlisted = [option for option in unlisted if option not in picked]
        lines += [f"{role} {', '.join(picked)}"] if picked else []
    lines += [line for line in ("operand any", "after -- any") if draw(st.booleans())]
    return "jobs list {\n" + "".join(f"    {line}\n" for line in lines) + "  }"


@settings(max_examples=25, deadline=None)
@given(bodies(), st.data())
def test_the_oracle_and_the_matcher_agree(body, data):
    """For any form and any words: both take them, or neither does."""
    _, rule = compiled(_with_mark(body))
    (form,) = rule_forms(rule.node, rule.source, rule.scope)
    (command,) = rule.section["commands"]
    for _ in range(12):
        words = ("jobs", *data.draw(st.lists(st.sampled_from(WORDS), max_size=6)))
        if data.draw(st.booleans()):
            words = (*words[:1], "list", *words[1:])
        assert form.accepts(words) == accepts(command, words), words


def _with_mark(body: str) -> str:
    """Return a rule file that defines the word `mark` and uses it."""
    return sketch(
        before="word mark = [a]+ [b-c]\n\n",
        command=body,
        lines='job  = "[{n:int}] Running {name}{? {:mark}}"\n    done = "{n:int} jobs"',
    )


@settings(max_examples=25, deadline=None)
@given(bodies(), st.data())
def test_derived_commands_go_where_the_oracle_says(body, data):
    """Derived once each, the same every time, and none goes astray."""
    bench, rule = compiled(_with_mark(body))
    forms = rule_forms(rule.node, rule.source, rule.scope)
    written = [("jobs", "list", *data.draw(st.lists(st.sampled_from(WORDS), max_size=4)))]
    derived = list(derive_commands(forms, written))
    assert derived == list(derive_commands(forms, written))
    assert len({each.command for each in derived}) == len(derived)
    for each in derived:
        try:
            owner = claimed_by(bench, "bash", parse_command(each.command).words)
        except PassThrough:
            owner = None
        assert (owner == rule.id) == each.ours, each


@pytest.mark.parametrize(
    ("made", "command", "ours"),
    [
        ("as written", "jobs -l x", True),
        ("an unknown option behind the head", "jobs --no-such-option-of-anything -l x", False),
        ("an unknown option at the end", "jobs -l x --no-such-option-of-anything", False),
        ("without `-l`", "jobs x", False),
        ("without `jobs`", "-l x", False),
        ("`jobs` misspelt", "jobss -l x", False),
        ("`--` at the end", "jobs -l x --", False),
        ("with the refused `--json`", "jobs --json -l x", False),
        ("with `--max <int>`", "jobs --max 7 -l x", True),
        ("with another value for `--max <int>`", "jobs --max=7x -l x", False),
        ("both streams joined", "jobs -l x 2>&1", True),
        ("followed by `| cat`", "jobs -l x | cat", False),
        ("followed by `&& true`", "jobs -l x && true", False),
        ("followed by `> out.txt`", "jobs -l x > out.txt", False),
        ("one more operand", "jobs -l x one-more", True),
        ("behind `sudo`", "sudo jobs -l x", False),
    ],
)
def test_near_misses_of_every_sort(made, command, ours):
    """Each is derived, and what must become of it is what a reader of the form would say."""
    body = "jobs {\n    needs -l\n    option --max <int>\n    refuse --json\n    operand any\n  }"
    _, rule = compiled(sketch(command=body))
    forms = rule_forms(rule.node, rule.source, rule.scope)
    found = {each.command: each.ours for each in derive_commands(forms, [("jobs", "-l", "x")])}
    assert found[command] is ours, made


def test_a_form_that_nothing_shows_has_a_command_of_its_own():
    """Without a command to begin with, the head and what it needs are enough."""
    _, rule = compiled(sketch(command="jobs | running jobs {\n    needs -l | -a\n    option -n <int>\n  }"))
    forms = rule_forms(rule.node, rule.source, rule.scope)
    found = {each.command: each.ours for each in derive_commands(forms, [])}
    assert found["jobs -l"]
    assert found["running jobs -n 7 -l"]
