"""Links lead somewhere, files that are named exist, and no page holds what only its author's machine knows."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from cablese.cli.main import COMMANDS
from cablese.dsl.codes import CODES

from .console import ANY_LINES
from .pages import LANGUAGES, PAGES, ROOT, all_blocks, parse_blocks, prose

PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
# What is made is there or not: no page can be held to it.
MADE = {"build", "dist"}
ROOMS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - MADE
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#+\s+(?P<text>.+?)\s*$", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]+)`")
_ABSOLUTE = re.compile(r"(?<![\w.:<}\]/`-])/(?:[\w.-]+/)+[\w.-]*")


def anchors(page):
    """Return the anchors that the headings of a page make, as GitHub makes them."""
    return {
        re.sub(r"[^\w\- ]", "", heading["text"].lower()).replace(" ", "-") for heading in _HEADING.finditer(prose(page))
    }


def test_the_pages_are_there():
    """The pages that the project promises."""
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert names >= {
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/language.md",
        "docs/writing-a-rule.md",
        "docs/architecture.md",
        "docs/curated-rules.md",
        "docs/pack-format.md",
    }


@PAGE
def test_links_resolve(page):
    """Relative links name a file of the repository, and a heading of it where they say so."""
    for link in _LINK.finditer(prose(page)):
        target, _, anchor = link["target"].partition("#")
        if "://" in target:
            continue
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), f"{page}: {link[0]}"
        assert not anchor or anchor in anchors(found), f"{page}: {link[0]}"


@PAGE
def test_named_files_exist(page):
    """A path in backticks that begins with a room of the house names a file or folder in it."""
    for code in _CODE.findall(prose(page)):
        room, slash, rest = code.partition("/")
        if slash and room in ROOMS and re.fullmatch(r"[\w./-]*", rest):
            assert (ROOT / code).exists(), f"{page}: `{code}`"


@PAGE
def test_codes_exist(page):
    """A diagnostic code that a page names is one that `cablese explain` knows."""
    assert set(re.findall(r"\bE0\d{3}\b", prose(page))) <= set(CODES)


@PAGE
def test_no_path_of_a_machine(page):
    """Absolute paths are made up (someone's home) or the same everywhere."""
    for path in _ABSOLUTE.findall(page.read_text("utf-8")):
        assert path.startswith(("/home/ada/", "/home/dev/", "/usr/bin/", "/dev/")), f"{page}: {path}"


@PAGE
def test_every_block_has_a_language_that_is_tested(page):
    """No example escapes the tests by having no language."""
    for block in parse_blocks(page):
        assert block.language in LANGUAGES, str(block)


@pytest.mark.parametrize("block", [b for b in all_blocks("text") if "sample" in b.attributes], ids=str)
def test_outputs_that_are_shown_were_recorded(block):
    """What a page shows of a sample stands in it, in this order."""
    path = ROOT / "tests" / "samples" / f"{block.attributes['sample']}.json"
    recorded = json.loads(path.read_text("utf-8"))["content"]
    parts = [part for part in re.split(rf"^{ANY_LINES}\n", block.body, flags=re.MULTILINE) if part]
    assert re.search(r"(?:.*\n)*".join(map(re.escape, parts)), recorded)


@pytest.mark.parametrize("block", [b for b in all_blocks("json") if b.page.name != "pack-format.md"], ids=str)
def test_json_parses(block):
    """An example in JSON is one value, `…` standing for text that is left out (a format description holds more)."""
    json.loads(block.body)


@pytest.mark.parametrize("block", all_blocks("python"), ids=str)
def test_python_runs(block, tmp_path):
    """An example in Python runs as a script."""
    done = subprocess.run([sys.executable, "-c", block.body], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", all_blocks("sh"), ids=str)
def test_commands_for_a_reader_name_what_exists(block):
    """`make` targets can be made, modules are there, and commands are some that we have."""
    for words in filter(None, (line.partition("#")[0].split() for line in block.body.splitlines())):
        if words[:1] == ["make"]:
            subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, check=True, capture_output=True)
        elif words[:2] == ["python", "-m"]:
            assert (ROOT / words[2].replace(".", "/")).exists(), words
        else:
            assert words[0] == "cablese", words
            assert words[1] in COMMANDS, words
