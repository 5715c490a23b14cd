"""How texts are aligned in the page: by properties, over many generated pairs, run by the browser itself."""

from __future__ import annotations

import difflib
import random

import pytest

PAIRS = """pairs => pairs.map(([a, b]) => ({ way: align(a, b), rows: pairLines(a, b) }))"""
WORDS = """pairs => pairs.map(([a, b]) => pairWords(a, b))"""


def pairs(number: int, chance: random.Random) -> list[tuple[list[str], list[str]]]:
    """Return lists of few different lines, the second one an edit of the first or another one."""
    made = []
    for _ in range(number):
        lines = [f"{chance.choice('abcd')} {chance.choice('xyz')}" for _ in range(chance.randint(0, 14))]
        other = list(lines)
        for _ in range(chance.randint(0, 5)):
            at = chance.randint(0, len(other))
            other[at : at + chance.randint(0, 2)] = [chance.choice("abcdef")] * chance.randint(0, 2)
        made.append((lines, other if chance.random() < 0.8 else other[::-1]))
    return made


def longest_common(a: list[str], b: list[str]) -> int:
    """Return the length of a longest common subsequence."""
    best = [0] * (len(b) + 1)
    for each in a:
        before = list(best)
        for at, other in enumerate(b):
            best[at + 1] = before[at] + 1 if each == other else max(best[at], before[at + 1])
    return best[-1]


@pytest.fixture(scope="module")
def given():
    """Make the pairs."""
    return pairs(200, random.Random(5))


def test_a_way_leads_from_the_one_to_the_other_and_is_shortest(show, review, given):
    """Both lists are walked in order and whole, what is paired is equal, and no way pairs more."""
    with show(review) as page:
        found = page.evaluate(PAIRS, given)
    for (a, b), each in zip(given, found, strict=True):
        assert [one for one, _ in each["way"] if one is not None] == [*range(len(a))]
        assert [other for _, other in each["way"] if other is not None] == [*range(len(b))]
        paired = [(one, other) for one, other in each["way"] if one is not None and other is not None]
        assert all(a[one] == b[other] for one, other in paired)
        assert len(paired) == longest_common(a, b)


def test_rows_hold_both_texts(show, review, given):
    """Read down, each side of the rows is its text; a row is the same on both sides exactly where it says so."""
    with show(review) as page:
        found = page.evaluate(PAIRS, given)
    for (a, b), each in zip(given, found, strict=True):
        assert [row["old"] for row in each["rows"] if row["old"] is not None] == a
        assert [row["new"] for row in each["rows"] if row["new"] is not None] == b
        assert all(row["old"] == row["new"] for row in each["rows"] if row["same"])
        assert all(row["old"] != row["new"] for row in each["rows"] if not row["same"])


def test_words_that_are_marked_make_the_difference(show, review):
    """The pieces of a line are the line, and without the marked ones both lines are the same."""
    chance = random.Random(6)
    words = ["count", " ", "of", "12", ",", "ärger", "  ", "日本", "(", "x_1"]
    lines = [tuple("".join(chance.choices(words, k=chance.randint(0, 12))) for _ in "ab") for _ in range(400)]
    with show(review) as page:
        found = page.evaluate(WORDS, lines)
    marked = 0
    for (old, new), pieces in zip(lines, found, strict=True):
        if pieces is None:
            continue
        marked += 1
        assert "".join(text for text, _ in pieces["old"]) == old
        assert "".join(text for text, _ in pieces["new"]) == new
        kept = ["".join(text for text, changed in pieces[side] if not changed) for side in ("old", "new")]
        assert kept[0] == kept[1]
    assert marked > 100


def test_lines_that_are_alike_stand_side_by_side(show, review):
    """A line that came between does not push the others apart."""
    a = ["codes = distinct error.code", "shown = first 20 of each error in order"]
    b = [
        "notes = last 4 of trimmed each picture",
        "codes = distinct problem.code",
        "shown = first 30 of each error in order",
    ]
    with show(review) as page:
        (found,) = page.evaluate(PAIRS, [[a, b]])
    assert [(row["old"], row["new"]) for row in found["rows"]] == [(None, b[0]), (a[0], b[1]), (a[1], b[2])]


def test_texts_without_anything_in_common_are_given_up(show, review):
    """Where more edits are needed than are looked for: all of the one, then all of the other."""
    a, b = (["same", *(f"{side} {n}" for n in range(1_000))] for side in "ab")
    with show(review) as page:
        way = page.evaluate("([a, b]) => align(a, b)", [a, b])
    assert way == [[0, 0], *([at, None] for at in range(1, 1_001)), *([None, at] for at in range(1, 1_001))]


def test_the_whole_of_real_texts_is_aligned_as_well_as_difflib_does(show, review):
    """On lines of prose-like text, at least as many are paired as by Python's own comparison."""
    chance = random.Random(9)
    words = ("the", "model", "sees", "a", "summary", "of", "what", "was", "printed")
    lines = [" ".join(chance.choices(words, k=5)) for _ in range(300)]
    other = [line for line in lines if chance.random() > 0.1]
    for _ in range(30):
        other.insert(chance.randrange(len(other)), f"new {chance.random()}")
    with show(review) as page:
        (found,) = page.evaluate(PAIRS, [[lines, other]])
    paired = sum(one is not None and other is not None for one, other in found["way"])
    assert paired >= sum(
        block.size for block in difflib.SequenceMatcher(None, lines, other, autojunk=False).get_matching_blocks()
    )
