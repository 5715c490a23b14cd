"""Each format is read as its tool writes it: results with their calls, requests, compactions; the rest is counted."""

import json
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cablese.runtime.measuring.events import Compacted, Input, Invalid, Lines, Result, Source, Turn
from cablese.runtime.measuring.held import open_file, open_root
from cablese.runtime.measuring.limits import REPORT_LIMITS
from cablese.runtime.measuring.scan import reader_of
from cablese.runtime.measuring.shell_results import read_claude_failure, read_codex, read_gemini
from hypothesis import given
from hypothesis import strategies as st

from .archive import measure

RECORDED = Path(__file__).parent / "recorded"
LOG = "".join(f"{0xABC000 + n * 7919:07x} Change number {n}\n" for n in range(20))
FORMATS = ("sessions", "claude", "codex", "gemini", "opencode")


def read(archive, path, limits=REPORT_LIMITS):
    """Return the events of a file and the counts of its lines."""
    root = open_root(str(path.parent))
    held = open_file(root, path.name, (path.name,))
    counts = Lines()
    events = list(reader_of(archive)(Source(held, limits), counts))
    held.close()
    return events, counts


def tally(counts):
    """Return the counts of lines that are not zero."""
    found = {name: getattr(counts, name) for name in Lines.__slots__}
    return {name: int(count) for name, count in found.items() if count}


def results(events):
    """Return the results by their calls."""
    return {event.call: event for event in events if isinstance(event, Result)}


def kinds(events, lane=None):
    """Return the kinds of events of a lane as letters."""
    letters = {Turn: "t", Input: "i", Compacted: "c", Result: "r", Invalid: "x"}
    return "".join(letters[type(event)] for event in events if lane is None or event.lane == lane)


def test_claude_code():
    """Several entries are one answer; streams stand beside the message; a subagent is a lane of its own."""
    events, counts = read("claude", RECORDED / "claude.jsonl")
    assert tally(counts) == {"valid": 23, "unknown": 1, "malformed": 1, "cut": 1}
    assert kinds(events, (None, False)) == "itttrrtrtrxtccitrx"
    assert kinds(events, ("a1b2c3", True)) == "trt"
    found = results(events)
    log = found["toolu_1"]
    assert (log.tool, log.success, log.arguments["command"]) == ("bash", True, "git log --oneline -20")
    assert log.metadata == {"stdout": LOG[:-1], "stderr": "", "exit_code": 0, "stdout_truncated": False}
    failed = found["toolu_2"]
    assert (failed.success, failed.metadata["exit_code"]) == (False, 2)
    assert failed.metadata["merged"] == "make: *** No rule to make target 'check'.  Stop."
    assert found["toolu_3"].content == "     1→one\n     2→two"
    assert (found["toolu_3"].tool, found["toolu_3"].metadata) == ("read", {})
    assert found["toolu_7"].metadata["stdout_truncated"] is True
    assert {"toolu_5", "toolu_unknown"}.isdisjoint(found)
    assert [event.request for event in events if isinstance(event, Turn)][:4] == ["msg_1"] * 3 + ["msg_2"]


def test_codex():
    """What is written around an output is taken off for rules, and stays in what is weighed; raw streams are found."""
    events, counts = read("codex", RECORDED / "codex.jsonl")
    assert tally(counts) == {"valid": 26, "unknown": 2}
    assert kinds(events) == "ittrtrtrtrtrtxtctr"
    found = results(events)
    log = found["call_1"]
    assert (log.tool, log.body, log.arguments) == ("shell", LOG, {"command": "git log --oneline -20"})
    assert log.content.startswith('{"output":')
    assert log.metadata == {"merged": LOG, "exit_code": 0}
    assert found["call_2"].body.startswith("diff --git")
    assert found["call_3"].metadata == {"stdout": "out\n", "stderr": "err\n", "exit_code": 101}
    assert (found["call_3"].success, found["call_3"].arguments["command"]) == (False, "cargo check")
    assert found["call_4"].metadata["merged_truncated"] is True
    assert (found["call_5"].tool, found["call_5"].body) == ("apply_patch", None)
    assert found["call_7"].arguments == {"command": "ls -la"}
    assert not any(event.legacy for event in found.values())


def test_older_codex():
    """Items without an envelope are the older form; words are quoted where a shell would need it."""
    events, counts = read("codex", RECORDED / "codex-older.jsonl")
    assert tally(counts) == {"valid": 6, "unknown": 1}
    (only,) = results(events).values()
    assert (only.legacy, only.body, only.arguments["command"]) == (True, "x\n", "ls 'a b'")


