"""The structural summary: within its budget, and true."""

from __future__ import annotations

import copy
import json

import pytest
from cablese.runtime import Compressor, MemoryStore, ToolResult
from cablese.runtime.codecs.codec import NotApplicableError, Request
from cablese.runtime.codecs.columnar import Columnar
from cablese.runtime.codecs.json_compact import JsonCompact
from cablese.runtime.codecs.json_text import Number, write_json
from cablese.runtime.codecs.profile import is_less
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from .json_values import FIXTURE, exact, json_texts, json_values

TEXT = FIXTURE.read_text("utf-8").strip()
ROWS = json.loads(TEXT)


def summarise(payload, tokens=None, codec=JsonCompact, **params):
    """Return what is shown at `aggressive`; `tokens` is the budget of the request."""
    made = codec().compress(payload, Request("aggressive", params, recoverable=True, budget_tokens=tokens))
    assert made.guarantee == "summary"
    return made.payload


@pytest.mark.parametrize("codec", [JsonCompact, Columnar])
def test_fields_counts_ranges_and_examples(codec):
    """What is said of the fixture is so."""
    shown = summarise(ROWS, 500, codec)
    assert shown["list"] == 500
    assert list(shown["each"]) == list(ROWS[0])
    revenues = [row["revenue"] for row in ROWS]
    assert shown["each"]["revenue"] == f"number {min(revenues)} to {max(revenues)}"
    orders = [row["orders"] for row in ROWS]
    assert shown["each"]["orders"] == f"integer {min(orders)} to {max(orders)}"
    assert shown["each"]["region"] == "text, always south"
    assert shown["each"]["active"] == "true"
    assert shown["each"]["notes"] == "null"
    opened = {row["opened"] for row in ROWS}
    assert shown["each"]["opened"].startswith(f"text, {len(opened)} distinct, 10 chars, as {ROWS[0]['opened']}")
    assert shown["each"]["format"].startswith("text, 3 distinct: ")
    assert f"mall {sum(row['format'] == 'mall' for row in ROWS)}" in shown["each"]["format"]
    assert shown["examples"] == [ROWS[0], ROWS[250], ROWS[499]]


def test_text_gives_the_same_as_text():
    """Numbers keep their spelling in ranges and examples."""
    shown = json.loads(summarise(TEXT, 500))
    assert shown == summarise(ROWS, 500)
    assert '"integer 2 to 10"' in summarise("[" + ",".join('{"a":2},{"a":10}' for _ in range(9)) + "]")
    assert '"number 1.50 to 1e2"' in summarise('[{"a":1.50},{"a":1e2}]')


@pytest.mark.parametrize("budget", [20, 25, 40, 60, 100, 150, 200, 300, 400, 1_000, 100_000])
@pytest.mark.parametrize("payload", [TEXT, ROWS, {"rows": ROWS, "total": 500}])
def test_the_budget_holds_under_both_encodings(payload, budget):
    """What is shown never takes more tokens than asked, whichever way the budget is given."""
    for shown in (
        summarise(payload, budget),
        summarise(payload, budget=budget),
        summarise(payload, None, Columnar, budget=budget),
    ):
        text = shown if type(shown) is str else write_json(shown)
        assert max(count_tokens(text).values()) <= budget


def test_the_smaller_of_both_budgets_holds():
    """The entry's setting and the request's budget are both ceilings."""
    one, other = summarise(TEXT, 60, budget=400), summarise(TEXT, 400, budget=60)
    assert one == other
    assert max(count_tokens(one).values()) <= 60


def test_a_budget_that_nothing_fits_into_is_not_applicable():
    """Better the original than a summary over budget."""
    with pytest.raises(NotApplicableError, match="not even an outline fits into 5 tokens"):
        summarise(TEXT, 5)


@pytest.mark.parametrize("codec", [JsonCompact, Columnar])
def test_without_a_way_back_there_is_no_summary(codec):
    """Where the original is not kept, `aggressive` gives what `minimal` gives."""
    payload = [{"a": number, "b": [1, 1]} for number in range(30)]
    shown = codec().compress(payload, Request("aggressive"))
    assert shown == codec().compress(payload, Request("minimal"))
    assert shown.guarantee == "value"


def test_optional_fields_mixed_types_and_nested_lists_are_told():
    """What not all values have is counted."""
    rows = [{"a": number, "tags": ["x"] * (number % 3)} for number in range(10)]
    rows[4] = {"a": "four", "tags": None}
    del rows[7]["tags"]
    each = summarise(rows, 1_000)["each"]
    assert each["a"] == "9 integer 0 to 9; 1 text, always four"
    assert each["tags"] == ["in 9 of 10", ["1 null; 8 list of 0 to 2", "text, always x"]]


def test_what_is_cut_short_says_so():
    """Long texts, long numbers, deep and wide values are never shown as if they were whole."""
    payload = [{"t": "y" * 500, "n": 10**300, "deep": {"a": {"b": {"c": [1]}}}, "list": list(range(90))}] * 3
    [example, *_] = summarise(payload, 2_000)["examples"]
    assert example["t"] == "y" * 80 + "…"
    assert example["n"].endswith("… (301 characters)")
    assert example["deep"]["a"] == "… 1 fields"
    assert example["list"][-1] == "… 82 more"
    wide = summarise([{f"k{number}": number for number in range(5_000)}], 20_000)["each"]
    assert wide["… fields"] == "over 200"


