"""Texts of examples are brought up to date, and nothing else of a file is touched."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.update import update_examples, write_text
from cablese.dsl.diagnostics import Report
from cablese.dsl.parser import parse_file
from cablese.dsl.source import Source
from hypothesis import given
from hypothesis import strategies as st

from .rules import sketch

STDOUT = 'command "jobs"  stdout "[1] a\\n[2] b\\n2 jobs\\n"'
SUMMARY = "running: {{ running }}\n  {% for j in jobs %}\n  - {{ j.name }}\n  {% endfor %}"
FACTS = "running = count job\n    jobs = each job"
LINES = 'job  = "[{n:int}] {name}"\n    done = "{n:int} jobs"'
BODY = "running: 2\n- a\n- b"


def rule(examples: str) -> str:
    """Return a rule that lists its jobs, with examples."""
    return sketch(summary=SUMMARY, facts=FACTS, lines=LINES, examples=examples)


def updated(examples: str, files: dict[str, bytes] | None = None, **more) -> dict[str, tuple[str, str]]:
    """Return what would be written for one file with these examples."""
    read = None if files is None else files.__getitem__
    return update_examples({"a.cable": rule(examples)}, draft=True, read=read, **more)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('shows ""', 'shows """\n    running: 2\n    - a\n    - b\n    """'),
        (
            'shows """\n        running: 3\n        """  # seen',
            'shows """\n        running: 2\n        - a\n        - b\n        """  # seen',
        ),
        ('shows """\n    """', 'shows """\n    running: 2\n    - a\n    - b\n    """'),
    ],
)
def test_only_the_text_changes(old, new):
    """A block keeps its indentation, all around it its bytes, the layout of its neighbours included."""
    before = 'example  "one"   {   # odd\n' + f"    {STDOUT}   exit   0\n    {old}\n  }}"
    changes = updated(before)
    assert changes == {"a.cable": (rule(before), rule(before.replace(old, new)))}
    assert compile_sources({"a.cable": changes["a.cable"][1]}, name="t", version="1", draft=True).diagnostics == ()


def test_several_examples_change_at_once_and_those_that_hold_do_not():
    """Each in its place; a second run finds nothing."""
    text = f"""example "a" {{ {STDOUT} shows "x" }}
  example "b" {{ {STDOUT} shows "running: 2\\n- a\\n- b" }}
  example "c" {{ command "jobs" stdout "0 jobs\\n" shows "" }}"""
    changes = updated(text)
    new = changes["a.cable"][1]
    assert 'shows "running: 2\\n- a\\n- b"' in new
    assert 'stdout "0 jobs\\n" shows "running: 0"' in new
    assert update_examples({"a.cable": new}, draft=True) == {}


def test_an_example_that_passes_now_is_never_rewritten():
    """Neither into one that passes, nor in its text; so with a command of another rule."""
    assert updated('example "a" { command "jobs" stdout "what\\n" shows "" }') == {}
    assert updated('example "a" { command "make" stdout "0 jobs\\n" shows "" }') == {}
    assert updated('example "a" { command "jobs" stdout "0 jobs\\n" passes invalid_output }') == {}


def test_a_claim_that_does_not_hold_leaves_the_example_alone():
    """What passes as `unreconciled` has no text."""
    text = sketch(ensure="running = sum done.n", examples='example "a" { command "jobs" stdout "1 jobs\\n" shows "" }')
    assert update_examples({"a.cable": text}, draft=True) == {}


def test_rules_with_faults_are_left_alone():
    """While anything else is wrong, no text is to be trusted."""
    text = sketch(id="bash.other", command="other { }", facts="running = count jb")
    assert update_examples({"a.cable": rule(f'example "a" {{ {STDOUT} shows "" }}'), "b.cable": text}, draft=True) == {}


def test_files_are_written_too_and_made_where_they_are_missing():
    """`shows file` is the text with a line end; two examples that want different texts of one file get none."""
    text = f'example "a" {{ {STDOUT} shows file "out/a.txt" }}'
    assert updated(text, {"out/a.txt": b"old\n"}) == {"out/a.txt": ("old\n", BODY + "\n")}
    assert updated(text, {}) == {"out/a.txt": ("", BODY + "\n")}
    assert updated(text, {"out/a.txt": BODY.encode()}) == {}
    other = text + '\n  example "b" { command "jobs" stdout "0 jobs\\n" shows file "out/a.txt" }'
    assert updated(other, {"out/a.txt": b"old\n"}) == {}
    assert updated(text.replace("out/a.txt", "../a.txt"), {}) == {}


def test_one_rule_can_be_updated_alone():
    """With an id, the examples of others stay as they are."""
    text = f'example "a" {{ {STDOUT} shows "" }}'
    assert updated(text, only="bash.other") == {}
    assert set(updated(text, only="bash.jobs")) == {"a.cable"}


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40), st.booleans())
def test_what_is_written_reads_as_what_was_meant(value, block):
    """Any text comes back from its notation, in place of a string or of a block."""
    old = '"""\n    x\n    """' if block else '"x"'
    before = rule(f'example "a" {{\n    {STDOUT}\n    shows {old}\n  }}')
    source = Source("a.cable", before)
    (tree,) = parse_file(source, Report()).rules
    shows = tree.examples[0].shows
    written = write_text(value, shows, source)
    after = before[: shows.span.start] + written + before[shows.span.end :]
    report = Report()
    (tree,) = parse_file(Source("a.cable", after), report).rules
    assert not report
    assert tree.examples[0].shows.value == value
