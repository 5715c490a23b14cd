"""The page of the rules, one by one, is what `cablese docs` makes of them."""

from __future__ import annotations

from cablese.compiler.diff.side import side_of_rules
from cablese.compiler.reference import render_rules

from ..compiler.rules import curated, read_rule_file
from .pages import ROOT

HEAD = """# The curated rules, one by one

What each of the [curated rules](curated-rules.md) takes, reads, claims and saves, told by the rule files themselves:
`cablese docs` prints the same of any rules. `make goldens` renews this page. Tokens are those of the output, and behind
the arrow those of what a model sees of it.
"""


def test_page_is_that_of_the_rules(snapshot):
    """`docs/rules-one-by-one.md` is what the rules give; `--snapshot-update` writes it."""
    done = curated()
    side = side_of_rules("rules", done, done.tried, read_rule_file)
    snapshot.snapshot_dir = ROOT / "docs"
    snapshot.assert_match(render_rules(side, HEAD), "rules-one-by-one.md")
