"""What holds for the layout of any text: it says the same, in the same words, with the same comments, and is stable."""

from __future__ import annotations

import pytest
from cablese.dsl.diagnostics import Report
from cablese.dsl.edits import apply_edits
from cablese.dsl.format.wrap import WIDTH
from cablese.dsl.parser import parse_file
from cablese.dsl.source import Source
from hypothesis import given
from hypothesis import strategies as st

from ..sources import in_rule, parse, sound
from .texts import BLANKS, COMMENTS, EMPTY, TEXTS, WORDS, Words, commented, comments_of, formatted, layouts


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_real_rules_say_the_same(text):
    """The layout of a real file has its tree, its tokens and its comments, and is its own layout."""
    out = formatted(text)
    assert sound(out) == sound(text)
    assert [t.text for t in Words(out).tokens if t.kind != "BLOCK"] == [
        t.text for t in Words(text).tokens if t.kind != "BLOCK"
    ]
    assert comments_of(out) == comments_of(text)
    assert formatted(out) == out


@given(layouts())
def test_blanks_do_not_matter(layout):
    """However lines are joined, broken and indented, the layout is the same."""
    words, text = layout
    assert formatted(text) == formatted(words.text({}))


@given(commented())
def test_comments_stay_in_order(layout):
    """Comments at any of their places come back, all of them, in order, beside the same words."""
    words, text, comments = layout
    out = formatted(text)
    assert comments_of(text) == comments_of(out) == [comment.rstrip() for comment in comments]
    assert sound(out) == sound(words.text({}))
    assert formatted(out) == out
    assert _neighbours(out) == _neighbours(text)


def _neighbours(text: str) -> list[tuple[int, bool]]:
    """Return for each comment how many tokens stand before it, and whether one of them stands on its line."""
    tokens = Words(text).tokens
    found: list[tuple[int, bool]] = []
    for n, (end, start) in enumerate(
        zip([0, *(t.end for t in tokens)], [*(t.start for t in tokens), len(text)], strict=True)
    ):
        for number, line in enumerate(text[end:start].split("\n")):
            if "#" in line:
                found.append((n, number == 0 and n > 0))
    return found


@given(commented())
def test_a_layout_is_tidy(layout):
    """No two empty lines, none beside a brace, no blank at the end of a line, one line end at the end of the file."""
    _, text, _ = layout
    out = formatted(text)
    outside = "".join(" " * len(t.text) if n % 2 else t for n, t in enumerate(_without_blocks(out)))
    assert "\n\n\n" not in outside
    assert "{\n\n" not in outside
    assert not any(line != line.rstrip() for line in outside.split("\n"))
    assert out.endswith("\n")
    assert not out.endswith("\n\n")


def _without_blocks(text: str) -> list[str]:
    blocks = [token for token in Words(text).tokens if token.kind == "BLOCK"]
    parts, at = [], 0
    for block in blocks:
        parts.append(text[at : block.start])
        at = block.end
    return ["<>".join([*parts, text[at:]])]


@given(st.sampled_from(WORDS), st.data())
def test_a_misplaced_comment_is_moved_by_its_edit(words, data):
    """Anywhere else a comment is E0109, and with its edits made the file is sound and says the same."""
    gaps = {}
    for n in range(1, len(words.tokens)):
        if n not in words.above and n not in words.behind and not words.tight(n):
            gaps[n] = "own" if n % 2 else "end"
    chosen = data.draw(st.sets(st.sampled_from(sorted(gaps)), min_size=1, max_size=4))
    written = {n: f"\n  {data.draw(COMMENTS)}\n" if gaps[n] == "own" else f" {data.draw(COMMENTS)} \n" for n in chosen}
    text = words.text(written)
    file, found = parse(text)
    assert {diagnostic.code for diagnostic in found} == {"E0109"}
    assert sum(label.text != "the line begins here" for d in found for label in (d.primary, *d.secondary)) == len(
        chosen
    )
    assert file == sound(words.text({}))
    moved = apply_edits(text, [edit for diagnostic in found for edit in diagnostic.edits])
    assert sound(moved) == file
    assert sorted(comments_of(moved)) == sorted(gap.strip() for gap in written.values())
    assert formatted(moved)


@given(st.sampled_from(WORDS), st.data())
def test_comments_at_their_places_are_no_errors(words, data):
    """Each single place that is said to be one is one."""
    n = data.draw(st.sampled_from(sorted(words.above)))
    assert sound(words.text({n: f"\n{data.draw(COMMENTS)}\n"}))
    n = data.draw(st.sampled_from(sorted(words.behind)))
    assert sound(words.text({n: f"{data.draw(COMMENTS)}\n"}))


