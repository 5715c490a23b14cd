"""What is said beside an error leads on: a name that exists, a fact to add, a mark to write."""

from __future__ import annotations

import pytest
from cablese.compiler import check_sources
from cablese.dsl.diagnostics import Diagnostic
from cablese.dsl.edits import apply_edits

from .rules import codes, sketch


def finding(text: str) -> Diagnostic:
    """Return the one thing said about a rule."""
    (found,) = check_sources({"a.cable": text}, draft=True)
    return found


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("number", "int"),
        ("digits", "int"),
        ("integer", "int"),
        ("str", "text"),
        ("string", "text"),
        ("any", "text"),
        ("line", "rest"),
        ("sha", "hex(4..64)"),
        ("wrod", "word"),
    ],
)
def test_everyday_names_of_types_are_understood(written, meant):
    """A type under the name that others give it leads to ours, and the edit compiles."""
    text = sketch(lines=f'job  = "[{{n:int}}] Running {{name:{written}}}"\n    done = "{{n:int}} jobs"')
    found = finding(text)
    assert (found.code, found.help) == ("E0301", f"did you mean `{meant}`?")
    assert codes(apply_edits(text, found.edits)) == []


def test_words_of_the_file_are_nearer_than_everyday_names():
    """What the author defined is meant before what others call a type."""
    text = sketch(before="word digitz = [0-9]+\n", lines='job = "[{n:digits}] {m:digitz}"\n    done = "{n:int} jobs"')
    assert finding(text).help == "did you mean `digitz`?"


def test_one_of_many_becomes_a_fact():
    """In a summary, a part of a kind that stands often is reached by a fact, whose text is given and works."""
    found = finding(sketch(summary="{{ job.name }}"))
    assert found.code == "E0604"
    assert found.help is not None
    assert "`top = first of job.name`" in found.help
    assert codes(sketch(facts="top = first of job.name", summary='{{ top or "" }}')) == []


def test_one_of_a_list_is_reached_in_a_loop():
    """A fact that is a list has no kind to be named."""
    found = finding(sketch(facts="f = each job", summary="{{ f.name }}"))
    assert found.help == "take its parts in a loop: `{% for each in f %}`"


def test_facts_are_listed_before_kinds_and_all_of_them():
    """Where no name is near, those that a summary is made of come first and are not cut."""
    facts = "\n    ".join(f"fact_{chr(97 + number)} = count job" for number in range(15))
    shown = " ".join(f"{{{{ fact_{chr(97 + number)} }}}}" for number in range(15))
    (note,) = finding(sketch(facts=facts, summary=shown + "{{ unheard }}")).notes
    names = [name.strip("` …") for name in note.removeprefix("known here: ").split(", ")]
    assert names[:15] == [f"fact_{chr(97 + number)}" for number in range(15)]


def test_a_text_without_quotes_is_told_from_a_field():
    """`where code = M` compares two fields; whoever means the letter is told how to write it."""
    found = finding(sketch(facts="running = count job where name = M"))
    assert (found.code, found.help) == ("E0501", 'if a text is meant, quote it: `"M"`')
    assert codes(sketch(facts='running = count job where name = "M"')) == []
