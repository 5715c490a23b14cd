"""Originals are kept before anything is said about them, come back byte for byte, or fail by name."""

import multiprocessing
import os
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cablese.runtime import MemoryStore, SqliteStore, StoreError
from cablese.runtime.stores import sqlite_connection as on_connection
from cablese.runtime.stores import sqlite_store as on_disk
from cablese.runtime.stores import store as stores
from cablese.runtime.stores import store_layout as on_layout
from cablese.runtime.stores.store import Retention, digest_original, make_handles
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

KEY = bytes(range(32))


@pytest.fixture
def path(tmp_path):
    """Give a place for a store, in folders that do not exist yet."""
    return str(tmp_path / "state" / "cablese" / "store.sqlite3")


@pytest.fixture(params=["disk", "memory"])
def store(request, path):
    """Give a store of each kind."""
    return SqliteStore(path) if request.param == "disk" else MemoryStore()


@given(st.binary(max_size=200), st.text(st.characters(categories=None), max_size=5), st.text(max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_what_is_kept_comes_back(store, content, tenant, run):
    """Any bytes, any names (a name that is no Unicode fails by name): same bytes, same handle, 15 digits."""
    try:
        handle = store.keep(content, tenant=tenant, run=run)
    except StoreError:
        assert any(0xD800 <= ord(c) < 0xE000 for c in tenant)
        return
    assert len(handle) == 15
    assert handle.isdigit()
    assert store.keep(content, tenant=tenant, run=run) == handle
    assert store.fetch(handle, tenant=tenant, run=run) == content


def test_a_handle_is_looked_up_in_its_namespace_only(store):
    """A handle is no authority: another tenant or run does not find it, and has another handle for the same bytes."""
    handle = store.keep(b"x", tenant="a", run="1")
    assert store.fetch(handle, tenant="a", run="2") is None
    assert store.fetch(handle, tenant="b", run="1") is None
    assert store.fetch(handle) is None
    assert store.keep(b"x", tenant="a", run="2") != handle
    assert store.fetch("000000000000000") is None
    assert store.fetch("' OR 1=1 --") is None


def make_handle(key, content, tenant="", run=""):
    """Return the short handle of an original."""
    return make_handles(digest_original(key, content, tenant, run))[0]


def test_handles_depend_on_key_names_and_content_without_mixing_them():
    """`ab`+`c` and `a`+`bc` are different namespaces; the long form begins with the short one."""
    assert make_handle(KEY, b"", "ab", "c") != make_handle(KEY, b"", "a", "bc")
    assert make_handle(KEY, b"c", "ab", "") != make_handle(KEY, b"", "ab", "c")
    assert make_handle(KEY, b"x") != make_handle(bytes(32), b"x")
    short, long = make_handles(digest_original(KEY, b"x", "", ""))
    assert (len(short), len(long), long[:15]) == (15, 18, short)
    assert MemoryStore(KEY).keep(b"x") == short


def test_a_collision_lengthens_the_handle(store, monkeypatch):
    """Different content under one short handle gets 18 digits; both stay what they were; a long collision fails."""

    def collide(digits):
        for module in (stores, on_disk):
            monkeypatch.setattr(
                module,
                "make_handles",
                lambda digest: ("1" * 15, "1" * 15 + make_handles(digest)[0][:digits] + "0" * (3 - digits)),
            )

    collide(3)
    first, second = store.keep(b"a"), store.keep(b"b")
    assert (len(first), len(second)) == (15, 18)
    assert (store.fetch(first), store.fetch(second)) == (b"a", b"b")
    assert (store.keep(b"a"), store.keep(b"b")) == (first, second)
    collide(0)
    assert store.keep(b"c") == "1" * 15 + "000"
    with pytest.raises(StoreError, match="same handle"):
        store.keep(b"d")


def test_the_file_is_private_and_in_wal_mode(path):
    """Mode 0600 for the file and its companions, 0700 for the folder, whatever the umask."""
    old = os.umask(0)
    try:
        SqliteStore(path).keep(b"x")
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in Path(path).parent.iterdir()}
    finally:
        os.umask(old)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(Path(path).parent.stat().st_mode) == 0o700
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_with_open_modes_is_closed(path):
    """A store that others may read becomes private before it is used."""
    SqliteStore(path).keep(b"x")
    Path(path).chmod(0o644)
    SqliteStore(path).keep(b"y")
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_fetching_makes_no_store(path):
    """Asking for an original where nothing was ever kept leaves no file behind."""
    assert SqliteStore(path).fetch("123456789012345") is None
    assert not Path(path).exists()


def kept(path):
    """Read all originals of a store."""
    return {bytes(row[0]) for row in sqlite3.connect(path).execute("SELECT bytes FROM content")}


def test_what_has_expired_is_dropped(path, monkeypatch):
    """Dropped: older than the time limit, or not among the newest used. Never what was just kept."""
    clock = [1000]
    monkeypatch.setattr(on_disk.time, "time", lambda: clock[0])
    store = SqliteStore(path, Retention(ttl=100, newest=3))
    for number in range(4):
        store.keep(b"%d" % number)
    assert kept(path) == {b"1", b"2", b"3"}
    clock[0] += 50
    store.keep(b"1")
    clock[0] += 60
    store.keep(b"new")
    assert kept(path) == {b"1", b"new"}
    clock[0] += 10_000
    assert store.fetch(make_handle_of(path, b"new")) is None


def make_handle_of(path, content):
    """Read the handle of an original."""
    return (
        sqlite3.connect(path)
        .execute("SELECT handle FROM original JOIN content USING (id) WHERE bytes = ?", (content,))
        .fetchone()[0]
    )


def test_the_size_is_bounded_from_the_oldest_on(path):
    """Beyond the bound the oldest go, but never the one that was just kept."""
    store = SqliteStore(path, Retention(max_bytes=250))
    for number in range(5):
        store.keep(b"%d" % number * 100)
    assert kept(path) == {b"3" * 100, b"4" * 100}
    store.keep(b"x" * 1000)
    assert kept(path) == {b"x" * 1000}


def test_memory_keeps_the_newest():
    """The store in memory is bounded by number, use counting as new."""
    store = MemoryStore(KEY, Retention(newest=2))
    first = store.keep(b"a")
    second = store.keep(b"b")
    store.keep(b"a")
    store.keep(b"c")
    assert store.fetch(first) == b"a"
    assert store.fetch(second) is None


def test_a_damaged_file_fails_by_name(path):
    """A file that is no store is not overwritten."""
    Path(path).parent.mkdir(parents=True)
    Path(path).write_bytes(b"not a database" * 100)
    for use in (lambda: SqliteStore(path).keep(b"x"), lambda: SqliteStore(path).fetch("1")):
        with pytest.raises(StoreError, match="not a database"):
            use()
    assert Path(path).read_bytes() == b"not a database" * 100


def test_a_damaged_original_or_key_fails_by_name(path):
    """What comes back is what was kept, or an error: the digest is checked again."""
    store = SqliteStore(path)
    handle = store.keep(b"original")
    sqlite3.connect(path, isolation_level=None).execute("UPDATE content SET bytes = x'00'")
    with pytest.raises(StoreError, match="damaged"):
        store.fetch(handle)
    sqlite3.connect(path, isolation_level=None).execute("DELETE FROM meta")
    for use in (lambda: store.keep(b"x"), lambda: store.fetch(handle)):
        with pytest.raises(StoreError, match="key"):
            use()


@pytest.mark.parametrize("key", ["'text'", "5", "zeroblob(100)"])
def test_a_key_that_is_none_fails_by_name(path, key):
    """Whatever stands in place of the key: a StoreError, and no other error."""
    store = SqliteStore(path)
    handle = store.keep(b"x")
    sqlite3.connect(path, isolation_level=None).execute(f"UPDATE meta SET value = {key}")
    for use in (lambda: store.keep(b"x"), lambda: store.fetch(handle)):
        with pytest.raises(StoreError):
            use()


@pytest.mark.parametrize(
    "damage", ["DELETE FROM content", "UPDATE content SET bytes = x'00'", "UPDATE content SET bytes = 'x'"]
)
def test_what_was_lost_is_kept_again(path, damage):
    """An original that the store only believes to have is written anew, under its handle."""
    store = SqliteStore(path)
    handle = store.keep(b"original")
    sqlite3.connect(path, isolation_level=None).execute(damage)
    assert store.keep(b"original") == handle
    assert store.fetch(handle) == b"original"


def open_and_close(path):
    """Let another process use the file. Were it alone with it, closing would remove the write-ahead log."""
    script = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM meta').fetchall(); c.close()"
    )
    subprocess.run([sys.executable, "-c", script, path], check=True)


