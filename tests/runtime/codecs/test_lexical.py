"""The lexical codecs: what they make of texts, what their decoders refuse, and that both are linear in work."""

from __future__ import annotations

import json
import sys

import pytest
from cablese.runtime.codecs import envelope, json_minify, line_rle, template_fold
from cablese.runtime.codecs.codec import DecodeError, NotApplicableError, Request
from cablese.runtime.codecs.registry import find_codec
from hypothesis import given
from hypothesis import strategies as st

LEXICAL = {"json_minify": json_minify, "line_rle": line_rle, "template_fold": template_fold}
REQUEST = Request("minimal")

LINE = st.one_of(
    st.sampled_from(["", "x", "x\r", "same line", "  at f1 (a.js:1)", "  at f2 (a.js:1)", "é1", "è1", "日本", "日曜"]),
    st.text(alphabet="ab\r\u2028é日\ud800\udc00😀", max_size=6),
)
TEXT = st.builds(
    lambda lines, last: "".join(f"{line}\n" for line in lines) + last, st.lists(LINE, max_size=30), LINE
) | st.text(max_size=50)


def rle(text: str) -> list | None:
    """Return the items of the envelope of a text."""
    shown = line_rle.encode(text)
    return None if shown is None else json.loads(shown)["items"]


def fold(text: str) -> dict | None:
    """Return the fields of the envelope of a text, without marker and instruction."""
    shown = template_fold.encode(text)
    return None if shown is None else {k: v for k, v in json.loads(shown).items() if k not in {"codec", "how"}}


# --- the decision table ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "minified", "items"),
    [
        ('{ "a" : 1.0, "a": 1e2 }', '{"a":1.0,"a":1e2}', None),
        ('"a b"', None, None),
        ("[1,]", None, None),
        ('{"a": 1}\n{"a": 2}\n', None, None),
        ("[1 ] x", None, None),
        ("\ufeff[ 1 ]", None, None),
        ("x\nx\nx\n", None, [[3, "x\n"]]),
        ("x\nx\nx", None, [[2, "x\n"], [1, "x"]]),
        ("x\r\nx\n", None, None),
        ("", None, None),
    ],
)
def test_decision_table(text, minified, items):
    """Each row of the table of outputs and what the codecs make of them; no fold in any row saves anything."""
    assert json_minify.encode(text) == minified
    assert rle(text) == items
    assert template_fold.encode(text) is None


@pytest.mark.parametrize("codec", [line_rle, template_fold])
@pytest.mark.parametrize("times", [1, 3])
def test_an_envelope_is_a_text_like_any_other(codec, times):
    """A text that is an envelope, once or line by line, comes back as this envelope, not as what it would hold."""
    inner = line_rle.encode("x\nx\nx\n"), template_fold.encode("".join(f"a common line, {i}\n" for i in range(9)))
    for envelope_text in inner:
        text = (envelope_text + "\n") * times
        shown = codec.encode(text)
        assert (shown is None) == (times == 1)
        assert shown is None or codec.decode(shown) == text


# --- what is made -----------------------------------------------------------------------------------------------------


def test_envelopes_are_as_documented():
    """Marker, instruction and fields, to the letter."""
    assert line_rle.encode("a\na\n") == (
        '{"codec":"line_rle.v0","how":"each item is [count,text]; write text count times, in order",'
        '"items":[[2,"a\\n"]]}'
    )
    assert template_fold.encode("begin\n GET /item/1 OK\n GET /item/22 OK\n GET /item/ OK\nend") == (
        '{"codec":"template_fold.v0","how":"write head, then prefix+m+suffix for each m of mid, then tail",'
        '"head":"begin\\n","prefix":" GET /item/","suffix":" OK\\n","mid":["1","22",""],"tail":"end"}'
    )


