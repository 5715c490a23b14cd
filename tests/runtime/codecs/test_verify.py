"""What a codec returned is held against what it says: types always, claims in debug mode."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from cablese.runtime.codecs.codec import Encoded, NotApplicableError, Request
from cablese.runtime.codecs.json_text import Number, Pairs
from cablese.runtime.codecs.registry import find_codec
from cablese.runtime.codecs.verify import UnfaithfulError, check_encoded, check_untouched, verify_encoded
from hypothesis import given
from hypothesis import strategies as st


class WithoutDecoder:
    """A codec that cannot prove anything."""

    codec_name = "stub"

    def compress(self, _payload: Any, _request: Request) -> Encoded:
        """Take nothing."""
        raise NotApplicableError


class Stub(WithoutDecoder):
    """A codec whose decoder gives, or raises, what it is told to."""

    def __init__(self, decoded: Any) -> None:
        self.decoded = decoded

    def decode(self, _shown: Any) -> Any:
        """Return the same whatever is shown."""
        if isinstance(self.decoded, Exception):
            raise self.decoded
        return self.decoded


class UnprintableError(Exception):
    """An error whose own text fails."""

    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    ("original", "encoded", "words"),
    [
        ("t", None, "returned `NoneType`, not `Encoded`"),
        ("t", ("shown", "exact", None), "returned `tuple`, not `Encoded`"),
        ("t", Encoded("shown", "lossless"), "a guarantee that is none of exact, value, shape, summary"),
        ("t", Encoded("shown", ["exact"]), "a guarantee that is none of"),
        ("t", Encoded("shown", "shape", 1), "a detail that is not text"),
        ("t", Encoded({"a": 1}, "shape"), "made `dict` of text"),
        (b"t", Encoded(b"shown", "shape"), "made `bytes` of text"),
        ([1], Encoded(b"shown", "shape"), "not a JSON value"),
        ([1], Encoded([{1: 2}], "shape"), "not a JSON value"),
        ([1], Encoded([float("nan")], "shape"), "not a JSON value"),
        ([1], Encoded([object()], "shape"), "not a JSON value"),
        ([1], Encoded({"a", "b"}, "summary"), "not a JSON value"),
    ],
)
def test_what_is_no_encoding_is_refused(original, encoded, words):
    """Wrong types are told apart from a good encoding, without any decoder and with one."""
    for check in (check_encoded, verify_encoded):
        with pytest.raises(UnfaithfulError, match=words):
            check(original, encoded, Stub(original))


def test_a_payload_that_holds_itself_is_no_json_value():
    """A cycle ends in a refusal, not in a hang."""
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(UnfaithfulError, match="not a JSON value"):
        check_encoded([1], Encoded(cycle, "shape"), Stub(None))
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UnfaithfulError, match="not a JSON value"):
        check_encoded([1], Encoded(deep, "shape"), Stub(None))


@pytest.mark.parametrize(
    ("original", "decoded", "guarantee"),
    [
        # Types.
        ([1, 1], [1, True], "value"),
        ([1], [1.0], "value"),
        ([0.0], [-0.0], "value"),
        ([None], [], "value"),
        ([[]], [{}], "value"),
        ([1], (1,), "value"),
        ({"a": 1}, [("a", 1)], "value"),
        # Order, absent and null.
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "value"),
        ({"a": None}, {}, "value"),
        # Spelling, repeated keys, order in text.
        ("[1.0]", "[1]", "value"),
        ("[1e2]", "[1E2]", "value"),
        ("[-0]", "[0]", "value"),
        ("[12345678901234567890123]", "[12345678901234567890124]", "value"),
        ('{"a":1,"a":2}', '{"a":2}', "value"),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', "value"),
        ('"a b"', '"ab"', "value"),
        # White space that means something, and text that is no JSON.
        ("[1 ]", "[1]", "exact"),
        ("a b", "a  b", "value"),
        ("a b", "a  b", "exact"),
        ("[1]", "[1] x", "value"),
        ("[" * 1_000 + "1" + "]" * 1_000, "[" * 1_000 + "1.0" + "]" * 1_000, "value"),
        # Not even the kind of payload.
        ("[1]", [1], "value"),
        ([1], "[1]", "value"),
        (b"\xff", "\xff", "exact"),
    ],
)
def test_lies_are_found(original, decoded, guarantee):
    """A decoder that returns anything else than the guarantee says proves that the claim is wrong."""
    shown = "shown" if isinstance(original, str | bytes) else ["shown"]
    with pytest.raises(UnfaithfulError, match=f"claims `{guarantee}`, and its decoder returns something else"):
        verify_encoded(original, Encoded(shown, guarantee), Stub(decoded))


@pytest.mark.parametrize(
    ("original", "decoded", "guarantee"),
    [
        ("text", "text", "exact"),
        ("text", b"text", "exact"),
        ("é".encode(), "é", "exact"),
        (b"\xff", b"\xff", "exact"),
        ("[1, 2]", "[1,2]", "value"),
        ('{"a": "\\u00e9"}', '{"a":"é"}', "value"),
        ("[" * 1_000 + " 1" + "]" * 1_000, "[" * 1_000 + "1" + "]" * 1_000, "value"),
        ({"a": [1, 1.5, None, True, "x"]}, {"a": [1, 1.5, None, True, "x"]}, "value"),
        ([Number("1e2"), Pairs([("a", 1), ("a", 2)])], [Number("1e2"), Pairs([("a", 1), ("a", 2)])], "exact"),
    ],
)
def test_the_truth_is_accepted(original, decoded, guarantee):
    """What the guarantee allows to differ may differ."""
    shown = "shown" if isinstance(original, str | bytes) else ["shown"]
    verify_encoded(original, Encoded(shown, guarantee), Stub(decoded))


@pytest.mark.parametrize("guarantee", ["exact", "value"])
def test_a_claim_needs_a_decoder_that_works(guarantee):
    """No decoder, or one that raises, proves nothing."""
    with pytest.raises(UnfaithfulError, match="has no `decode` to prove it"):
        verify_encoded("t", Encoded("s", guarantee), WithoutDecoder())
    for error, words in (
        (KeyError("x"), "KeyError: 'x'"),
        (RecursionError(), "RecursionError"),
        (UnprintableError(), "Unpr"),
    ):
        with pytest.raises(UnfaithfulError, match=f"its decoder raised {words}"):
            verify_encoded("t", Encoded("s", guarantee), Stub(error))


@pytest.mark.parametrize("guarantee", ["shape", "summary"])
def test_what_claims_a_loss_needs_no_decoder(guarantee):
    """A loss that is declared is not held against a decoder."""
    verify_encoded("t", Encoded("s", guarantee), WithoutDecoder())
    verify_encoded([1], Encoded({"n": 1}, guarantee, "a detail"), WithoutDecoder())


class Stranger:
    """Something that is equal to nothing but itself, and whose copy therefore is not."""


class Stubborn:
    """Something that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise TypeError

    __hash__ = None  # type: ignore[assignment]


