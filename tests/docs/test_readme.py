"""What the README claims in numbers is counted."""

from __future__ import annotations

import json

import pytest
from cablese import Compressor, ToolResult
from cablese.runtime.records import parse_result

from .pages import ROOT


@pytest.mark.parametrize(
    ("sample", "words"), [("targets-fail", "{} tokens have become {},"), ("two-hundred", "{} become {}.")]
)
def test_tokens_before_and_after(sample, words):
    """The numbers beside the example are those of `o200k_base`."""
    record = json.loads((ROOT / "tests" / "samples" / "cargo_test" / f"{sample}.json").read_text("utf-8"))
    view = Compressor.default(enable="curated", count=True).view(parse_result(record))
    assert view.decision.tokens is not None
    before, after = view.decision.tokens["o200k_base"]
    assert after < before
    assert words.format(f"{before:,}", f"{after:,}") in (ROOT / "README.md").read_text("utf-8")


def test_tokens_of_a_listing():
    """The numbers below the listing are those of `o200k_base`."""
    listing = (ROOT / "bench" / "corpus" / "recorded" / "git-ls-files.txt").read_text("utf-8")
    view = Compressor.default(admit="exact", count=True).view(ToolResult("glob", listing))
    assert view.decision.tokens is not None
    before, after = view.decision.tokens["o200k_base"]
    words = f"{listing.count(chr(10))} paths, {before:,} tokens become {after:,}."
    assert words in (ROOT / "README.md").read_text("utf-8")
