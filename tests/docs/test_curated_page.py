"""The page about the curated rules says what the rules say: same rules, same options, same commands."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
from cablese.compiler import compile_sources
from cablese.dsl import ast
from cablese.dsl.diagnostics import Report
from cablese.dsl.files import read_source
from cablese.dsl.parser import parse_file
from cablese.runtime.packs.pack import load_pack
from cablese.runtime.reasons import PassThrough
from cablese.runtime.shell import parse_command

from .pages import ROOT

PAGE = ROOT / "docs" / "curated-rules.md"
SECTIONS = dict(re.findall(r"^## (bash\.\w+)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))
_ROW = re.compile(r"^\| `(?P<command>.+?)` \| (?P<answer>taken|passes)\b", re.MULTILINE)
ROWS = [
    pytest.param(rule, row["command"].replace("\\|", "|"), row["answer"] == "taken", id=f"{rule}: {row['command']}")
    for rule, section in SECTIONS.items()
    for row in _ROW.finditer(section)
]


def _rules() -> dict[str, tuple[ast.Rule, ast.File]]:
    found = {}
    for path in sorted((ROOT / "rules").rglob("*.cable")):
        report = Report()
        source = read_source(path.name, path.read_bytes(), report)
        assert source is not None
        file = parse_file(source, report)
        found |= {rule.id.text: (rule, file) for rule in file.rules}
    return found


RULES = _rules()


def _options(lines, file) -> dict[str, set[str]]:
    """Return what commands name, refused or not, shared options taken in."""
    found: dict[str, set[str]] = {"allowed": set(), "refused": set()}
    for line in lines:
        if isinstance(line, ast.OptionLine):
            found["refused" if line.role == "refuse" else "allowed"] |= {str(option) for option in line.options}
        elif isinstance(line, ast.WithOptions):
            shared = next(options for options in file.options if options.name.text == line.name.text)
            for role, options in _options(shared.lines, file).items():
                found[role] |= options
    return found


def _listed(section: str, beginning: str) -> set[str]:
    """Return the options in the paragraphs of a section that begin so."""
    paragraphs = [text for text in section.split("\n\n") if text.startswith(beginning)]
    return {code for text in paragraphs for code in re.findall(r"`([-+][^`]+)`", text)} - {"--"}


def test_every_rule_has_its_section():
    """No finished rule, which is one with examples, without a section; no section without a rule."""
    finished = {name for name, (rule, _) in RULES.items() if rule.examples}
    assert finished <= set(SECTIONS) <= set(RULES)


@pytest.mark.parametrize("rule", sorted(SECTIONS))
def test_options_are_those_of_the_rule(rule):
    """The options of the page are the options of the rule file, no more and no fewer."""
    tree, file = RULES[rule]
    lines = [line for command in tree.commands for line in command.lines]
    options = _options(lines, file)
    section = SECTIONS[rule]
    listed = _listed(section, "Options")
    if "those of the" in section:
        listed |= _listed(SECTIONS["bash.cargo_check"], "Options of the build")
    assert listed == options["allowed"]
    assert _listed(section, "Refused") == options["refused"]


@pytest.mark.parametrize(("rule", "command", "taken"), ROWS)
def test_commands_are_taken_or_pass_as_the_page_says(rule, command, taken):
    """Each command of a table is claimed, or not, by the rule as it stands in `rules/`."""
    assert _takes(rule, command) is taken


@lru_cache(maxsize=1)
def _pack():
    """Compile the rules of this checkout; as drafts, since their examples are tested elsewhere."""
    rules = ROOT / "rules"
    sources = {path.relative_to(rules).as_posix(): path.read_text("utf-8") for path in rules.rglob("*.cable")}
    pack = compile_sources(sources, name="curated", version="1", draft=True, read=_read).pack
    assert pack is not None
    return load_pack(pack)


def _read(path: str) -> bytes:
    return (ROOT / "rules" / path).read_bytes()


def _takes(rule: str, command: str) -> bool:
    try:
        words = parse_command(command).words
    except PassThrough:
        return False
    pack = _pack()
    return pack.rule(pack.rules.index(rule)).accepts(words)


@pytest.mark.parametrize("rule", sorted(SECTIONS))
def test_the_caps_are_those_of_the_rule(rule):
    """Every number that a rule caps a list at is in its section."""
    tree, file = RULES[rule]
    body = file.source.text[tree.span.start : tree.span.end]
    for cap in set(re.findall(r"\b(?:first|last) (\d+) of", body)):
        assert re.search(rf"\b{cap}\b", SECTIONS[rule]), cap
