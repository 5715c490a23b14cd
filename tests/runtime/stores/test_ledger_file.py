"""Entries of a ledger stand each on a line of its own, whoever wrote them and whatever was cut."""

import multiprocessing

import pytest
from cablese.runtime import StoreError
from cablese.runtime.stores import ledger_file
from cablese.runtime.stores.ledger_file import LedgerFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture
def ledger(tmp_path):
    """Give a ledger in a folder that does not exist yet."""
    return LedgerFile(str(tmp_path / "x" / "ledger"))


def test_what_is_cut_or_foreign_is_left_out(ledger, tmp_path):
    """A line that a killed process left half written spoils no other."""
    ledger.log(b'{"n":1}')
    path = tmp_path / "x" / "ledger"
    with path.open("ab") as file:
        file.write(b'\n{"n":2,"cu')
    ledger.log(b'{"n":3}')
    with path.open("ab") as file:
        file.write(b"\nnoise\n\x00\xff\n{}garbage\n")
        file.write(b'{"n":4')
    assert list(ledger.entries()) == [b'{"n":1}', b'{"n":3}']


@given(st.lists(st.binary(max_size=20), max_size=8), st.integers(0, 60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_ledger_that_ends_anywhere_is_gone_on_with(tmp_path, texts, end):
    """Cut at any byte: whole entries before it are read, and the next one is."""
    path = tmp_path / "ledger"
    path.unlink(missing_ok=True)
    ledger = LedgerFile(str(path))
    entries = [b'{"x":"' + text.hex().encode() + b'"}' for text in texts]
    for entry in entries:
        ledger.log(entry)
    written = path.read_bytes() if entries else b""
    path.write_bytes(written[:end])
    ledger.log(b'{"last":1}')
    *kept, last = ledger.entries()
    assert last == b'{"last":1}'
    whole = written[:end].count(b"}\n")
    assert kept == entries[:whole] or kept == entries[: whole + 1]


def test_an_entry_of_several_lines_is_refused(ledger):
    """One entry is one line."""
    with pytest.raises(StoreError, match="several lines"):
        ledger.log(b"{}\n{}")
    assert list(ledger.entries()) == []


def test_a_long_ledger_is_bounded(ledger, tmp_path, monkeypatch):
    """The oldest generation goes; what is left is the end of what was logged, in order."""
    monkeypatch.setattr(ledger_file, "MAX_BYTES", 1000)
    entries = [b'{"n":%d}' % number for number in range(1000)]
    for entry in entries:
        ledger.log(entry)
    kept = list(ledger.entries())
    assert kept == entries[-len(kept) :]
    assert 100 < len(kept) < 400
    files = [path for path in (tmp_path / "x").iterdir() if path.name != "ledger.lock"]
    assert len(files) <= ledger_file.GENERATIONS
    assert all(path.stat().st_size < 1100 for path in files)


def _log_many(ledger, number):
    for item in range(300):
        ledger.log(b'{"p":%d,"n":%d}' % (number, item))


def test_processes_share_a_ledger(ledger, monkeypatch):
    """Each entry is there once and whole, also while the file is changed for a new one."""
    monkeypatch.setattr(ledger_file, "MAX_BYTES", 8000)
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=_log_many, args=(ledger, number)) for number in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    kept = list(ledger.entries())
    assert len(kept) == len(set(kept)) > 500
    for number in range(3):
        items = [entry for entry in kept if entry.startswith(b'{"p":%d,' % number)]
        assert items == [b'{"p":%d,"n":%d}' % (number, item) for item in range(300 - len(items), 300)]
