"""What an author reads: one error for each broken entry, at its place, in plain words, with an edit that helps."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cablese.dsl.codes import CODES
from cablese.dsl.codes.sketch import sketch
from cablese.dsl.codes.syntax import CODES as SYNTAX
from cablese.dsl.diagnostics import Diagnostic, Edit, Label, Report
from cablese.dsl.edits import apply_edits
from cablese.dsl.parser import grammar_text, parse_file
from cablese.dsl.render import render_human, render_json, render_plain
from cablese.dsl.source import Source, Span
from cablese.dsl.suggest import did_you_mean
from hypothesis import given
from hypothesis import strategies as st

from .sources import SMALL, WHOLE, in_rule, parse, sound

HERE = Path(__file__).parent
BROKEN = sorted((HERE / "broken").glob("*.cable"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_messages(path: Path, snapshot) -> None:
    """The messages for a broken file, as people, screen readers and programs get them."""
    report = Report()
    parse_file(Source(path.name, path.read_text(encoding="utf-8")), report)
    snapshot.snapshot_dir = HERE / "broken"
    snapshot.assert_match(render_human(report), f"{path.stem}.human.txt")
    snapshot.assert_match(render_plain(report), f"{path.stem}.plain.txt")
    snapshot.assert_match(render_json(report), f"{path.stem}.jsonl")


@pytest.mark.parametrize("behind", ["", " # the lines of a job", "\n    # above"])
def test_what_is_found_is_not_what_is_expected(behind: str) -> None:
    """`lines` is a keyword only in front of its body; where this is missing, that is what is said."""
    text = in_rule().replace("lines {", f"lines{behind}\n   ", 1)
    (found,) = parse(text)[1]
    assert found.message == "found `job`, expected `with` or `{`"
    assert text[found.primary.span.start :].startswith("job")


def test_escapes_of_other_languages_are_known() -> None:
    """Whoever writes that of a carriage return is told how to; whoever meant a backslash can take the edit."""
    (found,) = parse(in_rule().replace('rule bash.x "x"', 'rule bash.x "a\\rb"'))[1]
    assert found.notes[1] == "a carriage return is `\\u{d}`"
    assert found.edits[0].text == "\\"


@pytest.mark.parametrize("code", SYNTAX, ids=lambda code: code.code)
def test_syntax_codes(code) -> None:
    """The bad text of a code raises exactly that code, the good one none."""
    assert {d.code for d in parse(code.bad)[1]} == {code.code}
    sound(code.good)


def test_codes_are_well_formed() -> None:
    """Every code of the registry is unique, in its family's range, and says something."""
    assert len({code.code for code in CODES.values()}) == len(CODES)
    for name, code in CODES.items():
        assert re.fullmatch(r"E0[1-9]\d\d", name)
        assert code.title[0].islower() or code.title[0] == "`"
        assert not code.title.endswith(".")
        assert code.explanation.endswith((".", ")"))


def test_each_broken_entry_is_reported_once_and_hides_nothing() -> None:
    """Sound entries between broken ones arrive; each broken one gives one message at its own place."""
    good = in_rule()
    bad = [in_rule("job ="), in_rule('job = "x'), in_rule(facts="a = count"), good.replace("tool", "toll")]
    text = "".join(part + good for part in bad)
    file, found = parse(text)
    assert len(file.rules) == len(bad)
    assert len(found) == len(bad)
    starts = [m.start() for m in re.finditer("rule ", text)]
    for n, diagnostic in enumerate(found):
        assert starts[2 * n] < diagnostic.primary.span.start < starts[2 * n + 1]


def test_an_unclosed_brace_is_found_by_indentation() -> None:
    """The opener that lost its brace is pointed at, and the entries after it are read."""
    text = SMALL.replace("    other = otherwise\n  }\n", "    other = otherwise\n") + SMALL.replace(
        "bash.jobs", "bash.b"
    )
    file, found = parse(text)
    assert [rule.id.text for rule in file.rules] == ["bash.b"]
    assert [(d.code, text[d.primary.span.start - 6 : d.primary.span.end]) for d in found] == [("E0102", "lines {")]


def test_indentation_is_no_error_where_braces_balance() -> None:
    """A rule that is laid out badly is still a rule."""
    sound(re.sub(r"^ +(?!\")", "", SMALL, flags=re.MULTILINE))
    sound(SMALL.replace("  lines {", "        lines {"))


def test_a_block_that_swallows_the_next_is_pointed_at() -> None:
    """A summary without closing quotes runs into the example; its opener is named."""
    text = WHOLE.replace('    indented\n  """', "    indented")
    _, found = parse(text)
    assert [d.code for d in found] == ["E0102"]
    assert found[0].primary.span.start == text.index('"""', text.index("summary"))


