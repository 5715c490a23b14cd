"""The report: a pure function of entries, whose sums add up whatever the order, the grouping and the damage."""

import copy
import json
import sys
from pathlib import Path

import pytest
from cablese.cli.schema import ReportRecord
from cablese.runtime.hosting.ledger import encode_entry
from cablese.runtime.savings import aggregate, report_record
from cablese.runtime.savings import report as report_module
from cablese.runtime.savings.tally import quarter
from hypothesis import given
from hypothesis import strategies as st

HANDLES = [f"{number:015}" for number in range(6)]
SIZES = st.integers(0, 10**7)


def decision(at=1.0, **fields):
    """Make an entry of a summary that saved something."""
    entry = {"at": at, "tool": "bash", "rule": "bash.git_log", "outcome": "compressed", "bytes": [100, 20], "ms": 1.5}
    return {**entry, **fields}


def recovery(handle, size, at=2.0):
    """Make an entry of an original that was shown again."""
    return {"at": at, "recovered": handle, "bytes": size}


@st.composite
def any_entry(draw):
    """Make an entry that the ledger could hold."""
    at = draw(st.integers(0, 50)) / 10
    if draw(st.integers(0, 4)) == 0:
        return recovery(draw(st.sampled_from(HANDLES)), draw(SIZES), at)
    outcome = draw(st.sampled_from(["compressed", "passed", "diagnosed"]))
    entry = {
        "at": at,
        "tool": draw(st.sampled_from(["bash", "read", "ä"])),
        "outcome": outcome,
        "bytes": [draw(SIZES), draw(SIZES)],
        "ms": draw(st.integers(0, 10**7)) / 1000,
    }
    if outcome == "passed":
        entry["reason"] = draw(st.sampled_from(["no_gain", "no_rule"]))
    if outcome == "compressed":
        entry["handle"] = draw(st.sampled_from(HANDLES))
        entry[draw(st.sampled_from(["rule", "codec", "kind"]))] = draw(st.sampled_from("ab"))
    if draw(st.booleans()):
        entry["tokens"] = {name: [draw(SIZES), draw(SIZES)] for name in draw(st.sets(st.sampled_from(["x", "y"])))}
    return entry


ENTRIES = st.lists(any_entry(), max_size=40)


@given(ENTRIES, st.randoms(), st.integers(0, 40))
def test_order_and_grouping_do_not_matter(entries, random, cut):
    """Shuffled, cut in two and merged either way, as lines or as objects: one record."""
    expected = report_record(aggregate(entries))
    shuffled = entries[:]
    random.shuffle(shuffled)
    assert report_record(aggregate(encode_entry(entry) for entry in shuffled)) == expected
    first, second = aggregate(shuffled[:cut]), aggregate(shuffled[cut:])
    merged = second.copy()
    merged.merge(first)
    first.merge(second)
    assert report_record(first) == report_record(merged) == expected


ADDITIVE = (
    "calls", "compressed", "diagnosed", "bytes_before", "bytes_after", "bytes_saved", "bytes_passed",
    "estimated_tokens_saved", "recoveries", "bytes_recovered", "estimated_tokens_recovered", "net_bytes_saved",
    "net_estimated_tokens_saved",
)  # fmt: skip


@given(ENTRIES)
def test_the_sums_add_up(entries):
    """Rows to tools, tools and what has no row to the total, and the total to a plain count of the entries."""
    record = report_record(aggregate(entries))
    ReportRecord.model_validate_json(json.dumps(record))
    for tool in record["tools"]:
        for name in ADDITIVE:
            assert tool["total"][name] == sum(row[name] for row in tool["rows"])
    total, rest = record["total"], record["unattributed"]
    for name in ADDITIVE:
        assert total[name] == sum(tool["total"][name] for tool in record["tools"]) + (
            -rest["bytes_recovered"]
            if name == "net_bytes_saved"
            else -rest["estimated_tokens_recovered"]
            if name == "net_estimated_tokens_saved"
            else rest.get(name, 0)
        )
    calls = [entry for entry in entries if "recovered" not in entry]
    shown = [entry for entry in calls if entry["outcome"] != "passed"]
    assert total["calls"] == len(calls) == total["compressed"] + total["diagnosed"] + sum(total["passed"].values())
    assert total["bytes_before"] == sum(entry["bytes"][0] for entry in shown)
    assert total["bytes_passed"] == sum(entry["bytes"][0] for entry in calls if entry["outcome"] == "passed")
    assert total["estimated_tokens_saved"] == sum(quarter(entry["bytes"][0] - entry["bytes"][1]) for entry in shown)
    assert total["recoveries"] == len(entries) - len(calls)
    assert total["ms_total"] == sum(round(entry["ms"] * 1000) for entry in calls) / 1000
    for name in "xy":
        counted = [entry["tokens"][name] for entry in shown if name in entry.get("tokens", {})]
        tokens = total["tokens"].get(name, {"calls": 0, "before": 0, "after": 0})
        assert (tokens["calls"], tokens["before"], tokens["after"]) == (
            len(counted), sum(before for before, _ in counted), sum(after for _, after in counted),
        )  # fmt: skip


