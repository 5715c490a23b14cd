"""Strings, blocks, patterns and classes: values, and the places of each character."""

from __future__ import annotations

import pytest
from cablese.dsl import ast
from cablese.dsl.diagnostics import Report
from cablese.dsl.edits import apply_edits
from cablese.dsl.files import MAX_BYTES, read_source
from hypothesis import given
from hypothesis import strategies as st

from .sources import WHOLE, in_rule, nodes, parse, sound

ESCAPES = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n"}
VISIBLE = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from('"\\\t\n{}'))


def write(value: str) -> str:
    """Write a string so that it means `value`."""
    return '"' + "".join(ESCAPES.get(char, char) for char in value) + '"'


def pattern(written: str) -> tuple[ast.Part, ...]:
    """Return the parts of a pattern as written between quotes."""
    return sound(in_rule(f'job = "{written}"')).rules[0].definitions[0].value.parts


@given(VISIBLE)
def test_strings_mean_what_was_written(value: str) -> None:
    """Escapes undo themselves, and offsets lead back to each character."""
    text = f"use {write(value)}"
    target = sound(text).uses[0].target
    assert target.value == value
    assert len(target.offsets) == len(value) + 1
    assert list(target.offsets) == sorted(set(target.offsets))
    for char, at in zip(value, target.offsets, strict=False):
        assert text[at] == (ESCAPES[char][0] if char in ESCAPES else char)


@given(
    st.lists(st.text(st.sampled_from('ab "#\\{}\t')).filter(lambda line: not line.strip(" \t").startswith('"""'))),
    st.sampled_from(["", "  ", "    ", "\t"]),
)
def test_blocks_mean_their_lines(lines: list[str], margin: str) -> None:
    """A block is its lines without the common indentation and without first and last line end."""
    text = in_rule().replace(
        '"""\nx\n"""', '"""\n' + "".join(f"{margin}{line}\n" for line in lines) + f'{margin}"""', 1
    )
    summary = sound(text).rules[0].summary
    assert summary.value == "\n".join(lines)
    assert len(summary.offsets) == len(summary.value) + 1
    for char, at in zip(summary.value, summary.offsets, strict=False):
        assert text[at] == char


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ('"""\n    a\n    b\n    """', "a\nb"),
        ('"""\n        a\n      b\n    """', "    a\n  b"),
        ('"""\n    a\n\n    b\n    """', "a\n\nb"),
        ('"""\n    a\n     \n    """', "a\n "),
        ('"""\n  a\n    """', "a"),
        ('"""\n    """', ""),
        ('"""\n\n    """', ""),
        ('"""\n    a\\n\n    """', "a\\n"),
        ('"""  \n    say """ here\n    """', 'say """ here'),
    ],
)
def test_blocks(block: str, value: str) -> None:
    """Outdenting by the closing quotes or the line furthest left, blank lines, no escapes."""
    assert sound(in_rule().replace('"""\nx\n"""', block)).rules[0].summary.value == value


def test_offsets_of_the_whole_file_are_consistent() -> None:
    """Every text of the file with every construct has offsets inside its own span."""
    texts = [node for node in nodes(sound(WHOLE)) if isinstance(node, ast.Text)]
    assert len(texts) > 20
    for text in texts:
        assert len(text.offsets) == len(text.value) + 1
        assert text.span.start <= text.offsets[0] <= text.offsets[-1] <= text.span.end


def test_parts_of_a_pattern() -> None:
    """Every kind of hole, doubled braces, escapes that are never special, nested optional parts."""
    whole = r"{a}{}{:word}{n:int = 7}{h:hex(4..64)}{h:hex(40)}{v:(not ok|{{x}})}{=where}{{b}}\u{7b}c{?d{?{e:int}s}}"
    holes = [part for part in pattern(whole) if isinstance(part, ast.Hole)]
    assert [(h.name and h.name.text, h.type.text) for h in holes] == [
        ("a", "text"),
        (None, "text"),
        (None, "word"),
        ("n", "int"),
        ("h", "hex"),
        ("h", "hex"),
        ("v", "enum"),
    ]
    assert holes[3].default is not None
    assert holes[3].default.value == 7
    assert [h.width for h in holes[4:6]] == [(4, 64), (40, 40)]
    assert holes[6].choices == ("not ok", "{x}")
    phrase, literal, optional = pattern(whole)[-3:]
    assert isinstance(phrase, ast.PhraseUse)
    assert isinstance(literal, ast.LiteralText)
    assert (phrase.name.text, literal.text) == ("where", "{b}{c")
    assert isinstance(optional, ast.OptionalPart)
    inner = optional.parts[1]
    assert isinstance(inner, ast.OptionalPart)
    assert [type(part) for part in inner.parts] == [ast.Hole, ast.LiteralText]


