"""Parts become programs; programs become JSON; wrong names are reported where they stand."""

from __future__ import annotations

import pytest
from cablese.compiler.patterns import captures, emit_pattern
from cablese.compiler.patterns.lower import HOLE_TYPES
from cablese.compiler.patterns.notation import show_op
from cablese.compiler.patterns.program import Enum, Group, Lit, Opt, Run

from .building import lower, phrase_of, program_of, word_of

LINT = word_of("lint", ("ABC", 1, None), ("0123456789", 1, None))
DIGITS = [[48, 57]]
BLANKS = [[9, 9], [32, 32]]


@pytest.mark.parametrize(
    ("text", "ops"),
    [
        ("plain [text].*", [["lit", "plain [text].*"]]),
        ("{{x}}", [["lit", "{x}"]]),
        ("{}", [["fit", "text", None]]),
        ("{:word}", [["fit", "word", None]]),
        ("{:cell}", [["fit", "cell", None]]),
        ("{:int}", [["run", DIGITS, 1, 18, None]]),
        ("{:hex(7..40)}", [["run", [[48, 57], [97, 102]], 7, 40, None]]),
        ("{:spaces}", [["run", BLANKS, 1, None, None]]),
        ("{:gap}", [["run", BLANKS, 2, None, None]]),
        ("{:indent}", [["run", BLANKS, 0, None, None]]),
        ("{:(a|ab|b)}", [["enum", ["ab", "a", "b"], None]]),
        ("{:rest}", [["rest", None]]),
        ("{:raw}", [["raw", None]]),
        ("{:cstring}", [["cstring", None]]),
        ("{:quoted}", [["quoted", None]]),
        ("error{?s}", [["lit", "error"], ["opt", [["lit", "s"]]]]),
    ],
)
def test_each_hole_has_its_operation(text, ops):
    """The table of holes, as the pack writes it."""
    assert emit_pattern(program_of(text), frozenset()) == ops


def test_only_wanted_captures_are_written():
    """A name nobody uses costs nothing; a default goes along."""
    program = program_of("{a:word} {n:int}{? of {m:int = 1}}")
    assert emit_pattern(program, frozenset({"n", "m"})) == [
        ["fit", "word", None],
        ["lit", " "],
        ["run", DIGITS, 1, 18, ["n", "int", None]],
        ["opt", [["lit", " of "], ["run", DIGITS, 1, 18, ["m", "int", 1]]]],
    ]


def test_a_word_of_several_runs_is_captured_as_one():
    """A capture spans all runs of a word; without it the runs stand for themselves."""
    program = program_of("{code:lint}", LINT)
    capitals = [[65, 65], [66, 66], [67, 67]]
    runs = [["run", capitals, 1, None, None], ["run", [[d, d] for d in range(48, 58)], 1, None, None]]
    assert isinstance(program[0], Group)
    assert emit_pattern(program, frozenset({"code"})) == [["group", runs, ["code", "text", None]]]
    assert emit_pattern(program, frozenset()) == runs


def test_phrases_are_spliced_and_literals_merged():
    """A phrase leaves no trace; text on both sides of it becomes one literal."""
    inner, outer = phrase_of("inner", "[{?x}"), phrase_of("outer", "a{=inner}] ")
    program = program_of("<{=outer}b", inner, outer)
    assert [type(op) for op in program] == [Lit, Opt, Lit]
    assert emit_pattern(program, frozenset()) == [["lit", "<a["], ["opt", [["lit", "x"]]], ["lit", "] b"]]


def test_spans_of_a_phrase_are_those_of_its_use():
    """What a phrase of another file brings in is shown where it is used."""
    program = program_of("at {=place}!", phrase_of("place", "{:int}"))
    assert (program[1].span.start, program[1].span.end) == (3, 11)