def test_changed_payloads_are_found():
    """Each way to change a payload in place is told; a copy that nobody touched is fine, strangers and cycles too."""
    payload: dict[str, Any] = {"a": [1, {"b": None}], "c": Stranger(), "d": Stubborn(), "e": (1, 2)}
    payload["self"] = payload
    check_untouched(payload, copy.deepcopy(payload), Stub(None))
    changes = [
        lambda given: given["a"].append(1),
        lambda given: given["a"][1].update(b=0),
        lambda given: given["a"].__setitem__(0, 1.0),
        lambda given: given["a"].reverse(),
        lambda given: given.pop("a"),
        lambda given: given.update(a=given.pop("a")),
        lambda given: given.update(c=1),
    ]
    for change in changes:
        copied = copy.deepcopy(payload)
        change(copied)
        with pytest.raises(UnfaithfulError, match="`stub` changed the payload"):
            check_untouched(payload, copied, Stub(None))


PAYLOADS = st.one_of(
    st.lists(
        st.fixed_dictionaries({"a": st.integers(), "b": st.none() | st.text(max_size=3)}), min_size=1, max_size=30
    ),
    st.lists(st.sampled_from([1, 1.0, True, None, "1", {"x": 1}, []]), max_size=8),
)


@pytest.mark.parametrize("name", ["columnar", "json_compact", "json_minify", "line_rle", "template_fold"])
@given(payload=PAYLOADS, indent=st.sampled_from([None, 1]), text=st.booleans(), as_bytes=st.booleans())
def test_the_codecs_of_the_house_keep_their_word(name, payload, indent, text, as_bytes):
    """What our own codecs claim is proved by their own decoders."""
    if text:
        payload = json.dumps(payload, indent=indent)
        payload = payload.encode() if as_bytes else payload
    before = copy.deepcopy(payload)
    codec = find_codec(name)
    try:
        encoded = codec.compress(payload, Request("minimal", {"min_rows": 2}))
    except NotApplicableError:
        return
    verify_encoded(payload, encoded, codec)
    check_untouched(before, payload, codec)
