"""The report of a session: the rules of the savings report for a listener without a store."""

import logging
import threading

import pytest
from cablese.runtime import Compressor, Decision, Outcome, Reason, ToolResult
from cablese.runtime.hosting.events import Event
from cablese.runtime.savings import SessionReport, render_text

SAVED = Decision(Outcome.COMPRESSED, tool="bash", rule="bash.git_log", bytes=(400, 100), ms=2.0)
PASSED = Decision(Outcome.PASSED, Reason.NO_GAIN, tool="bash", bytes=(50, 50), ms=1.0)


def test_what_is_no_event_is_ignored(caplog):
    """None and an event without a tool in silence; what raises with a warning; never an error."""
    report = SessionReport()
    with caplog.at_level(logging.WARNING, "cablese"):
        report.handle(None)
        report.handle(Event(SAVED._replace(tool="")))
        assert not caplog.records
        report.handle(object())
        report.handle(Event(SAVED._replace(ms="x")))
    assert len(caplog.records) == 1
    assert report.summary()["total"]["calls"] == 0
    assert report.render().startswith("no decision has been recorded")


def test_a_summary_is_the_callers_own():
    """Changing it, however deep, changes nothing; a later event does not change it."""
    report = SessionReport()
    report.handle(Event(SAVED, at=1.0))
    report.handle(Event(PASSED, at=2.0))
    summary = report.summary()
    summary["tools"][0]["rows"][0]["passed"]["no_gain"] = 99
    summary["total"]["passed"].clear()
    assert report.summary()["total"]["passed"] == {"no_gain": 1}
    kept = report.summary()
    report.handle(Event(PASSED, at=3.0))
    assert kept["total"]["calls"] == 2
    assert type(next(iter(report.summary()["total"]["passed"]))) is str


def test_a_skip_counts_in_calls_only():
    """And in the milliseconds that it took."""
    report = SessionReport()
    report.handle(Event(SAVED, at=1.0))
    report.handle(Event(PASSED, at=2.0))
    total = report.summary()["total"]
    assert (total["calls"], total["compressed"], total["bytes_before"], total["bytes_after"]) == (2, 1, 400, 100)
    assert (total["estimated_tokens_saved"], total["bytes_saved_percent"], total["ms_total"]) == (75, 75.0, 3.0)


@pytest.mark.parametrize("count", [1, 8])
def test_it_listens_to_a_compressor(make_context, listing, count):
    """Subscribed, it knows each call once, from any thread; unsubscribed, none."""
    compressor, report = Compressor(make_context()), SessionReport()
    end = compressor.subscribe(report.handle)
    threads = [
        threading.Thread(target=lambda: [compressor.view(listing()), compressor.view(ToolResult("read", "x"))])
        for _ in range(count)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    end()
    compressor.view(listing())
    summary = report.summary()
    assert [(tool["tool"], tool["total"]["calls"]) for tool in summary["tools"]] == [("bash", count), ("read", count)]
    assert summary["tools"][0]["rows"][0]["rule"] == "demo.list"
    assert report.render() == render_text(summary)
