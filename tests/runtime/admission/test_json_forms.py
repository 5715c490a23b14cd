"""JSON and JSON Lines: what is shown is the same value, to the spelling of its numbers, and says so shortly."""

from __future__ import annotations

import json

import pytest
from cablese.bench.corpus.stores import FIXTURE
from cablese.runtime.admission import json_kind, jsonl
from cablese.runtime.admission.kinds import DecodeError, NotThisKindError
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

NUMBERS = st.sampled_from(["0", "-0", "1", "1.0", "1.00", "1e2", "1E5", "123456789012345678901234567890", "0.1"])
TEXTS = st.text(st.sampled_from('ab é東"\\\n…'), max_size=4).map(lambda text: json.dumps(text, ensure_ascii=False))
SCALARS = NUMBERS | TEXTS | st.sampled_from(["null", "true", "false"])
KEYS = st.sampled_from(["a", "b", "é", "fields", "rows", "shared", "_repeat", "_value"])


def _object(pairs):
    return "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"


def _rows(values):
    """Give lists of objects with one set of keys, in which values repeat."""
    keys = st.lists(KEYS, min_size=1, max_size=3, unique=True)
    return keys.flatmap(
        lambda names: st.lists(
            st.tuples(*[values for _ in names]).map(lambda row: _object(zip(names, row, strict=True))), max_size=6
        ).map(lambda rows: "[" + ",\n ".join(rows) + "]")
    )


JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda each: "[" + ", ".join(each) + "]")
        | st.lists(st.tuples(KEYS, inner), max_size=4).map(_object)
        | _rows(inner)
    ),
    max_leaves=25,
).filter(lambda text: text[0] in "{[")


def _share(shown, text):
    ours, theirs = count_tokens(shown), count_tokens(text)
    return max(ours[encoding] / theirs[encoding] for encoding in ours)


@given(JSON)
def test_any_value_comes_back_with_its_types_keys_and_spelling(text):
    """A form decodes to the same value, or is the text itself, which no decoder has to read."""
    shown = json_kind.encode(json_kind.recognise(text))
    assert shown == text or json_kind.same(text, json_kind.decode(shown))


@given(JSON, st.data())
def test_what_no_encoder_wrote_is_refused(text, data):
    """A changed form is refused, or is the form of another value."""
    shown = json_kind.encode(json_kind.recognise(text))
    at = data.draw(st.integers(0, len(shown) - 1))
    changed = shown[:at] + data.draw(st.sampled_from(["", "0", ",", " ", "]"])) + shown[at + 1 :]
    try:
        decoded = json_kind.decode(changed)
    except DecodeError:
        return
    assert json_kind.encode(json_kind.recognise(decoded)) == changed


def test_five_hundred_rows_take_three_fifths_of_minified_json():
    """The layout `fields` of rows of nine to twelve fields."""
    text = FIXTURE.read_text("utf-8").strip()
    shown = json_kind.encode(json_kind.recognise(text))
    assert shown.startswith('{"fields":["store_id"')
    assert _share(shown, text) <= 0.60
    assert json_kind.decode(shown) == text


def test_tables_stand_wherever_rows_do():
    """Rows within an object become a table there, and so do rows within cells."""
    rows = [
        {"id": n, "kind": "pod", "ports": [{"port": 80 + m, "protocol": "TCP"} for m in range(5)]} for n in range(9)
    ]
    text = json.dumps({"items": rows, "next": None})
    shown = json_kind.encode(json_kind.recognise(text))
    assert shown.startswith('{"items":{"fields":["id"],"rows":[\n')
    assert shown.count('"TCP"') == 1
    assert json_kind.same(text, json_kind.decode(shown))


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1, "a":2}',
        '[1, 1.0, true, "1"]',
        "[1E5, 1e5, 100000.0]",
        '["é", "\\u00e9"]',
        '[{"a":1},{"a":true},{"a":1.0}]',
    ],
)
def test_weak_point_nothing_is_respelt_and_no_types_are_confused(text):
    """Duplicate keys, numbers and types stay; what is not ASCII is not escaped."""
    shown = json_kind.encode(json_kind.recognise(text))
    assert json_kind.same(text, json_kind.decode(shown))
    assert "\\u" not in shown


@pytest.mark.parametrize(
    "text",
    [
        '[{"fields":["a"],"rows":[[1],[2]]}, {"fields":["a"],"rows":[[1],[2]]}]',
        '{"fields":["a"],"rows":[[1],[2]],"shared":{"b":1}}',
        '{"x":{"fields":1,"rows":2}}',
    ],
)
def test_a_table_of_the_payload_is_never_read_as_one_of_ours(text):
    """Such a text has no other form than itself."""
    assert json_kind.encode(json_kind.recognise(text)) == text


