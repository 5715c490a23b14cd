"""`cablese.runtime.decode`: the way back from a view, or from what stands in one."""

from __future__ import annotations

import contextlib
import json

import pytest
from cablese.runtime import Decision, Outcome, View, decode
from cablese.runtime.codecs.codec import DecodeError, NotApplicableError, Request
from cablese.runtime.codecs.registry import find_codec
from cablese.runtime.decoding import recognise
from hypothesis import given

from .json_values import json_texts, read, table_texts

ROWS = [{"id": number, "ok": True, "tags": ["x", "x"]} for number in range(30)]
LINES = "same line\n" * 30 + "".join(f"GET /orders/{number} 200 OK\n" for number in range(30))


def view(payload, codec, level="minimal", **params):
    """Return the view of a payload as the walk gives it."""
    made = find_codec(codec).compress(payload, Request(level, params, recoverable=True))
    return View(made.payload, Decision(Outcome.COMPRESSED, codec=codec, level=level, guarantee=made.guarantee))


@pytest.mark.parametrize(
    ("payload", "codec"),
    [(ROWS, "columnar"), (ROWS, "json_compact"), (json.dumps(ROWS, separators=(",", ":")), "columnar"),
     (json.dumps(ROWS, separators=(",", ":")), "json_compact"), ({"n": 1, "rows": ROWS}, "columnar"),
     (LINES, "line_rle"), (LINES, "template_fold")],
)  # fmt: skip
def test_a_view_and_its_content_lead_back(payload, codec):
    """By the decision of the view, by the name given, and by the form alone."""
    shown = view(payload, codec)
    assert shown.content != payload
    assert decode(shown) == decode(shown.content, codec) == decode(shown.content) == payload
    assert recognise(shown.content) == codec


def test_a_view_that_passed_is_its_own_original():
    """The same object comes back."""
    content = [1]
    assert decode(View(content, Decision(Outcome.PASSED))) is content


def test_what_lost_something_has_no_way_back():
    """Below `value` only the original helps; a summary of a rule was made by no codec."""
    for shown in (view({"a": None, "b": 1}, "json_compact", nulls="drop"), view(ROWS, "columnar", level="aggressive")):
        with pytest.raises(DecodeError, match="no way back but its original"):
            decode(shown)
    with pytest.raises(DecodeError, match="no codec made this view"):
        decode(View("x", Decision(Outcome.COMPRESSED, guarantee="exact")))


@pytest.mark.parametrize(
    "shown", ["text", "", 5, None, {}, [], '{"codec":"none.v0"}', [[1], {"a": 1}], {"rows": []}, "[" * 9_999]
)
def test_what_is_of_no_form_is_refused(shown):
    """Nothing is guessed."""
    with pytest.raises(DecodeError, match="of no codec's form"):
        decode(shown)


def test_unknown_codecs_are_refused():
    """The name stands in the message."""
    with pytest.raises(DecodeError, match="`none` is no codec of ours"):
        decode("x", "none")


@given(json_texts() | table_texts())
def test_every_form_of_ours_leads_back_or_is_refused(text):
    """Whatever a codec of this house calls `value` decodes to the same value, by its name and through a view."""
    for codec in ("json_compact", "columnar"):
        try:
            shown = view(text, codec, min_rows=1)
        except NotApplicableError:
            continue
        assert shown.decision.guarantee == "value"
        assert read(decode(shown)) == read(text)


@given(json_texts())
def test_decoding_anything_raises_nothing_but_its_own_error(text):
    """Text that no codec wrote is refused or decoded, by every codec."""
    for codec in (None, "json_compact", "columnar", "line_rle", "template_fold"):
        with contextlib.suppress(DecodeError):
            decode(text, codec)