@pytest.mark.parametrize("name", ["gemini.json", "gemini.jsonl"])
def test_gemini(name):
    """One object, or lines of which the last of each message counts: the same events."""
    events, counts = read("gemini", RECORDED / name)
    assert counts.unknown == 1
    assert (counts.malformed, counts.valid) == (0, 6 if name.endswith("json") else 9)
    assert kinds(events) == "itrrrtrrxt"
    found = results(events)
    log = found["run_shell_command-1"]
    assert (log.tool, log.body, log.arguments) == ("bash", LOG[:-1], {"command": "git log --oneline -20"})
    assert log.metadata == {"merged": LOG[:-1], "exit_code": 0}
    failed = found["run_shell_command-2"]
    assert (failed.success, failed.metadata) == (False, {"merged": "make: no rule", "exit_code": 2})
    assert (found["glob-1"].content, found["glob-1"].success) == ("no such folder", False)
    assert found["mcp-1"].content == '{"found":[1,2]}'


@pytest.fixture
def database(tmp_path):
    """Make a database as OpenCode leaves it: in WAL mode, with everything in its file."""
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.executescript((RECORDED / "opencode.sql").read_text("utf-8"))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def test_opencode(database, tmp_path):
    """Sessions are lanes; what is not done yet is no result; nothing appears beside the database."""
    assert database.read_bytes()[18:20] == b"\x02\x02"
    before = sorted(tmp_path.iterdir())
    events, counts = read("opencode", database)
    assert sorted(tmp_path.iterdir()) == before
    assert tally(counts) == {"valid": 14, "unknown": 1, "malformed": 1}
    assert kinds(events, "ses_1") == "trtrrrct"
    assert kinds(events, "ses_2") == "tr"
    one = results([event for event in events if event.lane == "ses_1"])
    assert one["call_1"].metadata == {"merged": LOG, "exit_code": 0}
    assert one["call_2"].metadata["merged_truncated"] is True
    assert (one["call_4"].content, one["call_4"].success) == ("no such folder", False)
    (failed,) = results([event for event in events if event.lane == "ses_2"]).values()
    assert (failed.success, failed.metadata["exit_code"]) == (False, 1)


ENDLESS = """
CREATE VIEW part AS WITH RECURSIVE n(session_id, message_id, id, data) AS
(VALUES (1, 1, 1, '{}') UNION ALL SELECT session_id, message_id, id + 1, data FROM n) SELECT * FROM n
"""


@pytest.mark.parametrize("schema", ["CREATE TABLE other (x)", "CREATE TABLE part (x)", ENDLESS])
def test_a_database_of_something_else_is_malformed(tmp_path, schema):
    """Other tables, other columns; a view that never ends is not begun."""
    connection = sqlite3.connect(tmp_path / "opencode.db")
    connection.executescript(schema)
    connection.close()
    events, counts = read("opencode", tmp_path / "opencode.db")
    assert (events, tally(counts)) == ([], {"malformed": 1})


def test_archives_are_found_where_their_tools_keep_them(tmp_path, database):
    """With their folders, and nothing else of these."""
    places = {
        "claude": ("claude.jsonl", ["-repo/a.jsonl", "-repo/a/subagents/agent-b.jsonl"], ["a.jsonl", "-repo/x.json"]),
        "codex": ("codex.jsonl", ["2026/01/08/rollout-1.jsonl"], ["2026/01/08/other.jsonl", "history/rollout-1.jsonl"]),
        "gemini": ("gemini.json", ["0a/chats/session-1.json"], ["0a/logs.json", "0a/other/session-1.json"]),
        "opencode": (database, ["opencode.db"], ["opencode.db-wal", "other.db"]),
    }
    for archive, (source, taken, left) in places.items():
        for name in (*taken, *left):
            path = tmp_path / archive / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((RECORDED / source).read_bytes())
        record = measure(tmp_path / archive, archive=archive)
        assert record["files"]["scanned"] == len(taken), archive
        assert (record["files"]["skipped"], record["files"]["limit_hit"]) == (0, 0)
        assert record["tool_results"]["measured"] > 2


@given(st.sampled_from(FORMATS), st.binary(max_size=60) | st.just(b"SQLite format 3\x00" + b"\x01" * 90))
def test_readers_take_any_bytes(tmp_path_factory, archive, data):
    """What is no session gives no event, and no error."""
    path = tmp_path_factory.mktemp("x") / "file"
    path.write_bytes(data)
    events, counts = read(archive, path)
    assert not any(isinstance(event, Result) for event in events)
    assert counts.total == counts.valid + counts.malformed + counts.oversized


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(["", "x", "tool", "bash", "completed"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner),
    max_leaves=3,
)