@pytest.mark.parametrize(
    "text", ['"text"', "12", "true", '{"a":1}\n{"a":2}', '{"id": 1, "region": ', "[1,]", "[NaN]", ""]
)
def test_scalars_and_what_is_cut_are_no_json(text):
    """Neither are several values."""
    with pytest.raises(NotThisKindError):
        json_kind.recognise(text)


def test_more_than_a_hundred_levels_are_no_json():
    """However deep it is, nothing but the one error leaves."""
    json_kind.recognise("[" * 100 + "]" * 100)
    for depth in (101, 100_000):
        with pytest.raises(NotThisKindError):
            json_kind.recognise("[" * depth + "]" * depth)


ROWS = [
    '{"a":1,"b":"x","c":[1]}',
    '{"a":2,"b":"x","c":[1]}',
    '{"a":1,"b":"x"}',
    '{"b":"x","a":1}',
    '{"a":3,"b":"y"}',
    "{}",
]
LINES = JSON.map(lambda text: text.replace("\n", " ")) | st.sampled_from(ROWS)


@given(st.lists(st.sampled_from(ROWS), min_size=20, max_size=60))
def test_lines_of_many_sets_of_keys_come_back(values):
    """Lines whose keys differ, or stand in another order, or are none."""
    text = "\n".join(values)
    shown = jsonl.encode(jsonl.recognise(text))
    assert jsonl.decode(shown) == text


@given(st.lists(LINES, min_size=2, max_size=40), st.booleans())
def test_lines_come_back_one_value_each(values, ended):
    """Whatever the lines hold, and whether the last one ends."""
    text = "\n".join(values) + "\n" * ended
    shown = jsonl.encode(jsonl.recognise(text))
    decoded = jsonl.decode(shown)
    assert jsonl.same(text, decoded)
    assert decoded.count("\n") == text.count("\n")


def test_lines_with_the_same_keys_are_rows_and_still_lines():
    """JSON Lines are read here on purpose, where others take only JSON; a row stays a line."""
    text = "".join(f'{{"t": {n}, "level": "info", "msg": "step {n}"}}\n' for n in range(50))
    shown = jsonl.encode(jsonl.recognise(text))
    assert shown.splitlines()[:3] == [
        "[json lines: fields, then one row a line]",
        '{"fields":["t","msg"],"shared":{"level":"info"},"shared_at":[1]}',
        '[0,"step 0"]',
    ]
    assert len(shown.splitlines()) == 52
    assert _share(shown, text) < 0.7


@pytest.mark.parametrize(
    "text",
    ['{"a":1}\n{"a":2}\n{"a', '{"a":1}\n\n{"a":2}\n', '{"a":1}\n', "1\n2\n", '{"a":1}\n2\n', "[INFO] x\n[INFO] y\n"],
)
def test_a_cut_line_an_empty_line_or_a_scalar_are_no_json_lines(text):
    """Nor is a single line."""
    with pytest.raises(NotThisKindError):
        jsonl.recognise(text)


@pytest.mark.parametrize(
    "shown",
    [
        jsonl.HEAD,
        jsonl.HEAD + '{"fields":["a"]}\n[1]\n',
        jsonl.HEAD + '{"fields":["a"],"shared":{}}\n[1]\n[2]\n',
        jsonl.HEAD + '{"fields":["a"]}\n[1, 2]\n',
        '{"a": 1}\n{"a": 2}\n',
    ],
)
def test_lines_that_no_encoder_wrote_are_refused(shown):
    """Too short to pay, empty members, rows of other lengths, white space."""
    with pytest.raises(DecodeError):
        jsonl.decode(shown)


def test_lines_with_several_sets_of_keys_say_which_is_theirs():
    """As `go test -json` and loggers write them: each row begins with the number of its list of fields."""
    lines = [f'{{"time":{n},"level":"info","msg":"step {n}"}}' for n in range(40)]
    lines.insert(7, '{"time":7,"level":"error","msg":"no route","host":"a"}')
    lines.insert(8, '{"time":8,"level":"error","msg":"no","host":"b"}')
    text = "\n".join(lines)
    shown = jsonl.encode(jsonl.recognise(text))
    assert shown.splitlines()[:3] == [
        "[json lines: lists of fields, then one row a line, the number of its list first, from 0]",
        (
            '[{"fields":["time","msg"],"shared":{"level":"info"},"shared_at":[1]},'
            '{"fields":["time","msg","host"],"shared":{"level":"error"},"shared_at":[1]}]'
        ),
        '[0,0,"step 0"]',
    ]
    assert shown.splitlines()[9] == '[1,7,"no route","a"]'
    assert jsonl.decode(shown) == text
    for other in (shown.replace("[1,7,", "[2,7,"), shown.replace("[1,7,", "[1.0,7,"), shown.replace("[1,7,", "[0,7,")):
        with pytest.raises(DecodeError):
            jsonl.decode(other)
