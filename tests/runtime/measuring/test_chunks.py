"""Chunks over any executor, from any storage: the same sums, and none twice, wherever it was interrupted."""

from concurrent.futures import Executor, Future

import pytest
from cablese.runtime.measuring.archives import ARCHIVES
from cablese.runtime.measuring.basis import plan_report, plan_rules
from cablese.runtime.measuring.chunks import (
    CheckpointError,
    append_checkpoint,
    make_manifest,
    measure_chunk,
    measure_chunks,
    read_checkpoint,
)
from cablese.runtime.measuring.held import UnsafeError
from cablese.runtime.measuring.limits import REPORT_LIMITS, RULES_LIMITS
from cablese.runtime.measuring.run import find_sessions, measure_sample
from cablese.runtime.measuring.storage import find_stored
from hypothesis import given
from hypothesis import strategies as st

from .archive import result, write
from .test_rules import TURN, logged

ARCHIVE = ARCHIVES["sessions"]


@pytest.fixture
def folder(tmp_path):
    """Write some sessions, and what is none."""
    folder = tmp_path / "s"
    for number in range(6):
        name = ("subagents/" if number % 2 else "") + f"s{number}.jsonl"
        write(folder / name, TURN, *logged("1"), TURN, result("2", f"{number} x\n" * 9 * number), TURN, at=number)
    write(folder / "history" / "x.jsonl", result("1", "x"))
    return folder


class Shuffled(Executor):
    """Does its work at once, and gives results in another order."""

    def __init__(self, fail_at=None):
        self.done = 0
        self.fail_at = fail_at

    def submit(self, function, /, *words, **more):
        """Call, or fail as a machine that is lost does."""
        future = Future()
        self.done += 1
        if self.done == self.fail_at:
            future.set_exception(InterruptedError("lost"))
        else:
            future.set_result(function(*words, **more))
        return future


