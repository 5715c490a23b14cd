"""`cablese report`: what `run`, `view` and `show` wrote down, summed up, and nothing else of what they saw."""

import json
import os
from pathlib import Path

import pytest
from cablese.cli.report import parse_duration
from cablese.cli.schema import ReportRecord
from hypothesis import given
from hypothesis import strategies as st

VIEW = ("view", "--command", "git log --oneline -60", "--exit-code", "0", "--stdout")


def ledger():
    """Read the entries of this test's store."""
    path = Path(os.environ["CABLESE_STORE"] + ".ledger")
    return [json.loads(line) for line in path.read_bytes().splitlines() if line] if path.exists() else []


@pytest.fixture
def used(cablese, log, tmp_path):
    """Use the tool: a summary, counted, twice; a pass; an original shown again in part."""
    small = tmp_path / "small.txt"
    small.write_bytes(b"secret-word\n")
    handle = cablese(*VIEW, log).out.split()[-1].decode()
    cablese(*VIEW, log, "--count")
    cablese("view", "--command", "cat secret-name", "--stdout", small)
    shown = cablese("show", handle, "--lines", "1:2").out
    return len(shown)


def test_the_report_knows_each_call(cablese, used, log):
    """Calls, sizes and reasons are those of what was done, and recoveries are set off."""
    done = cablese("report", "--json")
    record = json.loads(done.out)
    ReportRecord.model_validate_json(done.out)
    (tool,) = record["tools"]
    passed, summed = tool["rows"]
    assert (passed["calls"], passed["passed"], passed["bytes_passed"]) == (1, {"no_rule": 1}, 12)
    assert (summed["rule"], summed["calls"], summed["compressed"]) == ("bash.git_log", 2, 2)
    assert summed["bytes_before"] == 2 * len(log.read_bytes())
    assert summed["tokens"]["o200k_base"]["calls"] == 1
    assert (summed["recoveries"], summed["bytes_recovered"]) == (1, used)
    assert summed["net_bytes_saved"] == summed["bytes_saved"] - used
    assert (record["total"]["calls"], record["unreadable_entries"]) == (3, 0)


def test_the_text_names_its_units(cablese, used):
    """As does every figure in it."""
    text = cablese("report").out.decode()
    assert text.startswith("bash ")
    assert "bytes before  bytes after" in text
    assert "  bash.git_log" in text
    assert "shown again: 1 time" in text
    assert "~tokens: estimated tokens are a quarter of the bytes" in text


def test_what_was_seen_is_not_in_the_ledger(cablese, used):
    """No output, no command, no path."""
    text = json.dumps(ledger())
    assert len(ledger()) == 4
    assert not [word for word in ("secret", "Change number", "oneline", "/tmp", "small.txt") if word in text]


def test_a_page_is_written_whole(cablese, used, tmp_path):
    """The page stands in the file, `-` prints it, and a folder that is not there is an error that leaves nothing."""
    page = tmp_path / "page.html"
    done = cablese("report", "--html", page)
    assert (done.code, done.out, done.err) == (0, b"", b"")
    assert page.read_bytes() == cablese("report", "--html", "-").out
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    done = cablese("report", "--html", tmp_path / "none" / "page.html")
    assert (done.code, done.out) == (1, b"")
    assert done.err.startswith(b"cablese: ")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("page.html.")]


def test_one_tool_and_a_time_can_be_chosen(cablese, used, log):
    """What is not chosen is in no figure."""
    cablese(*VIEW, log, "--tool", "shell")
    record = json.loads(cablese("report", "--json", "--tool", "shell").out)
    assert [tool["tool"] for tool in record["tools"]] == ["shell"]
    assert record["total"]["calls"] == 1
    assert json.loads(cablese("report", "--json", "--since", "1h").out)["total"]["calls"] == 4
    old = json.dumps({"at": 1.0, "tool": "bash", "outcome": "passed", "reason": "x", "bytes": [1, 1], "ms": 0})
    with Path(os.environ["CABLESE_STORE"] + ".ledger").open("a") as file:
        file.write(f"{old}\n")
    assert json.loads(cablese("report", "--json").out)["total"]["calls"] == 5
    assert json.loads(cablese("report", "--json", "--since", "52w").out)["total"]["calls"] == 4


@pytest.mark.parametrize("since", ["7", "d", "", "7x", "-7d", "7.5d", "1e3d", "7 d", "\u0667d", "9" * 30 + "d"])
def test_a_malformed_duration_is_exit_2(cablese, since):
    """And the message gives an example."""
    done = cablese("report", f"--since={since}")
    assert (done.code, done.out) == (2, b"")
    assert b"7d" in done.err


