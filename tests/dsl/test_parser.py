"""Files to trees: every construct, keywords as names, and what holds for any text at all."""

from __future__ import annotations

import dataclasses
import sys

import pytest
from cablese.dsl import ast
from cablese.dsl.diagnostics import Diagnostic
from cablese.dsl.scan import split_entries
from hypothesis import given
from hypothesis import strategies as st

from .sources import SMALL, WHOLE, in_rule, nodes, parse, sound

MARKS = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "|",
    ",",
    ":",
    "=",
    '"',
    '"""\n',
    "#",
    "\\",
    "<int>",
    "--x",
    "0",
    "é",
    "\r",
    "\0",
    "\u202e",
    "\n",
    " ",
]
FRAGMENTS = st.sampled_from([*WHOLE.split(), "rule", "lines", *MARKS])


def check_diagnostics(found: list[Diagnostic], text: str) -> None:
    """Every place that a diagnostic names lies within the text."""
    for diagnostic in found:
        spans = [diagnostic.primary.span, *(label.span for label in diagnostic.secondary)]
        spans += [edit.span for edit in diagnostic.edits]
        for span in spans:
            assert 0 <= span.start <= span.end <= len(text)
        assert diagnostic.message
        assert not diagnostic.message.endswith(".")


def test_every_construct_is_read() -> None:
    """The file that holds every construct parses, and each of its entries arrives."""
    file = sound(WHOLE)
    assert [len(part) for part in (file.uses, file.words, file.phrases, file.options, file.lines)] == [2, 2, 1, 1, 2]
    rule = file.rules[0]
    assert (rule.id.text, rule.title.value, rule.exit) == ("tool.whole", "every construct", (0, 101, None))
    assert [head.words for head in rule.commands[0].heads] == [("tool", "run"), ("python", "-m", "tool")]
    assert [stream.expr is None for stream in rule.streams] == [False, True, False]
    assert [name.text for name in rule.uses] == ["base", "more"]
    assert rule.summary.value.endswith("{% endfor %}\n  indented")
    assert rule.examples[0].shows is not None
    assert [str(setting.value) for setting in file.admits[0].settings][1] == "None"


def test_every_kind_of_node_is_covered() -> None:
    """The file with every construct really holds every construct."""
    kinds = {kind for kind in vars(ast).values() if dataclasses.is_dataclass(kind) and issubclass(kind, ast.Node)}
    assert kinds - {ast.Node} == {type(node) for node in nodes(sound(WHOLE))}


def test_spans_nest_and_lie_within_the_text() -> None:
    """A child's place lies within its parent's, and names stand where their span says."""
    for parent in nodes(sound(WHOLE)):
        assert 0 <= parent.span.start < parent.span.end <= len(WHOLE) or parent.span.start == parent.span.end
        for child in nodes(tuple(getattr(parent, field.name) for field in dataclasses.fields(parent))):
            assert parent.span.start <= child.span.start <= child.span.end <= parent.span.end
        if isinstance(parent, ast.Name) and parent.text not in {"text", "enum"}:
            assert WHOLE[parent.span.start : parent.span.end] == parent.text


def test_two_layouts_give_one_tree() -> None:
    """Indentation and line ends carry no meaning: a rule in one line is the same rule."""
    text = in_rule(
        "job = 'a' | b b = ('c' job?)+ spends n x = otherwise".replace("'", '"'), facts="a = count job b = a"
    )
    head, summary, tail = text.partition('summary """')
    assert sound(text) == sound(head.replace("\n", " ").replace(" ", "\n\n  ") + summary + tail)


def test_comments_change_no_tree() -> None:
    """A comment wherever a blank stands leaves the tree as it is, also where it is refused."""
    text = in_rule('job = "a" b = ("c" job?)+ spends n', facts="a = count job b = a", ensure="when exit 0: a = b")
    head, summary, tail = text.partition('summary """')
    file, found = parse(head.replace("\n", " ").replace(" ", "\n  # note\n") + summary + tail)
    assert file == sound(text)
    assert {diagnostic.code for diagnostic in found} == {"E0109"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("--all", ("--all", "none", None, None)),
        ("--color=never", ("--color=never", "none", None, None)),
        ("--max <int>", ("--max", "either", "int", None)),
        ("--max=<int>", ("--max", "equals", "int", None)),
        ("-run=<word>", ("-run", "equals", "word", None)),
        ("-C <path>", ("-C", "split", "path", None)),
        ("-U<int>", ("-U", "attached", "int", None)),
        ("-<int>", ("-", "attached", "int", None)),
        ("+<toolchain>", ("+", "attached", "toolchain", None)),
        ("--color auto", ("--color", "word", None, "auto")),
        ("--pretty false", ("--pretty", "word", None, "false")),
    ],
)
def test_options(written: str, expected: tuple[str, str, str | None, str | None]) -> None:
    """Each way to write an option, which also prints back as it was written."""
    (option,) = sound(f"options o {{ option {written} }}").options[0].lines[0].options
    assert (option.flag, option.value, option.type and option.type.text, option.word) == expected
    assert str(option) == written


