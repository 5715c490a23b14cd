"""Which kind a text is told to be: with confidence, or not at all."""

from __future__ import annotations

import pytest
from cablese.runtime.admission.classify import MAX_CHARS, classify
from cablese.runtime.admission.kinds import ContentKind
from hypothesis import given
from hypothesis import strategies as st

from .texts import CODE, DIFF, JSON_ROWS, NOTHING, PATHS, PROSE, SEARCH

K = ContentKind
ALIGNED = "id   region   status\n" + "".join(f"{n}    apac     active\n" for n in range(1, 9))
LOG_LINE = "2026-03-01 10:00:{:02} INFO  depot.orders  order {} accepted and packed for the morning\n"
TRACEBACK = """Traceback (most recent call last):
  File "/home/dev/depot/run.py", line 12, in <module>
    main()
  File "/home/dev/depot/run.py", line 8, in main
    raise ValueError("nothing is left on the shelf")
ValueError: nothing is left on the shelf
"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[{"id":1}]', K.JSON),
        ('{"id": 1, "region": ', K.UNKNOWN),
        ('"str"', K.UNKNOWN),
        ("12", K.UNKNOWN),
        ("true", K.UNKNOWN),
        ("", K.UNKNOWN),
        (" \n\t\n", K.UNKNOWN),
        ("<<<<>>>> ||| ??? ###", K.UNKNOWN),
        (ALIGNED, K.TABULAR),
        (PROSE, K.PROSE),
    ],
)
def test_the_documented_table(text, kind):
    """The rows of the system that this follows, as far as they are meant to hold."""
    assert classify(text)[0] is kind


def test_rows_that_are_reversed_on_purpose():
    """JSON Lines are a kind, and prose of other scripts is prose; neither was in the documented table."""
    assert classify('{"id":1,"part":"a"}\n{"id":2,"part":"b"}\n{"id":3,"part":"c"}\n')[0] is K.JSONL
    russian = "Вчера на складе пересчитали все детали, и никто не смог объяснить, почему их стало меньше. "
    greek = "Χθες μέτρησαν ξανά όλα τα εξαρτήματα, και κανείς δεν ήξερε γιατί είναι λιγότερα από πριν. "
    for text in (russian, greek):
        assert classify(text * 12)[0] is K.PROSE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (JSON_ROWS, K.JSON),
        (SEARCH, K.SEARCH),
        (PATHS, K.PATHS),
        (CODE, K.CODE),
        (DIFF, K.DIFF),
        (NOTHING, K.UNKNOWN),
        ("".join(f"{n:6}\t{line}\n" for n, line in enumerate(CODE.split("\n")[:90], 1)), K.NUMBERED),
        ("".join(LOG_LINE.format(n, 400 + n) for n in range(50)), K.LOG),
    ],
)
def test_each_kind_is_told(text, kind):
    """A plain example of each kind is that kind."""
    assert classify(text)[0] is kind


@pytest.mark.parametrize(
    "text",
    ["x+" * 200_000 + "x", ".".join("ab" * 100_000), "(" * 100_000, "[" * 100_000, "not " * 100_000, "a[" * 50_000],
    ids=["sum", "attributes", "parentheses", "brackets", "not", "subscripts"],
)
def test_depth_gets_out_of_no_parser(text):
    """Expressions that overflow the stack of Python's own parser are of no kind of code, and raise nothing."""
    assert classify(text)[0] is not K.CODE


def test_tables_with_aligned_pipes_and_rules_are_tables():
    """Padding before a pipe, and the rules of psql and Markdown, make no row uneven."""
    psql = " id | name  \n----+-------\n" + "".join(f"  {n} | part{n} \n" for n in range(1, 9)) + "(8 rows)\n\n"
    markdown = "| id | name  |\n|---:|-------|\n" + "".join(f"| {n}  | part{n} |\n" for n in range(1, 9))
    assert classify(psql)[0] is K.TABULAR
    assert classify(markdown)[0] is K.TABULAR