NAMES = st.integers(1, 30).map(lambda length: "n" * length)
STRINGS = st.integers(0, 70).map(lambda length: f'"{"s " * (length // 2)}"')
REPEATS = st.sampled_from(["", "*", "+", "?"])


@st.composite
def expressions(draw: st.DrawFn, depth: int = 1) -> str:
    """Give an expression over lines, often longer than a line."""
    atom = NAMES | STRINGS | (expressions(depth - 1).map(lambda text: f"({text})") if depth else st.nothing())
    sequence = st.lists(st.tuples(atom, REPEATS).map("".join), min_size=1, max_size=4)
    return " | ".join(" ".join(items) for items in draw(st.lists(sequence, min_size=1, max_size=4)))


@given(st.lists(expressions(), min_size=1, max_size=4), st.data())
def test_expressions_of_any_length(values, data):
    """Long choices and sequences are broken so that no line is too long."""
    body = "\n".join(f"d{n} = {value}" for n, value in enumerate(values))
    text = f"lines all {{ {body} }}"
    words = Words(text)
    places = st.sampled_from(sorted(words.above - {0, len(words.tokens)}))
    gaps = {n: f"\n{data.draw(COMMENTS)}\n" for n in data.draw(st.sets(places, max_size=3))}
    gaps = dict.fromkeys(data.draw(st.sets(places, max_size=3)), "\n") | gaps
    gaps |= dict.fromkeys(words.behind & data.draw(st.sets(places, max_size=2)), " #\n")
    out = formatted(words.text(gaps))
    assert sound(out) == sound(text)
    assert all(len(line.removesuffix("  #")) <= WIDTH for line in out.split("\n"))


LISTS = st.lists(NAMES, min_size=1, max_size=14)


@given(LISTS, LISTS, st.integers(0, 10**17))
def test_facts_and_claims_of_any_length(names, others, number):
    """Values and claims are broken behind commas and before words that go on, within the width."""
    kinds, alternatives, terms = ", ".join(names), " or ".join(others), " + ".join(f"count {name}" for name in others)
    facts = f'a = first 20 of each {kinds} where f != "x" in order b.c = {alternatives} d = group {kinds} by f'
    claims = f"when some {kinds}: each k: {terms} <= {number} + sum k.n distinct a, {kinds} within each {kinds}"
    text = in_rule(facts=facts, ensure=claims)
    out = formatted(text)
    assert sound(out) == sound(text)
    assert all(len(line) <= WIDTH for line in out.split("\n"))


@given(st.lists(st.integers(1, 40).map(lambda length: f"--{'o' * length}"), min_size=1, max_size=30))
def test_option_lists_of_any_length(options):
    """Options are broken behind commas, alternatives before bars, within the width, under the first of them."""
    out = formatted(f"options o {{ option {', '.join(options)} needs {' | '.join(options)} }}")
    assert all(len(line) <= WIDTH for line in out.split("\n"))
    assert all(line.startswith(("          --", "        | ")) for line in out.split("\n")[2:-2] if "needs" not in line)


@given(
    st.lists(
        st.sampled_from(['"""', "x", "", " ", "\t", "\ty", "  z", '  """', "é"]).filter(lambda line: '"""' not in line)
    ),
    MARGIN := st.sampled_from(["", "  ", "\t", "\t "]),
    MARGIN,
)
def test_blocks_keep_their_value(lines, margin, closing):
    """Whatever the indentation of a block was, its value stays."""
    block = "".join(f"{margin}{line}\n" for line in lines)
    text = f'rule a.b "c" {{ tool t stdout x lines {{ x = "x" }} summary """  \n{block}{closing}""" }}'
    out = formatted(text)
    assert sound(out).rules[0].summary == sound(text).rules[0].summary
    assert '\n  summary """\n' in out
    assert out.endswith('\n  """\n}\n')


@given(st.text(alphabet=' \n\t#{}()|"=,abcr', max_size=60))
def test_any_text_is_formatted_or_refused(text):
    """No text makes the formatter fail: a file is laid out, or diagnostics say what is wrong with it."""
    from cablese.dsl.format import format_source

    source = Source("test.cable", text)
    result = format_source(source)
    report = Report()
    parse_file(source, report)
    assert (result.text is None) == bool(report)
    assert bool(result.diagnostics) == bool(report)
    assert list(result.diagnostics) == list(report)


@given(st.lists(BLANKS | EMPTY | COMMENTS.map(lambda text: f"{text}\n")).map("".join))
def test_a_file_of_comments(text):
    """A file may hold nothing, or nothing but comments."""
    out = formatted(text)
    assert comments_of(out) == comments_of(text)
    assert formatted(out) == out
    assert not out.startswith("\n")
    assert not out.endswith("\n\n")
