"""Drafts: whatever was captured, a rule comes of it that compiles and is true, or an error that says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.drafting import Captured, Draft, DraftError, draft_rule
from cablese.compiler.drafting.commands import make_form
from cablese.compiler.drafting.ruled import find_ruled
from cablese.compiler.drafting.templates import make_single, make_template
from cablese.compiler.drafting.tokens import cut_line, label_of, told_from
from cablese.compiler.evidence import Gatherer
from cablese.compiler.trials import Bench, Trial
from cablese.dsl.format import format_source
from cablese.dsl.render import render_human
from cablese.dsl.source import Source
from cablese.runtime.reasons import Reason
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
MYPY = (ROOT / "docs" / "examples" / "mypy.txt").read_text("utf-8")
# Spread evenly over all tools.
SAMPLES = sorted(path for path in (ROOT / "tests" / "samples").glob("*/*.json"))[::60]


def compiled(draft: Draft):
    """Compile a draft with its files as it would lie on disk."""
    files = {path: text.encode("utf-8") for path, text in draft.files.items()}
    done = compile_sources({"draft.cable": draft.text}, name="x", version="1", draft=True, read=files.__getitem__)
    assert done.pack is not None, f"{draft.text}\n{render_human(done.diagnostics)}"
    return done, files


def prove(captured: Captured) -> Draft | None:
    """Hold a draft to everything that is promised of it; None where there is an error instead."""
    try:
        draft = draft_rule(captured)
    except DraftError:
        return None
    assert draft_rule(captured) == draft
    assert format_source(Source("draft.cable", draft.text)).text == draft.text
    done, _ = compiled(draft)
    command = " ".join(captured.command.split())
    command += " 2>&1" * (captured.joined and "2>&1" not in command)
    verdict = Bench(done.pack).decide(
        Trial(captured.tool, command, captured.stdout, captured.stderr, captured.exit_code)
    )
    assert verdict.rule in {draft.id, None}
    if draft.reason is None:
        assert verdict.body is not None
    else:
        # What is not understood passes, and is named.
        assert (verdict.body, verdict.reason, draft.reason) == (None, Reason.UNRECONCILED, Reason.UNRECONCILED)
        assert draft.todos
    return draft


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_draft_of_a_recorded_output_compiles_and_is_true(path):
    """Of a real output comes a summary or a pass, never a fault."""
    record = json.loads(path.read_text("utf-8"))
    command, streams = record["arguments"]["command"], record["metadata"]
    joined = "merged" in streams
    stdout = streams["merged"] if joined else streams["stdout"]
    prove(Captured(command, stdout, streams.get("stderr", ""), streams.get("exit_code"), joined=joined))


def test_a_draft_stands_everything_that_is_asked_of_rules():
    """Near misses of its command, the checks, mutants of its example."""
    done, files = compiled(draft_rule(Captured("mypy shop", MYPY, exit_code=1)))
    (evidence,) = (Gatherer(done, files.__getitem__, every=5).gather(rule) for rule in done.rules)
    assert evidence.holds
    assert evidence.saving == 1
    assert evidence.coverage.percent == 100


_LINES = st.one_of(
    st.sampled_from(
        [
            "", "  ", "ok 1 - reads", "not ok 2 - writes", "src/a.py:3:1: error: no", "12 passed, 1 failed in 3.2s",
            "NAME   READY   AGE", "web-1   1/1   3d", "\tindented", "==== done ====", "Found 3 errors", "{}", '"""',
            "\\", '- [x] "quoted"', "a\rb", "\x1b[31mred\x1b[0m", "total: 7", "word = [=]+", "│ é │", "100%",
        ]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=12),
)  # fmt: skip
_WORDS = st.sampled_from(
    ["npm test", "mypy shop", "a -n 3 --x=1 -j4 b", "x -- y", "é", "ls | wc", "python -m x -q", ""]
)


@settings(max_examples=25, deadline=None)
@given(
    _WORDS,
    st.lists(_LINES, max_size=14),
    st.lists(_LINES, max_size=4),
    st.sampled_from([None, 0, 1]),
    st.booleans(),
    st.integers(1, 4),
)
def test_of_any_text_comes_a_true_draft_or_an_error(command, lines, errors, code, joined, times):
    """Nothing else is raised, twice the same comes out, and the layout is the one layout."""
    stdout = "".join(f"{line}\n" for line in lines * times)
    stderr = "" if joined else "\n".join(errors)
    prove(Captured(command, stdout, stderr, code, joined))


@given(st.lists(st.text(st.sampled_from("ab1 =.:-/\t[]'\"é{}"), max_size=14), min_size=1, max_size=4))
def test_a_template_reads_the_lines_that_it_is_made_of(lines):
    """All of them; and tokens are a line cut up, with nothing lost."""
    tokens = [cut_line(line) for line in lines]
    assert ["".join(token.text for token in each) for each in tokens] == lines
    template = make_template(tokens)
    assert template is None or all(map(template.reads, lines))
    for line, each in zip(lines, tokens, strict=True):
        assert make_single(each).reads(line)
        assert "".join(make_single(each).values(line)) == line


