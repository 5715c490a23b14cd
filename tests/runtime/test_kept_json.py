"""A JSON value is kept in lines that say the same as its compact text, and in which a row is found."""

import json

from cablese import Compressor, ToolResult
from cablese.runtime import MemoryStore
from cablese.runtime.codecs.json_text import parse_json
from cablese.runtime.payload import payload_text
from cablese.runtime.recovery.kept_json import kept_text
from hypothesis import given
from hypothesis import strategies as st

from .codecs.json_values import json_texts, json_values

ROWS = [{"id": number, "name": f"store {number}", "note": None, "at": "line\nend"} for number in range(60)]


@given(json_values(), st.integers(1, 60))
def test_without_its_line_ends_it_is_the_compact_text(value, times):
    """Of every value, at every size."""
    many = [value] * times
    for each in ([value], many, {"rows": many, "more": {"deep": many}}):
        assert kept_text(each).replace("\n", "") == payload_text(each)


@given(json_texts())
def test_numbers_and_repeated_keys_of_a_text_stay(text):
    """What was read exactly is written exactly."""
    value = parse_json(text)
    assert kept_text([value] * 50).replace("\n", "") == payload_text([value] * 50)


def test_what_has_no_json_text_is_none():
    """As the text that is weighed has it."""
    deep = []
    for _ in range(5000):
        deep = [deep]
    for value in ((1,), {1: 2}, float("nan"), [object()], deep, {"a": deep}):
        assert kept_text(value) is None
        assert payload_text(value) is None


def test_a_short_value_is_one_line():
    """There is nothing to find in it."""
    assert kept_text(ROWS[:2]) == payload_text(ROWS[:2])


def test_each_row_of_a_table_is_a_line():
    """At the top and within objects; keys of a long object begin lines, too."""
    lines = [json.dumps(row, separators=(",", ":")) for row in ROWS]
    assert kept_text(ROWS) == "[" + ",\n".join(lines) + "]"
    answer = {"status": 200, "body": {"items": ROWS}, "next": None}
    assert kept_text(answer) == '{"status":200,\n"body":{"items":[' + ",\n".join(lines) + ']},\n"next":null}'


def test_a_model_finds_a_row_of_what_was_left_out():
    """By an expression and by the numbers of lines, and no more than that."""
    compressor = Compressor.default(store=MemoryStore())
    handle = compressor.view(ToolResult("dq_execute_database_query", ROWS)).decision.handle
    tool = compressor.recovery_tool(max_bytes=300)
    row = '{"id":17,"name":"store 17","note":null,"at":"line\\nend"},\n'
    assert tool.handler(handle=handle, grep='"id":17,') == f"[1 found in lines 1-60 of 60]\n{row}"
    assert tool.handler(handle=handle, lines="18:18") == f"[lines 18-18 of 60]\n{row}"
    assert json.loads(compressor.recover(handle)) == ROWS
