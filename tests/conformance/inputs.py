"""The inputs of the conformance cases: payloads of all kinds that the codecs of rows tell apart, and requests."""

from __future__ import annotations

from itertools import product
from typing import Any

ROWS = (
    '[{"id":1,"region":"south","ok":true},{"id":2,"region":"south","ok":false}]',
    '[ {"id": 1, "tag":"a"} ,\n{"id": 2, "tag":"a"} ]\n',
    '[{"a":1.0,"b":1e2},{"a":1,"b":-0},{"a":10000000000000000000000000000001,"b":0.10}]',
    '[{"a":true},{"a":1},{"a":"1"},{"a":"true"},{"a":null}]',
    '[{"a":null,"b":1},{"a":null,"b":2}]',
    '[{"a":null},{"a":null}]',
    "[{},{},{}]",
    '[{"a":1}]',
    '[{"a":1,"b":2},{"b":3,"a":4}]',
    '[{"a":1,"b":2},{"a":3}]',
    '[{"a":1,"b":2,"c":3},{"a":3,"c":4},{"a":5,"c":6,"d":null}]',
    '[{"a":1},{"b":2},{"c":3}]',
    '[{"a":1,"n":null},{"b":2,"n":null}]',
    '[{"k\\u0061":1,"x":2},{"ka":1,"x":3}]',
    '[{"a":1,"a":2},{"a":3}]',
    '[{"a":1},3]',
    '[{"a":1},[2],{"a":3}]',
    '[{"a":{"x":1,"x":2}},{"a":{"x":1,"x":2}}]',
    '[{"a":[1, 2],"b":[ ]},{"a":[1,2],"b":{ }}]',
    '{"rows":[{"a":1,"b":7},{"a":2,"b":7}],"next":null}',
    '{"total":2,"rows":[{"a":1},{"b":2}],"r\\u006fws2":"\\/"}',
    '{"r\\u006fws":[{"a":1},{"a":2}]}',
    '{"rows":[{"a":1},{"a":2}],"rows":[{"a":1},{"a":2}]}',
    '{"rows":[]}',
    '{"rows":{"a":1}}',
    '{"x":1}',
    "[]",
    "{}",
    "[1,2,3]",
    "[[1,1],[1,1],[1,1]]",
    '{"log":[{"x":1},{"x":1},{"x":1}]}',
    '[{"_repeat":2,"_value":1},{"_value":1,"_repeat":2},{"_repeat":1},{"_repeat":1,"_repeat":2}]',
    '[{"_repeat":null,"_value":1,"x":2},{"_value":1,"_repeat":2,"y":null}]',
    '{"a":null,"b":[null,null],"c":{"d":null}}',
    '[{"s":"\\u00e9\\ud83d\\ude00\\n\\u0001\\u007f\\/\\""},{"s":"é😀"}]',
    '[{"s":"\\uD800x"},{"s":"\\ud800x"},{"s":"\\udc00\\ud800"}]',
    '[{"s":"\\\\ud800"},{"s":"\\ud800"}]',
    '[{"s":"' + "long é text " * 9 + '"},{"s":"' + "\\t\\ud83d\\ude00" * 30 + '","t":1}]',
    "[" + ",".join(['{"a":1,"b":"x"}'] * 30) + "]",
    "[" + ",".join(['{"a":"\\ud800","b":1}'] * 9 + ['{"a":"y","b":2}'] * 9) + "]",
    "[" + ",".join(f'{{"i":{number},"g":"{number // 9}"}}' for number in range(25)) + "]",
    "[" + ",".join(f'{{"k{number}":{number},"shared":1}}' for number in range(30)) + "]",
    "[" + ",".join(f'{{"k{number}":{number},"shared":null}}' for number in range(30)) + "]",
    "[" * 100 + "]" * 100,
    '[{"a":' + "[" * 98 + "]" * 98 + '},{"a":1}]',
)

BROKEN = (
    *("", " ", "x", "\ufeff[1]", "12", '"[1]"', "null", "NaN", "[NaN]", "[Infinity]", "[-Infinity]", "[01]", "[1.]"),
    *("[1e]", "[-]", "[.5]", "[+1]", "[1,]", '{"a":1,}', "{a:1}", "{'a':1}", '{"a" 1}', "[1 2]", "[1", '["a', '["a]'),
    *('["\t"]', '["\\x"]', '["\\u12"]', '["\\u12g4"]', '["\\ud800\\u12"]', "[1]x", "[1][2]", "[1]\x00", "[\u00a01]"),
    *("\u00a0[1]", "\x1c[1]", "\u2028[1]", " \u00a0[1]", "[truE]", "[nul]", "[tru", "[" * 101 + "]" * 101),
    *("[" * 9000, '{"a":' * 1500, '["' + "\\ud800" * 3, "[\ud800]", '["\udc00"]'),
)

BYTES = (
    b"",
    b"\xff",
    b"[1,\xff]",
    b'["\xed\xa0\x80"]',
    b'["\xc0\xaf"]',
    b"\xef\xbb\xbf[1]",
    b"\x0b[1]",
    b"\xc2\x85[1]",
)

Requests = tuple[tuple[str, bool, dict[str, Any]], ...]

COLUMNAR: Requests = (
    ("minimal", False, {"min_rows": 1}),
    ("normal", True, {"min_rows": 1}),
    ("normal", True, {"min_rows": 2, "heterogeneity_percent": 100000, "clip": 12}),
    ("normal", False, {}),
    ("aggressive", False, {"min_rows": 3}),
    ("aggressive", True, {"min_rows": 1, "budget": 300}),
)
JSON_COMPACT: Requests = (
    ("minimal", False, {"nulls": "drop"}),
    ("minimal", True, {"nulls": "drop", "dedup": "auto"}),
    ("normal", True, {"dedup": "on"}),
    ("normal", True, {"nulls": "drop", "dedup": "off"}),
)


Input = tuple[str, str | bytes, str, bool, dict[str, Any]]


def inputs() -> list[Input]:
    """Return codec, payload, level, whether the original is kept, settings."""
    payloads = [*ROWS, *(text.encode() for text in ROWS[::4]), *BYTES]
    made: list[Input] = [("columnar", payload, *each) for payload, each in product(payloads, COLUMNAR)]
    made += [("json_compact", payload, *each) for payload, each in product(payloads, JSON_COMPACT)]
    for payload in BROKEN:
        made += [("columnar", payload, *COLUMNAR[0]), ("json_compact", payload, *JSON_COMPACT[1])]
        if payload.isprintable():
            made.append(("columnar", payload.encode(), *COLUMNAR[1]))
    return made
