"""Records in and out: the published shapes, unknown fields kept, malformed ones refused by name."""

import json
from pathlib import Path

import pytest
from cablese.cli.schema import SCHEMA_FOLDER, ResultRecord, ViewRecord, render_schemas
from cablese.runtime import Decision, Outcome, Reason, RecordError, ToolResult, View
from cablese.runtime.records import parse_result, parse_view, result_record, text_size, view_record
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

FULL = {
    "tool": "bash", "arguments": {"command": "git log --oneline -20"}, "success": True, "status": "success",
    "content": "stdout:\n…\nstderr:\n",
    "metadata": {"stdout": "…", "stderr": "", "exit_code": 0, "stdout_truncated": False, "stderr_truncated": False,
                 "timed_out": False, "return_direct": False},
    "untrusted": True, "tenant": "t", "run": "r", "call_id": "c", "x": [1, None],
}  # fmt: skip


def test_a_full_record_comes_back_as_it_was():
    """Reading and writing keeps every field, known or not."""
    result = parse_result(FULL)
    assert result_record(result) == FULL
    assert result.extra == {"call_id": "c", "x": [1, None]}


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ({"command": "a"}, "a"),
        ({"cmd": "b"}, "b"),
        ({"command": "a", "cmd": "b"}, "a"),
        ({}, None),
        ({"command": 1}, None),
    ],
)
def test_cmd_is_an_alias_of_command(arguments, command):
    """`command` is preferred; neither being text means that there is no command."""
    assert parse_result({"tool": "bash", "content": "", "arguments": arguments}).command == command


@pytest.mark.parametrize(
    ("fields", "stated"),
    [
        ({"success": True, "status": "error"}, True),
        ({"success": False, "metadata": {"exit_code": 0}}, False),
        ({"status": "success", "metadata": {"exit_code": 1}}, True),
        ({"status": "error"}, False),
        ({"metadata": {"exit_code": 0}}, True),
        ({"metadata": {"exit_code": 101}}, False),
        ({"success": None, "status": None, "metadata": {"exit_code": None}}, None),
        ({}, None),
    ],
)
def test_missing_success_comes_from_status_then_exit_code(fields, stated):
    """The first of the three that is there says it."""
    assert parse_result({"tool": "bash", "content": "", **fields}).stated_success is stated


MALFORMED = [
    (None, "object"), ([], "object"), ("x", "object"), ({}, "`tool`"), ({"tool": "", "content": ""}, "`tool`"),
    ({"tool": 1, "content": ""}, "`tool`"), ({"tool": "bash"}, "`content`"),
    ({"tool": "b", "content": "", "arguments": "x"}, "`arguments`"),
    ({"tool": "b", "content": "", "metadata": []}, "`metadata`"),
    ({"tool": "b", "content": "", "success": 1}, "`success`"), ({"tool": "b", "content": "", "status": 0}, "`status`"),
    ({"tool": "b", "content": "", "tenant": 0}, "`tenant`"),
    ({"tool": "b", "content": "", "untrusted": "no"}, "`untrusted`"),
    ({"tool": "b", "content": "", "metadata": {"exit_code": "0"}}, "exit_code"),
    ({"tool": "b", "content": "", "metadata": {"exit_code": True}}, "exit_code"),
    ({"tool": "b", "content": "", "metadata": {"exit_code": 0.5}}, "exit_code"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "named"), MALFORMED)
def test_malformed_records_are_refused_by_name(record, named):
    """The error names the field; the published model refuses the same record."""
    with pytest.raises(RecordError, match=named):
        parse_result(record)
    with pytest.raises(ValidationError):
        ResultRecord.model_validate(record)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4), lambda s: st.lists(s, max_size=3)
)
VALUE = JSON | st.dictionaries(st.sampled_from(["command", "exit_code", "stdout", "x"]), JSON, max_size=3)


@given(st.dictionaries(st.sampled_from([*FULL, "zz"]), VALUE))
def test_the_reader_and_the_published_model_agree(record):
    """A record is accepted by both or by neither."""
    try:
        ResultRecord.model_validate(record)
    except ValidationError:
        with pytest.raises(RecordError):
            parse_result(record)
    else:
        parse_result(record)


def test_views_come_back_from_json_and_fit_the_published_model():
    """A view record is flat JSON, has the published shape, and reads back as the same view."""
    decision = Decision(
        Outcome.COMPRESSED, tool="bash", rule="bash.git_log", level="normal", guarantee="summary",
        handle="482910557213004", pack="curated 1.0.0 9c41e0", bytes=(48211, 1032),
        tokens={"o200k_base": (15012, 301), "cl100k_base": (14890, 299)}, ms=0.8,
    )  # fmt: skip
    passed = Decision(Outcome.PASSED, Reason.NO_GAIN, "x", tool="bash", bytes=(3, 3))
    for view in (View("…", decision), View({"a": 1}, passed)):
        record = json.loads(json.dumps(view_record(view)))
        ViewRecord.model_validate_json(json.dumps(record))
        assert parse_view(record) == view
        assert ("tokens" in record) == (view.decision.tokens is not None)


@pytest.mark.parametrize(
    "record",
    [
        None,
        {},
        {"content": ""},
        {"content": "", "outcome": "x"},
        {"content": "", "outcome": "passed", "reason": "x"},
        {"content": "", "outcome": "passed", "bytes": 1},
        {"content": "", "outcome": "passed", "tokens": []},
    ],
)
def test_malformed_views_are_refused(record):
    """A reason or outcome outside the closed lists is no view."""
    with pytest.raises(RecordError):
        parse_view(record)


def test_the_shipped_schemas_are_those_of_the_models():
    """Regenerate with `python -m cablese.cli.schema`."""
    for name, text in render_schemas().items():
        assert Path(SCHEMA_FOLDER, name).read_text(encoding="utf-8") == text


def test_records_are_immutable():
    """Neither results nor views can be changed in place, and the defaults are not shared mutable objects."""
    result = ToolResult("bash", "x")
    with pytest.raises(AttributeError):
        result.content = "y"
    with pytest.raises(TypeError):
        result.metadata["stdout"] = "x"


@given(st.text(st.characters(categories=None)) | JSON)
def test_sizes_are_utf8_and_never_raise(content):
    """Text with lone surrogates has a size too."""
    size = text_size(content)
    if isinstance(content, str):
        assert size == len(content.encode("utf-8", "surrogatepass"))
