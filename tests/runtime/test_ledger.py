"""The ledger: a line for each decision and each recovery, without content, and never a reason for anything to fail."""

import asyncio
import json

import pytest
from cablese.runtime import Compressor, Decision, MemoryStore, Outcome, Reason, StoreError, ToolResult
from cablese.runtime.hosting import ledger as ledger_module
from cablese.runtime.hosting.ledger import Ledger, decision_entry, encode_entry, recovery_entry
from hypothesis import given
from hypothesis import strategies as st

FULL = Decision(
    Outcome.COMPRESSED, None, "the detail", "bash", "bash.git_log", "columnar", "log", "normal", "summary",
    "482910557213004", "curated 1.0.0 9c41e0", bytes=(48211, 1032), tokens={"o200k_base": (15012, 301)}, ms=0.8,
)  # fmt: skip
# Some text, lone surrogates and line ends included.
TEXT = st.text(st.characters(categories=None), max_size=300)


def entries(store):
    """Read what a store's ledger holds."""
    return [json.loads(line) for line in store.entries()]


def test_an_entry_says_what_came_of_a_call():
    """Names, sizes and times, and neither the detail nor anything that is null."""
    assert json.loads(encode_entry(decision_entry(FULL, 1796072446.12345))) == {
        "at": 1796072446.123, "tool": "bash", "rule": "bash.git_log", "codec": "columnar", "kind": "log",
        "outcome": "compressed", "level": "normal", "guarantee": "summary", "handle": "482910557213004",
        "pack": "curated 1.0.0 9c41e0", "bytes": [48211, 1032], "tokens": {"o200k_base": [15012, 301]}, "ms": 0.8,
    }  # fmt: skip
    passed = Decision(Outcome.PASSED, Reason.NO_GAIN, "x", "bash", bytes=(3, 3))
    assert json.loads(encode_entry(decision_entry(passed, 1.0))) == {
        "at": 1.0, "tool": "bash", "outcome": "passed", "reason": "no_gain", "bytes": [3, 3], "ms": 0.0,
    }  # fmt: skip


@given(TEXT | st.just("x" * 10**6), TEXT, st.integers(0, 10**12))
def test_an_entry_is_one_bounded_line_whatever_things_are_called(name, handle, size):
    """ASCII, no line end, a few kilobytes; and it is JSON that says the same."""
    line = encode_entry(decision_entry(FULL._replace(tool=name, rule=name, pack=name), 1.5))
    assert line.isascii()
    assert b"\n" not in line
    assert len(line) < 10_000
    assert json.loads(line)["tool"] == name[:200]
    recovery = recovery_entry(handle, size, 1796072446.123)
    line = encode_entry(recovery)
    assert b"\n" not in line
    assert json.loads(line) == recovery


@given(st.text("0123456789", min_size=1, max_size=18))
def test_both_ways_of_writing_a_recovery_agree(handle):
    """The short way, which loads no encoder, writes what the encoder would."""
    entry = recovery_entry(handle, 7, 1796072446.5)
    assert json.loads(encode_entry(entry)) == entry


SECRETS = ("swordfish", "/home/dev", "acme", "run-7")


def test_nothing_of_a_result_is_in_the_ledger(make_context, listing):
    """Neither output nor command nor path nor whose it is, whether it was summarised or passed."""
    store = MemoryStore()
    compressor = Compressor(make_context(store))
    compressor._recorded = True
    for command in ("demo list swordfish /home/dev/x", "demo list --swordfish", "cat /home/dev/swordfish | head"):
        stderr = "swordfish\n" if command.startswith("cat") else ""
        compressor.view(listing(command=command, stderr=stderr, tenant="acme", run="run-7"))
    lines = b"\n".join(store.entries()).decode()
    assert len(entries(store)) == 3
    assert not [secret for secret in SECRETS if secret in lines]


@pytest.fixture
def recording(curated):
    """Make a compressor that writes its decisions down, and its store."""
    store = MemoryStore()
    return Compressor.default(enable="curated", store=store, ledger=True), store


def test_each_decision_has_one_entry(recording, listing):
    """By whichever way it comes about."""
    compressor, store = recording
    compressor.view(listing())
    asyncio.run(compressor.view_async(listing(5000)))
    compressor.wrap(listing)()
    compressor.view(ToolResult("read", {"a": 1}))
    assert [entry["outcome"] for entry in entries(store)] == ["compressed"] * 3 + ["passed"]
    assert entries(store)[0]["handle"]


