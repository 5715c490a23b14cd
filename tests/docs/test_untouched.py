"""The page about the curated rules names every kind of line that no example has, and only those."""

from __future__ import annotations

import re

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.curated import PACKS
from cablese.compiler.evidence import Gatherer

from .pages import ROOT

RULES = ROOT / "rules"
PAGE = (ROOT / "docs" / "curated-rules.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| (bash\.\w+) \| (.*?) \| .*? \|$", PAGE, re.MULTILINE))


def coverages(pack: str):
    """Yield id and coverage of the rules of a shipped pack."""
    paths = sorted(RULES.glob(PACKS[pack]))
    sources = {path.relative_to(RULES).as_posix(): path.read_text("utf-8") for path in paths}

    def read(path: str) -> bytes:
        return (RULES / path).read_bytes()

    done = compile_sources(sources, name=pack, version="1", read=read)
    gatherer = Gatherer(done, read)
    for rule in done.rules:
        yield rule.id, gatherer.touched(rule)


@pytest.mark.parametrize("pack", PACKS)
def test_what_no_example_touches_is_on_the_page(pack):
    """Options, claims and branches are all touched; the lines that are not are those of the table."""
    for rule, coverage in coverages(pack):
        for sort in ("option", "claim", "branch"):
            done, total = coverage.of(sort)
            assert done == total, (rule, sort, coverage.missing)
        missing = [point.name for point in coverage.missing if point.sort == "line"]
        assert missing == [name for name in ROWS.get(rule, "").split(", ") if name], rule