@given(st.integers(0, 999_999_999), st.sampled_from("smhdw"))
def test_durations_are_whole_seconds(number, unit):
    """A number of units."""
    assert parse_duration(f"{number}{unit}") == number * {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}[unit]


@given(st.text(max_size=12))
def test_durations_are_read_or_refused(text):
    """Nothing but a number or ValueError comes of any text."""
    try:
        assert parse_duration(text) >= 0
    except ValueError as error:
        assert "7d" in str(error)  # noqa: PT017 - either is right


def test_before_anything_was_done_there_is_nothing(cablese):
    """No store is made for a report."""
    assert cablese("report") == (0, b"no decision has been recorded\n", b"")
    about = b"no decision about the tool `dq` has been recorded in the last 2d\n"
    assert cablese("report", "--tool", "dq", "--since", "2d") == (0, about, b"")
    assert json.loads(cablese("report", "--json").out)["tools"] == []
    assert not Path(os.environ["CABLESE_STORE"]).exists()
    assert ledger() == []


@pytest.mark.parametrize("words", [("--no-store",), ("--no-store", "--unrecoverable-ok")])
def test_nothing_is_written_without_a_store(cablese, log, words):
    """A caller who keeps nothing leaves nothing behind."""
    assert cablese(*VIEW, log, *words).code == 0
    assert ledger() == []


def test_nothing_is_written_under_the_kill_switch(cablese, used, log, monkeypatch):
    """Neither by `view` nor by `show`; the report of what was done before can be read."""
    before = ledger()
    handle = before[0]["handle"]
    monkeypatch.setenv("CABLESE_DISABLED", "1")
    cablese(*VIEW, log)
    cablese("show", handle)
    assert ledger() == before
    assert json.loads(cablese("report", "--json").out)["total"]["calls"] == 3


def test_why_writes_nothing(cablese, log):
    """Asking about a decision is none."""
    cablese("why", "--command", "git log --oneline", "--stdout", log)
    assert ledger() == []


def test_a_failing_ledger_changes_nothing(cablese, log):
    """Where it cannot be written, a view is what it would have been, in silence."""
    expected = cablese(*VIEW, log)
    path = Path(os.environ["CABLESE_STORE"] + ".ledger")
    path.unlink()
    path.mkdir()
    assert cablese(*VIEW, log) == expected
    handle = expected.out.split()[-1].decode()
    assert cablese("show", handle).out == log.read_bytes()
    done = cablese("report")
    assert (done.code, done.out) == (2, b"")
    assert b"store-" in done.err


def test_a_broken_configuration_is_exit_2(cablese, tmp_path, monkeypatch):
    """The report would be that of another store."""
    config = tmp_path / "config.toml"
    config.write_text("x = 1\n")
    monkeypatch.setenv("CABLESE_CONFIG", str(config))
    done = cablese("report")
    assert (done.code, done.out) == (2, b"")
    assert b"`x`" in done.err


def test_many_records_have_an_entry_each(cablese, log):
    """`--jsonl` is as many decisions as it has good lines."""
    good = json.dumps({"tool": "read", "content": "x"}).encode()
    done = cablese("view", "--jsonl", "-", stdin=good + b"\nbad\n" + good + b"\n")
    assert done.code == 1
    assert [entry["tool"] for entry in ledger()] == ["read", "read"]


def test_a_run_has_an_entry_once_it_is_decided_about(process, tmp_path):
    """A claimed command has one; one that no rule claims goes by without anybody having seen it."""
    tool = tmp_path / "git"
    tool.write_text('#!/bin/sh\nfor n in 1 2 3; do echo "abcdef$n subject"; done\n')
    tool.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert process("run", "--", "git", "log", "--oneline", env=env).code == 0
    assert process("run", "--", "true", env=env).code == 0
    (entry,) = ledger()
    assert (entry["rule"], entry["reason"], entry["bytes"]) == ("bash.git_log", "no_gain", [48, 48])


def test_a_store_in_a_folder_has_a_ledger_too(cablese, log, tmp_path, monkeypatch):
    """The same report from another kind of store."""
    monkeypatch.setenv("CABLESE_STORE", f"files://{tmp_path / 'kept'}")
    cablese(*VIEW, log)
    assert json.loads(cablese("report", "--json").out)["total"]["compressed"] == 1
