"""`columnar`: the tables of the document, guarantees that hold, and the way back."""

from __future__ import annotations

import copy
import itertools
import json
import os

import pytest
from cablese.bench.corpus.stores import stores_json
from cablese.runtime.codecs import tables
from cablese.runtime.codecs.codec import DecodeError, NotApplicableError, Request
from cablese.runtime.codecs.columnar import Columnar
from cablese.runtime.tokens import count_tokens
from hypothesis import given

from .json_values import FIXTURE, exact, json_values, read, table_texts

TEXT = FIXTURE.read_text("utf-8").strip()
ROWS = json.loads(TEXT)
MINIMAL = Request("minimal")
ANY_ROWS = Request("minimal", {"min_rows": 1})


def normal(**params):
    """Return a request at `normal` for a result whose original is kept."""
    return Request("normal", params, recoverable=True)


def columnar(payload, request):
    """Return what is shown."""
    return Columnar().compress(payload, request).payload


def rows_of(count, **more):
    """Return so many rows of two columns that vary."""
    return [{"a": number, "b": f"b{number}", **more} for number in range(count)]


# --- the tables -----------------------------------------------------------------------------------------------------


def test_fixture_at_normal():
    """Constants are factored out, the column of nulls is dropped, and that is a loss."""
    shown, guarantee, _ = Columnar().compress(ROWS, normal())
    assert list(shown) == ["columns", "rows", "constants"]
    assert shown["columns"][:2] == ["store_id", "revenue"]
    assert shown["constants"] == {"region": "south", "active": True}
    assert "notes" not in shown["columns"]
    assert guarantee == "shape"


def test_fixture_at_minimal():
    """The column of nulls is a constant, nothing is lost, and it is smaller."""
    shown, guarantee, _ = Columnar().compress(ROWS, MINIMAL)
    assert list(shown)[:3] == ["columns", "rows", "constants"]
    assert shown["constants"] == {"region": "south", "active": True, "notes": None}
    assert guarantee == "value"
    assert len(json.dumps(shown)) < 0.7 * len(json.dumps(ROWS))


def test_fixture_as_text():
    """Text gives text: the same table, one line for each row."""
    shown = columnar(TEXT, MINIMAL)
    assert read(shown) == read(json.dumps(columnar(ROWS, MINIMAL)))
    assert shown.count("\n") == len(ROWS) + 1
    assert columnar(TEXT.encode(), MINIMAL) == shown


def test_too_few_rows():
    """19 rows of the default 20 are refused with both numbers; fewer are enough where the entry says so."""
    with pytest.raises(NotApplicableError, match="19 rows, fewer than 20"):
        columnar(rows_of(19), normal())
    assert columnar(rows_of(20), normal())["columns"] == ["a", "b"]
    assert columnar(rows_of(5), normal(min_rows=2))["columns"] == ["a", "b"]


def test_too_few_keys_in_common():
    """30 rows of one key each and one shared: 31 keys to 1 are no table, at no level, unless the entry says so."""
    rows = [{f"k_{number}": number, "shared": 1} for number in range(30)]
    for request in (MINIMAL, normal()):
        with pytest.raises(NotApplicableError):
            columnar(rows, request)
    shown = columnar(rows, normal(heterogeneity_percent=100_000))
    assert len(shown["columns"]) == 30
    assert shown["constants"] == {"shared": 1}


def test_nulls_of_rows_that_are_no_table():
    """At `normal` the nulls of each row go, which is a loss; at `minimal` nothing does."""
    rows = [{f"k_{number}": number, "shared": None} for number in range(30)]
    made = Columnar().compress(rows, normal())
    assert (made.payload, made.guarantee) == ([{f"k_{number}": number} for number in range(30)], "shape")
    assert read(columnar(json.dumps(rows), normal())) == read(json.dumps(made.payload))
    assert columnar({"n": 30, "rows": rows}, normal()) == {"n": 30, "rows": made.payload}
    with pytest.raises(NotApplicableError, match="row 1 has other keys"):
        columnar(rows, MINIMAL)


def test_nested_cells_are_values_like_others():
    """The document leaves such tables alone; here cells may be nested at every level, and nulls go only at `normal`."""
    rows = rows_of(25, at={"x": [1, None]}, note=None)
    shown, guarantee, _ = Columnar().compress(rows, MINIMAL)
    assert shown["constants"] == {"at": {"x": [1, None]}, "note": None}
    assert guarantee == "value"
    shown, guarantee, _ = Columnar().compress(rows, normal())
    assert shown["constants"] == {"at": {"x": [1, None]}}
    assert guarantee == "shape"
    varying = [{"a": number, "at": [number]} for number in range(25)]
    assert columnar(varying, MINIMAL)["rows"][3] == [3, [3]]


