"""Programs of the tests, checked and lowered as those of a pack are."""

import json

from cablese.runtime.engine.tables import StreamProgram
from cablese.runtime.packs.pack import RuleProgram
from cablese.runtime.packs.rule import check_rule
from cablese.runtime.packs.streams import check_stream


def lowered_rule(rule):
    """Return a rule as a pack would give it."""
    return RuleProgram(check_rule(json.loads(json.dumps(rule)), "rule"))


def lowered_stream(tables):
    """Return the tables of a stream as a pack would give them."""
    return StreamProgram(check_stream(json.loads(json.dumps(tables)), "stream"))
