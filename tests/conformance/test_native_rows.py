"""On any text the native codecs of rows give what Python gives: bytes, guarantee, detail, words of refusal; or nothing.

Where they give nothing, Python decides; a claim of `value` that they prove is one that Python proves.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cablese.runtime import native, native_rows
from cablese.runtime.codecs.codec import DecodeError, Encoded, NotApplicableError, Request
from cablese.runtime.codecs.columnar import Columnar
from cablese.runtime.codecs.json_compact import JsonCompact
from cablese.runtime.codecs.json_text import JsonTextError, Pairs, parse_json
from cablese.runtime.codecs.registry import find_codec
from cablese.runtime.codecs.verify import prove
from cablese.runtime.native_rows import NativeEncoded, encode_natively, object_keys
from hypothesis import given
from hypothesis import strategies as st

from ..runtime.codecs.json_values import json_texts, table_texts

if TYPE_CHECKING:
    from types import ModuleType

CODECS = ("columnar", "json_compact")
CELLS = st.sampled_from(
    (
        *("1", "-0", "1.0", "1e2", "9" * 400, "true", "null", '"a"', '"1"', '"\\u00e9"', '"é"', '"\\ud800"'),
        *('"\\ud83d\\ude00"', '"x\\n\\u0001\\/"', '"' + "long é " * 9 + '"', "[ ]", "[1,1, 1]", '{"a":null}'),
        *('{"_repeat":2,"_value":1}', '{"a":1,"a":2}'),
    )
)
ODD = ("", '"', "\\", "[" * 110, "}", ",", "\x00", "\ufeff", "\ud800", "\u00a0", "0", "NaN")
NAMES = st.sampled_from(['"a"', '"b"', '"\\u0061"', '"rows"', '"_repeat"', '"é"', '"\\ud800"'])
REQUESTS = st.builds(
    Request,
    st.sampled_from(["minimal", "normal", "aggressive"]),
    st.fixed_dictionaries(
        {"min_rows": st.integers(1, 4)},
        optional={
            "heterogeneity_percent": st.sampled_from([100, 150, 1000]),
            "clip": st.sampled_from([0, 5, 40]),
            "nulls": st.sampled_from(["keep", "drop"]),
            "dedup": st.sampled_from(["on", "auto", "off"]),
        },
    ),
    st.booleans(),
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Write a table: few names, cells that repeat, rows that repeat, keys that are missing or in another order."""
    names = draw(st.lists(NAMES, max_size=4))
    rows: list[str] = []
    for _ in range(draw(st.integers(1, 8))):
        if rows and draw(st.booleans()):
            rows.append(rows[-1])
            continue
        mine = names if draw(st.integers(0, 4)) else draw(st.permutations(names + draw(st.lists(NAMES, max_size=1))))
        blank = draw(st.sampled_from(["", "", " ", "\n\t"]))
        rows.append("{" + f",{blank}".join(f"{name}{blank}:{draw(CELLS)}" for name in mine) + blank + "}")
    text = "[" + ",".join(rows) + "]"
    return draw(st.sampled_from([text, f'{{"next":null,"rows":{text}}}', f'{{"a":{text}}}']))


TEXTS = st.one_of(tables(), table_texts(), json_texts())


@st.composite
def payloads(draw: st.DrawFn) -> str | bytes:
    """Write JSON, whole or broken somewhere, as text or as bytes, which need not be UTF-8."""
    text = draw(TEXTS)
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        at = draw(st.integers(0, len(text)))
        odd = draw(st.sampled_from(ODD))
        text = text[:at] + odd + text[at + draw(st.integers(0, 3)) :]
    if draw(st.booleans()):
        return text
    data = text.encode("utf-8", "surrogatepass")
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.sampled_from([b"", b"", b"\xff", b"\xc3"])) + data[at:]


def compress(name: str, payload: str | bytes, request: Request) -> Encoded | str:
    """Return what Python makes of a payload, or its refusal."""
    found = find_codec(name)
    assert found is not None
    try:
        return found.compress(payload, request)
    except NotApplicableError as refusal:
        return str(refusal)


def compress_natively(name: str, payload: str | bytes, request: Request) -> NativeEncoded | str | None:
    """Return what the native codec makes of it, its refusal, or None where it gives it back."""
    try:
        return encode_natively(name, payload, request)
    except NotApplicableError as refusal:
        return str(refusal)