def test_json_keeps_its_spelling():
    """Escapes, repeated keys, order and numbers are as they were; white space within strings too."""
    text = '{ "\\u00e9\\/" : [ 1E+05 , -0 , 0.10, 10000000000000000000000000001 ] ,\t"b" : " x \\" y " , "b":null\r\n}'
    assert json_minify.encode(text) == (
        '{"\\u00e9\\/":[1E+05,-0,0.10,10000000000000000000000000001],"b":" x \\" y ","b":null}'
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # An overlap belongs to the prefix, and the shortest line decides.
        (
            "abcdabcd\nabcd\nabcdabcd\n",
            {"head": "", "prefix": "abcd", "suffix": "\n", "mid": ["abcd", "", "abcd"], "tail": ""},
        ),
        # Characters are not cut: é and è share a byte, and so do 日 and 旦.
        (
            "wert é1é\nwert è2è\nwert é3é\n",
            {"head": "", "prefix": "wert ", "suffix": "\n", "mid": ["é1é", "è2è", "é3é"], "tail": ""},
        ),
        # Lines that end differently are no run, and what has no line feed is no line of it.
        ("prefix 1\r\n" * 2 + "prefix 1\n" * 2 + "prefix 1", None),
        (
            "prefix 1\nprefix 2\nprefix 3\nprefix 4",
            {"head": "", "prefix": "prefix ", "suffix": "\n", "mid": ["1", "2", "3"], "tail": "prefix 4"},
        ),
        # A line feed is not enough to share.
        ("".join(f"{i}\n" for i in range(10)), None),
        # Two lines are no run.
        ("a long common line 1\na long common line 2\n", None),
        # Of equals, the first.
        (
            "".join(f"first run {i}\n" for i in range(3)) + "-\n" + "".join(f"other run {i}\n" for i in range(3)),
            {
                "head": "",
                "prefix": "first run ",
                "suffix": "\n",
                "mid": ["0", "1", "2"],
                "tail": "-\nother run 0\nother run 1\nother run 2\n",
            },
        ),
        # A carriage return at the ends is a part of the ending, elsewhere of the line.
        (
            "a\rcommon 1\r\na\rcommon 2\r\na\rcommon 3\r\n",
            {"head": "", "prefix": "a\rcommon ", "suffix": "\r\n", "mid": ["1", "2", "3"], "tail": ""},
        ),
    ],
)
def test_fold_rules(text, expected):
    """What a run is, and which one is taken."""
    assert fold(text) == expected


@given(TEXT)
def test_the_best_run_is_taken(text):
    """Of all runs, the one that saves most, then the one that begins first, then the one that ends first."""
    found = fold(text)
    expected = best_by_trial(text)
    if expected is None:
        assert found is None
        return
    start, end, prefix, suffix = expected
    lines = text.split("\n")[:-1]
    assert found is not None
    assert found["head"] == "".join(f"{line}\n" for line in lines[:start])
    assert (found["prefix"], found["suffix"], len(found["mid"])) == (prefix, suffix, end - start)


def best_by_trial(text: str) -> tuple[int, int, str, str] | None:
    """Try every run, as the rules say and without any cleverness."""
    lines = [f"{line}\n" for line in text.split("\n")[:-1]]
    endings = ["\r\n" if line.endswith("\r\n") else "\n" for line in lines]
    most, best = 0, None
    for start in range(len(lines)):
        for end in range(start + 3, len(lines) + 1):
            if len(set(endings[start:end])) > 1:
                break
            ending = endings[start]
            bodies = [line.removesuffix(ending) for line in lines[start:end]]
            prefix = common(bodies)
            suffix = common([body[len(prefix) :][::-1] for body in bodies])[::-1]
            shared = size(prefix + suffix + ending)
            saved = (end - start - 1) * shared - 3 * (end - start)
            if prefix + suffix and saved > most:
                most, best = saved, (start, end, prefix, suffix + ending)
    return best


def common(texts: list[str]) -> str:
    """Return the longest common beginning."""
    length = 0
    while all(len(text) > length for text in texts) and len({text[length] for text in texts}) == 1:
        length += 1
    return texts[0][:length]


def size(text: str) -> int:
    """Return the bytes of a text."""
    return len(text.encode("utf-8", "surrogatepass"))


# --- round trips ------------------------------------------------------------------------------------------------------