PLANS = {
    "report": lambda: plan_report("sessions", "o200k_base", REPORT_LIMITS),
    "rules": lambda: plan_rules("sessions", "o200k_base", RULES_LIMITS),
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_storage_and_chunks_change_no_figure(folder, monkeypatch, plan):
    """Held files in one process, stored ones in chunks, in order and shuffled: the same bytes."""
    work = plan()
    held = find_sessions(str(folder), work)
    expected = measure_sample(held, work).to_bytes()
    held.close()
    small_chunks(monkeypatch)
    sample = find_stored(f"file://{folder}", ARCHIVE, work.limits)
    assert [file.order for file in sample.selected] == [file.order for file in held.selected]
    for executor in (None, Shuffled()):
        assert measure_chunks(sample, work, executor).to_bytes() == expected


def test_a_cluster_gives_the_same_figures(folder):
    """Two processes of Dask's, with both reports."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        for work in (
            plan_report("sessions", "o200k_base", REPORT_LIMITS),
            plan_rules("sessions", "o200k_base", RULES_LIMITS),
        ):
            sample = find_stored(str(folder), ARCHIVE, work.limits)
            expected = measure_chunks(sample, work, None).to_bytes()
            assert measure_chunks(sample, work, client.get_executor()).to_bytes() == expected


@given(st.lists(st.integers(0, 9), max_size=9), st.integers(1, 12))
def test_a_manifest_holds_each_file_once(tmp_path_factory, sizes, most):
    """In chunks of bounded size, with names of their own that depend on what is measured."""
    folder = tmp_path_factory.mktemp("s")
    for number, size in enumerate(sizes):
        (folder / f"s{number}.jsonl").write_bytes(b"x" * size)
    work = plan_report("sessions", "o200k_base", REPORT_LIMITS)
    sample = find_stored(str(folder), ARCHIVE, REPORT_LIMITS)
    chunks = make_manifest(sample, work, most)
    assert sorted(file.order for chunk in chunks for file in chunk.files) == sorted(f.order for f in sample.selected)
    assert all(chunk.size <= most or len(chunk.files) == 1 for chunk in chunks)
    names = {chunk.name for chunk in chunks}
    assert len(names) == len(chunks)
    other = plan_report("sessions", "cl100k_base", REPORT_LIMITS)
    assert names.isdisjoint(chunk.name for chunk in make_manifest(sample, other, most))


def small_chunks(monkeypatch):
    """Make each file a chunk of its own."""
    real = make_manifest
    monkeypatch.setattr("cablese.runtime.measuring.chunks.make_manifest", lambda *words: real(*words, most=1))


def test_what_was_measured_is_not_measured_again(folder, tmp_path, monkeypatch):
    """After a failure the rest is done, and each chunk counts once, although it stands there twice or was cut off."""
    small_chunks(monkeypatch)
    work = plan_report("sessions", "o200k_base", REPORT_LIMITS)
    sample = find_stored(str(folder), ARCHIVE, REPORT_LIMITS)
    expected = measure_chunks(sample, work, None).to_bytes()
    path = tmp_path / "checkpoint"
    with pytest.raises(InterruptedError):
        measure_chunks(sample, work, Shuffled(fail_at=4), str(path))
    known = read_checkpoint(str(path), work)
    assert len(known) == 5
    lines = path.read_bytes()
    path.write_bytes(lines + lines + lines[: len(lines) // 2])
    rest = Shuffled()
    assert measure_chunks(sample, work, rest, str(path)).to_bytes() == expected
    assert rest.done == 6 - len(known)
    again = Shuffled()
    assert measure_chunks(sample, work, again, str(path)).to_bytes() == expected
    assert again.done == 0


def test_a_file_that_changed_is_measured_again(folder, tmp_path, monkeypatch):
    """Its chunk has another name; figures of another measurement are left alone."""
    small_chunks(monkeypatch)
    work = plan_report("sessions", "o200k_base", REPORT_LIMITS)
    path = tmp_path / "checkpoint"
    measure_chunks(find_stored(str(folder), ARCHIVE, REPORT_LIMITS), work, None, str(path))
    write(folder / "s0.jsonl", result("1", "other"), at=99)
    later = Shuffled()
    sample = find_stored(str(folder), ARCHIVE, REPORT_LIMITS)
    found = measure_chunks(sample, work, later, str(path))
    assert later.done == 1
    assert found == measure_chunks(sample, work, None)
    assert read_checkpoint(str(path), plan_report("sessions", "cl100k_base", REPORT_LIMITS)) == {}


def test_a_stored_file_that_changes_is_unstable(folder):
    """Between being listed and being read."""
    work = plan_report("sessions", "o200k_base", REPORT_LIMITS)
    sample = find_stored(str(folder), ARCHIVE, REPORT_LIMITS)
    write(folder / "s0.jsonl", result("1", "other"))
    (folder / "s2.jsonl").unlink()
    found = measure_chunks(sample, work, None)
    assert (found["files", "unstable"], found["files", "unreadable"], found["files", "scanned"]) == (1, 1, 4)
    assert found["bytes", "planned"] == found["bytes", "scanned"] + found["bytes", "unscanned"]


def test_a_storage_that_is_not_there_is_an_error():
    """Of whatever kind."""
    for url in ("nowhere://x", "file:///nowhere/at/all\x00"):
        with pytest.raises(UnsafeError):
            find_stored(url, ARCHIVE, REPORT_LIMITS)


def test_a_checkpoint_that_cannot_be_used_is_an_error(folder, tmp_path):
    """To read or to write."""
    work = plan_report("sessions", "o200k_base", REPORT_LIMITS)
    (chunk,) = make_manifest(find_stored(str(folder), ARCHIVE, REPORT_LIMITS), work)
    with pytest.raises(CheckpointError):
        read_checkpoint(str(tmp_path), work)
    with pytest.raises(CheckpointError):
        append_checkpoint(str(tmp_path), chunk, measure_chunk(chunk, work))


def test_a_file_that_is_no_checkpoint_is_left_as_it_is(folder, tmp_path):
    """Something else that was named by mistake is neither added to nor taken for a damaged checkpoint."""
    work = plan_report("sessions", "o200k_base", REPORT_LIMITS)
    path = tmp_path / "thesis.txt"
    path.write_bytes(b"a chapter\nand another\n")
    with pytest.raises(CheckpointError, match="something else"):
        measure_chunks(find_stored(str(folder), ARCHIVE, REPORT_LIMITS), work, None, str(path))
    assert path.read_bytes() == b"a chapter\nand another\n"