def test_what_is_too_deep_to_look_into_is_counted_all_the_same():
    """An object below the last level that is looked at has as many fields as it has, not none."""
    payload = {"a": 1, "b": 2}
    for number in range(12):
        payload = {f"n{number}": payload}
    assert "'object of 1 fields'" in str(summarise(payload, 400))
    assert "'object of 0 fields'" not in str(summarise(payload, 400))


def test_long_keys_that_begin_alike_are_not_one_field():
    """Only as many fields are described as have names of their own, and all are counted."""
    row = {f"averyveryverylongkey_number_{number}": number for number in range(40)}
    each = summarise([row] * 3, 200)["each"]
    assert each == {"averyveryverylongkey…": "integer 0", "… fields": "40"}


def test_fields_of_the_payload_keep_their_names():
    """Words of ours give way to a key of the payload that looks like them."""
    shown = summarise([{"…": 1, "… fields": 2}, "text"] * 20, 400)
    assert shown["each"] == {"……": "20 text, always text", "…": "integer 1", "… fields": "integer 2"}
    wide = {"…": "mine", **{f"k{number}": number for number in range(300)}}
    assert summarise([wide], 10_000)["examples"][0]["…"] == "mine"
    assert summarise([wide], 10_000)["examples"][0]["……"] == "101 more fields"


def test_keys_that_stand_there_twice_are_counted_by_objects():
    """A key that one object has twice and another lacks is not in both; an example has it twice, too."""
    shown = summarise('[{"a":1,"a":2},{"b":2}]', 400)
    assert '"a":"2 values in 1 of 2: integer 1 to 2"' in shown
    assert '"examples":[{"a":1,"a":2},{"b":2}]' in shown


@pytest.mark.parametrize(
    ("numbers", "span"),
    [
        ("0.1,0.10000000000000000001,0.09999999999999999999999", "0.09999999999999999999999 to 0.10000000000000000001"),
        ("1e999,1e1000,-1e999,-1e1000,5", "-1e1000 to 1e1000"),
        ("1e400," + "9" * 40, "9" * 40 + " to 1e400"),
        ("100000000000000001.5,100000000000000001,1e17", "1e17 to 100000000000000001.5"),
        ("0,-0.0,0e5", "0"),
        ("-1.50,-1.5,-1.05e0", "-1.50 to -1.05e0"),
    ],
)
def test_ranges_are_exact_whatever_a_float_can_tell(numbers, span):
    """The least and the greatest number are found by their digits."""
    assert f'"each":"number {span}"' in summarise(f"[{numbers}]", 400)


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False), min_size=1, max_size=6))
def test_the_order_of_numbers_is_that_of_decimals(values):
    """Two numbers in any spelling are ordered as exact arithmetic orders them."""
    spelled = [Number(str(value).replace("+", "")) for value in values]
    for one, text in zip(values, spelled, strict=True):
        for other, other_text in zip(values, spelled, strict=True):
            assert is_less(text, other_text) == (one < other)


def test_texts_that_could_be_words_of_ours_are_quoted():
    """Where a text ends, and what is a count behind it, can be told."""
    assert summarise(["Porto, 3", "Porto", "Porto, 3"], 400)["each"] == "text, 2 distinct: 'Porto, 3' 2, Porto 1"
    assert summarise(["Porto 3", "New York"], 400)["each"] == "text, 2 distinct: 'Porto 3' 1, New York 1"
    assert summarise(["… 3 fields", ""], 400)["each"] == "text, 2 distinct: '… 3 fields' 1, '' 1"


@given(json_texts(), st.integers(10, 300))
def test_any_text_is_summarised_within_budget_or_refused(text, budget):
    """Deterministic, within budget, valid JSON; nothing else is raised."""
    try:
        shown = summarise(text, budget)
    except NotApplicableError:
        return
    assert json.loads(shown)["summary"] == "structure only"
    assert max(count_tokens(shown).values()) <= budget
    assert shown == summarise(text, budget)


@given(json_values())
def test_values_stay_as_they_are(value):
    """Summarising changes nothing, huge integers and all."""
    before = copy.deepcopy(value)
    try:
        summarise([value, value], 300)
    except NotApplicableError:
        return
    assert exact(value) == exact(before)


def test_a_pointer_leaves_the_text_of_a_codec_as_it_is():
    """The way back is written into the text: lines and spelling of numbers stay, and a field of that name is kept."""
    compressor = Compressor.default(store=MemoryStore(bytes(32)))
    text = "[" + ",".join(f'{{"id":{number},"v":{number % 7}.50,"n":null}}' for number in range(60)) + "]"
    shown = compressor.view(ToolResult("dq_execute_database_query", text)).content
    table, comma, pointer = shown.partition(',"_tee":')
    assert table + "}" == Columnar().compress(text, Request("normal", {}, recoverable=True)).payload
    assert json.loads(pointer.removesuffix("}"))["reason"] == "lossy"
    assert comma
    taken = f'{{"_tee":1.50,"rows":{text}}}'
    shown = compressor.view(ToolResult("dq_execute_database_query", taken)).content
    assert shown.startswith('{"result":{"_tee":1.50,"rows":{"columns":')
    assert list(json.loads(shown)) == ["result", "_tee"]