@pytest.mark.parametrize("ratio", range(0, 30, 3))
def test_logs_and_tracebacks_do_not_flip_to_prose(ratio):
    """However many words a log line has, it is no prose, whose line ends mean nothing; neither is a traceback."""
    words = " ".join(["accepted"] * ratio)
    log = "".join(LOG_LINE.format(n, words) for n in range(30))
    assert classify(log)[0] in (K.LOG, K.UNKNOWN)
    assert classify(TRACEBACK * (1 + ratio))[0] in (K.LOG, K.UNKNOWN)


@pytest.mark.parametrize("text", [JSON_ROWS, SEARCH, PATHS, CODE, DIFF, PROSE])
@pytest.mark.parametrize("mark", ["\x00", "\x1b[0m", "\udc80", "\x7f"])
def test_what_no_terminal_text_holds_is_of_no_kind(text, mark):
    """NUL, escapes, bytes that are not UTF-8: such text passes."""
    assert classify(text[:200] + mark + text[200:])[0] is K.UNKNOWN


def test_text_beyond_the_bound_is_not_read():
    """There is a longest text that is read."""
    assert classify("a/b\n" * (MAX_CHARS // 4 + 1)) == (K.UNKNOWN, f"more than {MAX_CHARS:,} characters")


@pytest.mark.parametrize("text", [JSON_ROWS, '[{"a": 1}, {"a": '])
def test_json_that_is_cut_is_of_no_kind(text):
    """What begins as JSON does and does not parse is nothing else either."""
    assert classify(text[:-2])[0] is K.UNKNOWN


MEGABYTE = 1 << 20
PATHOLOGICAL = {
    "letters": "a" * MEGABYTE,
    "digits": "7" * MEGABYTE,
    "spaces": "x" + " " * MEGABYTE + "x",
    "line-ends": "x" + "\n" * MEGABYTE + "x",
    "tabs": "a\t" * (MEGABYTE // 2),
    "one-word-lines": "word\n" * (MEGABYTE // 5),
    "slashes": "/" * MEGABYTE,
    "deep-path": "/a" * (MEGABYTE // 2),
    "paths": "./a/b\n" * (MEGABYTE // 6),
    "colons": ":" * MEGABYTE,
    "match-lines": "a:1:x\n" * (MEGABYTE // 6),
    "dashes": "--\n" * (MEGABYTE // 3),
    "pipes": "| a | b |\n" * (MEGABYTE // 10),
    "rules": "|---|\n" * (MEGABYTE // 6),
    "quotes": '"a,""b",' * (MEGABYTE // 8),
    "open-quote": '"' + "a,b\n" * (MEGABYTE // 4),
    "braces": "{" * MEGABYTE,
    "brackets": "[" * MEGABYTE,
    "open-json": '[{"a":' * (MEGABYTE // 6),
    "json-lines": "{}\n" * (MEGABYTE // 3),
    "numbered": "".join(f"{n}\t\n" for n in range(1, MEGABYTE // 8)),
    "stamps": "2026-01-01T00:00:00Z \n" * (MEGABYTE // 22),
    "hunks": "--- a\n+++ b\n" + "@@ -1 +1 @@\n-a\n+b\n" * (MEGABYTE // 18),
    "sections": "diff --git a/x b/x\n" * (MEGABYTE // 19),
    "commits": "commit 1234567890\n" * (MEGABYTE // 18),
    "sentences": "A b. " * (MEGABYTE // 5),
    "no-stop": "word " * (MEGABYTE // 5),
    "ideographs": "字" * (MEGABYTE // 3),
    "definitions": "def f(): pass\n" * (MEGABYTE // 14),
    "nested-code": "".join(" " * n + "if x:\n" for n in range(1000)),
    "back-slashes": "\\" * MEGABYTE,
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_a_megabyte_of_anything_is_told_or_left_alone(name):
    """None of these raises, or takes longer than reading it a few times: a quadratic reader would never come back."""
    kind, detail = classify(PATHOLOGICAL[name])
    assert detail
    assert isinstance(kind, ContentKind)


@given(st.text(alphabet=st.sampled_from(list("ab:/|-+@{}[]\"', \t\n.1")), max_size=300))
def test_any_text_has_a_kind(text):
    """Nothing is raised for texts of the characters that forms are made of."""
    assert isinstance(classify(text)[0], ContentKind)