def test_opening_a_store_twice_gives_up_no_lock(path):
    """What SQLite has locked for one store stays locked when the process opens another one on the same file."""
    first = SqliteStore(path)
    handle = first.keep(b"x")
    second = SqliteStore(path)
    assert second.fetch(handle) == b"x"
    open_and_close(path)
    assert Path(path + "-wal").exists()


def _keep_and_wait(store, kept, done):
    kept.put(store.keep(b"child"))
    done.get()


def test_a_child_takes_locks_of_its_own(path):
    """After a fork, other processes see that the child has the file open."""
    store = SqliteStore(path)
    store.keep(b"parent")
    context = multiprocessing.get_context("fork")
    kept, done = context.SimpleQueue(), context.SimpleQueue()
    child = context.Process(target=_keep_and_wait, args=(store, kept, done))
    child.start()
    handle = kept.get()
    open_and_close(path)
    assert Path(path + "-wal").exists()
    done.put(None)
    child.join()
    assert store.fetch(handle) == b"child"


def test_a_fork_in_the_middle_of_keeping_leaves_the_child_a_store_that_works(path):
    """Forks wait for originals that other threads are writing, and the child can write at once."""
    store = SqliteStore(path)
    stop = threading.Event()

    def keep():
        number = 0
        while not stop.is_set():
            number += 1
            store.keep(b"%d" % number * 10_000)
            # SQLite's waiting is not fair: without a pause the children could starve.
            stop.wait(0.01)

    threads = [threading.Thread(target=keep) for _ in range(2)]
    for thread in threads:
        thread.start()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    children = [context.Process(target=_keep_many, args=(store, start, results)) for start in range(0, 30, 10)]
    for child in children:
        child.start()
    kept = [results.get(timeout=30) for _ in children]
    stop.set()
    for thread in threads:
        thread.join()
    for child in children:
        child.join()
    assert all(len(handles) == 10 for handles in kept)


