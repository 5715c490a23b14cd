"""The exact model: what is read is written again with nothing but white space and escapes changed."""

from __future__ import annotations

import random
import sys

import pytest
from cablese.runtime.codecs.json_text import (
    MAX_DEPTH,
    JsonTextError,
    Number,
    Pairs,
    copy_plain,
    parse_json,
    same,
    write_json,
)
from hypothesis import given

from .json_values import exact, json_texts, json_values, read


@given(json_texts())
def test_writing_what_was_read_changes_no_value(text):
    """Number spelling, key order and duplicate keys survive, and what was written is read and written the same."""
    written = write_json(parse_json(text))
    assert read(written) == read(text)
    assert write_json(parse_json(written)) == written


@given(json_texts(), json_texts())
def test_same_is_equality_of_the_independent_reading(one, other):
    """No two different values are the same, and equal ones are."""
    assert same(parse_json(one), parse_json(other)) == (read(one) == read(other))


@given(json_values(), json_values())
def test_same_tells_plain_values_apart_by_type(one, other):
    """1, 1.0 and true differ, 0.0 and -0.0 too."""
    assert same(one, other) == (exact(one) == exact(other))
    assert same(one, copy_plain(one))


@pytest.mark.parametrize("spelling", ["-0", "-0.0", "1.0", "1.00", "1e2", "1E+2", "9" * 5000, "0.1" + "0" * 40])
def test_numbers_keep_their_spelling(spelling):
    """No number passes through a float or an int."""
    assert parse_json(f" {spelling} ") == Number(spelling)
    assert write_json(parse_json(f"[{spelling}]")) == f"[{spelling}]"


def test_duplicate_keys_keep_their_order():
    """An object with a key twice is not a dictionary."""
    value = parse_json('{"a":1,"b":2,"a":3}')
    assert type(value) is Pairs
    assert write_json(value) == '{"a":1,"b":2,"a":3}'


def test_lone_surrogates_are_written_as_escapes_and_pairs_as_characters():
    """Text out is Unicode whatever the escapes were."""
    assert write_json(parse_json(r'["\ud800","\ud83d\ude00","\u00e9"]')) == r'["\ud800","😀","é"]'


@pytest.mark.parametrize(
    "text",
    ["", " ", "\ufeff[]", "[NaN]",
      "[Infinity]", "[-Infinity]", "[1] 2", "[1,]", "{'a':1}", "[01]", "[1.]", "[+1]", "[.5]",
     '["\x01"]', '["\\x"]', "{1:2}", '["\ud800"]', "[1]\n[2]", "nul", "[\u00a01]", "\u0661"],
)  # fmt: skip
def test_what_is_not_json_is_refused(text):
    """No byte order mark, no NaN, no trailing text, no repair."""
    with pytest.raises(JsonTextError):
        parse_json(text)


@pytest.mark.parametrize("text", ["[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000, "[" * 10_000])
def test_depth_of_ten_thousand_is_an_error_of_ours(text):
    """The stack of the interpreter is nobody's business."""
    with pytest.raises(JsonTextError):
        parse_json(text)


def test_the_limit_of_depth_is_the_same_for_text_and_values():
    """As many levels as allowed are written and copied, one more is not."""
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert write_json(parse_json(deep)) == deep
    assert same(copy_plain(parse_json(deep)), parse_json(deep))
    for function in (write_json, copy_plain):
        with pytest.raises(JsonTextError, match="nested deeper"):
            function(parse_json(f"[{deep}]"))


@pytest.mark.parametrize("value", [(1,), {1: 2}, {1}, b"x", float("nan"), float("inf"), object(), [{"a": (1,)}]])
def test_what_is_not_plain_json_is_refused(value):
    """Nothing is converted on the quiet."""
    with pytest.raises(JsonTextError):
        copy_plain(value)
    with pytest.raises(JsonTextError):
        write_json(value)


def test_a_cycle_is_refused():
    """A value that holds itself is nested without end."""
    cycle = []
    cycle.extend([cycle, cycle])
    with pytest.raises(JsonTextError):
        copy_plain(cycle)


def test_integers_longer_than_the_interpreter_writes_are_written():
    """Above `sys.get_int_max_str_digits()`, digits are still right."""
    draw = random.Random(4)
    limit = sys.get_int_max_str_digits()
    for bits in (100, 3_000, 14_000, 14_400, 40_000, 100_000):
        value = draw.getrandbits(bits) * draw.choice((1, -1))
        written = write_json(value)
        sys.set_int_max_str_digits(0)
        try:
            assert written == str(value)
        finally:
            sys.set_int_max_str_digits(limit)
    assert write_json(10**5000) == "1" + "0" * 5000
