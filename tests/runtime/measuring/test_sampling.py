"""Which sessions are read: the newest within both limits, by any order of listing, and nothing that is not theirs."""

import errno
import os

import pytest
from cablese.runtime.measuring import sampling
from cablese.runtime.measuring.archives import ARCHIVES
from cablese.runtime.measuring.held import open_root
from cablese.runtime.measuring.limits import FILES, REPORT_BYTES, REPORT_LIMITS, LimitError, choose_limits
from cablese.runtime.measuring.sampling import TooManyFilesError, take_sample
from hypothesis import given
from hypothesis import strategies as st

from .archive import measure, open_descriptors, result, write


def names(folder, limits, archive="sessions"):
    """Return the selected files in their order, by name."""
    root = open_root(str(folder))
    try:
        sample = take_sample(root, ARCHIVES[archive], limits)
    finally:
        os.close(root)
    sample.close()
    return ["/".join(file.order) for file in sample.selected], sample


def test_only_sessions_in_use_are_candidates(tmp_path):
    """Of the root and of `subagents`; archives, sidecars, temporary files and other folders count nowhere."""
    for name in ("a.jsonl", "subagents/b-1_2.jsonl"):
        write(tmp_path / name, result("c", "x"), at=5)
    for name in ("a.archive.jsonl", "a.jsonl.gz", ".a.jsonl", "a.jsonl~", "a.meta.json", "history/a.jsonl"):
        write(tmp_path / name, result("c", "x"))
    write(tmp_path / "subagents" / "more" / "c.jsonl", result("c", "x"))
    found, sample = names(tmp_path, REPORT_LIMITS)
    assert found == ["a.jsonl", "subagents/b-1_2.jsonl"]
    assert (sample.discovered_files, sample.skipped, sample.over_cap) == (2, 0, 0)


def test_unsafe_candidates_are_skipped(tmp_path):
    """Links, pipes, folders and an unsafe `subagents` are counted, and never followed or waited for."""
    folder = tmp_path / "s"
    write(folder / "a.jsonl", result("c", "x"))
    outside = write(tmp_path / "outside.jsonl", result("c", "secret"))
    (folder / "link.jsonl").symlink_to(outside)
    (folder / "dangling.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "subagents").symlink_to(tmp_path)
    found, sample = names(folder, REPORT_LIMITS)
    assert found == ["a.jsonl"]
    assert sample.skipped == 5
    assert measure(folder)["files"]["skipped"] == 5
    (folder / "subagents").unlink()
    (folder / "subagents").write_text("no folder")
    assert names(folder, REPORT_LIMITS)[1].skipped == 5


SIZES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6)), max_size=12)


@given(SIZES, st.integers(1, 8), st.integers(1, 14), st.randoms(use_true_random=False))
def test_the_plan_is_the_documented_one(tmp_path_factory, files, max_files, max_bytes, random):
    """Newest first, ties by name; too large ones take no place; then whatever fits. Any order of listing gives it."""
    folder = tmp_path_factory.mktemp("s")
    for number, (size, at) in enumerate(files):
        path = folder / f"n{number:02}.jsonl"
        path.write_bytes(b"x" * size)
        os.utime(path, (at, at))
    limits = REPORT_LIMITS._replace(max_files=max_files, max_bytes=max_bytes, file_bytes=8)
    eligible = [(-at, f"n{number:02}.jsonl", size) for number, (size, at) in enumerate(files) if size <= 8]
    kept = sorted(entry for entry in eligible if entry[2] <= max_bytes)[:max_files]
    expected, left = [], max_bytes
    for _, name, size in kept:
        if size <= left:
            left -= size
            expected.append(name)
    whole = sampling._names

    def shuffled(held):
        listed = whole(held)
        random.shuffle(listed)
        return listed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampling, "_names", shuffled)
        found, sample = names(folder, limits)
    assert found == expected
    assert sample.discovered_files == len(eligible)
    assert sample.discovered_bytes == sum(size for _, _, size in eligible)
    assert sample.over_cap == len(files) - len(eligible)


def test_no_descriptor_is_left_open(tmp_path):
    """Neither those of files that are not selected nor those of folders."""
    for number in range(12):
        write(tmp_path / f"n{number}.jsonl", result("c", "x" * number), at=number)
    before = open_descriptors()
    names(tmp_path, REPORT_LIMITS._replace(max_files=3))
    assert open_descriptors() == before


def test_too_few_descriptors_are_an_error(tmp_path, monkeypatch):
    """A smaller sample than was asked for is never taken in silence."""
    write(tmp_path / "a.jsonl", result("c", "x"))

    def refuse(*_):
        raise OSError(errno.EMFILE, "too many")

    monkeypatch.setattr(sampling, "open_file", refuse)
    with pytest.raises(TooManyFilesError, match="--max-files"):
        names(tmp_path, REPORT_LIMITS)


def test_any_number_of_descriptors_gives_the_sample_or_an_error(tmp_path, monkeypatch):
    """Wherever they run out: at a file, at a folder, or when a folder is listed."""
    write(tmp_path / "a.jsonl", result("c", "x"))
    write(tmp_path / "subagents" / "b.jsonl", result("c", "x"))
    before = open_descriptors()
    for allowed in range(8):
        left = allowed

        def spend(real):
            def spending(*words, **more):
                nonlocal left
                left -= 1
                if left < 0:
                    raise OSError(errno.EMFILE, "too many")
                return real(*words, **more)

            return spending

        with monkeypatch.context() as patch:
            root = open_root(str(tmp_path))
            for name in ("open", "listdir"):
                patch.setattr(os, name, spend(getattr(os, name)))
            try:
                sample = take_sample(root, ARCHIVES["sessions"], REPORT_LIMITS)
                sample.close()
            except TooManyFilesError:
                sample = None
            os.close(root)
        assert (sample is None) == (allowed < 5)
        assert sample is None or (sample.discovered_files, sample.skipped) == (2, 0)
        assert open_descriptors() == before


def test_a_folder_that_cannot_be_listed_is_skipped(tmp_path, monkeypatch):
    """It is counted, not taken for an empty one."""
    write(tmp_path / "a.jsonl", result("c", "x"))

    def fail(_):
        raise OSError(errno.EIO, "no")

    monkeypatch.setattr(sampling, "_names", fail)
    found, sample = names(tmp_path, REPORT_LIMITS)
    assert (found, sample.skipped) == ([], 1)


@pytest.mark.parametrize(
    ("name", "allowed", "default"), [("max_files", FILES, 100), ("max_bytes", REPORT_BYTES, 128 << 20)]
)
def test_limits_have_documented_ranges(name, allowed, default):
    """1 to 10,000 files, 1 MiB to 1 GiB; 64 MiB a file."""
    assert (*FILES, *REPORT_BYTES, REPORT_LIMITS.file_bytes) == (1, 10_000, 1 << 20, 1 << 30, 64 << 20)
    assert getattr(choose_limits(rules=False), name) == default
    for value in allowed:
        assert getattr(choose_limits(rules=False, **{name: value}), name) == value
    for value in (allowed.least - 1, allowed.most + 1):
        with pytest.raises(LimitError, match=str(value)):
            choose_limits(rules=False, **{name: value})