@pytest.mark.parametrize("word", ["count", "first", "exit", "line", "where", "in", "by", "or", "some", "each", "rule"])
def test_keywords_name_facts(word: str) -> None:
    """A keyword before `=` is the name of a fact, also right behind a value that it could go on."""
    rule = sound(in_rule(facts=f"a = each job {word} = count job", ensure=f"{word} = 3 {word} <= a")).rules[0]
    assert [str(fact.path) for fact in rule.facts] == ["a", word]
    assert [str(claim.body.left[0]) for claim in rule.claims] == [word, word]


@pytest.mark.parametrize(
    "word", ["count", "first", "exit", "empty", "lines", "tool", "with", "rule", "word", "summary"]
)
def test_keywords_name_lines(word: str) -> None:
    """A keyword can name a definition and be used in expressions."""
    rule = sound(in_rule(f'job = "x" {word} job {word} = "y" | {word}', stdout="job")).rules[0]
    assert [definition.name.text for definition in rule.definitions] == ["job", word]


def test_a_definition_ends_where_the_next_begins() -> None:
    """`NAME =` begins a definition even with comments in between."""
    file, found = parse(in_rule('a = b c # x\n b # y\n = "x" d = c'))
    assert [definition.name.text for definition in file.rules[0].definitions] == ["a", "b", "d"]
    assert [diagnostic.code for diagnostic in found] == ["E0109"]


def test_inner_cap_takes_in_order() -> None:
    """Of two nested caps the inner one is in order."""
    value = sound(in_rule(facts="a = first 1 of last 2 of each job in order")).rules[0].facts[0].value
    assert not value.in_order
    assert value.value.in_order


@given(st.lists(FRAGMENTS).map(" ".join) | st.text())
def test_any_text_gives_a_file_or_diagnostics(text: str) -> None:
    """No text crashes the parser, and places lie within it."""
    file, found = parse(text)
    check_diagnostics(found, text)
    for node in nodes(file):
        assert 0 <= node.span.start <= node.span.end <= len(text)


@given(st.integers(0, len(WHOLE)), st.integers(0, 40), FRAGMENTS)
def test_damage_gives_a_file_or_diagnostics(at: int, length: int, inserted: str) -> None:
    """A stretch of a valid file replaced by something else crashes nothing."""
    text = WHOLE[:at] + inserted + WHOLE[at + length :]
    check_diagnostics(parse(text)[1], text)


def test_every_lost_character_is_noticed_or_harmless() -> None:
    """With any one character missing, the rule is read as a whole or a diagnostic says where it broke."""
    for at in range(len(SMALL)):
        text = SMALL[:at] + SMALL[at + 1 :]
        file, found = parse(text)
        check_diagnostics(found, text)
        assert found or (len(file.rules) == 1 and len(file.words) == 1), SMALL[at - 10 : at + 10]


@pytest.mark.parametrize("extra", ['"', "{", "}", "(", "x", "=", "#"])
def test_every_extra_character_is_noticed_or_harmless(extra: str) -> None:
    """The same with one character too many."""
    for at in range(0, len(SMALL), 2):
        text = SMALL[:at] + extra + SMALL[at:]
        file, found = parse(text)
        check_diagnostics(found, text)
        assert found or len(file.rules) == 1 or extra == "#"


@given(st.lists(FRAGMENTS).map(" ".join))
def test_entries_cover_the_text(text: str) -> None:
    """Pieces come in order, do not overlap, and leave out nothing but blanks and comments."""
    at = 0
    for piece in split_entries(text):
        assert at <= piece.start < piece.end
        assert all(not line.strip() or line.strip().startswith("#") for line in text[at : piece.start].split("\n"))
        at = piece.end
    assert all(not line.strip() or line.strip().startswith("#") for line in text[at:].split("\n"))


@pytest.mark.parametrize("part", ["(", "{", "first 1 of ", "sorted ", "trimmed ", "a | ", 'x = "{?'])
def test_deep_or_long_input_is_no_crash(part: str) -> None:
    """Ten thousand levels of anything give a diagnostic, whatever the recursion limit."""
    for text in (part * 10_000, in_rule(facts="a = " + part * 10_000 + "job")):
        assert parse(text)[1]
    parse(in_rule("a = " + part * 10_000))  # words here are names of lines, in a row
    assert sys.getrecursionlimit() < 10_000


def test_a_long_expression_is_no_crash() -> None:
    """Length is not depth: a choice of thousands is fine."""
    rule = sound(in_rule("job = " + " | ".join(['"x"'] * 3000))).rules[0]
    assert len(rule.definitions[0].value.options) == 3000


def test_many_entries_cost_linear_time() -> None:
    """Each entry is parsed without counting through the whole file again."""
    assert len(sound('use "x"\n' * 5000).uses) == 5000