def test_a_key_that_one_row_has_and_that_is_null():
    """29 rows of three keys and one with a fourth: not at `minimal`; at `normal` a column of nothing is dropped."""
    rows = [{"a": number, "b": number % 7, "c": "c"} for number in range(30)]
    rows[29]["note"] = None
    shown, guarantee, _ = Columnar().compress(rows, normal())
    assert (shown["columns"], list(shown), guarantee) == (["a", "b"], ["columns", "rows", "constants"], "shape")
    with pytest.raises(NotApplicableError, match="row 29 has other keys than row 0"):
        columnar(rows, MINIMAL)


def test_one_row():
    """A single row has no constants."""
    assert columnar([{"a": 1, "b": None}], ANY_ROWS) == {"columns": ["a", "b"], "rows": [[1, None]], "constants": {}}
    assert columnar([{"a": 1, "b": 2}], normal(min_rows=1)) == {
        "columns": ["a", "b"],
        "rows": [[1, 2]],
        "constants": {},
    }


@pytest.mark.parametrize("request_", [MINIMAL, normal()])
def test_a_hundred_times_the_same(request_):
    """Same input, same output."""
    shown = {columnar(TEXT, request_) for _ in range(5)}
    assert len(shown) == 1
    assert len({json.dumps(columnar(ROWS[:20], request_)) for _ in range(100)}) == 1


def test_rows_that_are_all_the_same():
    """The document writes an empty list for each row; many of them are one with a count, where that pays."""
    few = [{"code": 500, "path": "/orders"}] * 3
    assert columnar(few, ANY_ROWS) == {
        "columns": [],
        "rows": [[], [], []],
        "constants": {"code": 500, "path": "/orders"},
    }
    many = columnar(few * 20, MINIMAL)
    assert many == {"columns": [], "rows": [[]], "constants": {"code": 500, "path": "/orders"}, "repeats": [60]}


@pytest.mark.parametrize(
    "payload",
    ["", "text", "[]", [], {}, None, 5, {"rows": []}, {"rows": {}}, {"data": rows_of(30)}, [1] * 30, [*rows_of(30), 1],
     json.dumps(rows_of(30)) + " x", {"rows": [[1]] * 30}, [(1,)] * 30, "5", [*rows_of(30), {"a": (1, 2), "b": 1}]],
)  # fmt: skip
def test_what_is_no_table_is_not_taken(payload):
    """Neither a list of objects nor an object with one as `rows`."""
    for request in (MINIMAL, normal(), Request("none"), Request("aggressive", {}, recoverable=True)):
        with pytest.raises(NotApplicableError):
            columnar(payload, request)


def test_only_rows_of_an_object_are_replaced():
    """What stands beside the rows stays, in its place."""
    payload = {"sql": "select", "rows": rows_of(20), "took": 1.50, "next": None}
    for request in (MINIMAL, normal()):
        shown = columnar(payload, request)
        assert list(shown) == list(payload)
        assert {**shown, "rows": 0} == {**payload, "rows": 0}
        assert shown["rows"]["columns"] == ["a", "b"]
    text = '{"took":1.50,"rows":' + json.dumps(payload["rows"]) + ',"took":2}'
    with pytest.raises(NotApplicableError):
        columnar(text, MINIMAL)


# --- faults of the past ---------------------------------------------------------------------------------------------


def test_values_of_different_types_are_no_constant():
    """1, true, 1.0 and 1.00 are four values: a column that mixes them varies."""
    mixed = [{"n": number, "v": value} for number, value in enumerate([1, True, 1.0] * 8)]
    assert columnar(mixed, MINIMAL)["columns"] == ["n", "v"]
    for other in ("true", "1.0", '"1"', "1e0", "[1]", "null"):
        text = '[{"v":1,"w":{"a":1}},{"v":' + other + ',"w":{"a":' + other + "}}]"
        assert json.loads(columnar(text, ANY_ROWS))["columns"] == ["v", "w"]
    assert columnar([{"v": 0.0}, {"v": -0.0}], ANY_ROWS)["constants"] == {}
    assert columnar([{"v": {"a": 1, "b": 2}}, {"v": {"b": 2, "a": 1}}], ANY_ROWS)["constants"] == {}


