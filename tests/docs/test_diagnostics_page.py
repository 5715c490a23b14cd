"""The pages of the diagnostic codes are what the registry and the compiler give."""

from __future__ import annotations

import importlib

from cablese.compiler import check_sources
from cablese.dsl.codes import CODES, FAMILIES
from cablese.dsl.render_codes import render_index, render_page

from .pages import ROOT

DOCS = ROOT / "docs"


def titled_families():
    """Return the families with the titles that their modules have."""
    modules = [
        importlib.import_module(f"cablese.dsl.codes.{path.stem}")
        for path in sorted((ROOT / "dsl" / "codes").glob("*.py"))
    ]
    title = {id(module.CODES): module.__doc__.partition(": ")[2].splitlines()[0].rstrip(".") for module in modules
             if isinstance(getattr(module, "CODES", None), tuple)}  # fmt: skip
    return [(f"{family[0].code[:3]}xx: {title[id(family)]}", family) for family in FAMILIES]


def test_index_is_that_of_the_registry(snapshot):
    """`docs/diagnostics.md` names every code; `--snapshot-update` writes it."""
    snapshot.snapshot_dir = DOCS
    snapshot.assert_match(render_index(titled_families()), "diagnostics.md")


def test_every_code_has_its_page(snapshot):
    """`docs/codes/` holds a page for each code and no other; `--snapshot-update` writes them."""
    pages = {}
    for code in CODES.values():
        raised = check_sources({"rules.cable": code.bad}, draft=code.code not in ("E0803", "E0804"))
        assert {each.code for each in raised} == {code.code}
        pages[f"{code.code}.md"] = render_page(code, raised)
    snapshot.snapshot_dir = DOCS
    snapshot.assert_match_dir(pages, "codes")
