"""Every piece of rule text in the documentation compiles, or raises exactly the code that it is marked with."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.dsl.format import format_source
from cablese.dsl.render import render_human
from cablese.dsl.source import Source

from .fragments import complete
from .pages import all_blocks, parse_blocks

WRITTEN = [block for block in all_blocks("cable") if "shown" not in block.attributes]


@pytest.mark.parametrize("block", [b for b in WRITTEN if "into" not in b.attributes], ids=str)
def test_rule_text_compiles(block):
    """A whole file as it stands, clauses in a rule around them."""
    text = complete(block.body)
    name = block.attributes.get("file", "page.cable")
    others = _files_before(block) if "file" in block.attributes else {}
    compilation = compile_sources(others | {name: text}, name="page", version="1", draft=True)
    expected = [block.attributes["error"]] if "error" in block.attributes else []
    found = sorted({diagnostic.code for diagnostic in compilation.diagnostics})
    assert found == expected, f"{text}\n{render_human(compilation.diagnostics)}"


@pytest.mark.parametrize("block", [b for b in WRITTEN if "\nrule " in f"\n{b.body}"], ids=str)
def test_whole_files_have_the_one_layout(block):
    """What a reader copies, `cablese fmt` leaves as it is."""
    assert format_source(Source("page.cable", block.body)).text == block.body


def _files_before(block):
    """Return the files that the page has written before a block."""
    earlier = [each for each in parse_blocks(block.page) if each.start < block.start and each.language == "cable"]
    given = [each for each in earlier if "file" in each.attributes and "error" not in each.attributes]
    return {each.attributes["file"]: each.body for each in given}


def test_a_fragment_is_shown_whole():
    """The rule around a fragment shows every fact, lists by their elements and caps with what they leave out."""
    text = complete("facts {\n  rows = count row\n  some = first 3 of each row\n}\n")
    assert "rows: {{ rows }}" in text
    assert "{% for item in some %}" in text
    assert "{{ some | more }}" in text
