"""The tables of the language page are those of the compiler and the runtime."""

from __future__ import annotations

import re

from cablese.compiler.automaton import MAX_POSITIONS
from cablese.dsl.files import MAX_BYTES
from cablese.dsl.scan import MAX_DEPTH
from cablese.runtime.codecs_table import CODECS, COMMON
from cablese.runtime.reasons import Reason

from .pages import ROOT

PAGE = (ROOT / "docs" / "language.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_codecs_and_settings_are_those_of_the_table():
    """Every codec has its row, and every setting its place."""
    section = SECTIONS["Admission entries"]
    rows = dict(re.findall(r"^\| `(\w+)` \|([^|]*)\|$", section, re.MULTILINE))
    words = {"on", "auto", "off", "keep", "drop"}
    listed = {name: set(re.findall(r"`(\w+)`", cell)) - words for name, cell in rows.items()}
    assert listed == {name: set(settings) for name, settings in CODECS.items()}
    assert all(f"`{name}`" in section for name in COMMON)


def test_limits_are_those_of_the_compiler():
    """The numbers of the limits."""
    section = SECTIONS["Limits"]
    assert MAX_BYTES == 1 << 20
    assert "1 MiB" in section
    assert f"{MAX_DEPTH} levels" in section
    assert f"{MAX_POSITIONS:,} positions" in section


def test_every_reason_is_in_the_command_line_page():
    """The closed list of reasons is complete, and holds no other."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    table = page[page.index("| reason | when |") :].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == {str(reason) for reason in Reason}
