"""JSON for the tests of the codecs: texts and values to generate, and a reading that shares no code with ours."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

FIXTURE = Path(__file__).parent / "fixtures" / "stores_500x12.json"

KEYS = st.sampled_from(["a", "b", "_repeat", "_value", "columns", "rows", "constants", "constants_at", "é", "", "a b"])
STRINGS = st.one_of(
    st.sampled_from(["", "1", "1.0", "true", "null", "-0", "\ud800", "\udc00x", "\u2028", "\x00", '"\\', "x" * 50]),
    st.text(max_size=8),
)


def read(text):
    """Read JSON text into what has no two readings: types, spelling, order and duplicates all count."""
    return json.loads(
        text,
        object_pairs_hook=lambda pairs: ("object", tuple(pairs)),
        parse_float=lambda spelling: ("number", spelling),
        parse_int=lambda spelling: ("number", spelling),
    )


def exact(value):
    """Turn a plain value into what has no two readings."""
    if type(value) is dict:
        return ("object", tuple((key, exact(each)) for key, each in value.items()))
    if type(value) is list:
        return ("list", tuple(map(exact, value)))
    return (type(value).__name__, value if type(value) in (str, int) else repr(value))


def numbers():
    """Spell numbers in all ways that JSON has."""
    digits = st.one_of(st.integers(0, 9).map(str), st.integers(10, 10**20).map(str), st.just("9" * 4301))
    fraction = st.sampled_from(["", "", ".0", ".00", ".5", ".10", "." + "3" * 30])
    exponent = st.sampled_from(["", "", "", "e2", "E+2", "e-7", "e999999", "E0"])
    return st.builds("".join, st.tuples(st.sampled_from(["", "-"]), digits, fraction, exponent))


@st.composite
def string_texts(draw):
    """Write a string with and without escapes."""
    value = draw(STRINGS)
    return json.dumps(value, ensure_ascii=draw(st.booleans()) or any(0xD800 <= ord(each) < 0xE000 for each in value))


BLANKS = st.sampled_from(["", "", " ", "\n  ", "\t", "\r\n"])


@st.composite
def object_texts(draw, inner, keys=KEYS):
    """Write an object; keys may occur twice."""
    pairs = draw(st.lists(st.tuples(keys, inner), max_size=5))
    blank = draw(BLANKS)
    return "{" + f",{blank}".join(f"{json.dumps(key)}{blank}:{value}" for key, value in pairs) + blank + "}"


@st.composite
def list_texts(draw, inner):
    """Write a list; elements often repeat."""
    runs = draw(st.lists(st.tuples(inner, st.integers(1, 3)), max_size=4))
    blank = draw(BLANKS)
    return "[" + blank + ",".join(text for text, count in runs for _ in range(count)) + "]"


@st.composite
def marker_texts(draw, inner):
    """Write what looks like a marker, and what nearly does."""
    count, value = draw(st.sampled_from(["1", "2", "0", "true", "1.0", "null"])), draw(inner)
    first, second = draw(st.permutations([f'"_repeat":{count}', f'"_value":{value}']))
    return "{" + first + "," + second + draw(st.sampled_from(["", "", ',"a":1'])) + "}"


@st.composite
def literal_table_texts(draw, inner):
    """Write what looks like a table of ours."""
    rows = draw(st.lists(inner, max_size=3))
    rest = draw(st.sampled_from(["", ',"constants_at":[0]', ',"repeats":[1]', ',"a":1']))
    return '{"columns":["a"],"rows":[' + ",".join(rows) + '],"constants":{"b":1}' + rest + "}"


def json_texts():
    """Write any JSON."""
    atoms = st.one_of(numbers(), string_texts(), st.sampled_from(["true", "false", "null"]))
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            object_texts(inner), list_texts(inner), marker_texts(inner), literal_table_texts(inner)
        ),
        max_leaves=12,
    )


@st.composite
def table_texts(draw):
    """Write rows with the same keys, mostly in the same order, many of them and their cells equal; or in an object."""
    keys = draw(st.lists(KEYS, min_size=0, max_size=5, unique=True))
    cell = st.one_of(numbers(), string_texts(), st.sampled_from(["true", "false", "null"]), json_texts())
    constant = {key: draw(cell) for key in keys if draw(st.booleans())}
    count = draw(st.integers(1, 5))
    distinct = [{key: constant.get(key) or draw(cell) for key in keys} for _ in range(count)]
    orders = draw(st.sampled_from([[keys], [keys], [keys, keys[::-1]], [keys, keys[1:] + keys[:1], keys]]))
    rows = [row for row in distinct for _ in range(draw(st.sampled_from([1, 1, 2, 12])))]
    table = ",".join(
        "{" + ",".join(f"{json.dumps(key)}:{row[key]}" for key in orders[number % len(orders)]) + "}"
        for number, row in enumerate(rows)
    )
    table = f"[{table}]"
    return draw(st.sampled_from(["{0}", '{{"n":1.0,"rows":{0},"next":null}}', '{{"columns":[],"rows":{0}}}'])).format(
        table
    )


def json_values():
    """Make plain values."""
    atoms = st.one_of(
        st.none(), st.booleans(), st.integers(), st.sampled_from([0, 1, 2]),
        st.sampled_from([1, -1]).map(lambda sign: sign * 10**5000),
        st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0.0, -0.0, 1.0]), STRINGS,
    )  # fmt: skip
    repeated = st.tuples(atoms, st.integers(2, 4)).map(lambda pair: [pair[0]] * pair[1])
    return st.recursive(
        atoms | repeated,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(KEYS, inner, max_size=4),
            st.fixed_dictionaries({"_repeat": st.sampled_from([1, 2, True, 1.0]), "_value": inner}),
            st.tuples(inner, st.integers(2, 3)).map(lambda pair: [pair[0]] * pair[1]),
        ),
        max_leaves=12,
    )
