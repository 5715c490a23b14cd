"""Patterns: the lowered expressions mean what the definition of the language says, character by character."""

import re
import time

import pytest
from cablese.compiler.patterns import program as ir
from cablese.compiler.patterns.emit import emit_pattern
from cablese.compiler.patterns.reference import match_line
from cablese.dsl.source import Span
from cablese.runtime.engine.charsets import CLEAN_LINE, is_clean
from cablese.runtime.engine.patterns import first_characters, lower_line, lower_reader
from hypothesis import example, given
from hypothesis import strategies as st

SPAN = Span(0, 0)
ALPHABET = 'ab01 \t:("\\\r'
TEXTS = st.text(ALPHABET, min_size=1, max_size=2)
RANGES = st.sampled_from([ir.DIGIT, ir.BLANK, ((0x61, 0x61),), ((0x61, 0x62),), ir.HEX, ((0x28, 0x3A), (0x62, 0x62))])


@st.composite
def closed(draw):
    """Operations that need to know nothing of what follows."""
    low = draw(st.integers(0, 2))
    high = draw(st.one_of(st.none(), st.integers(max(low, 1), 3)))
    return draw(
        st.sampled_from(
            [
                ir.Lit(draw(TEXTS), span=SPAN),
                ir.Run(draw(RANGES), low, high, ir.Cap("", "text", span=SPAN), span=SPAN),
                ir.Enum(tuple(draw(st.lists(TEXTS, min_size=1, max_size=3))), ir.Cap("", "text", span=SPAN), span=SPAN),
                ir.Run(ir.DIGIT, 1, 18, ir.Cap("", "int", draw(st.sampled_from([None, 1])), span=SPAN), span=SPAN),
                ir.CString(ir.Cap("", "text", span=SPAN), span=SPAN),
                ir.Quoted(ir.Cap("", "text", span=SPAN), span=SPAN),
                ir.Group(
                    (ir.Run(draw(RANGES), 1, 1, span=SPAN), ir.Run(draw(RANGES), 0, None, span=SPAN)),
                    ir.Cap("", "text", span=SPAN),
                    span=SPAN,
                ),
            ]
        )
    )


FITS = st.sampled_from([ir.Fit(kind, ir.Cap("", "text", span=SPAN), span=SPAN) for kind in ("text", "word", "cell")])
TAILS = st.sampled_from([ir.Rest(ir.Cap("", "text", span=SPAN), span=SPAN), ir.Raw(span=SPAN)])


def sequences(inner):
    """Operations in a row; sometimes one that takes the rest of the line ends them."""
    return st.tuples(st.lists(inner, min_size=1, max_size=4), st.lists(TAILS, max_size=1)).map(
        lambda parts: tuple(parts[0] + parts[1])
    )


OPS = st.recursive(
    st.one_of(closed(), FITS), lambda inner: sequences(inner).map(lambda ops: ir.Opt(ops, span=SPAN)), max_leaves=6
)


def renamed(ops, counter):
    """Give every capture a name of its own."""
    result = []
    for op in ops:
        if isinstance(op, ir.Opt):
            result.append(ir.Opt(renamed(op.ops, counter), span=SPAN))
        elif isinstance(op, ir.Lit) or op.cap is None:
            result.append(op)
        else:
            counter.append(1)
            values = {name: getattr(op, name) for name in op.__dataclass_fields__}
            cap = ir.Cap(f"c{len(counter)}", op.cap.type, op.cap.default, span=SPAN)
            result.append(type(op)(**{**values, "cap": cap}))
    return tuple(result)


PROGRAMS = sequences(OPS).map(lambda ops: renamed(ops, []))


@st.composite
def lines_of(draw, program):
    """Draw a line that the program may well match, or nearly: its parts in a row, sometimes one left out."""
    parts = []
    for op in program:
        match op:
            case ir.Lit(text):
                parts.append(text)
            case ir.Opt(ops):
                parts.append(draw(st.one_of(st.just(""), lines_of(ops))))
            case ir.Enum(choices):
                parts.append(draw(st.sampled_from(choices)))
            case ir.Run(ranges, low, _):
                parts.append(chr(ranges[0][0]) * draw(st.integers(low, low + 2)))
            case ir.Quoted():
                parts.append('"' + draw(st.sampled_from(["", "a", '\\"'])) + '"')
            case _:
                parts.append(draw(st.text(ALPHABET, max_size=4)))
    return "".join(parts)