@given(ENTRIES)
def test_tools_rows_and_reasons_are_ordered_by_name(entries):
    """So the same ledger gives the same text."""
    record = report_record(aggregate(entries))
    tools = [tool["tool"] for tool in record["tools"]]
    assert tools == sorted(tools)
    for tool in record["tools"]:
        names = [tuple(row[name] or "" for name in ("rule", "codec", "kind")) for row in tool["rows"]]
        assert names == sorted(set(names))
        assert list(tool["total"]["passed"]) == sorted(tool["total"]["passed"])


def test_a_skip_counts_in_calls_and_its_reason_alone():
    """What passed was neither saved nor lost."""
    record = report_record(aggregate([decision(outcome="passed", reason="no_gain", bytes=[100, 100])] * 3))
    total = record["total"]
    assert (total["calls"], total["compressed"], total["passed"]) == (3, 0, {"no_gain": 3})
    assert (total["bytes_before"], total["bytes_saved_percent"], total["bytes_passed"]) == (0, 0.0, 300)


def test_the_share_is_that_of_the_bytes():
    """100 · (before - after) / before."""
    total = report_record(aggregate([decision(bytes=[300, 100]), decision(bytes=[100, 100])]))["total"]
    assert (total["bytes_saved"], total["bytes_saved_percent"], total["estimated_tokens_saved"]) == (200, 50.0, 50)


def test_losses_are_shown_as_losses():
    """A diagnostic in place of nothing, and an original that was read again and again, give figures below zero."""
    entries = [
        {"at": 1.0, "tool": "grep", "outcome": "diagnosed", "bytes": [0, 61], "ms": 0.1},
        decision(handle=HANDLES[0]),
        *[recovery(HANDLES[0], 100)] * 2,
    ]
    record = report_record(aggregate(entries))
    bash, grep = record["tools"][0]["total"], record["tools"][1]["total"]
    assert (grep["bytes_saved"], grep["estimated_tokens_saved"], grep["compressed"], grep["diagnosed"]) == (
        -61, -15, 0, 1,
    )  # fmt: skip
    assert (bash["recoveries"], bash["net_bytes_saved"], bash["net_bytes_saved_percent"]) == (2, -120, -120.0)
    assert bash["net_estimated_tokens_saved"] == 20 - 50
    assert record["total"]["net_bytes_saved"] == -181


def test_a_recovery_belongs_to_the_latest_decision_that_announced_its_handle():
    """Before or after it in the ledger; one that nobody announced is in the total alone."""
    entries = [
        recovery(HANDLES[0], 7),
        recovery(HANDLES[1], 9),
        decision(1.0, handle=HANDLES[0], rule="old"),
        decision(1.5, handle=HANDLES[0], rule="new"),
    ]
    record = report_record(aggregate(entries))
    assert [(row["rule"], row["bytes_recovered"]) for row in record["tools"][0]["rows"]] == [("new", 7), ("old", 0)]
    assert record["unattributed"] == {"recoveries": 1, "bytes_recovered": 9, "estimated_tokens_recovered": 2}
    assert record["total"]["bytes_recovered"] == 16
    alone = report_record(aggregate(entries), tool="bash")
    assert alone["unattributed"]["recoveries"] == 0
    assert alone["total"]["bytes_recovered"] == 7


def test_what_was_decided_earlier_only_says_whose_a_handle_is():
    """`since` leaves calls out, and not the rule that a later recovery is set off against."""
    entries = [decision(1.0, handle=HANDLES[0]), recovery(HANDLES[0], 7, at=3.0), recovery(HANDLES[0], 7, at=1.5)]
    record = report_record(aggregate(entries, since=2.0))
    (row,) = record["tools"][0]["rows"]
    assert (row["calls"], row["recoveries"], row["net_bytes_saved"], row["ms_p50"]) == (0, 1, -7, None)
    assert (record["first_at"], record["last_at"]) == (3.0, 3.0)


