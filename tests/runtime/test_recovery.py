"""Originals are read again in parts that say what they are, and nobody learns whether a handle exists elsewhere."""

import json
import subprocess
import sys
import time
from itertools import pairwise

import jsonschema
import pytest
from cablese import Compressor, ToolResult
from cablese.runtime import MemoryStore, StoreError, UnknownHandleError
from cablese.runtime.recovery import originals as recovery
from cablese.runtime.recovery.originals import choose, make_tool, parse_window
from cablese.runtime.stores.store import Retention
from hypothesis import given
from hypothesis import strategies as st

# Text and bytes of which many are parts of characters.
CONTENTS = st.one_of(
    st.text(alphabet="aé€😀\n\r", max_size=40).map(str.encode),
    st.lists(st.sampled_from([b"a", b"\n", b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f", b"\xff", "€".encode()])).map(
        b"".join
    ),
)


@pytest.fixture
def compressor():
    """Give a compressor whose store is known."""
    compressor = Compressor.default(store=MemoryStore(bytes(32)))
    compressor.store = compressor._context.store
    return compressor


@given(CONTENTS, st.sampled_from(["lines", "bytes"]), st.integers(1, 9))
def test_windows_side_by_side_give_the_original(content, unit, width):
    """However wide: together they are the whole, each says where it is, and none cuts a character or a line."""
    total = choose(content, **{unit: (None, None)}).total
    parts = [choose(content, **{unit: (at, at + width - 1)}) for at in range(1, total + 1, width)]
    assert b"".join(part.content for part in parts) == content
    for part, after in pairwise(parts):
        assert after.first == part.last + 1
        assert part.total == total
        if unit == "lines":
            assert part.content.endswith(b"\n")
    try:
        content.decode()
    except UnicodeDecodeError:
        return
    for part in parts:
        part.content.decode()


@given(CONTENTS, st.integers(1, 60), st.integers(1, 60))
def test_a_window_of_bytes_is_where_it_says(content, first, last):
    """The numbers of an excerpt are those of its bytes in the original."""
    part = choose(content, bytes=(first, last))
    assert part.content == content[part.first - 1 : part.last]
    assert len(part.content) <= max(0, last - first + 1) + 3


def test_windows_with_open_ends_and_beyond_the_end():
    """Open ends are the original's; a window behind it is empty and says how much there is."""
    content = b"one\ntwo\nthree"
    assert choose(content, lines=(2, None)).content == b"two\nthree"
    assert choose(content, lines=(None, 1)).content == b"one\n"
    assert choose(content, bytes=(None, 3)).content == b"one"
    beyond = choose(content, lines=(7, 9))
    assert (beyond.content, beyond.words) == (b"", "no lines: there are 3")
    assert choose(content, lines=(2, 3)).words == "lines 2-3 of 3"
    assert choose(content, lines=(3, 2)).content == b""
    assert choose(content).is_whole
    assert choose(content, lines=(1, 3)).is_whole
    assert choose(b"").is_whole


def test_expressions_are_searched_in_the_lines_of_a_window():
    """What is found keeps its line ends; the excerpt says how many of how much."""
    content = b"ok 1\nFAILED 2\nok 3\nFAILED 4"
    for expression in ("FAILED", "FAI.ED", "^FAILED.*[0-9]$", "(?i)failed"):
        found = choose(content, grep=expression)
        assert (found.content, found.found) == (b"FAILED 2\nFAILED 4", 2)
    assert choose(content, lines=(1, 3), grep="FAILED").words == "1 found in lines 1-3 of 4"
    assert choose(content, bytes=(6, 13), grep="o*$").content == b"FAILED 2"
    assert choose(b"\n\n", grep="^x*$").content == b"\n\n"
    assert choose(b"", grep="x*").content == b""
    assert choose("schön".encode(), grep="sch(ö)n").found == 1


def test_a_hostile_expression_comes_to_an_end(monkeypatch):
    """An expression that would take for ever is given up, and said to be so; the process goes on."""
    monkeypatch.setattr(recovery, "GREP_PATIENCE_S", 0.5)
    start = time.monotonic()
    with pytest.raises(ValueError, match="took more than"):
        choose(b"a" * 5000 + b"!", grep="(a+)+$")
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    "choice",
    [
        {"grep": "("}, {"grep": "a{99999999999999999999}"}, {"lines": (0, 1)}, {"bytes": (1, -1)}, {"lines": ("1", 2)},
        {"lines": (1, 2), "bytes": (1, 2)}, {"lines": (True, 2)},
    ],
)  # fmt: skip
def test_malformed_choices_are_errors(choice):
    """A choice that means nothing chooses nothing."""
    with pytest.raises(ValueError):  # noqa: PT011 - the words differ
        choose(b"x", **choice)
    for text in ("", "1", "0:1", "a:b", "1:2:3", "-1:2", "١:٢", " 1:2", f"1:{'9' * 5000}"):
        with pytest.raises(ValueError, match="lines: "):
            parse_window(text, "lines")


def test_recovering_from_a_compressor(compressor):
    """The whole as text, byte for byte, also where it was no UTF-8; parts by windows and expressions."""
    text = "ä\udcff\nsecond\nthird"
    handle = compressor.store.keep(text.encode("utf-8", "surrogateescape"), tenant="t", run="r")
    assert compressor.recover(handle, tenant="t", run="r") == text
    assert compressor.recover(handle, lines=(2, 2), tenant="t", run="r") == "second\n"
    assert compressor.recover(handle, bytes=(1, 1), tenant="t", run="r") == "ä"
    assert compressor.recover(handle, grep="^t", tenant="t", run="r") == "third"
    assert compressor.excerpt(handle, lines=(2, 2), tenant="t", run="r").words == "lines 2-2 of 3"


def test_unknown_foreign_and_expired_are_one_refusal(monkeypatch):
    """Nothing in the error tells a handle that never was from one of another tenant or one that has expired."""
    store = MemoryStore(retention=Retention(ttl=5))
    compressor = Compressor.default(store=store)
    foreign = store.keep(b"x", tenant="another")
    expired = store.keep(b"y")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 6)
    refusals = set()
    for handle in (foreign, expired, "1" * 15, "../key", "", None, 5, b"1" * 15, ["1"]):
        with pytest.raises(UnknownHandleError) as refusal:
            compressor.recover(handle)
        refusals.add((type(refusal.value), str(refusal.value), refusal.value.args))
        assert refusal.value.__cause__ is None
    assert len(refusals) == 1
    with pytest.raises(UnknownHandleError):
        Compressor.default(store=False).recover("1" * 15)