@given(payloads(), REQUESTS, st.sampled_from(CODECS))
def test_any_text_is_encoded_or_refused_alike(
    codec: ModuleType, payload: str | bytes, request_: Request, name: str
) -> None:
    """Byte for byte, and what is proved natively Python proves."""
    assert codec is not None
    made = compress_natively(name, payload, request_)
    if made is None:
        return
    said = compress(name, payload, request_)
    assert (made if isinstance(made, str) else made.encoded) == said
    if isinstance(made, NativeEncoded):
        assert made.proved == (made.encoded.guarantee == "value")
        found = find_codec(name)
        assert found is not None
        prove(payload, made.encoded, found)


@given(TEXTS, REQUESTS)
def test_sound_json_is_never_given_back(codec: ModuleType, text: str, request_: Request) -> None:
    """Only level `aggressive`, with the original kept, is Python's."""
    assert codec is not None
    request_ = request_._replace(level="normal")
    parse_json(text)
    assert all(compress_natively(name, text, request_) is not None for name in CODECS)


@given(TEXTS, REQUESTS, st.integers(0, 400), st.sampled_from(["", '"', "0", "1", ",", "[1]", " "]))
def test_the_readers_that_prove_agree_with_python(
    codec: ModuleType, text: str, request_: Request, at: int, odd: str
) -> None:
    """Of forms that are whole, and of forms that were changed somewhere, which both refuse or both read alike."""
    decoders: list[tuple[Any, Any]] = [(Columnar(), codec.decode_columnar), (JsonCompact(), codec.decode_json_compact)]
    for python, decode in decoders:
        made = compress(python.codec_name, text, request_._replace(level="minimal"))
        shown = made.payload if isinstance(made, Encoded) else text
        at %= len(shown) + 1
        for form in (shown, shown[:at] + odd + shown[at + 1 :]):
            try:
                said = python.decode(form)
            except DecodeError:
                said = None
            assert decode(form) == said


@given(payloads())
def test_the_keys_of_an_object_are_those_that_python_reads(codec: ModuleType, payload: str | bytes) -> None:
    """Repeated ones, too; what is no JSON is given back."""
    assert codec is not None
    if isinstance(payload, bytes):
        return
    found = object_keys(payload)
    try:
        value = parse_json(payload)
    except JsonTextError:
        assert found is None
        return
    if found is not None:
        keys = [key for key, _ in value] if type(value) is Pairs else list(value) if type(value) is dict else None
        assert found == (keys,)


@pytest.mark.parametrize("depth", [99, 100, 101, 5_000, 1_000_000])
def test_no_depth_ends_the_process(codec: ModuleType, depth: int) -> None:
    """What is deeper than a text may be is given back, however deep."""
    assert codec is not None
    for payload in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth, "[" * depth):
        made = compress_natively("json_compact", payload, Request("minimal"))
        assert made == (
            "nothing repeats, and nothing can be left out" if depth <= 100 and payload[-1] in "]}" else None
        )
        assert codec.decode_columnar(payload) is None


def test_values_in_memory_stay_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not even asked about, nor is a short text in a process that has not loaded the codec."""
    monkeypatch.setattr(native, "codec", lambda: pytest.fail("asked for"))
    rows = [{"a": 1}] * 30
    assert encode_natively("columnar", rows, Request("minimal")) is None
    assert encode_natively("columnar", bytearray(b"[1]"), Request("minimal")) is None
    assert encode_natively("json_minify", "[1, 2]" * 9999, Request("minimal")) is None
    assert encode_natively("columnar", json.dumps(rows), Request("aggressive", recoverable=True)) is None
    monkeypatch.delitem(native_rows.sys.modules, "cablese_codec", raising=False)
    assert encode_natively("columnar", json.dumps(rows), Request("minimal")) is None


def test_a_panic_is_left_to_python_and_keeps_the_codec_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether pyo3 raised it, as no `Exception`, or the codec; an interrupt goes on."""

    class PanicException(BaseException): ...

    class RefusalError(Exception): ...

    left_out: list[BaseException] = []
    monkeypatch.setattr(native, "leave_out", left_out.append)
    text = json.dumps([{"a": 1}] * 9999)
    for error in (PanicException("at byte 7"), RuntimeError("at byte 8"), KeyboardInterrupt()):

        def raises(*_: object, error: BaseException = error, **__: object) -> None:
            raise error

        module = SimpleNamespace(compress_columnar=raises, NotApplicable=RefusalError, NotMine=RefusalError)
        monkeypatch.setattr(native, "codec", lambda module=module: module)
        if isinstance(error, KeyboardInterrupt):
            with pytest.raises(KeyboardInterrupt):
                encode_natively("columnar", text, Request("minimal"))
        else:
            assert encode_natively("columnar", text, Request("minimal")) is None
    assert [str(error) for error in left_out] == ["at byte 7", "at byte 8"]