@given(TEXT)
def test_exact_forms_return_the_same_text(text):
    """What is encoded is decoded to the same text, and nothing else decodes to an envelope."""
    for codec in (line_rle, template_fold):
        shown = codec.encode(text)
        assert shown is None or codec.decode(shown) == text


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(VALUE, st.booleans(), st.sampled_from([None, 1, "\t", " \r\n"]))
def test_json_has_the_same_value(value, escaped, indent):
    """White space goes, the value stays, and what is minimal stays as it is."""
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    shown = json_minify.encode(text)
    minimal = json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))
    assert shown == (None if text == minimal else minimal)
    assert json_minify.encode(minimal) is None
    assert json_minify.decode(minimal) == minimal


QUOTES = st.lists(st.sampled_from(["\\\\", '\\"', " ", "\\n", "\\u0020", "a", ":", ","]), max_size=8).map("".join)


@given(st.lists(QUOTES, max_size=4), st.sampled_from(["", " ", "\n\t"]))
def test_escapes_do_not_end_strings(strings, space):
    """White space within strings stays, whatever escapes stand around it, and that between them goes."""
    quoted = [f'"{string}"' for string in strings]
    text = "[" + space + f"{space},{space}".join(quoted) + space + " ]"
    assert json_minify.encode(text) == "[" + ",".join(quoted) + "]"


JSON_PIECES = st.lists(
    st.sampled_from([*'[]{},: "\\\n-.0e1é\x00\xa0', '"a"', '"\\u00', "true", "nul", "NaN", "Infinity", "01"]),
    max_size=12,
).map("".join)


@given(JSON_PIECES | st.text(max_size=12))
def test_both_readers_of_json_agree(text):
    """The reader for any depth takes exactly what the quick one takes."""
    assert json_minify.is_deep_json(text) == json_minify.is_json(text)


@given(VALUE, st.data())
def test_both_readers_of_json_agree_on_damaged_text(value, data):
    """The same for JSON with one character removed, doubled or replaced."""
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])))
    at = data.draw(st.integers(0, len(text) - 1))
    text = text[:at] + data.draw(st.sampled_from(["", text[at] * 2, ",", "]", "}", '"', "0", ":"])) + text[at + 1 :]
    assert json_minify.is_deep_json(text) == json_minify.is_json(text)


# --- decoders ---------------------------------------------------------------------------------------------------------

RLE = line_rle.encode("x\nx\nx\ny\n")
FOLD = template_fold.encode("".join(f"a common line, {i}\n" for i in range(5)) + "tail")
HOW = line_rle.FORM.how
HOW_FOLD = template_fold.FORM.how


def rle_of(items: str) -> str:
    """Return an envelope of these items, written as JSON."""
    return f'{{"codec":"line_rle.v0","how":"{HOW}","items":{items}}}'