def mutate(value, replacement, chance):
    """Replace one in so many values within a value."""
    if chance() < 0.08:
        return replacement
    if isinstance(value, dict):
        return {name: mutate(inner, replacement, chance) for name, inner in value.items() if chance() > 0.03}
    return [mutate(inner, replacement, chance) for inner in value] if isinstance(value, list) else value


@given(st.sampled_from(["claude.jsonl", "codex.jsonl", "codex-older.jsonl", "gemini.jsonl"]), st.integers(), VALUES)
def test_readers_take_events_with_any_values(tmp_path_factory, name, seed, value):
    """A field that is missing or of another type makes a result invalid at worst, never an error."""
    chance = random.Random(seed).random
    lines = [json.loads(line) for line in (RECORDED / name).read_text("utf-8").splitlines() if line.endswith("}")]
    path = tmp_path_factory.mktemp("x") / "file"
    path.write_text("".join(json.dumps(mutate(line, value, chance)) + "\n" for line in lines))
    events, counts = read(name.split(".")[0].split("-")[0], path)
    assert counts.cut == 0
    for event in events:
        if isinstance(event, Result):
            assert isinstance(event.content, str)
            assert isinstance(event.tool, str)
            assert isinstance(event.call, str)


def test_lines_longer_than_the_limit_are_passed_over(tmp_path):
    """Whatever blocks they are read in; what follows is read."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"type":"user"}\n' + b"x" * (3 << 20) + b'\n{"type":"assistant"}\n')
    events, counts = read("sessions", path, REPORT_LIMITS._replace(line_bytes=1 << 20))
    assert (kinds(events), tally(counts)) == ("it", {"valid": 2, "oversized": 1})
    path.write_bytes(b"x" * (3 << 20))
    assert tally(read("sessions", path, REPORT_LIMITS._replace(line_bytes=1 << 20))[1]) == {"oversized": 1}


HUGE = "9" * 5000


@pytest.mark.parametrize("take", [read_codex, read_claude_failure, read_gemini])
def test_a_number_too_long_for_an_exit_code_is_none(take):
    """It is output like any other, or leaves an output in doubt."""
    for text in (
        f"Exit code: {HUGE}\nWall time: 1 seconds\nOutput:\nx",
        f"Wall time: 1 seconds\nProcess exited with code {HUGE}\nOutput:\nx",
        f"Exit code {HUGE}\nx",
        f"Output: x\nExit Code: {HUGE}",
    ):
        found = take(text)
        assert found is None or (found.exit_code == 0 and found.cut)


ALONE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from cablese.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("more", [(), ("--rules",)])
def test_a_process_that_cannot_write_files_measures_the_same(tmp_path, more):
    """No byte goes to a file: not of a database that is too large to be sorted in a cache, and not to a home folder."""
    connection = sqlite3.connect(tmp_path / "opencode.db")
    connection.execute("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)")
    data = json.dumps({"type": "text", "text": "x" * 9000})
    connection.executemany("INSERT INTO part VALUES (?, ?, 's', ?)", ((n, n * 7 % 900, data) for n in range(900)))
    connection.commit()
    connection.close()
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-c", ALONE, "measure", "--model", "gpt-5", "--format", "opencode", *more, str(tmp_path)]
    done = subprocess.run(command, env={"HOME": str(home)}, capture_output=True, check=True)
    lines = json.loads(done.stdout)["lines" if more else "jsonl"]
    assert (lines["valid_events"], lines["malformed"]) == (900, 0)
    assert list(home.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"home", "opencode.db"}


def test_a_column_that_is_computed_is_not_computed_at_any_length(tmp_path):
    """A database says so and is damaged, instead of taking all memory."""
    connection = sqlite3.connect(tmp_path / "opencode.db")
    connection.execute("CREATE TABLE part (session_id, message_id, id, data AS (hex(zeroblob(400000000))))")
    connection.execute("INSERT INTO part (session_id) VALUES ('s')")
    connection.commit()
    connection.close()
    assert measure(tmp_path, archive="opencode")["jsonl"]["malformed"] == 1


def test_empty_lines_are_none_wherever_they_stand(tmp_path):
    """Also where a block that is read ends among them."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n\n{}\n\n\n{}" + b"\n" * (1 << 20) + b"{}\n \n" + b"\n" * (1 << 20) + b"{}")
    _, counts = read("sessions", path)
    assert tally(counts) == {"valid": 4, "unknown": 4}
