"""JSON contents through the command line: what passes is what came in, and what is shown keeps its spelling."""

import json

import pytest
from cablese.cli.json_records import find_content, parse_record, view_json
from cablese.runtime.records import Outcome, View
from hypothesis import given
from hypothesis import strategies as st

SPELLED = [
    '{"b": 1.0, "a": 1e2, "a": -0, "n": 123456789012345678901234567890.10}',
    "[1E5,  1.50,\t0.0]",
    '{ "s" : "\\u00e9\\/é" }',
    "1.00",
    "-0",
    "9" * 5000,
    "1e999",
    '[-1e999, {"a": 1E+4000}]',
    "[" * 300 + "]" * 300,
    '{"x": {"content": "inner"}}',
    "true",
    "{}",
]


@pytest.mark.parametrize("content", SPELLED)
@pytest.mark.parametrize(
    "place", ['{{"tool": "db", "content": {} , "status": "error"}}', '{{"content":{},"tool":"db"}}']
)
def test_what_passes_is_given_back_as_it_was_written(cablese, tmp_path, content, place):
    """Spelling, white space, escapes and repeated keys of a content that passes, alone, as a record, and by lines."""
    record = place.format(content)
    done = cablese("view", "--level", "none", stdin=record.encode())
    assert (done.code, done.out.decode()) == (0, content)
    shown = cablese("view", "--level", "none", "--json", stdin=record.encode()).out.decode()
    assert shown.startswith(f'{{"content": {content}, "outcome": "passed", "reason": "level_none"')
    lines = tmp_path / "results.jsonl"
    lines.write_text(record.replace("\t", " ") + "\n")
    by_line = cablese("view", "--level", "none", "--jsonl", lines).out.decode()
    assert by_line.startswith(f'{{"content": {content.replace(chr(9), " ")}, "outcome": "passed"')


def test_of_two_contents_the_last_counts(cablese):
    """A record that has `content` twice is read as JSON is read elsewhere, and gives back what was read."""
    record = b'{"content": [1], "tool": "db", "content": [2.0, {"content": 3}]}'
    assert cablese("view", stdin=record).out == b'[2.0, {"content": 3}]'


def test_what_is_shown_keeps_its_spelling(cablese):
    """A codec sees the numbers and keys as they are written, and so does the model."""
    element = '{"k": 1.00, "k": 2e0}'
    record = f'{{"tool": "db", "content": [{", ".join([element] * 20)}]}}'
    done = cablese("view", "--json", stdin=record.encode())
    assert done.out.startswith(b'{"content": [{"_repeat":20,"_value":{"k":1.00,"k":2e0}}], "outcome": "compressed"')
    assert cablese("view", stdin=record.encode()).out == b'[{"_repeat":20,"_value":{"k":1.00,"k":2e0}}]'


def test_an_original_is_kept_as_exact_json(cablese):
    """The handle of a view leads to the JSON value that came in, with its spelling."""
    row = '{"id": 1.0, "none": null, "text": "some words here"}'
    record = f'{{"tool": "db", "content": [{", ".join([row] * 12)}]}}'
    view = json.loads(cablese("view", "--json", stdin=record.encode()).out)
    assert (view["guarantee"], view["outcome"]) == ("shape", "compressed")
    kept = cablese("show", view["handle"]).out.decode()
    assert kept == "[" + ",".join([row.replace(": ", ":").replace(", ", ",")] * 12) + "]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.dictionaries(st.text(), JSON, max_size=3), st.sampled_from([None, 1, " "]), st.booleans())
def test_the_text_of_a_content_is_found(content, others, indent, ascii_only):
    """However a record is laid out, the slice is the text of `content`."""
    record = {**others, "tool": "t", "content": content}
    text = json.dumps(record, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "backslashreplace").decode()
    assert json.loads(find_content(text)) == json.loads(text)["content"]
    others = {name: value for name, value in others.items() if name not in parse_names()}
    text = json.dumps({**others, "tool": "t", "content": content}).encode()
    result = parse_record(text)
    view = View(result.content, _passed())
    assert json.loads(view_json(view, text))["content"] == json.loads(text)["content"]


def parse_names():
    """Return the fields of records that have a type of their own."""
    return {"arguments", "metadata", "success", "status", "untrusted", "tenant", "run"}


def _passed():
    from cablese.runtime.records import Decision

    return Decision(Outcome.PASSED)
