"""How far a pattern gets in a line: only where the engine says it does not match, and never beyond the line."""

from __future__ import annotations

import pytest
from cablese.runtime.engine.nearest import LONGEST, claiming_kinds, matches, nearest_kind, reach_of
from cablese.runtime.engine.patterns import lower_reader
from cablese.runtime.packs.catalogue import CURATED_PACK
from cablese.runtime.packs.pack import open_pack
from hypothesis import assume, given
from hypothesis import strategies as st

DIGITS, LETTERS = [[0x30, 0x39]], [[0x61, 0x63]]
TEXT = st.text("ab1: ", min_size=1, max_size=4)
CLOSED = st.one_of(
    TEXT.map(lambda text: ["lit", text]),
    st.sampled_from([["run", DIGITS, 1, 3, None], ["run", LETTERS, 0, None, None], ["run", DIGITS, 2, 2, None]]),
    st.lists(TEXT, min_size=1, max_size=3, unique=True).map(
        lambda texts: ["enum", sorted(texts, key=len, reverse=True), None]
    ),
)
HOLE = st.sampled_from([["fit", "text", None], ["fit", "word", None], ["fit", "cell", None]])
OPS = st.lists(
    st.one_of(CLOSED, HOLE, st.lists(CLOSED, min_size=1, max_size=2).map(lambda ops: ["opt", ops])),
    min_size=1,
    max_size=5,
)
LINE = st.text("ab1: \t\x01é", max_size=12)
PACK = open_pack(CURATED_PACK)


def stdout_of(rule):
    """Return the tables of stdout of a shipped rule."""
    program = PACK.rule(PACK.rules.index(rule)).streams["stdout"]
    assert program is not None
    return program


@given(OPS, LINE)
def test_a_reach_is_that_of_a_line_that_does_not_match(ops, line):
    """None where the engine matches; else a place within the line, and something that is expected there."""
    reach = reach_of(ops, line)
    assert (reach is None) == (lower_reader(ops).read(line) is not None) == matches(ops, line)
    if reach is not None:
        assert 0 <= reach.column <= len(line)
        assert 0 <= reach.pinned <= reach.column
        assert reach.expected
        assert all(reach.expected)


@st.composite
def matched(draw):
    """Draw a pattern of closed parts and a line that it matches."""
    ops = draw(st.lists(CLOSED, min_size=1, max_size=5))
    parts = {"lit": lambda op: op[1], "enum": lambda op: draw(st.sampled_from(op[1]))}
    line = "".join(parts.get(op[0], lambda op: "12"[: op[3] or 1] if op[1] == DIGITS else "ab")(op) for op in ops)
    assume(matches(ops, line))
    return ops, line


@given(matched(), st.integers(0, 12))
def test_a_line_that_was_cut_is_matched_up_to_its_end(drawn, length):
    """Of a pattern with nothing but closed parts, the beginning of a line that matches is followed to its end."""
    ops, line = drawn
    reach = reach_of(ops, line[:length])
    assert reach is None or reach.column == min(length, len(line))


@pytest.mark.parametrize(
    ("rule", "line", "kind", "column", "expected"),
    [
        ("bash.tsc", "src/a.ts(3,x): error TS1: a", "error", 11, "a digit"),
        ("bash.git_diff", "@@ -1,2 +3 @", "hunk", 12, "`@`"),
        ("bash.git_diff", "Binary files a and b", "binary", 20, "` differ`"),
        ("bash.git_log", "not a commit", "commit", 0, "a hexadecimal digit"),
        ("bash.cargo_test", "test adds ... okay", "case", 16, "the end of the line"),
    ],
)
def test_the_nearest_kind_of_a_slip(rule, line, kind, column, expected):
    """A person would point at the same place."""
    program = stdout_of(rule)
    kinds = dict.fromkeys(position["kind"] for position in program.positions)
    near = nearest_kind(program, kinds, line)
    assert near is not None
    assert (near.kind.partition("#")[0], near.reach.column) == (kind, column)
    assert expected in near.reach.expected


def test_a_kind_that_claims_a_line_is_found_wherever_it_may_stand():
    """Only plain patterns count: what takes any line says nothing."""
    assert claiming_kinds(stdout_of("bash.git_diff"), "new file mode 100644") == ("created",)
    assert claiming_kinds(stdout_of("bash.pytest"), "anything at all") == ()


def test_looking_comes_to_an_end():
    """Free text in optional parts in free text, over a long line, is not tried in every way."""
    ops = [["fit", "text", None], ["lit", ":"]]
    for _ in range(8):
        ops = [["fit", "text", None], ["opt", [["lit", "a"], *ops]], ["lit", "b"]]
    assert reach_of(ops, "a:" * LONGEST + "\x01") is not None
