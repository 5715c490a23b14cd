"""What codecs of the house claim is proved at every call: a fault in one of them costs the view, never a value."""

from __future__ import annotations

import json

import pytest
from cablese.runtime import Compressor, MemoryStore, Reason, ToolResult, decode, native
from cablese.runtime.codecs import columnar, json_compact, json_minify
from cablese.runtime.codecs.codec import Request
from cablese.runtime.codecs.verify import UnfaithfulError, prove
from hypothesis import given

from .json_values import read, table_texts

ROWS = [{"id": number, "region": "south", "at": {"x": number}} for number in range(40)]
LOG = {"log": [{"code": 500, "path": "/orders"}] * 30}
TABLES = "dq_execute_database_query"


def view(tool, payload, *, debug=False):
    """Return the view of a payload at level `minimal`."""
    return Compressor.default(store=MemoryStore(bytes(32)), debug=debug).view(
        ToolResult(tool, payload), level="minimal"
    )


@pytest.fixture
def _in_python(monkeypatch):
    """Have text encoded in Python, whose encoder a test breaks; the native one has tests of its own."""
    monkeypatch.setenv("CABLESE_PURE", "1")
    monkeypatch.setattr(native, "_choice", type(native._choice)())


@pytest.mark.usefixtures("_in_python")
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("textual", [False, True])
@pytest.mark.parametrize("fault", ["a row is lost", "a number is another", "a type is another", "a column is renamed"])
def test_a_table_that_is_not_the_rows_is_not_shown(monkeypatch, fault, textual, debug):
    """Whatever an encoder would get wrong, the original comes back, the same object."""
    strict = columnar.strict_table

    def broken(rows):
        table = strict(rows)
        first = list(table.cells[0])
        if fault == "a row is lost":
            return table._replace(length=table.length - 1, cells=[column[:-1] for column in table.cells])
        if fault == "a number is another":
            first[7] = first[8]
        elif fault == "a type is another":
            first[7] = str(first[7])
        else:
            table = table._replace(columns=["no", *table.columns[1:]])
        return table._replace(cells=[first, *table.cells[1:]])

    payload = json.dumps(ROWS) if textual else ROWS
    assert view(TABLES, payload, debug=debug).decision.guarantee == "value"
    monkeypatch.setattr(columnar, "strict_table", broken)
    shown = view(TABLES, payload, debug=debug)
    assert shown.content is payload
    assert (shown.decision.reason, shown.decision.codec) == (Reason.CODEC_ERROR, "columnar")
    assert "claims `value`, and its decoder" in str(shown.decision.detail)


def test_a_marker_that_counts_wrong_is_not_shown(monkeypatch):
    """Nor is what `json_compact` would get wrong."""
    emit = json_compact._Compaction._emit
    monkeypatch.setattr(
        json_compact._Compaction, "_emit", lambda self, to, each, count: emit(self, to, each, count + 1)
    )
    shown = view("get_log", LOG)
    assert shown.content is LOG
    assert shown.decision.reason is Reason.CODEC_ERROR


def test_white_space_that_means_something_is_not_removed(monkeypatch):
    """`json_minify` reads nothing back by itself, as its form is the text; its value is compared all the same."""
    monkeypatch.setattr(json_minify, "remove_space", lambda text: text.replace(" ", ""))
    text = '{ "a" : "b c" }'
    made = json_minify.JsonMinify().compress(text, Request("minimal"))
    with pytest.raises(UnfaithfulError, match="its decoder returns something else"):
        prove(text, made, json_minify.JsonMinify())


@given(table_texts())
def test_proof_never_stands_in_the_way_of_what_is_right(text):
    """No table is refused for its proof, in whichever way it came, and each can be read back."""
    for payload in (text, text.encode("utf-8", "surrogatepass"), bytearray(text.encode("utf-8", "surrogatepass"))):
        shown = view(TABLES, payload)
        assert shown.decision.reason is not Reason.CODEC_ERROR
        if shown.decision.guarantee == "value":
            assert read(decode(shown)) == read(text)


@pytest.mark.parametrize("debug", [False, True])
def test_bytes_that_can_be_changed_are_bytes(debug):
    """A `bytearray` is encoded as the bytes that it holds."""
    shown = view(TABLES, bytearray(json.dumps(ROWS).encode()), debug=debug)
    assert shown.decision.guarantee == "value"
    assert json.loads(decode(shown)) == ROWS


def test_what_cannot_be_copied_is_not_taken():
    """A generator is read by whoever asked for it; that it has no copy is no fault of a codec."""
    payload = (number for number in range(3))
    shown = view("get_log", payload, debug=True)
    assert shown.content is payload
    assert shown.decision.reason is Reason.NOT_APPLICABLE
    assert list(payload) == [0, 1, 2]
