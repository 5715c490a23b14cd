"""Patterns from their text, random patterns, and lines that come close to them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cablese.compiler.patterns.characters import samples
from cablese.compiler.patterns.lower import lower_pattern
from cablese.compiler.patterns.program import (
    BLANK,
    DIGIT,
    HEX,
    Cap,
    CString,
    Enum,
    Fit,
    Group,
    Lit,
    Op,
    Opt,
    Program,
    Quoted,
    Raw,
    Rest,
    Run,
)
from cablese.dsl import ast
from cablese.dsl.diagnostics import Report
from cablese.dsl.pattern import parse_parts
from cablese.dsl.source import Source, Span
from hypothesis import strategies as st

NOWHERE = Span(0, 0)


def text_of(value: str) -> ast.Text:
    """Return a text whose source is its value."""
    return ast.Text(value, offsets=tuple(range(len(value) + 1)), span=Span(0, len(value)))


def word_of(name: str, *runs: tuple[str, int, int | None]) -> ast.Word:
    """Return a word of the file; each run is its characters, its lowest and its highest number."""
    built = tuple(
        ast.Run(tuple((ord(c), ord(c)) for c in sorted(chars)), low, high, span=NOWHERE) for chars, low, high in runs
    )
    return ast.Word(ast.Name(name, span=NOWHERE), built, span=NOWHERE)


def phrase_of(name: str, value: str) -> ast.Phrase:
    """Return a phrase of the file."""
    parts = parse_parts(text_of(value), Source("phrases.cable", value), Report())
    assert parts is not None
    return ast.Phrase(ast.Name(name, span=NOWHERE), text_of(value), parts, span=NOWHERE)


def lower(
    value: str, *given: ast.Word | ast.Phrase, report: Report | None = None
) -> tuple[Program | None, Source, Report]:
    """Lower a pattern as written; return its program, its source and what was reported."""
    report = Report() if report is None else report
    source = Source("test.cable", value)
    parts = parse_parts(text_of(value), source, report)
    assert parts is not None, list(report)
    words = {item.name.text: item for item in given if isinstance(item, ast.Word)}
    phrases = {item.name.text: item for item in given if isinstance(item, ast.Phrase)}
    return lower_pattern(parts, words, phrases, source, report), source, report


def program_of(value: str, *given: ast.Word | ast.Phrase) -> Program:
    """Lower a pattern that must be sound."""
    program, _, report = lower(value, *given)
    assert program is not None, list(report)
    return program


# --- random ones ----------------------------------------------------------------------------------------------------

ALPHABET = 'ab0 (:\t"\\\r-'
LETTERS = ((ord("a"), ord("b")),)
SOME = ((ord("0"), ord("0")), (ord("a"), ord("a")))

_literals = st.sampled_from(["a", "b", "0", " ", ": ", "(", ")", "ab", "-", " a", '"']).map(
    lambda text: Lit(text, span=NOWHERE)
)
_widths = st.sampled_from([(0, 1), (0, None), (1, None), (1, 1), (1, 2), (2, 2), (2, None), (0, 2)])
_classes = st.sampled_from([BLANK, DIGIT, LETTERS, SOME, ((ord("a"), ord("a")),)])


@st.composite
def _runs(draw: st.DrawFn) -> Run:
    return Run(draw(_classes), *draw(_widths), span=NOWHERE)


_closed: st.SearchStrategy[Op] = st.one_of(
    _literals,
    _literals,
    _runs(),
    st.just(Run(DIGIT, 1, 18, span=NOWHERE)),
    st.just(Run(HEX, 4, 8, span=NOWHERE)),
    st.lists(_runs(), min_size=2, max_size=3).map(lambda runs: Group(tuple(runs), None, span=NOWHERE)),
    st.lists(st.sampled_from(["a", "b", "ab", "aba", "0", "0a", "a "]), min_size=1, max_size=3, unique=True).map(
        lambda choices: Enum(tuple(sorted(choices, key=len, reverse=True)), span=NOWHERE)
    ),
    st.just(CString(span=NOWHERE)),
    st.just(Quoted(span=NOWHERE)),
)
_fits: st.SearchStrategy[Op] = st.sampled_from(["text", "word", "cell"]).map(lambda kind: Fit(kind, span=NOWHERE))


def _sequences(leaves: st.SearchStrategy[Op], depth: int) -> st.SearchStrategy[list[Op]]:
    if depth:
        inner = _sequences(leaves, depth - 1).filter(bool)
        leaves = st.one_of(leaves, leaves, inner.map(lambda ops: Opt(tuple(ops), span=NOWHERE)))
    return st.lists(leaves, max_size=5 if depth else 3)


def _named(ops: list[Op], numbers: list[int]) -> Program:
    """Merge literals and give every hole a name of its own, as `lower` would."""
    done: list[Op] = []
    for op in ops:
        numbers[0] += 1
        cap = Cap(f"c{numbers[0]}", "text", span=NOWHERE)
        match op:
            case Lit(text) if done and isinstance(last := done[-1], Lit):
                done[-1] = Lit(last.text + text, span=NOWHERE)
            case Lit():
                done.append(op)
            case Opt(inner):
                done.append(Opt(_named(list(inner), numbers), span=NOWHERE))
            case Run(ranges, low, high):
                whole = ranges == DIGIT and (low, high) == (1, 18)
                kind = Cap(cap.name, "int", 7 if numbers[0] % 2 else None, span=NOWHERE) if whole else cap
                done.append(Run(ranges, low, high, kind, span=NOWHERE))
            case Group(runs):
                done.append(Group(runs, cap, span=NOWHERE))
            case Fit(kind):
                done.append(Fit(kind, cap, span=NOWHERE))
            case Enum(choices):
                done.append(Enum(choices, cap, span=NOWHERE))
            case _:
                done.append(type(op)(cap, span=NOWHERE))
    return tuple(done)


@st.composite
def programs(draw: st.DrawFn, *, fits: bool = True, rest: bool = True) -> Program:
    """Draw a program over a small alphabet, as `lower` could have made it."""
    ops = draw(_sequences(st.one_of(_closed, _fits) if fits else _closed, 2))
    if rest:
        last = draw(st.sampled_from([None, None, Rest(span=NOWHERE), Raw(span=NOWHERE)]))
        ops = [*ops, last] if last else ops
    return _named(ops, [0])


def read_freely(random: Random, program: Program) -> str:
    """Make a line that some reading of the program fits, nothing committed."""
    return "".join(_read_op(random, op) for op in program)


def _read_op(random: Random, op: Op) -> str:
    match op:
        case Lit(text):
            return text
        case Run(ranges, low, high):
            number = random.randint(low, low + 3 if high is None else min(high, low + 3))
            return "".join(random.choice(samples(ranges))[1] for _ in range(number))
        case Group(runs):
            return read_freely(random, runs)
        case Fit(kind):
            allowed = {"text": "ab0 (:-\t", "word": "ab0(:-", "cell": "ab0 (:-"}[kind]
            return "".join(random.choice(allowed) for _ in range(random.randint(1, 4)))
        case Enum(choices):
            return random.choice(choices)
        case Opt(ops):
            return read_freely(random, ops) if random.random() < 0.6 else ""
        case Rest() | Raw():
            allowed = "ab0 \t" if isinstance(op, Rest) else "ab0 \t\r"
            return "".join(random.choice(allowed) for _ in range(random.randint(0, 3)))
        case CString():
            return random.choice(["", "a", '\\"', "a\\\\", "0 a"])
        case Quoted():
            return random.choice(['""', '"a"', '"\\""'])


def lines_near(random: Random, *choices: Program, number: int = 20) -> Iterator[str]:
    """Make lines that the programs may read, now and then with a few characters changed."""
    for _ in range(number):
        line = read_freely(random, random.choice(choices))
        for _ in range(random.choice([0, 0, 0, 1, 2])):
            at = random.randint(0, len(line))
            line = line[:at] + random.choice(["", *ALPHABET]) + line[at + random.randint(0, 1) :]
        yield line
