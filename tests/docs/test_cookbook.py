"""The patterns of the cookbook are rules like those that ship: no findings, the one layout, touched everywhere."""

from __future__ import annotations

import re

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.evidence import Gatherer
from cablese.dsl.format import format_source
from cablese.dsl.render import render_human
from cablese.dsl.source import Source

from .pages import ROOT

BOOK = ROOT / "docs" / "cookbook"
FILES = sorted(BOOK.glob("*.cable"))


def _read(path: str) -> bytes:
    return (BOOK / path).read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_pattern_holds(path):
    """It compiles as a finished rule, and everything that `cablese test` asks holds; nothing in it is untouched."""
    text = path.read_text("utf-8")
    done = compile_sources({path.name: text}, name="cookbook", version="1", read=_read)
    assert not done.diagnostics, render_human(done.diagnostics)
    assert format_source(Source(path.name, text)).text == text
    gatherer = Gatherer(done, _read, every=5)
    for rule in done.rules:
        evidence = gatherer.gather(rule)
        assert evidence.holds, evidence
        assert evidence.coverage.percent == 100, evidence.coverage
        assert evidence.passing
        assert evidence.saving


def test_all_patterns_are_one_pack():
    """No two of them want the same command."""
    sources = {path.name: path.read_text("utf-8") for path in FILES}
    assert compile_sources(sources, name="cookbook", version="1", read=_read).pack is not None


def test_the_index_names_every_pattern():
    """Ten of them: a row of the table, a section, a link to the file; and every fixture is used."""
    page = (BOOK / "README.md").read_text("utf-8")
    sections = re.findall(r"^## [^\n]+\n\n\[([\w-]+\.cable)\]\(\1\)", page, re.MULTILINE)
    assert sorted(sections) == [path.name for path in FILES]
    assert len(FILES) == 10
    assert len(re.findall(r"^\| [^|]+ \| \[[^]]+\]\(#", page, re.MULTILINE)) == len(FILES)
    used = {name for path in FILES for name in re.findall(r'file "(examples/[^"]+)"', path.read_text("utf-8"))}
    assert used == {f"examples/{path.name}" for path in (BOOK / "examples").iterdir()}
