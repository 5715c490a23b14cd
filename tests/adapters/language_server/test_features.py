"""What the server answers about a document, sound or broken."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cablese.adapters.language_server.actions import FIX_ALL, compatible_edits, list_actions
from cablese.adapters.language_server.completion import complete
from cablese.adapters.language_server.examples import list_lenses, run_example
from cablese.adapters.language_server.formatting import format_document
from cablese.adapters.language_server.hover import hover
from cablese.adapters.language_server.navigation import find_definition, find_highlights, find_references
from cablese.adapters.language_server.outline import mark_at, outline_file
from cablese.adapters.language_server.symbols import list_folds, list_symbols
from cablese.compiler.incremental import Incremental
from cablese.dsl import ast
from cablese.dsl.codes import CODES
from cablese.dsl.diagnostics import Report
from cablese.dsl.edits import apply_edits
from cablese.dsl.format import format_source
from cablese.dsl.parser import parse_file
from cablese.dsl.source import Source
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from .editor import Editor, everywhere, place, pointed

RULES = Path(__file__).resolve().parent.parent.parent.parent / "rules"
FILES = sorted(RULES.rglob("*.cable"))
SHARED = """word code = [A-Z]+ [0-9]{3}

phrase spot = "{file:word}:{row:int}"

options quiet {
  option  -q, --quiet
}

lines findings {
  finding = "{=spot}: {code:code} {message}"
  remark  = "note: {message}{? ({extra:int})}"
}
"""
LINT = """use "shared.cable"

