"""Report v0: what counts as a result, what the codecs would have saved, and that nothing of a session is in it."""

import json

from cablese.runtime.codecs import json_minify, line_rle, template_fold
from cablese.runtime.measuring.limits import REPORT_LIMITS
from cablese.runtime.measuring.portfolio import CODECS, choose, render_item, weigh
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from .archive import measure, result, write

MARK = "z\u017eq"
"""Letters that stand in everything a session holds, and in no report."""
LINES = st.lists(st.sampled_from([f"{MARK} one", f"{MARK} one", f"{MARK} two 7", "", "\r"]), max_size=12)
TEXTS = (
    LINES.map("\n".join)
    | LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))
    | st.recursive(st.none() | st.just(MARK) | st.integers(), st.lists, max_leaves=6).map(
        lambda value: json.dumps(value, indent=1)
    )
    | st.just("x" * 300)
    | st.just("\ud800")
)
CALLS = st.sampled_from([f"{MARK}1", f"{MARK}2", f"{MARK}3", f"{MARK}4", ""])
EVENTS = (
    st.builds(result, CALLS, TEXTS)
    | st.builds(
        lambda call, text: {"type": "tool_result", "id": call, "tool": "t", "success": False, "output": text},
        CALLS,
        TEXTS,
    )
    | st.builds(result, CALLS, st.none() | st.integers())
    | st.builds(lambda call: {"type": "tool_result", "call_id": call, "content": MARK}, CALLS)
    | st.builds(lambda call: result(call, MARK, success=None), CALLS)
    | st.builds(lambda call: result(call, MARK, metadata=[MARK]), CALLS)
    | st.sampled_from([{"type": MARK}, {"type": "user", "content": MARK}, {}])
    | st.sampled_from(
        [b"", b"  ", b"{", b"[1]", b"\xff\xfe", b"null", b"x" * 700, b'{"type":"tool_result"}', b"[" * 600]
    )
)


@given(st.lists(st.lists(EVENTS, max_size=8), max_size=4), st.sampled_from([REPORT_LIMITS, REPORT_LIMITS._replace(
    line_bytes=500, candidate_bytes=200, lines=6, results=4)]))  # fmt: skip
def test_the_equations_hold_and_nothing_of_a_session_is_told(tmp_path_factory, files, limits):
    """For any events; `measure` holds the equations against each report."""
    folder = tmp_path_factory.mktemp("s")
    for number, events in enumerate(files):
        write(folder / ("subagents" * (number % 2)) / f"{number}.jsonl", *events)
    text = json.dumps(measure(folder, limits), ensure_ascii=False)
    assert MARK not in text
    assert folder.name not in text


@given(TEXTS.filter(lambda text: "\ud800" not in text), st.sampled_from(["o200k_base", "cl100k_base"]))
def test_a_result_is_weighed_as_the_item_that_carries_it(text, encoding):
    """By the encoding of the family alone; candidates are those of the codecs, and never stacked."""
    weighed = weigh("c", text, encoding)
    item = '{"type":"function_call_output","call_id":"c","output":' + json.dumps(text, ensure_ascii=False) + "}"
    assert render_item("c", text) == item
    assert weighed.baseline == count_tokens(item)[encoding]
    for module, tokens in zip((json_minify, line_rle, template_fold), weighed.candidates, strict=True):
        shown = module.encode(text) if text else None
        assert tokens == (None if shown is None else count_tokens(render_item("c", shown))[encoding])


COUNTS = st.none() | st.integers(0, 5)


@given(st.integers(0, 5), st.tuples(COUNTS, COUNTS, COUNTS))
def test_only_one_shortest_candidate_is_chosen(baseline, candidates):
    """Two that are equally short are a tie, and so is one as long as the original: then the original stays."""
    chosen = choose(baseline, candidates)
    better = [count for count in candidates if count is not None and count < baseline]
    if better and candidates.count(min(better)) == 1:
        assert chosen == CODECS[candidates.index(min(better))]
    else:
        assert chosen is None


def test_each_kind_of_result_has_its_count(tmp_path):
    """Measured, empty, in the older form, invalid and too large ones; lines that are none, or are cut."""
    legacy = {"type": "tool_result", "id": "l", "tool": "bash", "success": False, "output": "old"}
    big = result("b", "x" * ((1 << 20) + 1))
    write(
        tmp_path / "a.jsonl",
        {"type": "user"},
        result("1", "text"),
        result("2", ""),
        legacy,
        result("1", "again"),
        result("3", None),
        big,
        {"type": "something else"},
        "{",
    )
    with (tmp_path / "a.jsonl").open("ab") as file:
        file.write(b'{"type":"tool_result","call_id":"4","tool_na')
    record = measure(tmp_path)
    assert record["tool_results"] == {
        "found": 6,
        "empty": 1,
        "measured": 3,
        "legacy": 1,
        "invalid": 2,
        "skipped_limit": 1,
    }
    assert record["jsonl"] == {"lines": 10, "valid_events": 8, "malformed": 2, "oversized": 0, "limit_hit": 0}
    assert record["files"]["limit_hit"] == record["files"]["scanned"] == 1
    assert record["baseline"]["content_bytes"] == len("textold")


def test_codecs_are_attempted_on_what_is_not_empty(tmp_path):
    """Each on its own; what two of them make equally short stays."""
    write(tmp_path / "a.jsonl", result("1", "x\n" * 50), result("2", '{ "a" : [ 1 , 2 , 3 ] }'), result("3", ""))
    record = measure(tmp_path)
    assert {name: codec["attempts"] for name, codec in record["codecs"].items()} == dict.fromkeys(CODECS, 2)
    assert record["codecs"]["json_minify"]["selected"] == record["codecs"]["line_rle"]["selected"] == 1
    assert record["portfolio"]["transformed"] == 2
    assert record["portfolio"]["savings_percent"] > 0


def test_an_empty_archive_is_all_zero(tmp_path):
    """And its share is 0.0."""
    record = measure(tmp_path)
    assert record["portfolio"] == {"tokens": 0, "saved_tokens": 0, "transformed": 0, "savings_percent": 0.0}
    assert record["files"]["considered"] == 0


def test_a_file_over_the_cap_is_outside_of_the_sample(tmp_path):
    """It is counted as a limit, and in none of the equations' terms."""
    write(tmp_path / "a.jsonl", result("1", "x" * 200))
    record = measure(tmp_path, REPORT_LIMITS._replace(file_bytes=100))
    assert (record["files"]["limit_hit"], record["files"]["considered"]) == (1, 0)