def test_a_broken_store_is_another_error():
    """A host's store that raises errors of its own is a StoreError, not an unknown handle; so is one whose error cannot
    be printed.
    """

    class UnprintableError(Exception):
        def __str__(self):
            raise ValueError

    class Broken:
        def __init__(self, error):
            self.error = error

        def fetch(self, *_, **__):
            raise self.error

    for error, words in ((OSError("away"), "OSError: away"), (UnprintableError(), "UnprintableError")):
        compressor = Compressor.default(store=Broken(error))
        with pytest.raises(StoreError) as refusal:
            compressor.recover("1" * 15)
        assert str(refusal.value) == words
        assert compressor.recovery_tool().handler(handle="1" * 15) == f"error: {words}"


def test_what_changes_after_keeping_changes_no_original(compressor):
    """An object that is changed after its result was kept is recovered as it was."""
    rows = [{"id": number, "name": f"name {number}", "same": "x", "none": None} for number in range(60)]
    before = json.loads(json.dumps(rows))
    view = compressor.view(ToolResult(tool="query", content=rows))
    rows[0]["id"] = "changed"
    rows.pop()
    if view.decision.handle is None:
        pytest.fail(f"nothing was kept: {view.decision}")
    assert json.loads(compressor.recover(view.decision.handle)) == before


# --- the tool -------------------------------------------------------------------------------------------------------


