"""`json_compact`: markers that decode, nulls that are dropped only where the original is kept."""

from __future__ import annotations

import copy
import inspect
import json
import sys

import pytest
from cablese.runtime.codecs.codec import DecodeError, NotApplicableError, Request
from cablese.runtime.codecs.columnar import Columnar
from cablese.runtime.codecs.json_compact import JsonCompact
from cablese.runtime.tokens import strictly_fewer
from hypothesis import given
from hypothesis import strategies as st

from .json_values import exact, json_texts, json_values, read

MARKER = {"_repeat": 2, "_value": 1}
DROP = Request("minimal", {"nulls": "drop"}, recoverable=True)
KEEP = Request("minimal")


def compact(payload, request=KEEP):
    """Return what is shown of a payload, the payload itself where nothing applies."""
    try:
        return JsonCompact().compress(payload, request).payload
    except NotApplicableError:
        return payload


# --- the tables -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_value", "shown"),
    [
        (
            {"a": 1, "b": None, "c": [{"x": 1}, {"x": 1}], "d": {"e": None}},
            {"a": 1, "c": [{"_repeat": 2, "_value": {"x": 1}}], "d": {}},
        ),
        ([{"a": 1}] * 3 + [{"b": 2}], [{"_repeat": 3, "_value": {"a": 1}}, {"b": 2}]),
        ([None, None, {"a": None}], [{"_repeat": 2, "_value": None}, {}]),
        ([[1, 1], [1, 1]], [{"_repeat": 2, "_value": [{"_repeat": 2, "_value": 1}]}]),
        # The table leaves elements that look like markers alone; they are escaped, so that decoding is unambiguous.
        ([MARKER, MARKER], [{"_repeat": 2, "_value": MARKER}]),
        ([MARKER, 1], [{"_repeat": 1, "_value": MARKER}, 1]),
    ],
)
def test_table_of_the_document(given_value, shown):
    """The documented pairs, with nulls dropped as in the core entry."""
    assert exact(compact(given_value, DROP)) == exact(shown)
    assert read(compact(json.dumps(given_value), DROP)) == read(json.dumps(shown))


@pytest.mark.parametrize(
    "payload", ["text", "", 5, 1.5, True, None, "7", '"json"', (1, 1), [(1, 1)], {1: None}, {"a": b""}]
)
def test_what_is_no_json_structure_is_not_taken(payload):
    """Text that is no JSON, atoms, and values that JSON does not have: the original stays."""
    with pytest.raises(NotApplicableError):
        JsonCompact().compress(payload, DROP)


def test_dedup_can_be_switched_off():
    """Then only nulls go."""
    request = DROP._replace(params={"dedup": "off", "nulls": "drop"})
    assert compact([{"a": None}, {"a": None}], request) == [{}, {}]


def test_auto_writes_a_marker_where_it_is_shorter():
    """Runs of short elements stay as they are."""
    request = Request("minimal", {"dedup": "auto"})
    long = {"message": "connection refused"}
    assert compact([0, 0, long, long], request) == [0, 0, {"_repeat": 2, "_value": long}]
    assert compact([0] * 40, request) == [{"_repeat": 40, "_value": 0}]


# --- guarantees -----------------------------------------------------------------------------------------------------


def test_dropping_nulls_is_a_loss_that_is_recorded():
    """A null and an absent key are two things: guarantee `shape`, never `value`."""
    made = JsonCompact().compress({"a": 1, "b": None}, DROP)
    assert (made.payload, made.guarantee) == ({"a": 1}, "shape")
    assert JsonCompact().compress([[1, 1], {"a": 2}], DROP).guarantee == "value"


def test_nulls_stay_where_the_original_is_not_kept():
    """The setting becomes `keep`, and the record says so."""
    made = JsonCompact().compress('[{"a": null}, {"a": null}]', DROP._replace(recoverable=False))
    assert made.payload == '[{"_repeat":2,"_value":{"a":null}}]'
    assert made.guarantee == "value"
    assert made.detail.startswith("nulls kept")


@pytest.mark.parametrize("level", ["minimal", "normal"])
def test_nulls_stay_unless_asked(level):
    """Without the setting nothing is dropped at any level below `aggressive`."""
    assert compact({"a": None, "b": [1, 1]}, Request(level, {}, recoverable=True)) == {
        "a": None,
        "b": [{"_repeat": 2, "_value": 1}],
    }


def test_types_and_spellings_do_not_repeat_each_other():
    """1, true, 1.0, "1" and 1.00 are five values."""
    assert compact([1, True, 1.0, "1"]) == [1, True, 1.0, "1"]
    assert compact('[1,true,1.0,1.00,"1",1e0]') == '[1,true,1.0,1.00,"1",1e0]'
    assert compact('[{"a":1,"b":2},{"b":2,"a":1}]') == '[{"a":1,"b":2},{"b":2,"a":1}]'
    assert compact([0.0, -0.0]) == [0.0, -0.0]


def test_nothing_to_do_is_not_applicable():
    """A codec that changes nothing says so; it never counts as one that compressed."""
    for payload in ('{"a":1}', [1, 2], {}, "[]", {"a": [{}]}):
        with pytest.raises(NotApplicableError, match="nothing repeats"):
            JsonCompact().compress(payload, DROP)


def test_what_grows_is_refused_by_the_gate():
    """Two ones are shorter than their marker; the codec does as documented, the gate keeps the original."""
    assert not strictly_fewer(compact("[1,1]"), "[1,1]")