def fold_of(**fields: object) -> str:
    """Return a canonical envelope of these fields over those of one that is good."""
    whole = {"codec": "template_fold.v0", "how": HOW_FOLD, "head": "", "prefix": "a common line, ", "suffix": "\n"}
    whole |= {"mid": ["1", "2", "3"], "tail": ""} | fields
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(
    "shown",
    [
        "",
        "x",
        "[" * 100_000,
        RLE[:-1],
        RLE + " ",
        RLE + "\n",
        " " + RLE,
        RLE.replace(",", ", ", 1),
        RLE.replace("line_rle.v0", "line_rle.v1"),
        RLE.replace("count times", "count  times"),
        RLE.replace('"x', '"\\u0078'),
        RLE.replace("}", ',"more":1}'),
        RLE.replace('"items"', '"items":[],"items"'),
        RLE.replace('"how"', '"hew"'),
        f'{{"how":"{HOW}","codec":"line_rle.v0","items":[[2,"x\\n"]]}}',
        rle_of('[[true,"x\\n"],[2,"y\\n"]]'),
        rle_of('[[2.0,"x\\n"]]'),
        rle_of('[["2","x\\n"]]'),
        rle_of('[[0,"x\\n"],[2,"y\\n"]]'),
        rle_of('[[-1,"x\\n"],[2,"y\\n"]]'),
        rle_of('[[2,"x\\n",1]]'),
        rle_of("[[2]]"),
        rle_of('[[2,["x\\n"]]]'),
        rle_of('{"2":"x\\n"}'),
        rle_of("null"),
        rle_of("[" * 50_000),
        rle_of("[[" + "9" * 5_000 + ',"x\\n"]]'),
        # Bombs, refused before they are expanded.
        rle_of("[[" + "9" * 4_000 + ',"x\\n"]]'),
        rle_of("[[" + str(10**12) + ',"x\\n"]]'),
        rle_of("[[" + str(10**12) + ',""]]'),
        rle_of("[" + ",".join(['[67108864,"xx\\n"]'] * 1_000) + "]"),
        # Nothing that the codec would write.
        rle_of("[]"),
        rle_of('[[1,"x\\n"]]'),
        rle_of('[[1,"x\\n"],[1,"x\\n"]]'),
        rle_of('[[2,"x\\n"],[2,"x\\n"]]'),
        rle_of('[[2,"x"]]'),
        rle_of('[[2,"x\\ny\\n"]]'),
        rle_of('[[2,"x\\n"],[1,""]]'),
        rle_of('[[2,""]]'),
    ],
)
def test_hostile_rle_envelopes_are_refused(shown):
    """Whatever is not to the letter what the encoder writes is refused, without being expanded."""
    with pytest.raises(DecodeError):
        line_rle.decode(shown)


@pytest.mark.parametrize(
    "shown",
    [
        FOLD + "\n",
        FOLD.replace("template_fold.v0", "line_rle.v0"),
        fold_of(more=1),
        fold_of(head=1),
        fold_of(prefix=None),
        fold_of(suffix=["\n"]),
        fold_of(mid="123"),
        fold_of(mid=["1", "2", 3]),
        fold_of(mid={"1": "2"}),
        fold_of(tail=False),
        # Bombs, refused before they are expanded.
        fold_of(prefix="p" * 100_000, mid=[""] * 1_000),
        fold_of(mid=[""] * 1_000_001),
        # Nothing that the codec would write.
        fold_of(mid=["1", "2"]),
        fold_of(mid=[]),
        fold_of(head="a common line, 0\n"),
        fold_of(mid=["11", "12", "13"]),
        fold_of(mid=["1\n", "2", "3"]),
        fold_of(suffix=""),
        fold_of(suffix="\nx\n"),
        fold_of(prefix="", mid=["q", "r", "s"]),
    ],
)
def test_hostile_fold_envelopes_are_refused(shown):
    """The same for the other envelope."""
    with pytest.raises(DecodeError):
        template_fold.decode(shown)


def test_the_good_envelopes_of_these_tests_are_good():
    """What the hostile ones were made from is accepted, so that each is refused for what was changed."""
    assert line_rle.decode(rle_of('[[2,"x\\n"],[1,"y"]]')) == "x\nx\ny"
    assert line_rle.decode(RLE) == "x\nx\nx\ny\n"
    assert template_fold.decode(fold_of()) == "a common line, 1\na common line, 2\na common line, 3\n"
    assert template_fold.decode(FOLD).endswith("a common line, 4\ntail")


@pytest.mark.parametrize("shown", ["", "[1, 2]", "[1]\n", "[1,]", "\ufeff[]", "NaN", "[" * 100_000])
def test_json_decoder_takes_minimal_json_only(shown):
    """What has white space, or is no JSON, was not made by the codec."""
    with pytest.raises(DecodeError):
        json_minify.decode(shown)


@given(TEXT, st.data())
def test_damaged_envelopes_never_decode_to_another_text(text, data):
    """An envelope with one character changed is refused, or is the envelope of another text; never a bare exception."""
    for codec in (line_rle, template_fold):
        shown = codec.encode(text) or codec.encode("a common line\n" * 4)
        at = data.draw(st.integers(0, len(shown) - 1))
        damaged = shown[:at] + data.draw(st.sampled_from(["", " ", '"', "0", "9", "\\", "]", "a"])) + shown[at + 1 :]
        try:
            decoded = codec.decode(damaged)
        except DecodeError:
            continue
        assert codec.encode(decoded) == damaged


