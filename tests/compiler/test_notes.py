"""What the grammar of a rule cannot see is said."""

from __future__ import annotations

import pytest
from cablese.compiler.notes import OPEN_ENDED, OPEN_TO_STRANGERS, describe_openness

from .rules import compiled, sketch

LINES = 'job  = "[{n:int}] Running {name}"\n    said = otherwise\n    done = "{n:int} jobs"'


@pytest.mark.parametrize(
    ("stdout", "notes"),
    [
        ("(job | said)* done", ()),
        ("(job | said | done)*", (OPEN_ENDED, OPEN_TO_STRANGERS)),
        ("job* said done+", ()),
        ("(said | job) (job | done)*", (OPEN_ENDED,)),
    ],
)
def test_openness_is_read_off_the_tables(stdout, notes):
    """A stream that any line may end, and one that any text may end, are told apart."""
    _, rule = compiled(sketch(stdout=stdout, lines=LINES))
    assert tuple(name for name, _ in describe_openness(rule.section["streams"])) == notes
