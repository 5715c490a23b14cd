"""A database with its write-ahead log is what SQLite itself makes of the two, wherever the log ends."""

import shutil
import sqlite3

import pytest
from cablese.runtime.measuring.limits import REPORT_LIMITS
from cablese.runtime.measuring.write_ahead import apply_log
from hypothesis import given
from hypothesis import strategies as st

from .archive import measure
from .test_readers import RECORDED


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Make a database whose log holds commits of all kinds, over an earlier log; return both files' bytes."""
    path = tmp_path_factory.mktemp("x") / "a.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;")
    connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, x TEXT)")
    connection.executemany("INSERT INTO t (x) VALUES (?)", [("first" * 30,)] * 20)
    connection.execute("PRAGMA wal_checkpoint(RESTART)")
    for number in range(3):
        connection.execute("BEGIN")
        connection.execute("UPDATE t SET x = ? WHERE n % 3 = ?", (f"again {number}" * 9, number))
        connection.executemany("INSERT INTO t (x) VALUES (?)", [("more" * 40,)] * 4)
        connection.execute("COMMIT")
    connection.execute("DELETE FROM t WHERE n > 12")
    connection.execute("VACUUM")
    whole = path.read_bytes(), path.with_name("a.db-wal").read_bytes()
    connection.close()
    return whole


def rows(connection):
    """Return what a database holds, or that it cannot be read."""
    try:
        return connection.execute("SELECT * FROM t ORDER BY n").fetchall()
    except sqlite3.Error:
        return "damaged"
    finally:
        connection.close()


def ours(database, log):
    """Read a database with its log put into it."""
    data = bytearray(database)
    apply_log(data, log)
    data[18:20] = b"\x01\x01"
    connection = sqlite3.connect(":memory:")
    connection.deserialize(bytes(data))
    return rows(connection)


def theirs(folder, database, log):
    """Let SQLite read the two files."""
    (folder / "a.db").write_bytes(database)
    (folder / "a.db-wal").write_bytes(log)
    found = rows(sqlite3.connect(folder / "a.db"))
    shutil.rmtree(folder)
    return found


@given(data=st.data())
def test_a_log_that_ends_anywhere_or_is_damaged_is_read_as_sqlite_does(pair, tmp_path_factory, data):
    """Cut at any byte, with any byte changed, or followed by what an earlier log has left."""
    database, log = pair
    cut = log[: data.draw(st.integers(0, len(log)))]
    if cut and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(cut) - 1) | st.integers(0, min(31, len(cut) - 1)))
        cut = cut[:at] + bytes([cut[at] ^ data.draw(st.integers(1, 255))]) + cut[at + 1 :]
    assert ours(database, cut) == theirs(tmp_path_factory.mktemp("x"), database, cut)


def test_the_whole_log_is_read(pair, tmp_path):
    """And it makes a difference."""
    database, log = pair
    folder = tmp_path / "x"
    folder.mkdir()
    assert ours(database, log) == theirs(folder, database, log) != ours(database, b"")


def test_a_session_that_is_still_written_is_measured(tmp_path):
    """What is in the log alone counts; neither file is touched; a log that is a link or too large is not read."""
    folder = tmp_path / "live"
    folder.mkdir()
    connection = sqlite3.connect(folder / "opencode.db")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.executescript((RECORDED / "opencode.sql").read_text("utf-8"))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    record = measure(folder, archive="opencode")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    connection.close()
    assert (record["files"]["scanned"], record["tool_results"]["measured"]) == (1, 5)
    copy = tmp_path / "copy"
    copy.mkdir()
    for name, content in before.items():
        (copy / name).write_bytes(content)
    size = len(before["opencode.db-wal"])
    assert measure(copy, REPORT_LIMITS._replace(whole_bytes=size - 1), "opencode")["files"]["limit_hit"] == 1
    (copy / "opencode.db-wal").rename(tmp_path / "wal")
    (copy / "opencode.db-wal").symlink_to(tmp_path / "wal")
    record = measure(copy, archive="opencode")
    assert (record["files"]["skipped"], record["files"]["considered"]) == (1, 0)
