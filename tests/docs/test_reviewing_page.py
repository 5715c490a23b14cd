"""The page on reviewing says by which rules a version is raised, and its workflow and hooks are ones that run."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
import yaml
from cablese.cli.main import COMMANDS
from cablese.cli.options import read_arguments
from cablese.compiler.diff.levels import FINDINGS

from .pages import ROOT, all_blocks

PAGE = (ROOT / "docs" / "reviewing.md").read_text("utf-8")
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
_ROW = re.compile(r"^\| `(?P<name>\w+)` \| (?P<level>\w+) \| (?P<meaning>.+) \|$", re.MULTILINE)


def test_the_table_is_that_of_the_findings():
    """Every finding with its level and meaning, in the order of the code."""
    rows = [(row["name"], row["level"], row["meaning"]) for row in _ROW.finditer(PAGE)]
    assert rows == [(name, level.word, meaning) for name, (level, meaning) in FINDINGS.items()]


@pytest.mark.parametrize("block", all_blocks("yaml"), ids=str)
def test_yaml_parses_and_names_what_there_is(block):
    """Commands of a workflow have the options that it gives; hooks are those that the repository offers."""
    text = yaml.safe_load(block.body)
    commands = re.findall(r"run: cablese (.+)$", block.body, re.MULTILINE)
    for command in commands:
        name, *words = re.split(r" [>|]", command)[0].split()
        assert name in COMMANDS
        assert read_arguments(import_module(f"cablese.cli.{name}").COMMAND, words)
    hooks = [hook["id"] for repo in text.get("repos", ()) for hook in repo["hooks"]]
    assert set(hooks) <= HOOKS.keys()
    assert commands or hooks