def test_absent_keys_are_listed_never_padded_on_the_quiet():
    """At `normal` the rows that lack a key are named, and it is a loss; at `minimal` such rows are no table."""
    rows = rows_of(30, c=1)
    for number in (3, 4, 5, 9):
        del rows[number]["b"]
    del rows[7]["c"]
    with pytest.raises(NotApplicableError, match="row 3 has other keys than row 0"):
        columnar(rows, MINIMAL)
    with pytest.raises(NotApplicableError):
        columnar(rows, normal()._replace(recoverable=False))
    with pytest.raises(NotApplicableError):
        columnar(rows, normal(heterogeneity_percent=200))
    shown, guarantee, _ = Columnar().compress(rows, normal(heterogeneity_percent=300))
    assert shown["columns"] == ["a", "b", "c"]
    assert shown["absent"] == {"b": "3-5,9", "c": "7"}
    assert [row[1] for row in shown["rows"][3:6]] == [None] * 3
    assert guarantee == "shape"
    assert '"absent":{"b":"3-5,9","c":"7"}' in columnar(json.dumps(rows), normal(heterogeneity_percent=300))


def test_a_null_beside_absent_keys_stays_a_null():
    """Null in a cell is null unless the row is listed."""
    rows = rows_of(30)
    rows[2]["b"] = None
    rows[4] = {"a": 4}
    shown = columnar(rows, normal(heterogeneity_percent=200))
    assert [shown["rows"][number][1] for number in (2, 4)] == [None, None]
    assert shown["absent"] == {"b": "4"}


def test_rows_in_another_order_of_keys():
    """Order is part of the value: it is written down at `minimal`; at `normal` the documented shape stands."""
    rows = rows_of(30, c=1)
    for number in (8, 9, 20):
        rows[number] = dict(reversed(rows[number].items()))
    rows[3] = {"b": "b3", "a": 3, "c": 1}
    for payload in (rows, json.dumps(rows, separators=(",", ":"))):
        made = Columnar().compress(payload, MINIMAL)
        shown = json.loads(made.payload) if type(payload) is str else made.payload
        assert shown["orders"] == {"3": [1, 0, 2], "8-9,20": [2, 1, 0]}
        assert shown["rows"][8] == [8, "b8"]
        assert made.guarantee == "value"
        assert exact(Columnar().decode(made.payload)) == exact(payload)
    made = Columnar().compress(rows, normal())
    assert (list(made.payload), made.guarantee) == (["columns", "rows", "constants"], "shape")


def test_rows_in_many_orders_are_no_table_at_minimal():
    """A few orders are written down, not any number of them."""
    names = "abcd"
    rows = [{names[(number + place) % 4 if place < 4 else place]: 0 for place in range(4)} for number in range(4)]
    assert len(columnar(rows * 5, MINIMAL)["orders"]) == 3
    many = [dict.fromkeys(order, 1) for order in itertools.permutations("abcd")]
    with pytest.raises(NotApplicableError, match="rows 0 to 9 have their keys in more than 9 orders"):
        columnar(many, MINIMAL)


def test_a_table_that_loses_nothing_is_of_guarantee_value_at_normal_too():
    """Then the places of constants are given as at `minimal`."""
    rows = [{"c": 1, "a": number} for number in range(20)]
    assert Columnar().compress(rows, normal()) == Columnar().compress(rows, MINIMAL)
    assert columnar(rows, MINIMAL)["constants_at"] == [0]


def test_long_texts_are_clipped_where_asked_and_say_how_much_is_missing():
    """Only below `value`: at `minimal`, or where nothing is kept, the setting does nothing."""
    rows = [{"a": number, "log": "x" * (50 + number)} for number in range(30)]
    shown, guarantee, detail = Columnar().compress(rows, normal(clip=40))
    assert shown["rows"][0][1] == "x" * 50
    assert shown["rows"][29][1] == "x" * 40 + "…[+39 chars]"
    assert (guarantee, detail) == ("summary", "15 long texts clipped to 40 characters")
    for request in (Request("minimal", {"clip": 40}), Request("normal", {"clip": 40})):
        assert columnar(rows, request) == columnar(rows, MINIMAL)
    assert Columnar().compress(rows, normal(clip=200)).guarantee == "value"
    assert Columnar().compress(rows, normal()).guarantee == "value"


def test_the_scan_of_keys_ends_at_the_row_that_decides():
    """Rows beyond it are not looked at, however many there are."""

    class Counted(list):
        """Rows that count how many of them were looked at."""

        seen = 0

        def __iter__(self):
            for row in super().__iter__():
                Counted.seen += 1
                yield row

    rows = Counted({f"k_{number}": number, "shared": 1} for number in range(10_000))
    with pytest.raises(NotApplicableError):
        tables.loose_table(rows, 150)
    assert Counted.seen < 10
    with pytest.raises(NotApplicableError):
        tables.strict_table(rows)
    assert Counted.seen < 20


