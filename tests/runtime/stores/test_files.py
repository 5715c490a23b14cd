"""What holds in a folder besides: permissions, names, damage, what is left over."""

import os
import stat
import time

import pytest
from cablese.runtime import StoreError
from cablese.runtime.stores.file_store import FileStore
from cablese.runtime.stores.store import Retention


@pytest.fixture
def folder(tmp_path):
    """Give a place for a store, in folders that do not exist yet."""
    return tmp_path / "state" / "store"


def originals(folder):
    """Return the files of all originals."""
    return [path for path in (folder / "originals").rglob("*") if path.is_file()]


def test_folder_and_files_are_private(folder):
    """Mode 0700 for folders, 0600 for files, whatever the umask; a folder with open modes is closed."""
    old = os.umask(0)
    try:
        store = FileStore(str(folder))
        store.keep(b"x")
        store.log(b"{}")
    finally:
        os.umask(old)
    for path in [folder, *folder.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    folder.chmod(0o755)
    FileStore(str(folder)).keep(b"y")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_names_are_in_no_path(folder):
    """Whatever tenant and run are called, an original lies two levels below `originals`."""
    store = FileStore(str(folder))
    for name in ("../../..", "/etc/passwd", "a/b", "secret", "\0", "x" * 5000):
        handle = store.keep(b"x", tenant=name, run=name)
        assert store.fetch(handle, tenant=name, run=name) == b"x"
    assert len(originals(folder)) == 6
    for path in originals(folder):
        space, handle = path.relative_to(folder / "originals").parts
        assert len(space) == 32
        assert handle.isdigit()


def test_a_folder_of_something_else_is_left_alone(folder):
    """What holds files of its own is no store, and nothing is made in it."""
    folder.mkdir(parents=True)
    (folder / "letters").write_text("dear")
    with pytest.raises(StoreError, match="not a store"):
        FileStore(str(folder)).keep(b"x")
    assert [path.name for path in folder.iterdir()] == ["letters"]


def test_links_and_files_in_place_of_the_folder_are_refused(folder, tmp_path):
    """The store is a folder of this user, not what a link points to."""
    folder.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    for use in (lambda: FileStore(str(folder)).keep(b"x"), lambda: FileStore(str(folder)).fetch("1" * 15)):
        with pytest.raises(StoreError, match="not a folder"):
            use()
    folder.unlink()
    folder.write_text("")
    with pytest.raises(StoreError):
        FileStore(str(folder)).keep(b"x")


def test_a_link_in_place_of_an_original_is_not_followed(folder, tmp_path):
    """Nothing outside is read through the store."""
    store = FileStore(str(folder))
    handle = store.keep(b"x")
    (tmp_path / "secret").write_bytes(b"x")
    (path,) = originals(folder)
    path.unlink()
    path.symlink_to(tmp_path / "secret")
    with pytest.raises(StoreError):
        store.fetch(handle)


def test_a_damaged_original_or_key_fails_by_name(folder):
    """What comes back is what was kept, or an error; what is kept again is whole again."""
    store = FileStore(str(folder))
    handle = store.keep(b"original")
    originals(folder)[0].write_bytes(b"orig")
    with pytest.raises(StoreError, match="damaged"):
        store.fetch(handle)
    assert store.keep(b"original") == handle
    assert store.fetch(handle) == b"original"
    (folder / "key").write_bytes(b"short")
    with pytest.raises(StoreError, match="key"):
        store.fetch(handle)
    (folder / "key").unlink()
    with pytest.raises(StoreError, match="key"):
        store.keep(b"x")


def test_a_removed_store_is_made_anew(folder):
    """A folder that is deleted under a long process is made again."""
    import shutil

    store = FileStore(str(folder))
    store.keep(b"x")
    shutil.rmtree(folder)
    assert store.fetch(store.keep(b"y")) == b"y"


def test_what_was_left_over_goes(folder):
    """A file that was never finished is dropped an hour later, and folders without originals at once."""
    store = FileStore(str(folder), Retention(newest=1))
    store.keep(b"x", tenant="t")
    left, young = folder / "new" / "left", folder / "new" / "young"
    left.write_bytes(b"half")
    young.write_bytes(b"half")
    os.utime(left, (time.time() - 4000,) * 2)
    store.keep(b"y")
    assert (left.exists(), young.exists()) == (False, True)
    assert len(list((folder / "originals").iterdir())) == 1


def test_a_locked_store_fails_in_bounded_time(folder, monkeypatch):
    """Whoever does not come to an end holds nobody back for longer than the patience."""
    import fcntl

    monkeypatch.setattr("cablese.runtime.stores.file_store._PATIENCE_S", 0.1)
    store = FileStore(str(folder))
    store.keep(b"x")
    with (folder / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="locked"):
            store.keep(b"y")
    assert store.fetch(store.keep(b"y")) == b"y"
