"""What editors say of the words of the language is what the reference says."""

from __future__ import annotations

import re

from cablese.compiler.examples import REASONS
from cablese.compiler.patterns.lower import HOLE_TYPES
from cablese.compiler.scope import COMMAND_TYPES
from cablese.dsl import words
from cablese.dsl.parser import _thread_parser
from cablese.dsl.scan import ENTRIES

from .pages import ROOT

PAGE = (ROOT / "docs" / "language.md").read_text("utf-8")


def rows(head):
    """Return the rows of the table with that head, without links."""
    lines = PAGE[PAGE.index(head) :].partition("\n\n")[0].split("\n")[2:]
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line) for line in lines]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in plain]


def held(table):
    """Return what a table of words says, once for each form."""
    return {meaning.form: meaning.text for meaning in table.values()}


def test_the_tables_are_those_of_the_reference():
    """Row for row: command lines, types, parts of patterns, facts, tags and filters."""
    assert held(words.COMMAND_LINES) == dict(rows("| line | meaning |"))
    assert held(words.VALUE_TYPES) == dict(rows("| type | admits |"))
    assert held(words.PARTS) == dict(rows("| part | meaning |"))
    assert held(words.FACTS) == dict(rows("| fact | gives |"))
    assert held(words.TEMPLATE) == dict(rows("| | |\n|---|---|\n| `{{ path"))


def test_holes_are_those_of_the_reference():
    """With how much each takes, which has a column of its own there."""
    takes = {"": "", "first fit": "; ends at the first fit", "all there is": "; takes all there is"}
    assert held(words.HOLES) == {form: text + takes[much] for form, text, much in rows("| hole | admits |")}


def test_claims_are_those_of_the_reference():
    """Where two rows are about one word, they are told together."""
    told = {meaning.form: meaning.text for meaning in words.CLAIMS.values()}
    wanted = rows("| claim | holds when |")
    for form, text in wanted:
        (found,) = [key for key in told if form in key]
        assert text in told[found]
    assert "; ".join(form for form, _ in wanted if "`when" in form) in told


def test_every_word_of_the_language_is_explained():
    """Entries, types, reasons, and every keyword of the grammar."""
    assert set(words.ENTRIES) == set(ENTRIES)
    assert set(words.VALUE_TYPES) == {*COMMAND_TYPES, "NAME"}
    assert set(words.HOLES) == {*HOLE_TYPES, "enum", "NAME"}
    assert tuple(words.REASONS) == REASONS
    known = {*words.ENTRIES, *words.CLAUSES, *words.COMMAND_LINES, *words.FACTS, *words.CLAIMS}
    keywords = {word for word in _thread_parser().spelling.values() if word.isalpha() and word.islower()}
    # Each of these stands in one form only, which is explained as a whole: `in order`, `by f`, `exit not 0`, `any`.
    assert keywords - known == {"order", "by", "not", "any", "codec", "tee"}
