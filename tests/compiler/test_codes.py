"""Every diagnostic code: its bad example raises exactly it, its good example nothing."""

from __future__ import annotations

import pytest
from cablese.compiler import check_sources
from cablese.dsl.codes import CODES, FAMILIES
from cablese.dsl.render import render_human

EVIDENCE = {"E0803", "E0804"}
"""Codes about evidence, which drafts are free of."""


def found(code: str, text: str) -> set[str]:
    """Return the codes that a text raises."""
    return {each.code for each in check_sources({"example.cable": text}, draft=code not in EVIDENCE)}


@pytest.mark.parametrize("code", sorted(CODES))
def test_bad_example_raises_exactly_its_code(code):
    """An author who makes the mistake sees this code, and no consequence of it under another one."""
    assert found(code, CODES[code].bad) == {code}


@pytest.mark.parametrize("code", sorted(CODES))
def test_good_example_is_clean(code):
    """The correction that `explain` shows is one."""
    diagnostics = check_sources({"example.cable": CODES[code].good}, draft=code not in EVIDENCE)
    assert not diagnostics, render_human(diagnostics)


def test_codes_are_unique_and_in_order():
    """A code is said once, and families follow each other."""
    codes = [code.code for family in FAMILIES for code in family]
    assert codes == sorted(set(codes))


@pytest.mark.parametrize("code", sorted(CODES))
def test_records_follow_the_house_style(code):
    """Titles: one line, lower case but for names, no final period; explanations are sentences."""
    record = CODES[code]
    assert "\n" not in record.title
    assert record.title[0].islower() or record.title[0] == "`"
    assert not record.title.endswith(".")
    assert record.explanation.endswith((".", "`", ")", "…"))