@pytest.mark.parametrize("written", ["E0101", "E0103", "E0104", "E0107"])
def test_edits_repair(written: str) -> None:
    """Where a message offers an edit, the edited text no longer raises it there."""
    _, found = parse(CODES[written].bad)
    assert found[0].edits
    fixed = apply_edits(CODES[written].bad, found[0].edits)
    assert not any(d.primary.span == found[0].primary.span and d.message == found[0].message for d in parse(fixed)[1])


def test_misspelt_keywords_are_recognised() -> None:
    """Each clause of a rule with two letters swapped is offered as itself."""
    for word in ("command", "stdout", "facts", "ensure", "summary"):
        text = SMALL.replace(f"  {word} ", f"  {word[0]}{word[2]}{word[1]}{word[3:]} ", 1)
        _, found = parse(text)
        assert [edit.text for edit in found[0].edits] == [word], word


@pytest.mark.parametrize(
    ("clause", "text", "written", "meant"),
    [
        ("facts", "a = cuont job", "cuont", "count"),
        ("facts", "a = cuont job\n    b = count job", "cuont", "count"),
        ("facts", "a = disinct job.name", "disinct", "distinct"),
        ("facts", "a = each job wher n > 3\n    b = count job", "wher", "where"),
        ("facts", 'a = job.name ro "x"', "ro", "or"),
        ("facts", "a = group job bye name", "bye", "by"),
        ("ensure", "when exit 0: noo job", "noo", "no"),
        ("ensure", "some job whre n = 1", "whre", "where"),
        ("ensure", "a wihtin b", "wihtin", "within"),
    ],
)
def test_a_misspelt_keyword_that_reads_as_a_name_is_pointed_at(
    clause: str, text: str, written: str, meant: str
) -> None:
    """The finding stands at the word that is wrong, not behind the next one, and offers the keyword."""
    rule = sketch(**{clause: text})
    _, found = parse(rule)
    span = found[0].primary.span
    assert (rule[span.start : span.end], [edit.text for edit in found[0].edits]) == (written, [meant])
    assert parse(apply_edits(rule, found[0].edits))[1] == []


def test_a_name_without_its_equals_sign_is_no_misspelt_keyword() -> None:
    """At the beginning of a line a name is meant, however close it is to a keyword."""
    rule = sketch(facts="a = count job\n    by count job")
    _, found = parse(rule)
    assert [d.code for d in found] == ["E0101"]
    assert not found[0].edits


@pytest.mark.parametrize(
    ("word", "candidates", "expected"),
    [
        ("comand", ["command", "count"], "command"),
        ("sumary", ["summary"], "summary"),
        ("cuont", ["count", "sum"], "count"),
        ("or", ["of", "or"], "of"),
        ("ab", ["xy"], None),
        ("a", ["b"], None),
        ("cat", ["cow"], None),
        ("wrd", ["word"], "word"),
        ("findings", ["fending"], "fending"),
        ("finding", ["binning"], "binning"),
        ("result", ["passed"], None),
        ("", ["x"], None),
    ],
)
def test_suggestions_are_bounded(word: str, candidates: list[str], expected: str | None) -> None:
    """One edit for up to three letters, two for more, and never a wholly different word."""
    assert did_you_mean(word, candidates) == expected