def test_bounds_hold_for_the_encoder_too(monkeypatch):
    """What its own decoder would refuse is no envelope."""
    text = "a common line\n" * 100
    monkeypatch.setattr(envelope, "MAX_CHARS", len(text) - 1)
    assert line_rle.encode(text) is None
    assert template_fold.encode(text) is None
    monkeypatch.setattr(envelope, "MAX_CHARS", len(text))
    assert line_rle.encode(text) is not None
    monkeypatch.setattr(envelope, "MAX_ITEMS", 99)
    assert line_rle.encode(text) is not None
    assert template_fold.encode(text) is None


# --- codecs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "guarantee"),
    [
        ("json_minify", "[ 1 ]", "value"),
        ("line_rle", "é\né\n", "exact"),
        ("template_fold", "".join(f"common é {i}\n" for i in range(3)), "exact"),
    ],
)
def test_codecs_of_the_registry(name, text, guarantee):
    """Each is found by its name, takes text and UTF-8, gives text, and inverts it."""
    codec = find_codec(name)
    encoded = codec.compress(text, REQUEST)
    assert encoded == (LEXICAL[name].encode(text), guarantee, None)
    assert codec.compress(text.encode(), REQUEST) == encoded
    assert codec.decode(encoded.payload) == (text if guarantee == "exact" else encoded.payload)


@pytest.mark.parametrize("name", LEXICAL)
@pytest.mark.parametrize(
    ("payload", "cause"),
    [([1, 1], "not text"), (None, "not text"), (b"\xff", "not UTF-8"), ("", ""), ("nothing to gain", "")],
)
def test_codecs_decline(name, payload, cause):
    """What is not text, or has nothing to gain, is not theirs, and they say why."""
    with pytest.raises(NotApplicableError) as error:
        find_codec(name).compress(payload, REQUEST)
    assert cause in str(error.value)


# --- work -------------------------------------------------------------------------------------------------------------

LINE_FEEDS = "\n"
ROOFS = [min(i, 240 - i) for i in range(240)]
GROWING = {
    "line feeds": lambda n: LINE_FEEDS * n,
    "one line": lambda n: "a" * n,
    "repeats": lambda n: "a\na\nbb\nbb\n" * (n // 10),
    "roofs": lambda n: ("\n".join("x" * i + str(i) + "y" * (120 - i) for i in ROOFS) + "\n") * (n // 30_000),
    "log": lambda n: "".join(f"12:00:{i % 60:02} worker-{i % 7} did {i * 7919 % 1000}\n" for i in range(n // 30)),
    "open lists": lambda n: "[" * n,
    "deep lists": lambda n: "[ " * (n // 3) + "]" * (n // 3),
    "deep objects": lambda n: '{"a": ' * (n // 7) + "1" + "}" * (n // 7),
    "open string": lambda n: '"' + "\\n" * (n // 2),
    "white space": lambda n: " " * n,
}


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("codec", LEXICAL)
def test_work_is_linear(name, codec):
    """A character costs a few steps, counted as lines of our code that run, and not more of them in a longer text."""
    text = GROWING[name](60_000)
    assert steps(LEXICAL[codec].encode, text) <= 15 * len(text)


def steps(function, text: str) -> int:
    """Count the lines that a call runs in our modules."""
    count = 0

    def tracer(frame, event, _argument):
        nonlocal count
        if "/codecs/" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        function(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    ("codec", "name"), [("json_minify", "deep objects"), ("line_rle", "repeats"), ("template_fold", "roofs")]
)
def test_a_megabyte_of_the_worst_is_read(codec, name):
    """Large pathological inputs end, and what is made of them comes back."""
    text = GROWING[name](1 << 20)
    shown = LEXICAL[codec].encode(text)
    assert shown is not None
    assert LEXICAL[codec].decode(shown) == (shown if codec == "json_minify" else text)