def test_only_who_asks_for_it_gets_a_ledger(curated, listing, monkeypatch):
    """Not by default, not without a store, not under the kill switch."""
    store = MemoryStore()
    Compressor.default(enable="curated", store=store).view(listing())
    monkeypatch.setenv("CABLESE_DISABLED", "1")
    Compressor.default(enable="curated", store=store, ledger=True).view(listing())
    monkeypatch.delenv("CABLESE_DISABLED")
    assert entries(store) == []
    without = Compressor.default(enable="curated", store=False, ledger=True)
    without.view(listing())
    assert without.report()["total"]["calls"] == 0


def test_a_broken_configuration_leaves_no_file(tmp_path, listing, monkeypatch):
    """Where the store is unknown, nothing is written down anywhere."""
    config = tmp_path / "config.toml"
    config.write_text("x = 1\n")
    monkeypatch.setenv("CABLESE_CONFIG", str(config))
    monkeypatch.chdir(tmp_path)
    compressor = Compressor.default(ledger=True)
    compressor.view(listing())
    assert compressor.fault
    assert list(tmp_path.iterdir()) == [config]


class Odd(BaseException):
    """An error that is no Exception."""


@pytest.mark.parametrize("error", [StoreError("full"), OSError(), Odd(), RecursionError(), MemoryError()])
def test_a_failing_ledger_changes_nothing(recording, listing, error):
    """The view is what it was, and the call goes on."""
    compressor, _ = recording
    expected = compressor.view(listing()).content

    compressor = Compressor(compressor._context)
    compressor._recorded = True

    def fail(_entry):
        raise error

    compressor._context.store.log = fail
    assert compressor.view(listing()).content == expected
    compressor.tell_recovered("482910557213004", 3)


def test_after_a_failure_nothing_is_tried_for_a_minute(monkeypatch):
    """So that a server which is down costs one wait, and not one for each call."""
    now, tried = [1000.0], []

    class Store:
        down = True

        def log(self, entry):
            tried.append(entry)
            if self.down:
                raise StoreError("timeout")

    monkeypatch.setattr(ledger_module, "monotonic", lambda: now[0])
    store = Store()
    ledger = Ledger(store)
    for now[0] in (1000.0, 1001.0, 1059.0):
        ledger.decided(FULL)
    assert len(tried) == 1
    store.down = False
    for now[0] in (1061.0, 1061.5):
        ledger.decided(FULL)
    assert len(tried) == 3


def test_an_interrupt_goes_through():
    """The wish to end is nobody's to swallow."""

    class Store:
        def log(self, _entry):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Ledger(Store()).recovered("1", 1)


def test_a_store_without_a_ledger_gets_none():
    """A host's store need not know of it."""
    Ledger(object()).decided(FULL)
    Ledger(None).recovered("1", 1)


def test_the_report_of_a_compressor_nets_recoveries(recording, listing):
    """What was shown again is set off against the rule whose summary stood for it."""
    compressor, _ = recording
    view = compressor.view(listing())
    compressor.tell_recovered(view.decision.handle, 100)
    report = compressor.report()
    (row,) = report["tools"][0]["rows"]
    before, after = view.decision.bytes
    assert row["rule"] == "demo.list"
    assert (row["bytes_saved"], row["net_bytes_saved"]) == (before - after, before - after - 100)
    assert compressor.report(tool="other")["total"]["calls"] == 0
    assert compressor.report(since=4e9)["total"]["calls"] == 0


def test_each_way_to_read_an_original_again_is_written_down_once(recording, listing):
    """With the bytes that were shown: a window, all of it, and the capped answer of the ready-made tool."""
    compressor, store = recording
    handle = compressor.view(listing()).decision.handle
    whole = len(compressor.recover(handle))
    part = len(compressor.recover(handle, lines=(1, 2)))
    answer = compressor.recovery_tool(max_bytes=100).handler(handle=handle)
    shown = len(answer.partition("\n")[2])
    assert part < shown <= 100 < whole
    assert compressor.recovery_tool().handler(handle="482910557213004").startswith("error")
    assert [(entry["recovered"], entry["bytes"]) for entry in entries(store)[1:]] == [
        (handle, whole), (handle, part), (handle, shown),
    ]  # fmt: skip
