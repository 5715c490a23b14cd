"""Every piece of rule text in the documentation compiles, or raises exactly the code that it is marked with."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.dsl.render import render_human

from .fragments import complete
from .pages import all_blocks


@pytest.mark.parametrize("block", [b for b in all_blocks("cable") if "into" not in b.attributes], ids=str)
def test_rule_text_compiles(block):
    """A whole file as it stands, clauses in a rule around them."""
    text = complete(block.body)
    compilation = compile_sources({"page.cable": text}, name="page", version="1", draft=True)
    expected = [block.attributes["error"]] if "error" in block.attributes else []
    found = sorted({diagnostic.code for diagnostic in compilation.diagnostics})
    assert found == expected, f"{text}\n{render_human(compilation.diagnostics)}"


def test_a_fragment_is_shown_whole():
    """The rule around a fragment shows every fact, lists by their elements and caps with what they leave out."""
    text = complete("facts {\n  rows = count row\n  some = first 3 of each row\n}\n")
    assert "rows: {{ rows }}" in text
    assert "{% for item in some %}" in text
    assert "{{ some | more }}" in text