def test_totals_are_held_against_what_they_count():
    """By the words beside the numbers: lines of a verdict, and different files."""
    text = draft_rule(Captured("mypy shop", MYPY, exit_code=1)).text
    assert 'count item where verdict = "error" = total.errors' in text
    assert "files = total.files" in text
    assert "files           = distinct item.path" in text


def test_a_lost_line_is_noticed_by_a_draft_with_a_claim():
    """What a claim is for."""
    done, _ = compiled(draft_rule(Captured("mypy shop", MYPY, exit_code=1)))
    lost = MYPY.replace(MYPY.split("\n")[2] + "\n", "")
    assert Bench(done.pack).decide(Trial("bash", "mypy shop", lost, "", 1)).reason == Reason.UNRECONCILED


def test_what_is_not_understood_is_named_and_passes():
    """One strange line among rows is a kind of its own; with it the output passes, without it it does not."""
    rows = "".join(f"copied file-{number}.txt\n" for number in range(30))
    draft = draft_rule(Captured("sync", f"begin\n{rows}disk nearly full today\n{rows}done\n"))
    assert draft.reason == Reason.UNRECONCILED
    assert any("disk" in name for name in draft.todos)
    done, _ = compiled(draft)
    assert Bench(done.pack).decide(Trial("bash", "sync", f"begin\n{rows}{rows}done\n")).body is not None


def test_columns_are_named_by_their_heading():
    """And a heading is a line of its own."""
    table = "NAME    READY   AGE\n" + "".join(f"web-{number:<6}1/1     {number}d\n" for number in range(1, 9))
    draft = draft_rule(Captured("pods list", table, exit_code=0))
    assert draft.todos == ()
    assert "{name:word}{:gap}{ready:word}{:gap}{age:word}" in draft.text
    assert 'heading = "NAME{:gap}READY{:gap}AGE"' in draft.text


def _ruled_table(rows: list[tuple[str, str, str]]) -> str:
    """Lay out columns as wide as what is in them, with one blank between and none at the end."""
    heading = ("Package", "Version", "Latest")
    widths = [max(map(len, cells)) for cells in zip(heading, *rows, strict=True)]
    table = [heading, ["-" * width for width in widths], *rows]
    return "".join(
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in table
    )


_CELL = st.text("abcz019.-", min_size=1, max_size=14).filter(lambda text: text.strip("-"))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(_CELL, _CELL, _CELL), min_size=1, max_size=5))
def test_a_table_with_a_ruler_is_read_however_wide_its_columns_are(rows):
    """The draft of one table reads another of the same columns, and counts its rows."""
    done, _ = compiled(draft_rule(Captured("pkg list", _ruled_table([("attrs", "21.2.0", "26.1.0")] * 3), exit_code=0)))
    verdict = Bench(done.pack).decide(Trial("bash", "pkg list", _ruled_table(rows), "", 0))
    assert verdict.body is not None
    assert f"\nrows: {len(rows)}\n" in verdict.body


def test_two_tables_with_the_same_columns_have_one_kind_of_row():
    """And one heading, which stands twice."""
    table = _ruled_table([("attrs", "21.2.0", "26.1.0"), ("six", "1.15.0", "1.17.0")])
    draft = draft_rule(Captured("pkg list", f"{table}\n{table}", exit_code=0))
    assert draft.todos == ()
    assert draft.kinds == 4
    assert '"{package:word}{:spaces}{version:word}{:spaces}{latest:word}"' in draft.text


def test_a_cell_that_reaches_into_the_next_column_ends_the_table():
    """Nobody could tell what is in which column."""
    table = _ruled_table([("attrs", "21.2.0", "26.1.0")] * 3)
    prove(Captured("pkg list", table + "a much longer line than the columns are wide\n", exit_code=0))
    (found,) = find_ruled((table + "attrs21.2.0 26.1.0").split("\n"), set())
    assert found.rows == (2, 3, 4)


def test_messages_behind_a_place_are_of_one_kind():
    """However often the same words come, and whatever word they end in."""
    said = ('"os" imported and not used', "declared and not used: x", "cannot use 5 as error value", "undefined: f")
    lines = "".join(
        f"# shop/{name}\n" + "".join(f"{name}/a.go:{row}:2: {text}\n" for row, text in enumerate(said, 3))
        for name in ("cli", "mail", "tax")
    )
    text = draft_rule(Captured("go build ./...", "", lines, 1)).text
    assert '"{path:word}:{row:int}:{column:int}: {text}"' in text
    assert "verdict" not in text


def test_what_labels_a_message_and_what_quotes_a_line_are_kinds():
    """A warning is told from an error, and code behind a gutter is text."""
    each = "a.c:3:9: warning: unused ‘{0}’\n    3 | int {0}; while ({0}) stop();\n      |     ^\n"
    error = "a.c:{0}:1: error: expected ‘;’\n"
    stderr = "".join(each.format(name) for name in "abcdef") + "".join(error.format(row) for row in range(3))
    draft = draft_rule(Captured("cc a.c", "", stderr, 1))
    assert draft.todos == ()
    assert '"    {number:int} |{text}"' in draft.text
    assert ": warning: " in draft.text
    assert ": error: " in draft.text or "(error|warning)" in draft.text