rule bash.lint "findings 🙂 of a linter" {
  tool     bash
  command  lint {
    with     quiet
    option   -n <int>
    operand  any
  }

  stdout   (finding | remark)+ total
  stderr   empty
  lines    with findings {
    total = "found {n:int} problem{?s}"
  }

  facts {
    codes = distinct finding.code
    shown = first 5 of each finding, remark in order
    told  = count remark where message = "see"
  }

  ensure {
    count finding = total.n
  }

  summary \"\"\"
  codes: {{ codes | join(", ") }}
  {% if told %}
  told: {{ told }}
  {% endif %}
  {% for f in shown %}
  - {{ f.line | clip }}{% if f.message %}: {{ f.message }}{% endif %}
  {% endfor %}
  {{ shown | more }}
  \"\"\"

  selects  "lint a", "lint -q"
  leaves   "lint --x"

  example "two" {
    command "lint"
    stdout  file "examples/two.txt"
    shows   \"\"\"
    codes: E100, E200
    - a:1: E100 bad: bad
    - b:2: E200 bad: bad
    \"\"\"
  }
  example "cut" { command "lint"  stdout "a:1: E100 bad\\n"  passes invalid_output }
}
"""


@pytest.fixture
def editor(tmp_path):
    """Return an editor in a folder of rules with one library and one rule file."""
    folder = tmp_path / "rules"
    (folder / "examples").mkdir(parents=True)
    (folder / "shared.cable").write_text(SHARED)
    (folder / "lint.cable").write_text(LINT)
    (folder / "examples" / "two.txt").write_text("a:1: E100 bad\nb:2: E200 bad\nfound 2 problems\n")
    return Editor(folder)


def labels(items):
    """Return what a completion offers."""
    return {item.label for item in items}


# --- hover ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "nth", "said"),
    [
        ("distinct", 0, "the different texts, in order of first appearance"),
        ("operand", 0, "words that do not begin with `-` may be there"),
        ("int>", 0, "1 to 18 digits"),
        ("int}", 0, "a number; takes all there is"),
        ("clip", 0, "at most 200 characters"),
        ("for f", 0, "for every element"),
        ("rule", 0, "how the output of one command is read"),
        ("stdout", 0, "in an order I allow"),
        ("lines    with", 0, "gives names to what a line"),
        ("invalid_output", 0, "a line of no kind"),
        ("line | clip", 0, "the text of the first line"),
        ("quiet", 0, "option  -q, --quiet"),
        ("codes |", 0, "codes = distinct finding.code"),
        ("total\n", 0, 'total = "found {n:int} problem{?s}"'),
        ("use", 0, "takes in the shared definitions"),
        ("where", 0, "only those of which"),
    ],
)
def test_hover_says_what_a_word_means(editor, words, nth, said):
    """Words of the language by the one reference, names by their definition as it is written."""
    view = editor.open("lint.cable", LINT)
    found = hover(view, place(view, words, nth))
    assert found is not None
    assert said in found.contents.value


def test_hover_tells_of_a_capture_where_it_is_and_whether_always(editor):
    """Each kind that captures it, with its type, and whether it is always there: as the compiler proves it."""
    view = editor.open("lint.cable", LINT)
    assert editor.check(view) == []
    text = hover(view, place(view, "f.message", shift=2)).contents.value
    assert "in `finding`: text, always there, defined in `rules/shared.cable`" in text
    assert "in `remark`: text, always there" in text
    text = hover(view, place(view, "n:int", shift=0)).contents.value
    assert "in `total`: a number, always there" in text
    broken = editor.open("lint.cable", LINT.replace("count finding = total.n", "count finding = total.n +"))
    text = hover(broken, place(broken, "n:int")).contents.value
    assert "in `total`" in text
    assert "always" not in text, "what was proved of another text"


def test_hover_explains_the_findings_of_this_version(editor):
    """The code of the registry; none that was found in an older text."""
    view = editor.open("lint.cable", LINT.replace("total.n", "total.m"))
    assert [each.code for each in editor.check(view)] == ["E0501"]
    said = hover(view, place(view, "total.m", shift=6)).contents.value
    assert CODES["E0501"].explanation in said
    newer = editor.open("lint.cable", view.document.text, version=2)
    newer = hover(newer, place(newer, "total.m", shift=6))
    assert newer is None or CODES["E0501"].explanation not in newer.contents.value


# --- definitions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "shift", "wanted"),
    [
        ("finding | remark", 1, [("shared.cable", "finding", 10)]),
        ("total\n", 0, [("lint.cable", "total", 14)]),
        ("findings {", 0, [("shared.cable", "findings", 9)]),
        ("quiet", 0, [("shared.cable", "quiet", 5)]),
        ("finding.code", 8, [("shared.cable", "code", 10)]),
        ("total.n", 6, [("lint.cable", "n", 14)]),
        ("f.message", 2, [("shared.cable", "message", 10), ("shared.cable", "message", 11)]),
        ("f.line", 0, [("lint.cable", "f", 32)]),
        ("shown | more", 0, [("lint.cable", "shown", 19)]),
        ("shared.cable", 3, [("shared.cable", "", 1)]),
        ("examples/two.txt", 3, [("two.txt", "", 1)]),
        ("message = ", 0, [("shared.cable", "message", 10), ("shared.cable", "message", 11)]),
    ],
)
def test_a_name_leads_to_its_definition(editor, words, shift, wanted):
    """Kinds, captures, facts, loop variables, shared definitions, files: where they are defined, here or elsewhere."""
    view = editor.open("lint.cable", LINT)
    found = find_definition(view, place(view, words, shift=shift))
    assert [pointed(view, each, editor.folder) for each in found] == wanted


def test_names_inside_a_library_lead_on(editor):
    """Phrases and words that patterns of a library name, also unsaved."""
    view = editor.open("shared.cable", "\n" + SHARED)
    assert [
        pointed(view, each, editor.folder)[1:] for each in find_definition(view, place(view, "=spot", shift=1))
    ] == [("spot", 4)]
    assert [
        pointed(view, each, editor.folder)[1:] for each in find_definition(view, place(view, ":code}", shift=1))
    ] == [("code", 2)]
    other = editor.open("lint.cable", LINT)
    assert pointed(other, find_definition(other, place(other, "finding |"))[0], editor.folder) == (
        "shared.cable",
        "finding",
        11,
    )


def test_uses_of_a_name_are_found_in_all_its_files(editor):
    """A kind of a library, with its definition and without."""
    view = editor.open("lint.cable", LINT)
    at = place(view, "finding |")
    uses = [pointed(view, each, editor.folder) for each in find_references(view, at, declaration=True)]
    assert [(file, word) for file, word, _ in uses] == [("lint.cable", "finding")] * 4 + [("shared.cable", "finding")]
    assert len(find_references(view, at, declaration=False)) == 4
    assert len(find_highlights(view, at)) == 4


# --- symbols ----------------------------------------------------------------------------------------------------------


def test_symbols_are_entries_and_what_they_define(editor):
    """Also of a file that is broken in the middle."""
    for text in (LINT, LINT.replace("facts {", "facts {{{")):
        view = editor.open("lint.cable", text)
        (rule,) = list_symbols(view)
        assert (rule.name, rule.detail) == ("bash.lint", "rule")
        inner = [(each.detail, each.name) for each in rule.children]
        assert ("kind", "total") in inner
        assert ("example", "cut") in inner
        for each in rule.children:
            assert rule.range.start.line <= each.range.start.line <= rule.range.end.line


def test_folds_leave_the_closing_line_in_sight(editor):
    """Braces and blocks over several lines."""
    view = editor.open("lint.cable", LINT)
    lines = LINT.split("\n")
    for fold in list_folds(view):
        assert lines[fold.start_line].rstrip().endswith(("{", '"""'))
        assert lines[fold.end_line + 1].strip() in {"}", '"""'}


