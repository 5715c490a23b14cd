"""`selects` and `leaves`: what an author lists is held against the pack, and every mistake has its own words."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.dsl.diagnostics import Diagnostic

from .rules import sketch, underlined

COMMAND = "jobs {\n    option -l, --max=<int>\n  }"


def findings(selections: str, **files: str) -> list[Diagnostic]:
    """Return what is said about the selections of a rule, in a pack with other files."""
    text = sketch(command=COMMAND, examples=selections)
    return list(compile_sources({"a.cable": text, **files}, name="t", version="1", draft=True).diagnostics)


def test_what_is_as_listed_is_no_finding():
    """Several lines of both sorts, in any order; a command that another rule takes may be left to it."""
    other = sketch(id="bash.all_jobs", command="jobs {\n    needs --all\n  }")
    text = 'selects "jobs", "jobs --max=3 -l"\n  leaves "jobs --max=x"\n  leaves "jobs --all"\n  selects "jobs 2>&1 -l"'
    assert findings(text, b=other) == []


@pytest.mark.parametrize(
    ("listed", "code", "label"),
    [
        ('selects "jobs -r"', "E0705", "`-r` is not among what the rule allows"),
        ('selects "make"', "E0705", "none of the commands of the rule begins like this"),
        ('selects "jobs --all"', "E0705", "claimed by `bash.all_jobs`"),
        ('leaves "jobs --max=3"', "E0706", "the rule accepts this command"),
        ('leaves "jobs $X"', "E0707", "the command is no plain list of words: `$` in `$X`"),
        ('selects "jobs\\njobs"', "E0707", "the command has several lines"),
        ('leaves ""', "E0707", "the command is empty"),
        ('selects "jobs -l", "jobs  -l"', "E0708", "again here"),
        ('selects "jobs"\n  leaves "jobs"', "E0708", "again here"),
    ],
)
def test_a_mistake_has_its_code_and_its_reason(listed, code, label):
    """One finding, at the command, whose label says what decided."""
    other = sketch(id="bash.all_jobs", command="jobs {\n    needs --all\n  }")
    (found,) = findings(listed, b=other)
    assert (found.code, found.primary.text) == (code, label)
    assert underlined(found).startswith('"')


def test_a_rule_that_does_not_compile_is_not_asked():
    """A selection of a broken rule would only repeat what is wrong with it."""
    text = sketch(facts="running = count jb", examples='selects "jobs -r"')
    assert [each.code for each in compile_sources({"a": text}, name="t", version="1", draft=True).diagnostics] == [
        "E0501"
    ]


def test_selections_are_no_part_of_a_pack():
    """They are evidence: a pack is the same without them, but for the lines of what stands behind them."""
    plain, listed = (
        compile_sources({"a": sketch(examples=text)}, name="t", version="1", draft=True).pack
        for text in ("", 'selects "jobs"')
    )
    assert plain == listed
