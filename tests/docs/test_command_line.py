"""The table of commands is the command line that there is."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest
from cablese.cli.main import COMMANDS

from .pages import ROOT

PAGE = (ROOT / "docs" / "command-line.md").read_text("utf-8")
_ROW = re.compile(r"^\| `(?P<name>[a-z]+)` \| (?P<does>[^|]+) \|(?P<options>[^|]*)\| (?P<exit>[^|]+) \|$", re.MULTILINE)
ROWS = {row["name"]: row for row in _ROW.finditer(PAGE)}


def test_the_table_is_the_help():
    """The commands of the page, in order and words, are those of `cablese --help`."""
    done = subprocess.run(
        [sys.executable, "-m", "cablese.cli.main", "--help"], capture_output=True, text=True, check=True
    )
    printed = re.findall(r"^  (\w+) +(\w.*)$", done.stdout.partition("commands:")[2], re.MULTILINE)
    assert [(name, row["does"].strip()) for name, row in ROWS.items()] == printed


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_are_those_of_the_command(name):
    """Each command has the options of its row, no more and no fewer."""
    declared = import_module(f"cablese.cli.{name}").COMMAND.options
    names = {word for option in declared for word in (option.short, option.name) if word}
    assert set(re.findall(r"`(-[^`]+)`", ROWS[name]["options"])) == names


@pytest.mark.parametrize("name", COMMANDS)
def test_every_exit_code_that_the_command_speaks_of_is_in_the_table(name):
    """What a command's own text says about its exit codes, the table says too."""
    module = import_module(f"cablese.cli.{name}")
    said = set(re.findall(r"\b(\d+) (?:if|for|for a|unless|after|when)\b", module.execute.__doc__ or ""))
    missing = {code for code in said if not re.search(rf"\b{code}\b", ROWS[name]["exit"] + " 2")}
    assert not missing
