"""What authors get wrong inside one pattern, and that what they get right is left alone."""

from __future__ import annotations

import pytest
from cablese.compiler.patterns import check_pattern, lower_pattern, match_line
from cablese.compiler.patterns.program import Program
from cablese.compiler.patterns.reference import count_steps
from cablese.dsl.ast import Pattern
from cablese.dsl.codes.patterns import CODES as PATTERN_CODES
from cablese.dsl.diagnostics import Report
from cablese.dsl.parser import parse_file
from cablese.dsl.source import Source

from .building import lower, phrase_of, program_of, word_of

CRATE = word_of("crate", ("ab_-", 1, None))
IDENT = word_of("ident", ("ab", 1, None), ("ab0", 0, None))
BAR = word_of("bar", ("=", 1, None))


def checked(text: str, *given):
    """Check a pattern; return its program and what was found."""
    program, source, report = lower(text, *given)
    assert program is not None
    check_pattern(program, source, report)
    return program, source, list(report)


def the_one(text: str, *given):
    """Check a pattern with exactly one thing wrong."""
    program, source, (found,) = checked(text, *given)
    span = found.primary.span
    return program, found, source.text[span.start : span.end]


@pytest.mark.parametrize(
    "text",
    [
        "{n:int} test{?s}",
        "{a} {b}",
        "{file}({row:int},{col:int}): {message}",
        "{:indent}--> {at}",
        "{:spaces}{:(Compiling|Checking)} {}",
        "{n:int}{unit}",
        "{name:word}{:gap}{ready:int}/{of:int}{:gap}{status:word}{:gap}{restarts}{:gap}{age:word}",
        "{?added {:int} package{?s}}{?, }{?removed {:int} package{?s}}{?, }{?and }done in {time:word}",
        "{=stamp}##[error]{text:rest}",
        "{?{=stamp}}{text:rest}",
        "{code:ident}{? [*]} {message}",
        "{:bar} {name} {:bar}",
        "{name:cell}\t{time:word}\t{?{url:word}}{?\t{note:rest}}",
        "warning: `{:crate}` ({}) generated {n:int} warning{?s}{? ({again:int = 0} duplicate{?s})}{? (run {})}",
        'a/{from:cstring}" "b/{to:cstring}"',
        "+{:raw}",
        "",
        "{:indent}",
        "{v:(ok|okay)}{? now}",
    ],
)
def test_sound_patterns_are_left_alone(text):
    """Nothing is found in patterns that real rules use."""
    stamp = phrase_of("stamp", "{?{:cell}\t}{:int}Z ")
    assert checked(text, stamp, CRATE, IDENT, BAR)[2] == []


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("{n:int}0", "00"),
        ("{n:int}{?%}5", "05"),
        ("({?{n:int}}5)", "05)"),
        ("{:spaces} x", None),
        ("{h:hex(4..8)}abc", None),
        ("{c:crate}-b", None),
        ("{s:cstring}a", "a"),
    ],
)
def test_a_hole_that_takes_what_follows_is_refused(text, lost):
    """The note shows a text that a reader would fit, and the match does not read the line made of it."""
    program, found, place = the_one(text, CRATE)
    assert found.code == "E0304"
    assert place.startswith("{")
    shown = found.notes[0].split("`")[1]
    assert lost is None or shown == lost
    assert match_line(program, text[: text.index("{")] + shown) is None


def test_a_part_for_which_nothing_is_left_is_refused():
    """An optional part behind a hole that takes its first character can never come true."""
    _, found, place = the_one("{n:int}{?0}x")
    assert (found.code, place) == ("E0304", "{?0}")
    _, found, place = the_one("{:spaces}{:indent}x")
    assert (found.code, place) == ("E0304", "{:indent}")


@pytest.mark.parametrize(
    ("text", "line"),
    [("{v:(a|ab)}b", "ab"), ("{?s}s", "s"), ("is{? not} not", "is not"), ("{v:(in|input)}put{?s}", "input")],
)
def test_a_choice_that_hides_another_reading_is_refused(text, line):
    """The committed match does not read a line that the hidden choice fits."""
    program, found, _ = the_one(text)
    assert found.code == "E0305"
    assert match_line(program, line) is None


@pytest.mark.parametrize("text", ["{a}{b}", "{a}{b:rest}", "{a:word}{?, }{b}", "{a}{:indent}{b}", "{a}{?{b}}"])
def test_open_holes_that_touch_are_refused(text):
    """The first would end after one character, whatever the line."""
    _, found, place = the_one(text)
    assert (found.code, place) == ("E0306", text[: text.index("}") + 1])


def test_nothing_follows_rest():
    """The edit makes it a hole that ends; `raw` has no such twin."""
    _, found, place = the_one("{x:rest} end")
    assert (found.code, place) == ("E0306", "{x:rest}")
    assert [edit.text for edit in found.edits] == ["{x}"]
    assert the_one("{? {:raw}}!")[1].edits == ()


