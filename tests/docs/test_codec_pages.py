"""The envelopes of the page on lexical codecs are what its codecs write, and its limits those of the decoders."""

from __future__ import annotations

import json

from cablese.runtime.codecs import line_rle, template_fold
from cablese.runtime.codecs.envelope import MAX_CHARS, MAX_ITEMS

from .pages import ROOT, parse_blocks

PAGE = ROOT / "docs" / "lexical-codecs.md"


def test_envelopes_are_to_the_letter():
    """Each is decoded, so it is what the encoder makes."""
    shown = [block.body.rstrip("\n") for block in parse_blocks(PAGE) if block.language == "json"]
    codecs = {"line_rle.v0": line_rle, "template_fold.v0": template_fold}
    assert sorted(json.loads(each)["codec"] for each in shown) == sorted(codecs)
    for each in shown:
        codec = codecs[json.loads(each)["codec"]]
        assert codec.encode(codec.decode(each)) == each


def test_limits_are_those_of_the_decoders():
    """The numbers of the page."""
    text = PAGE.read_text("utf-8")
    assert f"at most {MAX_ITEMS:,} items, at most {MAX_CHARS:,} characters" in text