def test_bars_in_every_line_part_columns():
    """A table is no quoted code."""
    table = "".join(f"  {number} | {name} | {number}\n" for number, name in enumerate(["ada", "bob", "eve"]))
    text = draft_rule(Captured("rows", table, exit_code=0)).text
    assert '"  {number:int} | {name:word} | {number_2:int}"' in text


@given(st.lists(st.text(st.sampled_from("ab1 =.:-/|\t"), max_size=14), min_size=1, max_size=4))
def test_a_message_begins_inside_its_line(lines):
    """And its label is in the line."""
    for line in lines:
        tokens = cut_line(line)
        assert 0 <= told_from(tokens) <= len(tokens)
        assert label_of(tokens) in line


def test_branches_of_a_tree_are_no_names():
    """However deep a line of a drawn tree lies, it is of one kind."""
    tree = "demo@1.0.0 /home/ada/demo\n├─┬ a@1.0.0\n│ ├── b@1.2.0\n│ └─┬ c@2.0.1\n│   └── d@0.1.0\n└── e@3.0.0\n"
    draft = draft_rule(Captured("pkg tree", tree, exit_code=0))
    assert '"{:branch}{name:word}@{version:word}"' in draft.text
    assert draft.todos == ()


def test_a_list_in_a_line_is_text():
    """Its items are not parts of the pattern."""
    packages = " ".join(f"{name}-{number}.0.1" for number, name in enumerate(["a", "bc", "de", "fg", "hi", "jk", "lm"]))
    listed = f"Collecting one\nCollecting two\nCollecting three\nInstalled {packages}\n"
    text = draft_rule(Captured("pkg add one two three", listed, exit_code=0)).text
    assert '"Installed {text}"' in text or '"Installed {package:word} {text}"' in text


def test_an_empty_line_at_the_end_is_kept():
    """The captured text of the example is the captured text."""
    draft = draft_rule(Captured("ls", "Found 3 files\n\n", exit_code=0))
    assert draft.files == {"examples/ls/captured.txt": "Found 3 files\n\n"}


def test_a_line_of_blanks_is_blank():
    """With blanks in it or without."""
    draft = draft_rule(Captured("ls", "Found 1 file\n  \n\na.c: 3\nb.c: 4\nc.c: 5\n", exit_code=0))
    assert 'blank = "" | "{:spaces}"' in draft.text
    assert draft.todos == ()


def test_two_streams_have_kinds_of_their_own():
    """Names of standard error begin with `err_`."""
    draft = draft_rule(Captured("build", "one.o\ntwo.o\nthree.o\n", "warning: a\nwarning: b\nwarning: c\n", 0))
    assert "err_warning" in draft.text
    assert "stderr   err_warning+" in draft.text


@pytest.mark.parametrize(
    ("command", "head", "body"),
    [
        ("npm test", "npm test", ()),
        ("npm run lint", "npm run lint", ()),
        ("mypy shop", "mypy", ("operand any",)),
        ("git log -n 5", "git log", ("option -n <int>",)),
        ("make -j4 --dir=out all", "make", ("option -j<int>, --dir=out all",)),
        ("python -m pytest -q tests/a.py", "python -m pytest", ("option -q", "operand any")),
        ("cargo test -- --nocapture", "cargo test", ("after -- any",)),
        ("tool --limit=3 ./x", "tool", ("option --limit=<int>", "operand any")),
    ],
)
def test_a_command_is_taken_as_it_was_seen(command, head, body):
    """Words are the subcommand unless the output names files below them; of values, numbers may vary."""
    form = make_form(command.split(), "shop/a.py:1: error")
    assert (form.head, form.body) == (head, body)


@pytest.mark.parametrize(
    ("captured", "says"),
    [
        (Captured("ls", ""), "both streams are empty"),
        (Captured("ls | wc", "1\n"), "`|`"),
        (Captured("A=1 ls", "1\n"), "an assignment"),
        (Captured("", "1\n"), "the command is empty"),
        (Captured("ls", "a\x00b\n"), "NUL"),
        (Captured("ls", "\x1b[2Ja\n"), "control sequences"),
        (Captured("ls", "a\udc80\n"), "not UTF-8"),
        (Captured("ls", "a\n" * 500_000), "at most"),
        (Captured("ls", "a\rb\n"), "no pattern reads"),
        (Captured("ls", f"[{'1,' * 300}1]\n"), "too long to be lines"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_no_rule_can_be_made_of_is_said(captured, says):
    """One clear error each."""
    with pytest.raises(DraftError, match=r".") as raised:
        draft_rule(captured)
    assert says in str(raised.value)


def test_a_name_is_taken_or_refused():
    """With or without the tool in front."""
    assert draft_rule(Captured("ls", "a\n"), name="files").id == "bash.files"
    assert draft_rule(Captured("ls", "a\n"), name="shell.files").id == "shell.files"
    with pytest.raises(DraftError, match="no name"):
        draft_rule(Captured("ls", "a\n"), name="no name")