@st.composite
def cases(draw):
    """Draw a program and a line."""
    program = draw(PROGRAMS)
    return program, draw(st.one_of(lines_of(program), st.text(ALPHABET, max_size=8)))


def text_fit(name):
    """Return a first-fit hole for text."""
    return ir.Fit("text", ir.Cap(name, "text", span=SPAN), span=SPAN)


LOOK_BEYOND = (
    ir.Opt((ir.Lit("a", span=SPAN), text_fit("x")), span=SPAN),
    ir.Lit("b", span=SPAN),
    text_fit("y"),
)


@given(cases())
@example((LOOK_BEYOND, "aabab"))
@example((LOOK_BEYOND, "ab"))
@example(((text_fit("x"), ir.Opt((ir.Lit("(", span=SPAN), text_fit("y"), ir.Lit(":", span=SPAN)), span=SPAN)), "a(b:"))
def test_the_lowered_pattern_takes_what_the_definition_takes(case):
    """Same lines, same captures as the definition, for any program; without captures, and on clean lines, the same."""
    program, line = case
    names = frozenset(cap.name for cap, _ in ir.caps(program))
    ops = emit_pattern(program, names)
    expected = match_line(program, line)
    assert lower_reader(ops).read(line) == expected
    ops = emit_pattern(program, frozenset())
    assert (re.match(lower_line(ops), line) is not None) == (expected is not None)
    if is_clean(line):
        assert (re.match(lower_line(ops, classes=CLEAN_LINE), line) is not None) == (expected is not None)


CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")


@given(st.text() | st.text("a\t\n\x7f\x1f\x80\x9f\xa0\u0100\ud800", max_size=4))
@example("\xc2\xa0\u2028")
def test_a_clean_text_has_no_control_character_but_tab_and_lf(text):
    """The quick search finds what a search character by character finds."""
    assert is_clean(text) == (CONTROL.search(text) is None)


@given(cases())
def test_a_matching_line_begins_with_a_first_character(case):
    """What is not among the first characters of a pattern never begins one of its lines."""
    program, line = case
    if match_line(program, line) is None:
        return
    first = first_characters(emit_pattern(program, frozenset()))
    if line:
        assert any(low <= ord(line[0]) <= high for low, high in first.ranges)
    else:
        assert first.nullable


INT = ["run", [[48, 57]], 1, 18]


@pytest.mark.parametrize(
    ("ops", "line", "expected"),
    [
        (
            [
                *(["fit", "text", ["file", "text", None]], ["lit", "("], [*INT, ["row", "int", None]], ["lit", "): "]),
                ["fit", "text", ["said", "text", None]],
            ],
            "app/(auth)/page.tsx(3): no (4): yes",
            {"file": "app/(auth)/page.tsx", "row": 3, "said": "no (4): yes"},
        ),
        (
            [["lit", "@@ -"], [*INT, None], ["opt", [["lit", ","], [*INT, ["gone", "int", 1]]]], ["raw", None]],
            "@@ -7 +7 @@\r",
            {"gone": 1},
        ),
        ([["fit", "text", ["x", "text", None]], ["lit", " ok"]], "it is ok ok", {"x": "it is ok"}),
        ([["rest", ["x", "text", None]]], "a\rb", None),
        ([["cstring", ["x", "text", None]], ["lit", '"']], 'a\\"b"', {"x": 'a\\"b'}),
    ],
)
def test_known_lines(ops, line, expected):
    """A hole ends at the first place where what follows fits; text that holds its own delimiter is read rightly."""
    assert lower_reader(ops).read(line) == expected


@pytest.mark.parametrize("unit", ["(", "(1", "(1,2", "a", " ", "(1,2): "])
def test_time_grows_with_the_line(unit):
    """Lines made to provoke second thoughts cost no more for each character when they get longer."""
    ops = [
        ["fit", "text", None], ["lit", "("], ["run", [[48, 57]], 1, 18, None], ["lit", ","],
        ["run", [[48, 57]], 1, 18, None], ["lit", "): "], ["fit", "text", None], ["lit", "!"],
    ]  # fmt: skip
    match = re.compile(lower_line(ops)).match

    def best(size):
        line = unit * (size // len(unit))
        times = []
        for _ in range(5):
            start = time.perf_counter()
            match(line)
            times.append(time.perf_counter() - start)
        return min(times)

    assert best(200_000) < 200 * best(10_000) + 0.01