# --- completion -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "some", "none"),
    [
        ("codes = distinct finding.code", "codes = distinct finding.^", {"code", "message", "file"}, {"n"}),
        ("codes = distinct finding.code", "codes = ^", {"count", "distinct", "finding", "first", "shown"}, {"tool"}),
        ("count finding = total.n", "^", {"when", "each", "some", "no", "count", "finding", "codes"}, {"rule"}),
        ("count finding = total.n", "when ^", {"exit", "some", "no"}, {"count", "summary"}),
        ("(finding | remark)+ total", "(fin^ | remark)+ total", {"finding", "remark", "total"}, {"codes"}),
        ("with     quiet", "with     ^", {"quiet"}, {"findings"}),
        ("lines    with findings", "lines    with ^", {"findings"}, {"quiet"}),
        ("<int>", "<^>", {"int", "word", "code"}, {"cstring"}),
        ("{n:int}", "{n:^}", {"int", "cstring", "code"}, {"toolchain"}),
        ("found {n:int}", "{=^", {"spot"}, {"int"}),
        ("{{ shown | more }}", "{{ shown | ^ }}", {"more", "clip"}, {"shown"}),
        ("{{ f.message }}", "{{ f.^ }}", {"message", "line", "code"}, {"told"}),
        ("{{ told }}", "{{ ^ }}", {"told", "codes", "finding", "exit_code"}, {"count"}),
        ("{% if told %}", "{% ^ %}", {"for", "if", "endif"}, {"told"}),
        ("passes invalid_output", "passes ^", {"invalid_output", "no_rule"}, {"shows"}),
        ("examples/two.txt", "examples/^", {"two.txt"}, {"lint.cable"}),
        ("shared.cable", "^", {"shared.cable", "examples"}, {"two.txt"}),
        ("\nrule bash.lint", "\n^\nrule bash.lint", {"rule", "word", "lines", "admit"}, {"facts", "count"}),
        ("    stdout  file", "    ^\n    stdout  file", {"stdout", "shows", "exit"}, {"count"}),
        ("where message", "where ^", {"message", "extra", "n"}, {"finding"}),
        ("count finding = total.n", "count finding = = ^", {"when", "finding"}, set()),
        ("# no", "# no", set(), set()),
    ],
)  # fmt: skip
def test_completion_offers_what_could_stand_there(editor, before, after, some, none):
    """Keywords by the grammar, names in sight, and nothing from elsewhere; also where the text is broken."""
    text = LINT.replace(before, after, 1)
    if "^" not in text:
        text = LINT.replace("  facts {", "  # about ^facts\n  facts {", 1)
        view, at = editor.at("lint.cable", text)
        assert complete(view, at) == []
        return
    view, at = editor.at("lint.cable", text)
    offered = labels(complete(view, at))
    assert some <= offered
    assert not none & offered


