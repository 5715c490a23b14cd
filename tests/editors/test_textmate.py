"""The TextMate grammar, run by the engine of VS Code, agrees with the parser and with the annotated files.

In an annotated file a comment of `^` says what stands above it: the scopes that are there, and behind ` - ` those that
are not. A scope is meant with all that begins like it. `<--` points at the first character of the line.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from .keywords import FIXTURES, KEYWORDS, ROOT, Found, parser_tokens, sound_texts

EDITORS = ROOT / "editors"
_ANNOTATION = re.compile(r"^\s*#(?: (?P<first><--)| *(?P<marks>\^+)) (?P<scopes>.+)$")


class Assertion(NamedTuple):
    """What an annotation says of a stretch of the line above it."""

    line: int
    start: int
    end: int
    there: list[str]
    absent: list[str]


def scopes_of(text: str) -> list[list[tuple[int, int, list[str]]]]:
    """Return for each line of a text its stretches with their scopes."""
    return run_engine((text,))[0]


@cache
def run_engine(texts: tuple[str, ...]):
    """Run the engine over some texts. Where it cannot run, the test is skipped."""
    node = shutil.which("node")
    if node is None or not (EDITORS / "node_modules" / "vscode-textmate").exists():
        pytest.skip("node or editors/node_modules is missing: `make editors` installs what is in the lock file")
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, text in enumerate(texts):
            path = Path(folder) / f"{number}.cable"
            path.write_text(text, "utf-8")
            paths.append(str(path))
        done = subprocess.run([node, str(EDITORS / "scopes.mjs"), *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [
        [[tuple(token) for token in line] for line in json.loads(answer)["lines"]]
        for answer in done.stdout.splitlines()
    ]


def stretches(text, lines, wanted):
    """Return the stretches of a text that have a scope which begins like one of the wanted."""
    found, start = set(), 0
    for line, tokens in zip(text.split("\n"), lines, strict=True):
        units = line.encode("utf-16-le")
        for first, last, scopes in tokens:
            if any(scope.startswith(wanted) for scope in scopes):
                before = len(units[: 2 * first].decode("utf-16-le"))
                part = units[2 * first : 2 * last].decode("utf-16-le")
                found.add(Found(start + before, start + before + len(part), part))
        start += len(line) + 1
    return found


def assertions(text):
    """Yield what the annotations of a text say; each is about the last line that is none."""
    at = 0
    for number, line in enumerate(text.split("\n")):
        found = _ANNOTATION.match(line)
        if found is None:
            at = number
            continue
        there, _, absent = found["scopes"].partition(" - ")
        start, end = (0, 1) if found["first"] else found.span("marks")
        yield Assertion(at, start, end, there.split(), absent.split())


def begins(scopes, wanted):
    """Say whether one of the scopes is the wanted one, or one below it."""
    return any(f"{scope}.".startswith(f"{wanted.removesuffix('.cable')}.") for scope in scopes)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.cable")), ids=lambda path: path.name)
def test_scopes_are_those_of_the_annotations(path):
    """Each character that is pointed at has the scopes that are named, and none of those that are excluded."""
    text = path.read_text("utf-8")
    checked = list(assertions(text))
    assert checked
    lines = scopes_of(text)
    for each in checked:
        for column in range(each.start, each.end):
            scopes = next(scopes for start, end, scopes in lines[each.line] if start <= column < end)
            where = f"{path.name}:{each.line + 1}:{column + 1}: {scopes}"
            for wanted in each.there:
                assert begins(scopes, wanted), f"{where} has no {wanted}"
            for unwanted in each.absent:
                assert not begins(scopes, unwanted), f"{where} has {unwanted}"


def test_an_annotation_that_is_wrong_is_found():
    """The check above can fail: of a scope that is not there, and of one that must not be there."""
    lines = scopes_of('use "x"\n')
    assert begins(lines[0][0][2], "keyword.declaration.cable")
    assert begins(lines[0][0][2], "keyword")
    assert not begins(lines[0][0][2], "keyword.other")
    assert not begins(lines[0][0][2], "key")


def test_the_extension_tests_itself():
    """`npm test` looks at each character that is pointed at, as the test above does, and finds nothing."""
    texts = [path.read_text("utf-8") for path in sorted(FIXTURES.glob("*.cable"))]
    run_engine(tuple(texts))
    done = subprocess.run(["npm", "test", "-s"], cwd=EDITORS, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    counts = [sum(each.end - each.start for each in assertions(text)) for text in texts]
    assert [int(line.split()[1]) for line in done.stdout.splitlines()] == counts


def test_keywords_are_those_of_the_parser():
    """In every sound text the keywords are the parser's, in their places, and nothing else looks like one."""
    texts = sound_texts()
    assert len(texts) > 80
    met = set()
    for (name, text), lines in zip(texts.items(), run_engine(tuple(texts.values())), strict=True):
        expected = parser_tokens(text, set(KEYWORDS))
        assert stretches(text, lines, ("keyword.other", "keyword.declaration")) == expected, name
        met |= {found.text for found in expected}
    assert met == set(KEYWORDS.values())


def test_texts_are_those_of_the_parser():
    """What the parser takes for a text begins and ends as one, and no comment begins in it."""
    texts = sound_texts()
    for (name, text), lines in zip(texts.items(), run_engine(tuple(texts.values())), strict=True):
        strings = {(found.start, found.text) for found in stretches(text, lines, ("punctuation.definition.string",))}
        comments = stretches(text, lines, ("punctuation.definition.comment",))
        for found in parser_tokens(text, {"STRING", "BLOCK"}):
            quotes = '"""' if found.text.startswith('"""') else '"'
            assert any(start == found.start and each.strip() == quotes for start, each in strings), (name, found)
            assert any(start == found.end - len(quotes) for start, _ in strings), (name, found)
            assert not any(found.start <= comment.start < found.end for comment in comments), (name, found)


def test_the_extension_names_what_there_is():
    """The manifest's files exist, its grammar is the one that is tested, and the lock file names no registry."""
    manifest = json.loads((EDITORS / "package.json").read_text("utf-8"))
    language, grammar = manifest["contributes"]["languages"][0], manifest["contributes"]["grammars"][0]
    assert language["id"] == grammar["language"]
    assert json.loads((EDITORS / language["configuration"]).read_text("utf-8"))["comments"] == {"lineComment": "#"}
    assert json.loads((EDITORS / grammar["path"]).read_text("utf-8"))["scopeName"] == grammar["scopeName"]
    assert "resolved" not in (EDITORS / "package-lock.json").read_text("utf-8")
