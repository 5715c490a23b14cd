"""What goes over the line to a helper process: plain values as they are, nothing else, in small frames."""

from __future__ import annotations

import os

import pytest
from cablese.runtime.hosting.offload_wire import NotPlainError, pack_value, receive, send_frames
from hypothesis import given, settings
from hypothesis import strategies as st

from .strangers import SCALARS, Number, Own, deep

PLAIN = st.recursive(
    SCALARS | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


def through(value):
    """Send a value through a pipe."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as incoming, os.fdopen(writing, "wb") as outgoing:
        send_frames(pack_value(value), outgoing)
        return receive(incoming)


@settings(max_examples=50)
@given(PLAIN)
def test_plain_values_arrive_as_they_are(value):
    """Types, order and spelling included."""
    assert repr(through(value)) == repr(value)


def test_rows_are_packed_in_small_pieces():
    """A megabyte of rows is some frames of 64 KiB; between two of them other threads have their turn."""
    frames = pack_value([{"id": number, "name": f"name {number}", "tags": ["a", "b"]} for number in range(20_000)])
    assert len(frames) > 10
    assert max(map(len, frames)) < 70_000


@pytest.mark.parametrize("value", [Own(), Number.ONE, object(), print, [Own()], {"a": {"b": deep}}])
def test_nothing_else_is_sent(value):
    """Found out before the first byte."""
    with pytest.raises(NotPlainError):
        pack_value(value)


def test_what_holds_itself_or_is_too_deep_is_not_sent():
    """Neither recursion nor a cycle leaves as another error."""
    cycle: list = []
    cycle.append({"a": cycle})
    for value in (cycle, deep()):
        with pytest.raises(NotPlainError):
            pack_value(value)


def test_a_list_that_holds_another_many_times_is_bounded(monkeypatch):
    """What would be endless is given up."""
    monkeypatch.setattr("cablese.runtime.hosting.offload_wire._LARGEST", 100_000)
    value: list = ["x"]
    for _ in range(10):
        value = [value] * 10
    with pytest.raises(NotPlainError, match="more than 100000 bytes"):
        pack_value(value)


def test_a_class_is_never_looked_up(tmp_path):
    """A pickle of anybody else's runs nothing."""
    import pickle

    path = tmp_path / "pickle"
    path.write_bytes(pickle.dumps(Number.ONE))
    with path.open("rb") as file, pytest.raises(pickle.UnpicklingError, match="is not plain"):
        receive(file)