def test_a_completion_replaces_the_word_before_the_cursor(editor):
    """Its edit is where the cursor is, in the units of the client."""
    view, at = editor.at("lint.cable", LINT.replace("total.n", "tot^", 1))
    item = next(item for item in complete(view, at) if item.label == "total")
    assert item.text_edit.range == types.Range(types.Position(at.line, at.character - 3), at)


# --- fixes, formatting, examples --------------------------------------------------------------------------------------


def made(view, action):
    """Return the text after an action."""
    (change,) = action.edit.document_changes
    assert change.text_document.version == view.document.version
    return view.document.changed(
        9, [types.TextDocumentContentChangePartial(each.range, each.new_text) for each in reversed(change.edits)]
    ).text


def asked(view, only=None):
    """Ask for all actions of a document."""
    context = types.CodeActionContext(diagnostics=[], only=only)
    return list_actions(
        view, types.CodeActionParams(types.TextDocumentIdentifier(view.document.uri), everywhere(), context)
    )


def test_fixes_mend_what_they_are_for(editor):
    """A fix by itself leaves the other findings, all of them together leave none."""
    view = editor.open(
        "lint.cable", LINT.replace("distinct finding", "distinct findng").replace("with     quiet", "with     quite")
    )
    assert [each.code for each in editor.check(view)] == ["E0202", "E0501"]
    actions = asked(view)
    fixes = [each for each in actions if each.kind == types.CodeActionKind.QuickFix]
    assert len(fixes) == 2
    assert [each.title for each in fixes] == ["Change to quiet", "Change to finding"]
    (everything,) = [each for each in actions if each.kind == FIX_ALL]
    assert made(view, everything) == LINT
    assert {made(view, each) for each in fixes} == {
        LINT.replace("with     quiet", "with     quite"),
        LINT.replace("distinct finding", "distinct findng"),
    }
    assert asked(editor.open("lint.cable", view.document.text, version=2)) == [], "found in another version"


@pytest.mark.parametrize("code", list(CODES.values()), ids=lambda code: code.code)
def test_all_fixes_together_never_clash(code):
    """For the bad example of every code, the edits that are kept can be made at once."""
    session = Incremental()
    for _ in session.check({"a.cable": code.bad}):
        pass
    apply_edits(code.bad, compatible_edits(code.bad, session.diagnostics))


def formatted(document):
    """Return a document with its formatting made."""
    edits = format_document(document)
    return document.changed(
        2, [types.TextDocumentContentChangePartial(each.range, each.new_text) for each in reversed(edits)]
    ).raw


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_formatting_gives_the_layout_line_by_line(chance, encoding):
    """However blanks and line ends stand, the edits make of them what `cablese fmt` does."""
    from cablese.adapters.language_server.documents import Document

    text = LINT
    for _ in range(chance.randrange(4)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        if '"""' not in text[: len("\n".join(lines[:at]))] or at < 20:
            lines[at] = chance.choice(["  ", "", "\n"]) + lines[at].replace("  ", chance.choice([" ", "   "]))
        text = "\n".join(lines)
    text = text.rstrip("\n") + chance.choice(["", "\n", "\n\n"])
    wanted = format_source(Source("a", text)).text
    document = Document("untitled:a", None, 1, text, encoding)
    assert formatted(document) == (text if wanted is None else wanted)


def test_an_example_is_run_as_tests_run_it(editor):
    """What comes of it is told in words; a rule that does not compile is not run."""
    view = editor.open("lint.cable", LINT)
    editor.check(view)
    assert [lens.command.arguments[1:] for lens in list_lenses(view)] == [["bash.lint", 0], ["bash.lint", 1]]
    assert run_example(view, "bash.lint", 0)[1].startswith("`two` holds: shown")
    assert run_example(view, "bash.lint", 1)[1] == "`cut` holds: passes as `invalid_output`"
    assert "no such example" in run_example(view, "bash.lint", 2)[1]
    view = editor.open("lint.cable", LINT.replace("codes: E100, E200", "codes: E100"))
    editor.check(view)
    kind, words = run_example(view, "bash.lint", 0)
    assert kind == types.MessageType.Error
    assert "does not hold" in words
    view = editor.open("lint.cable", LINT.replace("total.n", "total.m"))
    editor.check(view)
    assert run_example(view, "bash.lint", 0)[1].startswith("not run: ")


# --- any text ---------------------------------------------------------------------------------------------------------


def ask_everything(view, offset):
    """Ask all that can be asked about a place, and of a document."""
    at = view.document.lines.position(offset)
    hover(view, at)
    find_definition(view, at)
    find_references(view, at, declaration=True)
    complete(view, at)
    list_symbols(view)
    list_folds(view)
    list_lenses(view)
    asked(view)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_beginning_of_a_rule_file_is_too_broken(path, tmp_path):
    """Every request has an answer at the end of any beginning of a file, and at a place within it."""
    chance = random.Random(path.name)
    text = path.read_text("utf-8")
    editor = Editor(path.parent)
    cuts = sorted(chance.randrange(len(text) + 1) for _ in range(5))
    for number, cut in enumerate([0, *cuts, len(text)]):
        view = editor.open(path.name, text[:cut])
        ask_everything(view, cut)
        ask_everything(view, chance.randrange(cut + 1))
        if number % 3 == 1:
            for phase in view.project.session.check({view.file: view.document.text}):
                if phase == "typed":
                    break
            editor.checking._show(view.project)
            ask_everything(view, cut)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from('abclinesrulefacts{}()"|=.:,<>*+?#\n\r 🙂_%\\\ud800'), max_size=120), st.data())