def test_captures_say_what_is_there():
    """Type, and how often: optional without a default may be absent."""
    found = captures(program_of("{n:int} {name}{?, {m:int}}{?; {k:int = 0}}"))
    assert {name: (c.type, c.low, c.high) for name, c in found.items()} == {
        "n": ("int", 1, 1),
        "name": ("text", 1, 1),
        "m": ("int", 0, 1),
        "k": ("int", 1, 1),
    }


def test_a_word_may_not_take_the_place_of_a_hole_type():
    """Built-in types win; the file cannot change what `int` means."""
    assert isinstance(program_of("{:int}", word_of("int", ("a", 1, 1)))[0], Run)


def _one(text, *given):
    program, source, report = lower(text, *given)
    (found,) = report
    place = source.text[found.primary.span.start : found.primary.span.end]
    return program, found, place


def test_an_unknown_type_is_reported_with_a_suggestion():
    """The edit repairs the pattern."""
    program, found, place = _one("{n:itn} files")
    assert program is None
    assert (found.code, place) == ("E0301", "itn")
    assert found.help == "did you mean `int`?"
    assert [edit.text for edit in found.edits] == ["int"]
    assert all(f"`{name}`" in found.notes[0] for name in HOLE_TYPES)


def test_an_unknown_word_may_be_one_of_the_file():
    """Words of the file are suggested, too."""
    assert _one("{c:lnit}", LINT)[1].help == "did you mean `lint`?"


def test_choices_cannot_be_left_out():
    """`enum` is no type that an author can write."""
    program, found, _ = _one("{v:enum}")
    assert program is None
    assert found.code == "E0301"


def test_an_operation_is_shown_as_it_was_written():
    """For messages about phrases: the notation of each hole, back from its program."""
    texts = ["{a}", "{:word}", "{n:int}", "{:spaces}", "{:gap}", "{:indent}", "{v:(ab|a)}", "{x:rest}", "{x:raw}"]
    texts += ["{s:cstring}", "{q:quoted}", "a{{b}}", "{?x{n:int = 1}{?s}}", "{h:hex(4..64)}"]
    for text in texts:
        assert "".join(map(show_op, program_of(text))) == text
    assert "".join(map(show_op, program_of("{code:lint}", LINT))) == "[ABC]+ [0123456789]+"


def test_an_unknown_phrase_is_reported():
    """Also when nothing is close."""
    program, found, place = _one("{=where} x")
    assert program is None
    assert (found.code, place, found.edits) == ("E0301", "where", ())


def test_an_unknown_name_inside_a_phrase_is_shown_at_its_use():
    """No edit: the text to change is elsewhere."""
    _, found, place = _one("x {=outer}", phrase_of("outer", "{:itn}"))
    assert (found.code, place, found.edits) == ("E0301", "{=outer}", ())
    assert found.primary.text == "in phrase `outer`"


def test_a_phrase_that_contains_itself_is_reported():
    """The note shows the circle."""
    program, found, place = _one("x {=a}", phrase_of("a", "1{=b}"), phrase_of("b", "2{=a}"))
    assert program is None
    assert (found.code, place) == ("E0302", "{=a}")
    assert found.notes == ("the circle: a → b → a",)


@pytest.mark.parametrize("name", ["line", "key", "count", "first", "rows"])
def test_reserved_names_are_refused(name):
    """They are what records, lines and groups already have."""
    program, found, place = _one(f"a {{{name}}}")
    assert program is None
    assert (found.code, place) == ("E0303", name)


def test_a_name_is_captured_once():
    """Also when the second one stands in an optional part."""
    program, found, place = _one("{n:int}{? of {n:int}}")
    assert program is None
    assert (found.code, place) == ("E0303", "n")
    assert found.secondary[0].span.start == 1


def test_a_choice_that_stands_twice_is_reported():
    """The program is sound all the same: duplicates go."""
    program, found, _ = _one("{v:(ok|no|ok)}")
    assert found.code == "E0308"
    assert isinstance(program[0], Enum)
    assert program[0].choices == ("ok", "no")