# --- notation -------------------------------------------------------------------------------------------------------


def test_rows_that_are_named_by_their_numbers_can_be_counted():
    """Where `orders` or `absent` name rows, every row stands in its place, however often it repeats."""
    row, turned, lacking = {"a": "x" * 30, "b": 1, "c": 2}, {"c": 2, "b": 1, "a": "x" * 30}, {"a": "x" * 30, "b": 1}
    other = {"a": "y" * 30, "b": 1, "c": None}
    turning = [row] * 20 + [turned] * 10 + [other] * 10
    short = [row] * 20 + [other] * 5 + [lacking] * 15
    for payload, request, key, named in (
        (turning, MINIMAL, "orders", {"20-29": [2, 1, 0]}),
        (short, Request("normal", {}, recoverable=True), "absent", {"c": "25-39"}),
    ):
        for made in (columnar(payload, request), json.loads(columnar(json.dumps(payload), request))):
            assert len(made["rows"]) == 40
            assert "repeats" not in made
            assert made[key] == named


def test_repeats_stand_where_they_pay():
    """One count for each row that is shown; where few rows repeat, none."""
    runs = [{"a": number, "message": "connection refused by peer"} for number in range(10) for _ in range(9)]
    shown = columnar(runs, MINIMAL)
    assert (len(shown["rows"]), shown["repeats"]) == (10, [9] * 10)
    assert json.loads(columnar(json.dumps(runs), MINIMAL))["repeats"] == [9] * 10
    assert "repeats" not in columnar([*rows_of(40), *rows_of(1)], MINIMAL)
    mixed = [{"a": value, "long": "connection refused by peer " * 3} for value in [1, True, 1.0] * 20]
    assert "repeats" not in columnar(mixed, MINIMAL)


def test_numbers_keep_their_spelling():
    """Text is never passed through floats or integers."""
    text = "[" + ",".join(f'{{"i":-0,"n":{number}.0,"e":1e2,"h":{"9" * 5000}}}' for number in range(20)) + "]"
    shown = columnar(text, MINIMAL)
    assert '"rows":[\n[0.0],\n[1.0],' in shown
    assert f'"constants":{{"i":-0,"e":1e2,"h":{"9" * 5000}}},"constants_at":[0,2,3]}}' in shown


def test_the_fixture_is_made_by_rule():
    """What is committed is what the generator writes."""
    assert stores_json() == TEXT


def test_tokens_of_the_fixture():
    """Value-exact, the fixture takes at most 60 % of the tokens of minified JSON under both encodings."""
    before, after = count_tokens(TEXT), count_tokens(columnar(TEXT, MINIMAL))
    assert all(after[name] <= 0.6 * before[name] for name in before)


# --- properties -----------------------------------------------------------------------------------------------------


@given(table_texts())
def test_text_decodes_to_the_same_value(text):
    """Spelling, order, duplicates in cells, surrogates, literal markers and literal tables included."""
    shown, guarantee, _ = Columnar().compress(text, ANY_ROWS)
    assert guarantee == "value"
    assert read(Columnar().decode(shown)) == read(text)


@given(table_texts())
def test_what_is_called_value_at_normal_decodes_too(text):
    """A guarantee holds at every level."""
    shown, guarantee, _ = Columnar().compress(text, normal(min_rows=1))
    if guarantee == "value":
        assert read(Columnar().decode(shown)) == read(text)


@given(json_values())
def test_values_decode_to_the_same_value_and_stay_as_they_are(value):
    """Nothing is changed in place; cells that are nested come back as they were."""
    for payload in ([{"n": number, "v": value, "w": 1} for number in range(3)], {"rows": [{"v": value}] * 40}):
        before = copy.deepcopy(payload)
        shown, guarantee, _ = Columnar().compress(payload, ANY_ROWS)
        assert guarantee == "value"
        assert exact(Columnar().decode(shown)) == exact(payload) == exact(before)


def test_what_is_shown_shares_nothing_with_the_payload():
    """A host may change one without changing the other."""
    payload = {"n": [1], "rows": [{"a": [number], "c": {"d": []}} for number in range(20)]}
    shown = columnar(payload, MINIMAL)
    shown["n"].append(2)
    shown["rows"]["rows"][0][0].append(2)
    shown["rows"]["constants"]["c"]["d"].append(2)
    assert (payload["n"], payload["rows"][0]) == ([1], {"a": [0], "c": {"d": []}})