def test_no_text_is_too_odd(tmp_path_factory, text, data):
    """Nor does any other text make a request fail."""
    editor = Editor(tmp_path_factory.getbasetemp())
    view = editor.open("odd.cable", text)
    ask_everything(view, data.draw(st.integers(0, len(view.document.text))))
    format_document(view.document)
    editor.check(view)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_outline_says_what_the_parser_says(path):
    """Of a file that parses, each name of the tree has its part in the outline."""
    source = Source(path.name, path.read_text("utf-8"))
    tree = parse_file(source, Report())
    entries = outline_file(source.text)
    wanted = {}
    for rule in tree.rules:
        wanted[rule.id.span.start] = ("rule", True)
        for definition in rule.definitions:
            wanted[definition.name.span.start] = ("kind", True)
            wanted.update((name.span.start, ("counter", False)) for name in definition.spends)
        for fact in rule.facts:
            wanted[fact.path.names[-1].span.start] = ("fact", True)
        wanted.update((name.span.start, ("lines", False)) for name in rule.uses)
        for example in rule.examples:
            if example.passes is not None:
                wanted[example.passes.span.start] = ("reason", False)
    for lines in tree.lines:
        wanted[lines.name.span.start] = ("lines", True)
        for definition in lines.definitions:
            wanted[definition.name.span.start] = ("kind", True)
    for definition in (each for block in (*tree.rules, *tree.lines) for each in block.definitions):
        wanted.update(_inside(definition.value))
    for rule in tree.rules:
        for stream in rule.streams:
            if stream.expr is not None:
                wanted.update(_inside(stream.expr))
    for start, said in wanted.items():
        found = mark_at(entries, start)
        assert found is not None, source.text[start : start + 30]
        assert (found[1].role, found[1].defines) == said, source.text[start : start + 30]


def _inside(expr):
    match expr:
        case ast.Reference(name=name):
            yield name.span.start, ("kind", False)
        case ast.Pattern(parts=parts):
            yield from _holes(parts)
        case ast.Repeat(item=item):
            yield from _inside(item)
        case ast.Sequence(items=items) | ast.Choice(options=items):
            for item in items:
                yield from _inside(item)


def _holes(parts):
    for part in parts:
        if isinstance(part, ast.Hole) and part.name is not None:
            yield part.name.span.start, ("capture", True)
        elif isinstance(part, ast.OptionalPart):
            yield from _holes(part.parts)
        elif isinstance(part, ast.PhraseUse):
            yield part.name.span.start, ("phrase", False)