DAMAGED = [
    b"", b"x", b"[]", b"7", b"null", b'"x"', b"{}", b"\xff", b'{"at":1', b"[" * 10**6,
    *(
        json.dumps({**decision(), **fields}).encode()
        for fields in (
            {"at": None}, {"at": "1"}, {"at": -1}, {"at": True}, {"at": float("nan")}, {"at": float("inf")},
            {"at": 10**400}, {"tool": 7}, {"rule": 7}, {"outcome": "x"}, {"outcome": []}, {"reason": 7},
            {"bytes": 7}, {"bytes": [1]}, {"bytes": [1, 2, 3]}, {"bytes": [1.5, 2]}, {"bytes": [-1, 2]},
            {"bytes": [True, 2]}, {"bytes": [10**30, 2]}, {"bytes": "ab"}, {"ms": None}, {"ms": -1}, {"handle": 7},
            {"tokens": 7}, {"tokens": {"x": 7}}, {"tokens": [1]}, {"recovered": 7}, {"recovered": "1"},
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("line", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_line_is_counted_and_changes_nothing_else(line):
    """Before, between and behind good ones."""
    expected = report_record(aggregate([decision(), decision()]))
    record = report_record(aggregate([line, decision(), line, decision(), line]))
    assert record.pop("unreadable_entries") == 3
    expected.pop("unreadable_entries")
    assert record == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from([*decision(), "handle", "tokens", "reason", "recovered"]), JSON), st.binary())
def test_no_line_raises(fields, data):
    """Whatever a file holds, there is a report, and it has the published shape."""
    record = report_record(aggregate([{**decision(), **fields}, json.dumps(fields).encode(), data]))
    ReportRecord.model_validate_json(json.dumps(record))


def test_an_entry_without_a_tool_is_left_out():
    """It is no damage either."""
    entries = [decision(tool=""), {name: value for name, value in decision().items() if name != "tool"}]
    record = report_record(aggregate(entries))
    assert (record["tools"], record["total"]["calls"], record["unreadable_entries"]) == ([], 0, 0)


def test_a_report_does_not_change_behind_its_record():
    """Records are the caller's own; a copy stands on its own."""
    report = aggregate([decision(tokens={"x": [4, 2]}, handle=HANDLES[0]), recovery(HANDLES[0], 3)])
    twin, record = report.copy(), report_record(report)
    kept = copy.deepcopy(record)
    report.add(decision(tokens={"x": [4, 2]}))
    record["tools"][0]["total"]["passed"]["x"] = 1
    assert report_record(twin) == kept
    assert report_record(report)["total"]["calls"] == 2


def test_memory_does_not_grow_with_the_ledger(monkeypatch):
    """Ten times as many handles as are remembered: the latest keep their rows, and every recovery is in the total."""
    monkeypatch.setattr(report_module, "KNOWN_HANDLES", 100)
    handles = [f"{number:015}" for number in range(1000)]
    stream = (
        entry
        for number, handle in enumerate(handles)
        for entry in (decision(float(number), handle=handle), recovery(handle, 1, number + 0.5))
    )
    report = aggregate(stream)
    assert max(len(report._owners), len(report._recovered)) <= 200
    record = report_record(report)
    assert record["total"]["recoveries"] == 1000
    assert record["tools"][0]["total"]["recoveries"] == 100
    backwards = aggregate(decision(float(number), handle=handles[number]) for number in reversed(range(1000)))
    forwards = aggregate(decision(float(number), handle=handles[number]) for number in range(1000))
    for whole in (backwards, forwards):
        whole.add(recovery(handles[899], 1))
        whole.add(recovery(handles[900], 1))
        assert report_record(whole)["tools"][0]["total"]["recoveries"] == 1


def test_a_large_ledger_is_streamed():
    """Entries are taken one at a time, and none of them stays."""
    alive = []

    class Entry(dict):
        def __init__(self, number):
            super().__init__(decision(float(number)))
            alive.append(1)

        def __del__(self):
            alive.pop()

    most = 0

    def stream():
        nonlocal most
        for number in range(2000):
            most = max(most, len(alive))
            yield Entry(number)

    assert report_record(aggregate(stream()))["total"]["calls"] == 2000
    assert most <= 2
    assert sys.getsizeof(aggregate(stream())._tallies) < 1000


def test_the_record_fits_the_shipped_schema():
    """Also as another JSON Schema reader sees it."""
    import jsonschema
    from cablese.cli.schema import SCHEMA_FOLDER

    schema = json.loads(Path(SCHEMA_FOLDER, "report.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for entries in ([], [decision(tokens={"x": [4, 2]}, handle=HANDLES[0]), recovery(HANDLES[0], 300)]):
        validator.validate(report_record(aggregate(entries)))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**report_record(aggregate([])), "format": 2})
