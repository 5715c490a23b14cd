"""`cablese gate`: exit codes, both formats, floors of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from cablese.cli.gate_schema import GateRecord
from cablese.cli.schema import SCHEMA_FOLDER, render_schemas

SCHEMA = json.loads((Path(SCHEMA_FOLDER) / "gate.schema.json").read_text("utf-8"))
ROWS = [{"id": number, "city": "Emden", "active": True} for number in range(60)]
CASE = {
    "id": "rows",
    "kind": "json",
    "content": json.dumps(ROWS),
    "question": "which `city` has the row with `id` = `7`?",
    "expected": "Emden",
    "needs_detail": False,
}
FLOORS = {"json": {"accuracy": 1.0, "savings": 0.2}}


@pytest.fixture
def files(tmp_path):
    """Give a function that writes cases and floors, and returns the words for them."""

    def write(cases, floors=FLOORS):
        path, beside = tmp_path / "cases.jsonl", tmp_path / "floors.json"
        path.write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
        beside.write_text(json.dumps(floors), "utf-8")
        return "gate", path, "--floors", beside

    return write


def test_kinds_that_reach_their_floors_are_exit_0(cablese, files):
    """The table says how far above."""
    done = cablese(*files([CASE]))
    text = done.out.decode()
    assert (done.code, done.err) == (0, b"")
    assert "| json | 1 | 1 | 0 | 0 | 0 | 100.0 % (floor 100.0 %) |" in text
    assert text.endswith("\nEvery kind that has floors reaches them.\n")


def test_a_failing_kind_is_exit_1(cablese, files):
    """And each case that was lost or not measured is listed."""
    done = cablese(*files([CASE, {**CASE, "id": "other", "expected": "Fulda"}]))
    assert done.code == 1
    assert "Not every kind reaches its floors." in done.out.decode()
    assert "* `other`: unmeasured: the whole content gives another answer: 'Emden'" in done.out.decode()
    assert cablese(*files([CASE], {"json": {"accuracy": 1, "savings": 0.99}})).code == 1


def test_json_has_the_published_shape(cablese, files):
    """Which is that of the models."""
    done = cablese(*files([CASE]), "--format", "json", "--level", "exact")
    record = json.loads(done.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(record)
    assert json.loads(render_schemas()["gate.schema.json"]) == SCHEMA
    assert SCHEMA["title"] == GateRecord.__name__
    assert (done.code, record["holds"], record["level"]) == (1, False, "exact")
    (kind,) = record["kinds"]
    assert (kind["verdict"], kind["savings"]) == ("fail", 0.0)
    assert kind["cases"][0]["form"] == "pass-through"


@pytest.mark.parametrize(
    ("cases", "floors", "words"),
    [
        ([], FLOORS, b"there is no case"),
        ([{**CASE, "kind": "xml"}], FLOORS, b"line 1: there is no kind `xml`"),
        ([CASE], {**FLOORS, "prose": FLOORS["json"]}, b"there is a floor for `prose`, and no case"),
        ([CASE], {"xml": FLOORS["json"]}, b"there is no kind `xml`"),
        ([CASE], {"json": {"accuracy": 1}}, b"is to have `accuracy` and `savings`, from 0 to 1"),
        ([CASE], {"json": {"accuracy": 2, "savings": 0}}, b"from 0 to 1"),
        ([CASE], {"json": {"accuracy": True, "savings": 0}}, b"from 0 to 1"),
        ([CASE], [], b"no JSON object"),
    ],
)
def test_malformed_cases_and_floors_are_exit_2(cablese, files, cases, floors, words):
    """With one line that says what, and nothing on standard output."""
    done = cablese(*files(cases, floors))
    assert (done.code, done.out) == (2, b"")
    assert words in done.err
    assert done.err.count(b"\n") == 1


def test_the_usual_floors_fail_closed(cablese, files):
    """They are for every kind that has a form, so cases of one kind alone do not pass."""
    done = cablese(*files([CASE])[:2])
    assert done.code == 2
    assert b"and no case" in done.err


def test_missing_and_unreadable_files_are_exit_2(cablese, tmp_path):
    """As are bytes that are no UTF-8; `-` is standard input."""
    assert cablese("gate", tmp_path / "none.jsonl").code == 2
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\n")
    done = cablese("gate", tmp_path / "bytes.jsonl")
    assert done.code == 2
    assert b"Traceback" not in done.err
    assert b"line 1" in cablese("gate", "-", stdin=b"{}\n").err
