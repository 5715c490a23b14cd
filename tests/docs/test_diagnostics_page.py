"""The page of diagnostic codes is that of the registry."""

from __future__ import annotations

from pathlib import Path

from cablese.dsl.codes import CODES
from cablese.dsl.render_codes import render_reference

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def test_page_is_that_of_the_registry(snapshot):
    """`docs/diagnostics.md` is what the registry gives; `--snapshot-update` writes it."""
    snapshot.snapshot_dir = DOCS
    snapshot.assert_match(render_reference(CODES), "diagnostics.md")