def test_literal_tables_are_told_from_tables():
    """A payload that has the keys of a table itself comes back as it was."""
    rows = rows_of(20)
    for payload in (
        {"columns": ["a"], "rows": rows, "constants": {}},
        {"columns": [], "rows": rows, "constants": {}, "x": 1},
    ):
        assert Columnar().decode(columnar(payload, MINIMAL)) == payload
        assert read(Columnar().decode(columnar(json.dumps(payload), MINIMAL))) == read(json.dumps(payload))
    nested = [{"columns": [number], "rows": [[1]], "constants": {}} for number in range(20)]
    assert Columnar().decode(columnar(nested, MINIMAL)) == nested


def test_depth():
    """Cells nested as deeply as allowed decode; deeper ones, and ten thousand levels, are refused."""
    for levels in (97, 98, 99):
        deep = "[" * levels + "]" * levels
        text = f'[{{"a":1,"b":{deep}}},{{"a":2,"b":[]}}]'
        assert Columnar().decode(columnar(text, ANY_ROWS)) == text
    value = json.loads(deep)
    for payload in ([{"a": [[[value]]]}], json.dumps([{"a": [[[value]]]}]), '[{"a":' * 10_000 + "1" + "}]" * 10_000):
        with pytest.raises(NotApplicableError, match="nested deeper"):
            columnar(payload, ANY_ROWS)


# --- decoding -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shown",
    [
        "x", "[]", "{}", '{"columns":[],"rows":[]}', '{"rows":[],"columns":[],"constants":{}}',
        '{"columns":["a"],"rows":[[1],[1,2]],"constants":{}}', '{"columns":["a"],"rows":[[1]],"constants":{"a":1}}',
        '{"columns":["a","a"],"rows":[[1,2]],"constants":{}}', '{"columns":[1],"rows":[[1]],"constants":{}}',
        '{"columns":["a"],"rows":[{"a":1}],"constants":{}}', '{"columns":["a"],"rows":[[1]],"constants":[]}',
        '{"columns":["a"],"rows":[[1]],"constants":{"b":1},"constants_at":[1]}',
        '{"columns":["a"],"rows":[[1]],"constants":{"b":1},"constants_at":[2]}',
        '{"columns":["a"],"rows":[[1]],"constants":{"b":1},"constants_at":[-1]}',
        '{"columns":["a"],"rows":[[1]],"constants":{"b":1},"constants_at":[0,1]}',
        '{"columns":["a"],"rows":[[1]],"constants":{"b":1},"constants_at":[0.0]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"constants_at":[]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"repeats":[1]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"repeats":[0]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"repeats":[true]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"repeats":[2,2]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"repeats":[999999999999]}',
        '{"columns":["a"],"rows":[],"constants":{},"repeats":[]}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"absent":{"a":"0"}}',
        '{"columns":["a"],"rows":[[1]],"constants":{},"repeats":[2],"constants_at":[0]}',
        '{"columns":["a","b"],"rows":[[1,2]],"constants":{},"orders":{"1":[1,0]},"repeats":[2]}',
        *(
            '{"columns":["a","b"],"rows":[[1,2],[1,3]],"constants":{},"orders":' + orders + "}"
            for orders in (
                "{}", "[]", '{"2":[1,0]}', '{"0":[0,1]}', '{"0":[1]}', '{"0":[1,1]}', '{"0":[1,0],"00":[1,0]}',
                '{"x":[1,0]}', '{"":[1,0]}', '{"0,1":[1,0]}', '{"1-0":[1,0]}', '{"0,0":[1,0]}', '{"0":[true,0]}',
                '{"1,0":[1,0]}', '{"-1":[1,0]}', '{"0-":[1,0]}', '{"0-99999999999999999999":[1,0]}', '{"0":1}',
            )
        ),
        '{"columns":["a"],"rows":[[1]],"constants":{}} x',
    ],
)  # fmt: skip
def test_what_no_encoder_wrote_is_refused(shown):
    """Decoding is strict, and never writes out more than memory holds."""
    with pytest.raises(DecodeError):
        Columnar().decode(shown)


def test_a_million_rows():
    """A million rows come back as they were; the quick run tries a fiftieth of them."""
    rows = 1_000_000 if os.environ.get("CABLESE_LONG") else 20_000
    cells = ",".join(f'{{"id":{number},"v":{number % 97}.50,"c":true}}' for number in range(rows))
    text = f"[{cells}]"
    shown = columnar(text, MINIMAL)
    assert len(shown) < len(text) // 2
    assert Columnar().decode(shown) == text
