"""The description of a rule says what the rule says, and nothing that a title holds is rendered."""

from __future__ import annotations

from cablese.compiler.diff.side import side_of_pack, side_of_rules
from cablese.compiler.reference import render_rules

from .rules import compiled_all, sketch

EXAMPLE = """example "a | b <img>" {
    command "jobs -n 3"
    stdout "[1] Running a\\n1 jobs\\n"
    shows "running: 1"
  }"""
RULE = sketch(
    command="jobs {\n    needs -n <int> | --all\n    option --by <name>\n    refuse --help\n    operand any\n  }",
    stdout="(job | note | said)* done",
    lines='job = "[{n:int}] Running {name}"\n    note = otherwise "note: {}"\n    said = otherwise\n'
    '    done = "{n:int} jobs"',
    exit="0, unknown",
    ensure="count job = done.n",
    examples=EXAMPLE,
)


def test_a_rule_is_described_as_it_is_written():
    """Commands, lines, exit codes, claims and the savings of examples are there."""
    done = compiled_all(RULE)
    page = render_rules(side_of_rules("a", done, done.tried, None))
    for words in (
        "| commands | `jobs` |",
        "| one is needed | `-n <int>`, `--all` |",
        "| refused | `--help` |",
        "| besides | operands |",
        "| exit code | 0, unknown |",
        "| stdout | `job`, `note` (otherwise), `said` (any other line), `done` |",
        "| stderr | empty |",
        "* `count job = done.n`",
        "| a \\| b \\<img\\> | 13, too short | 13, too short |",
    ):
        assert words in page, page
    assert "Open-ended" not in page


def test_notes_are_in_the_description():
    """What cannot be told of an output stands with its rule, also where only the pack is known."""
    done = compiled_all(
        sketch(stdout="(job | note | said | done)*", lines=RULE.partition("lines {\n    ")[2].partition("\n  }")[0])
    )
    for side in (side_of_rules("a", done, done.tried, None), side_of_pack("a", done.tried)):
        page = render_rules(side)
        assert "*Open-ended*: every line of stdout may be its last" in page
        assert "*Open to strangers*: any text may end stdout" in page