def test_white_space_between_tokens_goes():
    """Text comes back as text, without white space outside strings."""
    made = JsonCompact().compress(b'{ "a" : [ 1.0, "x  y" ] }', KEEP)
    assert made == ('{"a":[1.0,"x  y"]}', "value", None)


def test_nulls_of_duplicate_keys_go_too():
    """What is left is written in its order."""
    assert compact('{"a":1,"a":null,"b":null,"c":2,"c":3}', DROP) == '{"a":1,"c":2,"c":3}'


# --- properties -----------------------------------------------------------------------------------------------------


@given(json_texts(), st.sampled_from(["on", "auto", "off"]))
def test_text_decodes_to_the_same_value(text, dedup):
    """Spelling, order, duplicates, surrogates and literal markers included."""
    try:
        made = JsonCompact().compress(text, Request("minimal", {"dedup": dedup}))
    except NotApplicableError:
        return
    assert made.guarantee == "value"
    assert read(JsonCompact().decode(made.payload)) == read(text)


@given(json_values(), st.sampled_from(["on", "auto", "off"]))
def test_values_decode_to_the_same_value_and_stay_as_they_are(value, dedup):
    """Nothing is changed in place, and nothing that is shown is part of the payload."""
    before = copy.deepcopy(value)
    try:
        made = JsonCompact().compress(value, Request("minimal", {"dedup": dedup}))
    except NotApplicableError:
        return
    assert exact(JsonCompact().decode(made.payload)) == exact(value)
    assert exact(value) == exact(before)
    assert not (containers(value) & containers(made.payload))


@given(json_texts())
def test_dropping_nulls_loses_nothing_else(text):
    """What decodes has the non-null values of the original in their order."""
    try:
        made = JsonCompact().compress(text, DROP)
    except NotApplicableError:
        return
    assert read(JsonCompact().decode(made.payload)) == without_nulls(read(text))


def containers(value):
    """Return the identities of all lists and dictionaries in a value."""
    if type(value) not in (dict, list):
        return set()
    inner = value.values() if type(value) is dict else value
    return {id(value)}.union(*map(containers, inner))


def without_nulls(value):
    """Leave null values of objects out."""
    if type(value) is tuple and value[0] == "object":
        return ("object", tuple((key, without_nulls(each)) for key, each in value[1] if each is not None))
    return [without_nulls(each) for each in value] if type(value) is list else value


# --- decoding -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shown",
    [
        '[{"_repeat":0,"_value":1}]', '[{"_repeat":-1,"_value":1}]', '[{"_repeat":1.0,"_value":1}]',
        '[{"_repeat":true,"_value":1}]', '[{"_value":1,"_repeat":2}]', '[{"_repeat":"2","_value":1}]',
        '[{"_repeat":1e2,"_value":1}]', "[1", "x", '[{"_repeat":999999999999,"_value":1}]',
        "[" + '{"_repeat":100000,"_value":[' * 12 + "1" + "]}" * 12 + "]",
    ],
)  # fmt: skip
def test_what_no_encoder_wrote_is_refused(shown):
    """A marker that is none, and one that claims more than memory holds."""
    with pytest.raises(DecodeError):
        JsonCompact().decode(shown)


def test_markers_outside_lists_are_data():
    """Only elements of lists are markers."""
    payload = {"a": MARKER, "b": [1, 1]}
    made = JsonCompact().compress(payload, KEEP)
    assert made.payload["a"] == MARKER
    assert JsonCompact().decode(made.payload) == payload


def test_deep_nesting_is_not_applicable():
    """Ten thousand levels are refused as text and as a value, at every level."""
    value = []
    for _ in range(10_000):
        value = [value]
    for payload in (value, "[" * 10_000 + "]" * 10_000, "[" * 300 + "]" * 300):
        for level in ("minimal", "normal", "aggressive"):
            with pytest.raises(NotApplicableError, match="nested deeper"):
                JsonCompact().compress(payload, Request(level, {}, recoverable=level != "minimal"))


def test_the_deepest_nesting_decodes():
    """A marker around every level still has its way back."""
    text = "[1,1]"
    for _ in range(12):
        text = f"[{text},{text}]"
    deep = "[" * 86 + text + "]" * 86
    made = JsonCompact().compress(deep, KEEP)
    assert JsonCompact().decode(made.payload) == deep


def test_literal_markers_as_deep_as_allowed_decode():
    """Each of them is escaped, which nests what is shown half as deep again."""
    text = '{"_repeat":1,"_value":[' * 50 + "]}" * 50
    for payload in (f"{text[22:-1]}", json.loads(text[22:-1])):
        made = JsonCompact().compress(payload, KEEP)
        assert made.payload != payload
        assert JsonCompact().decode(made.payload) == payload


@pytest.mark.parametrize("codec", [JsonCompact, Columnar])
def test_a_host_without_stack_or_memory_gets_its_original(codec, monkeypatch):
    """Neither RecursionError nor MemoryError leaves a codec, whoever raises it."""
    payload = [{"a": [[[[number]]]], "b": [1, 1]} for number in range(20)]

    def dig(levels):
        """Use up the stack, then encode."""
        if levels:
            return dig(levels - 1)
        try:
            return codec().compress(payload, KEEP)
        except NotApplicableError:
            return None

    limit = sys.getrecursionlimit()
    depth = len(inspect.stack())
    assert all(dig(limit - depth - left) in (None, codec().compress(payload, KEEP)) for left in range(14, 60))

    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(f"cablese.runtime.codecs.{codec.codec_name}.open_payload", fail)
    with pytest.raises(NotApplicableError, match="memory"):
        codec().compress(payload, KEEP)