BLOW_UPS = [
    ("{a}{:spaces}x", "a", " ", ""),
    ("{a}{:gap}x", "a", " ", ""),
    ("{a}{? {:indent}x}", "a", " ", ""),
    ("{a}{c:crate}:", "", "a", ""),
    ("{a}{q:quoted}", "x", '"\\', ""),
    ("{? ({a}{:spaces})}{b:raw}", " (a", " ", "\r"),
    ("{a:cell}{:spaces}x", "a", " ", ""),
]


@pytest.mark.parametrize(("text", "start", "word", "end"), BLOW_UPS)
def test_a_hole_that_is_not_linear_is_refused(text, start, word, end):
    """And rightly: on such a line twice the length costs four times the steps."""
    program, found, _ = the_one(text, CRATE)
    assert found.code == "E0307"
    short, long = (count_steps(program, start + word * times + end) for times in (80, 160))
    assert long > 3.3 * short


@pytest.mark.parametrize(("text", "start", "word", "end"), BLOW_UPS)
def test_the_word_shown_blows_the_pattern_up(text, start, word, end):
    """The note's word is no guess."""
    program, found, _ = the_one(text, CRATE)
    shown = found.notes[0].split("`")[1]
    short, long = (count_steps(program, start + shown * times + end) for times in (80, 160))
    assert long > 3.3 * short


def test_a_class_that_keeps_out_makes_it_linear():
    """`word` cannot step over the blanks that follow it."""
    program, _, found = checked("{a:word}{:spaces}x")
    assert found == []
    assert _growth(program, "a" + " " * 300, "a" + " " * 600) < 2.5


def test_rest_in_a_look_is_not_read():
    """`{a} {x:rest}` stays linear on a line that only its end spoils."""
    program, _, found = checked("{a} {x:rest}")
    assert found == []
    assert _growth(program, "a " * 200 + "\r", "a " * 400 + "\r") < 2.5


def _growth(program: Program, short: str, long: str) -> float:
    return count_steps(program, long) / count_steps(program, short)


@pytest.mark.parametrize("text", ["{n:int = 1} x", "x{?{:indent}}", "{?{x:rest}}", "x{?{?s}}"])
def test_parts_without_effect_are_refused(text):
    """A default that is never used, an optional part that is always there."""
    assert the_one(text)[1].code == "E0308"


@pytest.mark.parametrize("char", ["\n", "\0", "\x1b"])
def test_text_that_no_line_holds_is_refused(char):
    """A pattern with a line end in it claims nothing."""
    assert the_one(f"a{char}b")[1].code == "E0308"
    assert the_one(f"a{{:(x|y{char})}}b")[1].code == "E0308"


def test_every_finding_says_what_to_do():
    """Each has a label; each but those about impossible text has help."""
    for text in ["{n:int}0", "{?s}s", "{a}{b}", "{x:rest}a", "{a}{:spaces}x", "{n:int = 1}", "x{?{:indent}}"]:
        _, found, _ = the_one(text)
        assert found.primary.text
        assert found.help


def test_a_default_in_an_optional_part_is_used():
    """The captures of the reference say so."""
    assert match_line(program_of("{n:int}{? ({m:int = 3})}"), "5") == {"n": 5, "m": 3}


def test_what_a_phrase_brings_in_is_named():
    """The label stands at the use; the message names the hole and the phrase."""
    _, found, place = the_one("{=mark} x", phrase_of("mark", "{n:int}0 and"))
    assert (found.code, place, found.secondary[0].text) == ("E0304", "{=mark}", "what follows")
    assert found.message == "`{n:int}` of the phrase `{=mark}` swallows what follows it"
    _, found, _ = the_one("{=mark}", phrase_of("mark", "{a}{:spaces}x"))
    assert (found.code, found.secondary) == ("E0307", ())
    assert found.message.startswith("`{a}` of the phrase `{=mark}`")


def test_a_word_whose_runs_meet_is_refused_where_it_is_used():
    """Also when nothing captures it."""
    meets = word_of("meets", ("ab", 1, None), ("a", 1, None))
    for text in ("{c:meets}", "{:meets}"):
        _, found, place = the_one(text, meets)
        assert (found.code, place) == ("E0304", text)
        assert "the next run of the word" in found.message


@pytest.mark.parametrize("code", PATTERN_CODES, ids=lambda code: code.code)
def test_the_examples_of_each_code_show_it(code):
    """The bad file raises exactly its code, the good one nothing."""
    assert _codes_of(code.bad) == {code.code}
    assert _codes_of(code.good) == set()


def _codes_of(text: str) -> set[str]:
    report = Report()
    source = Source("example.cable", text)
    file = parse_file(source, report)
    (rule,) = file.rules
    words = {word.name.text: word for word in file.words}
    phrases = {phrase.name.text: phrase for phrase in file.phrases}
    for definition in rule.definitions:
        assert isinstance(definition.value, Pattern)
        program = lower_pattern(definition.value.parts, words, phrases, source, report)
        if program is not None:
            check_pattern(program, source, report)
    return {found.code for found in report}