@given(st.text(st.sampled_from("{}?:=()|. ain1\\u7b")))
def test_any_pattern_is_read_or_reported(written: str) -> None:
    """No pattern crashes; one that is read covers its text part by part, in order."""
    file, found = parse(in_rule(f'job = "{written}"'))
    assert bool(found) != bool(file.rules)
    if file.rules:
        value = file.rules[0].definitions[0].value
        at = value.text.offsets[0]
        for part in value.parts:
            assert part.span.start == at
            at = part.span.end
        assert at == value.text.offsets[-1]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("a {", "{"),
        ("{ x }", "{ x }"),
        ("a } b", "}"),
        ("{x:}", "{x:"),
        ("{x:int(3)}", "{x:int("),
        ("{x:hex}", "{x:hex"),
        ("{x:hex(9..4)}", "(9..4)"),
        ("{x:(a||b)}", "(a||b)"),
        ("{x:(a|b", "{x:("),
        ("{x:word = 3}", "{x:word = 3}"),
        ("{?}", "{?}"),
        ("a{?b", "{?"),
        ("{=}", "{="),
    ],
)
def test_malformed_holes_are_pointed_at(written: str, place: str) -> None:
    """E0104 underlines what is wrong."""
    text = in_rule(f'job = "{written}"')
    _, found = parse(text)
    assert [(d.code, text[d.primary.span.start : d.primary.span.end]) for d in found] == [("E0104", place)]


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ("{file:word: In {name}", "{file:word}: In {name}"),
        ("{file:word: In", "{file:word}: In"),
        ("{file", "{file}"),
        ("{:int of {n:int}", "{:int} of {n:int}"),
        ("{?{n:int of }x", "{?{n:int} of }x"),
    ],
)
def test_a_hole_without_its_brace_gets_it(written: str, whole: str) -> None:
    """What reads as a hole lacks its end; its beginning is not doubled."""
    text = in_rule(f'job = "{written}"')
    _, (found,) = parse(text)
    assert (found.code, found.message) == ("E0104", "a hole has no `}`")
    assert apply_edits(text, found.edits) == in_rule(f'job = "{whole}"')
    assert not parse(in_rule(f'job = "{whole}"'))[1]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("a\\qb", "\\q"),
        ("a\\nb", "\\n"),
        ("\\u{a}", "\\u{a}"),
        ("\\u{110000}", "\\u{110000}"),
        ("\\u{d800}", "\\u{d800}"),
        ("\\u{}", "\\u"),
        ("\\u0041", "\\u"),
    ],
)
def test_bad_escapes_are_pointed_at(written: str, place: str) -> None:
    """E0103 underlines the escape."""
    text = in_rule(f'job = "{written}"')
    _, found = parse(text)
    assert [d.code for d in found] == ["E0103"]
    assert text[found[0].primary.span.start :].startswith(place)


@pytest.mark.parametrize(
    ("written", "ranges", "bounds"),
    [
        ("[a-z]", ((97, 122),), (1, 1)),
        ("[-a]+", ((45, 45), (97, 97)), (1, None)),
        ("[a-]*", ((45, 45), (97, 97)), (0, None)),
        ("[b-da-c]?", ((97, 100),), (0, 1)),
        (r"[\]\^\-\t]{3}", ((9, 9), (45, 45), (93, 94)), (3, 3)),
        (r"[\u{e9}#]{0,2}", ((35, 35), (233, 233)), (0, 2)),
        (r"[a\-c]", ((45, 45), (97, 97), (99, 99)), (1, 1)),
    ],
)
def test_classes(written: str, ranges: ast.Run, bounds: tuple[int, int | None]) -> None:
    """Ranges are sorted and merged; quantities become bounds."""
    (run,) = sound(f"word w = {written}").words[0].runs
    assert (run.ranges, (run.low, run.high)) == (ranges, bounds)


@pytest.mark.parametrize("written", ["[]", "[^a]", "[z-a]", r"[\q]", r"[\u{d800}]", "[a]{0}", "[a]{3,2}"])
def test_malformed_classes(written: str) -> None:
    """What cannot be a class of characters is E0105."""
    assert [d.code for d in parse(f"word w = {written}")[1]] == ["E0105"]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfuse 'x'",
        b"use\r\n",
        b"a\0b",
        b"\xff",
        "use \u202ex".encode(),
        "use \u200bx".encode(),
        b"#" * (MAX_BYTES + 1),
        b"\x1b[31m",
    ],
)
def test_limits_of_a_file_are_errors(data: bytes) -> None:
    """What a rule file may not hold is refused before anything reads it."""
    report = Report()
    assert read_source("x.cable", data, report) is None
    assert {d.code for d in report} == {"E0107"}


@given(st.binary())
def test_any_bytes_are_a_source_or_refused(data: bytes) -> None:
    """No bytes crash; a source that is given back is exactly the bytes."""
    report = Report()
    source = read_source("x.cable", data, report)
    assert (source is None) == bool(report)
    assert source is None or source.text.encode() == data
