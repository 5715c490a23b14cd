"""An example that comes out otherwise says by what: the word, the line, the claim, the lines that differ."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.dsl.diagnostics import Diagnostic

from .rules import sketch, underlined


def finding(example: str, **files: bytes) -> Diagnostic:
    """Return the one thing said about an example."""
    text = sketch(ensure="running = sum done.n", examples=f'example "x" {{ {example} }}')
    read = files.__getitem__
    (found,) = compile_sources({"a.cable": text}, name="t", version="1", draft=True, read=read).diagnostics
    return found


@pytest.mark.parametrize(
    ("example", "label", "notes"),
    [
        ('command "jobs -l"  stdout "1 jobs\\n"  shows "a"', "`-l` is not among what the rule allows", ()),
        ('command "jobs -l"  stdout "1 jobs\\n"  passes no_gain', "`-l` is not among what the rule allows", ()),
        ('command "make"  stdout "1 jobs\\n"  shows "a"', "no rule of tool `bash` accepts this command", ()),
        (
            'command "jobs"  stdout "[1] Running a\\nwhat\\n"  shows "a"',
            "no kind claims line 2 of stdout",
            ("line 2 of stdout: `what`", "possible there: `job` (line 7), `done` (line 8)"),
        ),
        (
            'command "jobs"  stdout "[1] Running a\\n"  passes unreconciled',
            "stdout may not end before line 2",
            ("line 2 of stdout: its end", "possible there: `job` (line 7), `done` (line 8)"),
        ),
        (
            'command "jobs"  stdout "2 jobs\\n"  shows "a"',
            "claim 1 does not hold: 0 against 2",
            ("the claim in line 14: `running = sum done.n`", "it compares 0 with 2"),
        ),
    ],
)
def test_another_outcome_says_what_decided(example, label, notes):
    """What `why` would say of a captured result stands in the finding."""
    found = finding(example)
    assert (found.code, found.primary.text, found.notes) == ("E0802", label, notes)


def test_the_line_that_decided_is_pointed_at_where_the_example_holds_it():
    """A line of an output that is written in the rule file has a place there, one of another file a name."""
    found = finding('command "jobs"  stdout "[1] Running a\\nwhat\\n"  shows "a"')
    (place,) = [label.span for label in found.secondary if label.text == "this line"]
    assert found.source.text[place.start : place.end] == "what"
    found = finding('command "jobs"  stdout file "in"  shows "a"', **{"in": b"what\n"})
    assert found.notes[0] == "line 1 of stdout, in `in`: `what`"


def test_only_a_reason_is_replaced_by_another():
    """An example that demands a text is never turned into one that passes."""
    assert finding('command "jobs"  stdout "x\\n"  shows "a"').edits == ()
    (edit,) = finding('command "jobs"  stdout "x\\n"  passes unreconciled').edits
    assert edit.text == "invalid_output"


@pytest.mark.parametrize(("lines", "last"), [(20, "- 19"), (60, "- 59"), (75, "… and 15 more that differ")])
def test_a_difference_is_shown_up_to_a_bound(lines, last):
    """Every line that differs is shown, or counted."""
    wanted = "running: 1\n" + "".join(f"{number}\n" for number in range(lines))
    found = finding('command "jobs"  stdout "[1] Running a\\n1 jobs\\n"  shows file "out"', out=wanted.encode())
    assert found.code == "E0801"
    assert found.notes[0].split("\n")[-1].strip() == last
    assert found.primary.text == "differs from line 2 of `out` on"
    assert underlined(found) == 'file "out"'


def test_what_another_rule_decided_is_not_explained_by_this_one():
    """Where rules share a command, the first takes the output, and its claims mean nothing in the other."""
    first = sketch(id="bash.a", ensure="running = sum done.n")
    second = sketch(id="bash.b", examples='example "x" { command "jobs"  stdout "2 jobs\\n"  shows "a" }')
    done = compile_sources({"a.cable": first, "b.cable": second}, name="t", version="1", draft=True)
    (found,) = [each for each in done.diagnostics if each.code == "E0802"]
    assert (found.message, found.primary.text) == ("another rule claims this command", "claimed by `bash.a`")