@given(st.text(max_size=40), st.data())
def test_edits_do_what_slicing_does(text: str, data) -> None:
    """Edits that do not overlap give what replacing them one by one from the end gives."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), unique=True).filter(lambda cuts: len(cuts) % 2 == 0)))
    edits = [Edit(Span(a, b), data.draw(st.text(max_size=3))) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    expected = text
    for edit in reversed(edits):
        expected = expected[: edit.span.start] + edit.text + expected[edit.span.end :]
    assert apply_edits(text, data.draw(st.permutations(edits))) == expected


def test_edits_that_overlap_are_refused() -> None:
    """Two edits of the same text cannot both be made."""
    for spans in ([(0, 2), (1, 3)], [(0, 1), (0, 2)], [(4, 9)], [(2, 1)]):
        with pytest.raises(ValueError, match="edit at"):
            apply_edits("abcde", [Edit(Span(*span), str(n)) for n, span in enumerate(spans)])


def diagnostics(text: str):
    """Return a strategy for diagnostics about any places of a text."""
    source = Source("any\x1b.cable", text)
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(lambda p: Span(min(p), max(p)))
    words = st.sampled_from(["a", "some words", "quoting `\x1b[31m\u202e\t`"])
    labels = st.builds(Label, spans, words | st.just(""))
    return st.builds(
        Diagnostic,
        st.just("E0101"),
        words,
        st.just(source),
        labels,
        st.lists(labels, max_size=3).map(tuple),
        st.lists(words | st.just("of two\nlines"), max_size=2).map(tuple),
        words | st.none(),
        st.lists(st.builds(Edit, spans, st.sampled_from(["", "new", "two\nlines"])), max_size=1).map(tuple),
    )


@given(st.text(st.sampled_from("ab\t\n日é\u0301 \u202e"), max_size=300).flatmap(diagnostics))
def test_any_diagnostic_renders(diagnostic: Diagnostic) -> None:
    """Any places render, nothing that acts on a terminal gets through, colour changes nothing but colour."""
    human = render_human([diagnostic])
    assert re.sub(r"\x1b\[[0-9;]*m", "", render_human([diagnostic], color=True)) == human
    for text in (human, render_plain([diagnostic])):
        assert not set("\x1b\u202e\t") & set(text)
    assert json.loads(render_json([diagnostic]))["offset"] == diagnostic.primary.span.start


@given(st.integers(0, 2000), st.integers(1, 300))
def test_long_lines_are_shown_around_the_mark(at: int, length: int) -> None:
    """However long a line, rows stay within bounds and the mark stands under its text."""
    text = "".join(chr(97 + n % 26) for n in range(2301))
    diagnostic = Diagnostic("E0101", "words", Source("x", text), Label(Span(at, at + length), "here"))
    rows = render_human([diagnostic]).split("\n")
    line, marks = rows[3], rows[4]
    assert len(line) < 130
    first = marks.index("^")
    assert line[first] == text[at]
    assert 1 <= marks.count("^") <= length


def test_columns_of_tabs_and_wide_characters() -> None:
    """A mark stands under its text on a terminal, where a wide character takes two columns."""
    text = "\tx 日本 bad"
    diagnostic = Diagnostic("E0101", "words", Source("x", text), Label(Span(6, 9), "here"))
    rows = render_human([diagnostic]).split("\n")
    assert rows[3] == "1 |     x 日本 bad"
    assert rows[4] == "  |            ^^^ here"


def test_labels_in_other_files_have_their_own_excerpt() -> None:
    """A label in another source is shown under the path of that source."""
    other = Source("other.cable", "first\nsecond\n")
    label = Label(Span(6, 12), "there", other)
    text = render_human([Diagnostic("E0201", "words", Source("x", "abc"), Label(Span(0, 1), "here"), (label,))])
    assert " --> x:1:1\n" in text
    assert " ::: other.cable:2:1\n" in text
    assert "2 | second\n  | ------ there" in text


def test_grammar_page_has_the_keywords_of_the_grammar() -> None:
    """The written grammar names exactly the keywords that the parser knows."""
    page = (HERE.parents[1] / "docs" / "grammar.ebnf").read_text(encoding="utf-8")
    rules = re.sub(r"\(\*.*?\*\)", "", page, flags=re.DOTALL)
    written = set(re.findall(r'"([a-z]+)"', rules))
    known = set(re.findall(r'^[A-Z_]+\.1: "([a-z]+)" _', grammar_text(), re.MULTILINE))
    assert written == known
    assert len(known) > 50


def test_grammar_page_defines_what_it_uses() -> None:
    """Every lower-case symbol of the written grammar has a production, and each is used."""
    page = (HERE.parents[1] / "docs" / "grammar.ebnf").read_text(encoding="utf-8")
    rules = re.sub(r'\(\*.*?\*\)|"[^"]*"', "", page, flags=re.DOTALL)
    defined = set(re.findall(r"^([a-z]+) *=", rules, re.MULTILINE))
    used = set(re.findall(r"\b[a-z]+\b", re.sub(r"^[a-z]+ *=", "", rules, flags=re.MULTILINE)))
    assert used - defined == set()
    assert defined - used == {"file"} | {"pattern", "hole"} - used


@pytest.mark.parametrize(
    ("sound_text", "written", "help_"),
    [
        ('"[{n:int}] {name}"', "'[{n:int}] {name}'", 'strings stand in `"`'),
        ("  # how many\n", "  // how many\n", "comments begin with `#` and go to the end of the line"),
        ("tool bash, shell", "tool bash shell", "a comma is missing before `shell`"),
        ("exit 0, 1", "exit 0 or 1", "the items of a list are separated by `,`, not by `or`"),
        ("exit 0, 1", "exit 0 1", "a comma is missing before `1`"),
    ],
)
def test_marks_of_other_notations(sound_text: str, written: str, help_: str) -> None:
    """Quotes, comments and lists as elsewhere are recognised, and the edit makes them ours."""
    good = (
        'rule bash.jobs "x" {\n  tool bash, shell\n  command jobs { }\n  exit 0, 1\n  stdout job*\n  # how many\n'
        '  lines {\n    job = "[{n:int}] {name}"\n  }\n  summary """\n  x\n  """\n}\n'
    )
    sound(good)
    text = good.replace(sound_text, written)
    _, (found,) = parse(text)
    assert (found.code, found.help) == ("E0101", help_)
    assert apply_edits(text, found.edits) == good


def test_comments_begin_no_entry() -> None:
    """A comment as in C at the head of a file is told from an entry; one that has an end is not edited."""
    _, (found,) = parse("// jobs\n" + SMALL)
    assert apply_edits("// jobs\n" + SMALL, found.edits) == "# jobs\n" + SMALL
    _, (found,) = parse("/* jobs */\n" + SMALL)
    assert found.help is not None
    assert found.edits == ()