def test_the_tool_reads_pages(compressor):
    """From the beginning on, each answer says which part it is and how to go on; together they are the original."""
    text = "".join(f"line {number} of some\n" for number in range(500))
    handle = compressor.store.keep(text.encode(), tenant="t")
    tool = compressor.recovery_tool(max_bytes=1000, tenant="t")
    note, _, page = tool.handler(handle=handle).partition("\n")
    assert note == f"[bytes 1-{len(page)} of {len(text):,}; go on with bytes {len(page) + 1}:]"
    pages = [page]
    while "go on with" in note:
        window = note.removesuffix("]").rpartition("go on with bytes ")[2]
        note, _, page = tool.handler({"handle": handle, "bytes": window}).partition("\n")
        pages.append(page)
    assert "".join(pages) == text
    assert tool.handler(handle=handle, lines="2:3") == "[lines 2-3 of 500]\nline 1 of some\nline 2 of some\n"
    assert tool.handler(handle=handle, lines="1:").startswith("[lines 1-63 of 500; go on with lines 64:]\nline 0")
    found = tool.handler(handle=handle, grep="line [0-9]+ of")
    assert found.startswith("[500 found in lines 1-500 of 500; the first 63 of these follow]\n")
    assert tool.handler(handle=handle, grep="line 499") == "[1 found in lines 1-500 of 500]\nline 499 of some\n"


def test_the_tool_cuts_a_long_line_between_characters(compressor):
    """A line that is longer than an answer is cut where a character ends."""
    handle = compressor.store.keep("€".encode() * 500)
    tool = compressor.recovery_tool(max_bytes=1000)
    assert tool.handler(handle=handle) == "[bytes 1-1,002 of 1,500; go on with bytes 1003:]\n" + "€" * 334
    assert tool.handler(handle=handle, lines="1:").partition("\n")[2] == "€" * 334
    assert tool.handler(handle=handle, bytes="1003:") == "[bytes 1,003-1,500 of 1,500]\n" + "€" * 166
    found = tool.handler(handle=handle, grep="€")
    assert found == "[1 found in lines 1-1 of 1; the first of these is cut, read it with `bytes`]\n" + "€" * 334


def test_the_tool_answers_errors_in_words(compressor):
    """Nothing is raised at a client; what is wrong stands in the answer."""
    handle = compressor.store.keep(b"\xff x")
    tool = compressor.recovery_tool()
    assert tool.handler(handle=f" {handle}\n") == "\\xff x"
    for call in ({}, {"handle": "1"}, {"handle": handle, "lines": "x"}, {"handle": handle, "grep": "("},
                 {"handle": handle, "grep": "\ud800"}, {"handle": 5}, {"handle": handle, "tenant": "t"},
                 {"handle": handle, "lines": "1:", "bytes": "1:"}):  # fmt: skip
        answer = tool.handler(call)
        assert answer.startswith("error: "), call
        assert "\n" not in answer
    assert tool.handler({"handle": "1"}) == tool.handler({}) == "error: no original is kept under this handle"


def test_the_tool_is_described_once(compressor):
    """Both clients get the same name, words and schema; the schema accepts what the handler does."""
    tool = compressor.recovery_tool()
    ours, theirs = tool.anthropic(), tool.openai()["function"]
    assert (ours["name"], ours["description"], ours["input_schema"]) == (
        theirs["name"],
        theirs["description"],
        theirs["parameters"],
    )
    jsonschema.Draft202012Validator.check_schema(ours["input_schema"])
    jsonschema.validate({"handle": "1" * 15, "lines": "1:"}, ours["input_schema"])
    for wrong in ({}, {"handle": "1", "lines": "x"}, {"handle": "1", "tenant": "t"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, ours["input_schema"])
    json.dumps([tool.anthropic(), tool.openai()])
    assert make_tool(choose, name="other").name == "other"


def test_what_the_tool_shows_is_not_compressed_again(compressor):
    """A result of the tool counts as compressed already."""
    rows = json.dumps([{"a": None, "b": 1}] * 50)
    name = compressor.recovery_tool().name
    assert compressor.view(ToolResult(tool=name, content=rows)).decision.reason == "already_compressed"


def test_a_search_that_is_left_alone_ends_by_itself():
    """The process that searches has a limit of its own, in case nobody is left to end it."""
    from cablese.runtime.recovery.grep_worker import _WORKER

    pattern = b"(a+)+$"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _WORKER, "1", str(len(pattern))],
        input=pattern + b"a" * 5000 + b"b",
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert done.returncode < 0
