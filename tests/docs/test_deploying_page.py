"""The page on deploying has the words of every fault of a pack."""

from __future__ import annotations

import re

from cablese.runtime.packs.errors import PackError

from .pages import ROOT

PAGE = (ROOT / "docs" / "deploying.md").read_text("utf-8")


def kinds(kind):
    """Return a kind of fault and those below it."""
    return [kind, *(found for each in kind.__subclasses__() for found in kinds(each))]


def test_the_table_has_the_words_of_every_fault():
    """Each that a pack can have, and no other."""
    cells = re.findall(r"^\| (`[a-z`, ]+`) \|", PAGE, re.MULTILINE)
    words = {word for cell in cells for word in re.findall(r"`([^`]+)`", cell) if not word.startswith("cablese ")}
    assert words == {kind.words for kind in kinds(PackError)}
