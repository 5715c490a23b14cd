"""Files that are swapped, grow or go while they are measured: counted, never followed, and the equations hold."""

import errno
import os
import tempfile
from pathlib import Path

import pytest
from cablese.runtime.measuring import held
from cablese.runtime.measuring.held import UnsafeError, open_root
from cablese.runtime.measuring.limits import REPORT_LIMITS

from .archive import measure, open_descriptors, result, write

SECRET = "the-secret-word"


@pytest.fixture
def folder(tmp_path):
    """Write two sessions, of which the older one will be disturbed."""
    folder = tmp_path / "s"
    write(folder / "calm.jsonl", result("c", "x\n" * 40), at=9)
    write(folder / "victim.jsonl", result("c", "y\n" * 40), at=5)
    return folder


def during(monkeypatch, name, action, call=1):
    """Run `action` once, just before the given call of an operation of the system is made."""
    real = getattr(os, name)
    calls = []

    def intercepted(*words, **more):
        calls.append(words)
        if len(calls) == call:
            action()
        return real(*words, **more)

    monkeypatch.setattr(held.os, name, intercepted)


def grow(path):
    """Add a line, as a session that goes on does."""
    with path.open("ab") as file:
        file.write(b'{"type":"tool_result"}\n')


def shorten(path):
    """Cut the file."""
    os.truncate(path, 10)


def rewrite(path):
    """Change the content, not the length."""
    at = path.stat().st_mtime_ns
    path.write_bytes(path.read_bytes().replace(b"y", b"z"))
    os.utime(path, ns=(at + 1, at + 1))


@pytest.mark.parametrize("disturb", [grow, shorten, rewrite])
def test_a_file_that_changes_is_unstable(folder, monkeypatch, disturb):
    """Its whole length is unscanned, and nothing of it is counted."""
    size = (folder / "victim.jsonl").stat().st_size
    during(monkeypatch, "pread", lambda: disturb(folder / "victim.jsonl"), call=2)
    record = measure(folder)
    assert (record["files"]["unstable"], record["files"]["scanned"]) == (1, 1)
    assert record["sampling"]["unscanned_selected_bytes"] == size
    assert record["tool_results"]["found"] == 1
    assert "changed while they were measured" in " ".join(record["warnings"])


def test_a_file_that_grew_before_it_is_read_is_unstable(folder, monkeypatch):
    """Between being opened and being read there may be a long time."""
    during(monkeypatch, "pread", lambda: grow(folder / "victim.jsonl"), call=1)
    assert measure(folder)["files"]["unstable"] == 1


def test_a_file_that_cannot_be_read_is_unreadable(folder, monkeypatch):
    """An error of the disk costs this file alone."""

    def fail():
        raise OSError(errno.EIO, "no")

    during(monkeypatch, "pread", fail, call=2)
    record = measure(folder)
    assert (record["files"]["unreadable"], record["files"]["scanned"]) == (1, 1)


def test_a_name_that_goes_or_becomes_a_link_does_not_matter(folder, tmp_path, monkeypatch):
    """What was opened is read: the file itself did not change."""
    outside = write(tmp_path / "outside.jsonl", result("c", SECRET), result("d", SECRET))
    whole = measure(folder)

    def swap():
        (folder / "victim.jsonl").unlink()
        (folder / "victim.jsonl").symlink_to(outside)

    during(monkeypatch, "pread", swap, call=2)
    assert measure(folder) == whole


def test_a_file_swapped_for_a_link_before_it_is_opened_is_skipped(folder, tmp_path, monkeypatch):
    """Between being listed and being opened."""
    outside = write(tmp_path / "outside.jsonl", result("c", SECRET))
    opens = 1 + len([part for part in str(folder).split("/") if part])

    def swap():
        (folder / "calm.jsonl").unlink()
        (folder / "calm.jsonl").symlink_to(outside)

    during(monkeypatch, "open", swap, call=opens + 1)
    record = measure(folder)
    assert (record["files"]["skipped"], record["files"]["considered"]) == (1, 1)


def test_a_file_removed_before_it_is_opened_is_skipped(folder, monkeypatch):
    """And takes nothing with it."""
    opens = 1 + len([part for part in str(folder).split("/") if part])
    during(monkeypatch, "open", (folder / "calm.jsonl").unlink, call=opens + 1)
    record = measure(folder)
    assert (record["files"]["skipped"], record["files"]["scanned"]) == (1, 1)


def test_a_folder_swapped_after_it_was_opened_is_not_entered(folder, tmp_path, monkeypatch):
    """The held folder is the one that was walked to."""
    other = tmp_path / "other"
    write(other / "calm.jsonl", result("c", SECRET), result("d", SECRET))
    opens = 1 + len([part for part in str(folder).split("/") if part])

    def swap():
        folder.rename(tmp_path / "moved")
        folder.symlink_to(other)

    during(monkeypatch, "open", swap, call=opens + 1)
    assert measure(folder)["tool_results"]["found"] == 2


@pytest.mark.parametrize("component", ["s", "above"])
def test_a_link_in_the_path_is_refused(tmp_path, component):
    """At the end and before it; so is what is no folder, and what is not there."""
    (tmp_path / "above" / "s").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "above" / ("s" if component == "s" else ""))
    path = tmp_path / "link" / ("" if component == "s" else "s")
    for refused in (path, tmp_path / "none", write(tmp_path / "file.jsonl")):
        before = open_descriptors()
        with pytest.raises(UnsafeError):
            open_root(str(refused))
        assert open_descriptors() == before


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="here a folder must be readable to be passed through")
def test_a_folder_on_the_way_need_not_be_readable():
    """Homes often lie in one that may be passed through and not listed."""
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "s"
        folder.mkdir(mode=0o755)
        Path(above).chmod(0o111)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            with pytest.raises(PermissionError):
                os.listdir(above)  # noqa: PTH208 - the folder above is asked, not its paths
            os.close(open_root(str(folder)))
            with pytest.raises(UnsafeError, match="denied"):
                open_root(above)
        finally:
            os.seteuid(user)
            Path(above).chmod(0o700)


def test_lines_past_the_limit_leave_a_file_scanned(folder):
    """A stable file that reaches a limit counts with its whole length, and says so."""
    record = measure(folder, REPORT_LIMITS._replace(lines=1))
    assert record["files"] | {"limit_hit": 0} == measure(folder)["files"]
    write(folder / "calm.jsonl", *(result(str(n), "x") for n in range(5)))
    record = measure(folder, REPORT_LIMITS._replace(lines=3))
    assert (record["jsonl"]["limit_hit"], record["files"]["limit_hit"], record["files"]["scanned"]) == (1, 1, 2)
    record = measure(folder, REPORT_LIMITS._replace(results=3))
    assert (record["tool_results"]["found"], record["files"]["limit_hit"]) == (4, 1)