class _SlowToClose:
    """A connection whose closing lasts until the test lets it end."""

    def __init__(self):
        self.closing, self.may_end, self.closed = threading.Event(), threading.Event(), False

    def close(self):
        self.closing.set()
        self.may_end.wait(5)
        self.closed = True


def test_a_fork_waits_for_a_store_that_another_thread_lets_go(path):
    """SQLite is not at work when a process forks: a child would wait for ever for what a closing thread had locked."""
    stores = [SqliteStore(path)]
    stores[0].keep(b"x")
    slow = _SlowToClose()
    held = stores[0]._shared._held
    owner, identity, connection = held.open
    held.open = (owner, identity, slow)
    letting_go = threading.Thread(target=stores.clear)
    letting_go.start()
    slow.closing.wait(5)
    threading.Timer(0.2, slow.may_end.set).start()
    child = os.fork()
    if child == 0:
        os._exit(0 if slow.closed else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    letting_go.join()
    connection.close()


def test_a_store_that_is_let_go_is_closed(path):
    """No descriptor of it stays open, and nothing of it is remembered."""
    store = SqliteStore(path)
    store.keep(b"x")
    held = store._shared._held
    del store
    assert held.open is None
    assert held not in on_connection._HELD
    assert not Path(path + "-wal").exists()


def test_a_newer_layout_is_refused(path):
    """What a newer version made is left alone."""
    SqliteStore(path).keep(b"x")
    sqlite3.connect(path).execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer version"):
        SqliteStore(path).keep(b"y")


def test_links_and_folders_are_refused(path, tmp_path):
    """The store is a regular file, not what a link points to."""
    Path(path).parent.mkdir(parents=True)
    Path(path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError):
        SqliteStore(path).keep(b"x")
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(StoreError):
        SqliteStore(str(tmp_path)).keep(b"x")


def test_a_locked_store_fails_in_bounded_time(path, monkeypatch):
    """A writer that does not come to an end holds nobody back for longer than the patience."""
    monkeypatch.setattr(on_connection, "_PATIENCE_S", 0.1)
    store = SqliteStore(path)
    store.keep(b"x")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    start = time.monotonic()
    with pytest.raises(StoreError, match="locked"):
        store.keep(b"y")
    assert time.monotonic() - start < 5
    other.execute("ROLLBACK")
    assert store.fetch(store.keep(b"y")) == b"y"


def _keep_without_permission(path, results):
    if os.geteuid() == 0:
        os.seteuid(65534)
    try:
        results.put(SqliteStore(path).keep(b"x"))
    except StoreError as error:
        results.put(error)


def test_a_read_only_folder_fails_by_name(tmp_path):
    """No permission is a StoreError like any other."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    child = context.Process(target=_keep_without_permission, args=(str(folder / "store"), results))
    child.start()
    child.join()
    assert isinstance(results.get(), StoreError)


def test_a_folder_that_is_a_file_fails_by_name(tmp_path):
    """What the file system refuses is a StoreError."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        SqliteStore(str(tmp_path / "file" / "store")).keep(b"x")


FULL_DISK = """
import resource, sys
from cablese.runtime import SqliteStore, StoreError
store = SqliteStore(sys.argv[1])
handle = store.keep(b"first")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    store.keep(b"x" * 1_000_000)
except StoreError as error:
    print("refused")
print(store.fetch(handle) == b"first")
"""


def test_a_full_disk_fails_by_name_and_loses_nothing(path):
    """An original that does not fit is refused, and what was kept before is still there."""
    assert resource.RLIMIT_FSIZE
    done = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["refused", "True"], done.stderr


def test_a_removed_store_is_made_anew(path):
    """A store that is deleted under a long process is not written to its unlinked file."""
    store = SqliteStore(path)
    store.keep(b"x")
    for file in Path(path).parent.iterdir():
        file.unlink()
    handle = store.keep(b"y")
    assert SqliteStore(path).fetch(handle) == b"y"


def test_threads_share_a_store(store):
    """Concurrent use from threads loses nothing, and equal content has one handle."""
    found, errors = {}, []

    def work(number):
        try:
            for item in range(20):
                content = b"%d" % (item % 10)
                found[number, item] = store.keep(content)
                assert store.fetch(found[number, item]) == content
        except Exception as error:  # noqa: BLE001 - judged by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(set(found.values())) == 10


def _keep_many(store, start, results):
    results.put([store.keep(b"%d" % (start + item)) for item in range(10)])


def test_forked_processes_share_a_store(path):
    """A store that was used before a fork works in parent and children, which see one key."""
    store = SqliteStore(path)
    store.keep(b"before")
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    children = [context.Process(target=_keep_many, args=(store, start, results)) for start in (0, 5)]
    for child in children:
        child.start()
    own = store.keep(b"7")
    handles = [handle for _ in children for handle in results.get(timeout=20)]
    for child in children:
        child.join()
        assert child.exitcode == 0
    assert own in handles
    assert len(set(handles)) == 15
    assert all(store.fetch(handle) is not None for handle in handles)


def _keep_first(path, ready, results):
    ready.wait()
    try:
        results.put(SqliteStore(path).keep(b"same"))
    except StoreError as error:
        results.put(str(error))


def test_processes_may_make_the_store_at_once(path):
    """Whoever comes first makes the key; all get the same handle for the same content."""
    context = multiprocessing.get_context("fork")
    for turn in range(10):
        ready, results = context.Event(), context.SimpleQueue()
        children = [context.Process(target=_keep_first, args=(f"{path}{turn}", ready, results)) for _ in range(5)]
        for child in children:
            child.start()
        ready.set()
        handles = {results.get() for _ in children}
        for child in children:
            child.join()
        assert len(handles) == 1, handles


EARLIER = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE original (place INTEGER PRIMARY KEY, handle TEXT NOT NULL, content BLOB NOT NULL);
INSERT INTO original VALUES (1, '123456789012345', 'kept before');
"""


@pytest.mark.parametrize("layout", [0, 1, on_layout.LAYOUT])
def test_a_store_of_an_earlier_layout_is_set_aside(path, layout):
    """Whatever number it bears: its tables stand in a private copy beside it, and the store works."""
    Path(path).parent.mkdir(parents=True)
    earlier = sqlite3.connect(path, isolation_level=None)
    earlier.executescript(EARLIER)
    earlier.execute(f"PRAGMA user_version = {layout}")
    with pytest.raises(StoreError, match="earlier version"):
        SqliteStore(path).fetch("123456789012345")
    store = SqliteStore(path)
    assert store.fetch(store.keep(b"x")) == b"x"
    assert SqliteStore(path).fetch("123456789012345") is None
    copy = f"{path}.earlier-1"
    assert stat.S_IMODE(Path(copy).stat().st_mode) == 0o600
    assert sqlite3.connect(copy).execute("SELECT content FROM original").fetchone() == ("kept before",)
    assert not Path(f"{path}.earlier-2").exists()


def test_a_database_of_something_else_is_left_alone(path):
    """What holds tables of its own is no store, and stays byte for byte."""
    Path(path).parent.mkdir(parents=True)
    sqlite3.connect(path, isolation_level=None).execute("CREATE TABLE bookmarks (url TEXT)")
    before = Path(path).read_bytes()
    for use in (lambda: SqliteStore(path).keep(b"x"), lambda: SqliteStore(path).fetch("1")):
        with pytest.raises(StoreError, match="not a store"):
            use()
    assert Path(path).read_bytes() == before


def test_a_rehearsal_keeps_nothing(path):
    """It gives the handle that keeping gives, and no original is there afterwards."""
    store = SqliteStore(path)
    handle = store.rehearse(b"x")
    assert store.fetch(handle) is None
    assert store.keep(b"x") == handle


def test_no_more_than_three_copies_of_earlier_layouts_stay(path):
    """A store that is set aside again and again drops the oldest copies; purging drops those that are old."""
    Path(path).parent.mkdir(parents=True)
    for number in range(5):
        for file in Path(path).parent.glob("store.sqlite3*"):
            if ".earlier-" not in file.name:
                file.unlink()
        earlier = sqlite3.connect(path, isolation_level=None)
        earlier.executescript(EARLIER)
        earlier.execute("UPDATE original SET content = ?", (str(number),))
        earlier.close()
        SqliteStore(path).keep(b"x")
    copies = sorted(Path(path).parent.glob("*.earlier-*"))
    assert [copy.name.rpartition("-")[2] for copy in copies] == ["3", "4", "5"]
    assert sqlite3.connect(copies[-1]).execute("SELECT content FROM original").fetchone() == ("4",)
    os.utime(copies[0], (0, 0))
    SqliteStore(path).purge()
    assert [copy.exists() for copy in copies] == [False, True, True]


def test_what_is_forgotten_is_in_no_file(path):
    """Neither the store nor its log holds the bytes of an original that was forgotten, small or large."""
    store = SqliteStore(path)
    secrets = [b"swordfish" * 3, b"hunter2 " * 400_000]
    handles = [store.keep(secret) for secret in secrets]
    other = store.keep(b"kept" * 5000)
    assert any(b"swordfish" in file.read_bytes() for file in Path(path).parent.iterdir())
    for handle in handles:
        store.forget(handle)
    for file in Path(path).parent.iterdir():
        assert not [word for word in (b"swordfish", b"hunter2") if word in file.read_bytes()], file
    assert store.fetch(other) == b"kept" * 5000
    assert sum(file.stat().st_size for file in Path(path).parent.iterdir()) < 1_000_000


def test_keeping_looks_at_no_table_as_a_whole(path):
    """What each keep asks for is found by an index, so the cost does not grow with what is held."""
    store = SqliteStore(path)
    store.keep(b"x")
    connection = sqlite3.connect(path)
    statements = [on_disk._FIND, on_disk._HOLDS, on_disk._INSERT, on_disk._USE, on_disk._FETCH]
    for statement in statements:
        plan = connection.execute("EXPLAIN QUERY PLAN " + statement, (b"",) * statement.count("?")).fetchall()
        assert not [
            row for row in plan if row[3].startswith("SCAN") and not row[3].endswith(("CONSTANT ROW", "by_use"))
        ], (statement, plan)


def test_what_cannot_be_written_can_be_read(path, monkeypatch):
    """Where another one holds the lock, an original is read all the same; only its use is not noted."""
    monkeypatch.setattr(on_connection, "_PATIENCE_S", 0.1)
    store = SqliteStore(path)
    handle = store.keep(b"x")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert store.fetch(handle) == b"x"
    other.execute("ROLLBACK")
