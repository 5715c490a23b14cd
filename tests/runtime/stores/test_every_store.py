"""What holds for every store, whatever it keeps originals in: the memory, SQLite, files, a real Redis server."""

import multiprocessing
import os
import threading

import pytest
from cablese.runtime import StoreError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FOREIGN = ("../../key", "' OR 1=1 --", "", "1" * 15, "1" * 18, "*", "key", "١" * 15, "1" * 500, "0\n" + "1" * 13)
NAMES = st.text(st.characters(categories=None), max_size=5)


@given(st.binary(max_size=200), NAMES, NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_what_is_kept_comes_back(store, content, tenant, run):
    """Any bytes in any namespace: the same bytes, the same handle of 15 digits, nothing in another namespace."""
    handle = store.keep(content, tenant=tenant, run=run)
    assert len(handle) == 15
    assert handle.isdigit()
    assert store.rehearse(content, tenant=tenant, run=run) == handle
    assert store.keep(content, tenant=tenant, run=run) == handle
    assert store.fetch(handle, tenant=tenant, run=run) == content
    assert store.fetch(handle, tenant=tenant, run=run + "x") is None
    assert store.fetch(handle, tenant=tenant + "x", run=run) is None


@pytest.mark.parametrize("size", [0, 1, 4096, (1 << 20) + 1, 5_000_000])
def test_any_size_comes_back(store, size):
    """From nothing to five megabytes."""
    content = os.urandom(size)
    assert store.fetch(store.keep(content)) == content


def test_names_do_not_run_into_each_other(store):
    """`ab`+`c` and `a`+`bc` are different namespaces, and so are paths and patterns that mean another one."""
    names = [
        ("ab", "c"),
        ("a", "bc"),
        ("", ""),
        ("..", "/"),
        ("*", "*"),
        ("a/b", ""),
        ("a", "b"),
        ("a:b", ""),
        ("%", "_"),
    ]
    handles = {store.keep(b"x", tenant=tenant, run=run) for tenant, run in names}
    assert len(handles) == len(names)
    for tenant, run in names:
        assert store.forget(tenant=tenant, run=run) == 1


@pytest.mark.parametrize("handle", FOREIGN)
def test_what_is_no_handle_finds_nothing(store, handle):
    """Whatever is asked for: nothing is found, nothing is dropped, nothing fails."""
    kept = store.keep(b"x")
    assert store.fetch(handle) is None
    assert store.forget(handle) == 0
    assert store.fetch(kept) == b"x"


def test_asking_makes_no_store(make_store, kind, tmp_path):
    """Where nothing was ever kept, reading and dropping find nothing and leave nothing behind."""
    store = make_store()
    assert (store.fetch("1" * 15), store.forget("1" * 15), store.forget(), store.purge()) == (None, 0, 0, 0)
    assert list(store.entries()) == []
    assert not (tmp_path / "x").exists()
    del kind


def test_what_is_kept_is_a_copy(store):
    """A buffer that is changed after it was kept changes no original."""
    buffer = bytearray(b"original")
    handle = store.keep(buffer)
    buffer[:] = b"changed!"
    assert store.fetch(handle) == b"original"


def test_rehearsing_keeps_nothing(store):
    """It gives the handle that keeping gives, and no original is there afterwards."""
    handle = store.rehearse(b"x")
    assert store.fetch(handle) is None
    assert store.keep(b"x") == handle


def test_forgetting_one(store):
    """One original is dropped, once; the others stay."""
    first, second = store.keep(b"a", tenant="t"), store.keep(b"b", tenant="t")
    assert store.forget(first) == 0
    assert store.forget(first, tenant="t") == 1
    assert store.forget(first, tenant="t") == 0
    assert store.fetch(first, tenant="t") is None
    assert store.fetch(second, tenant="t") == b"b"
    assert store.keep(b"a", tenant="t") == first


def test_forgetting_a_namespace(store):
    """All of one tenant's run is dropped, and nothing else."""
    for number in range(5):
        store.keep(b"%d" % number, tenant="t", run="1")
    other = store.keep(b"0", tenant="t", run="2")
    assert store.forget(tenant="t", run="1") == 5
    assert store.forget(tenant="t", run="1") == 0
    assert store.fetch(other, tenant="t", run="2") == b"0"


def test_the_newest_are_kept(make_store):
    """Beyond the number the one goes that was not used for longest; reading is a use."""
    store = make_store(newest=2)
    first, second = store.keep(b"a"), store.keep(b"b")
    assert store.fetch(first) == b"a"
    third = store.keep(b"c")
    assert [store.fetch(handle) for handle in (first, second, third)] == [b"a", None, b"c"]


def test_the_size_is_bounded(make_store):
    """Beyond the bytes the oldest go, but never the one that was just kept."""
    store = make_store(max_bytes=250)
    handles = [store.keep(b"%d" % number * 100) for number in range(5)]
    assert [store.fetch(handle) is None for handle in handles] == [True, True, True, False, False]
    large = store.keep(b"x" * 1000)
    assert store.fetch(large) == b"x" * 1000
    assert [store.fetch(handle) for handle in handles] == [None] * 5


def test_what_was_announced_last_is_never_dropped(make_store):
    """Whatever the bounds, each original is there right after it was kept."""
    store = make_store(newest=1, max_bytes=1)
    for number in range(20):
        content = b"%d" % number * 10
        assert store.fetch(store.keep(content)) == content


def test_no_more_than_the_newest_are_found(make_store):
    """The number holds at every moment of reading, also where dropping is put off."""
    store = make_store(newest=200)
    handles = [store.keep(b"%d" % number) for number in range(230)]
    # Asked for from the newest on, since asking is a use.
    found = [store.fetch(handle) is not None for handle in reversed(handles)]
    assert found == [True] * 200 + [False] * 30


def test_what_was_not_used_for_long_is_not_found(make_store, lapse):
    """After the time to live an original is gone; a use gives it that time again."""
    ttl, let_go_by = lapse
    store = make_store(ttl=ttl)
    first, second = store.keep(b"a"), store.keep(b"b")
    for _ in range(2):
        let_go_by(0.6)
        assert store.fetch(first) == b"a"
    assert store.fetch(second) is None
    let_go_by(1.1)
    assert store.fetch(first) is None
    assert store.keep(b"a") == first
    assert store.fetch(first) == b"a"


def test_purging_drops_what_has_expired(make_store, kind, lapse):
    """In all namespaces; what has not stays."""
    ttl, let_go_by = lapse
    store = make_store(ttl=ttl)
    handles = [store.keep(b"%d" % number, tenant=str(number)) for number in range(3)]
    let_go_by(1.1)
    assert store.purge() == 3
    last = store.keep(b"new")
    assert store.purge() == 0
    assert store.fetch(last) == b"new"
    assert [store.fetch(handle, tenant=str(number)) for number, handle in enumerate(handles)] == [None] * 3
    del kind


def test_the_ledger_gives_back_what_was_logged(store, make_store, kind):
    """In order, from any store of that place, whatever became of originals."""
    entries = [b'{"n":%d,"text":"\\u00e4 %s"}' % (number, b"x" * number) for number in range(50)]
    for entry in entries:
        store.log(entry)
    assert list(store.entries()) == entries
    store.keep(b"x")
    store.forget()
    assert list((store if kind == "memory" else make_store()).entries()) == entries


def test_threads_share_a_store(store):
    """Concurrent keeping and reading loses nothing, and equal content has one handle."""
    found, errors = {}, []

    def work(number):
        try:
            for item in range(20):
                content = b"%d" % (item % 10)
                found[number, item] = store.keep(content)
                assert store.fetch(found[number, item]) == content
                store.log(b'{"n":%d}' % item)
        except Exception as error:  # noqa: BLE001 - judged by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(set(found.values())) == 10
    assert len(list(store.entries())) == 160


def _keep_in_child(store, start, results):
    try:
        results.put([store.keep(b"%d" % (start + item)) for item in range(10)])
    except StoreError as error:
        results.put(error)


def test_a_store_works_after_a_fork(store, kind):
    """Parent and children go on with the store that was used before; they share originals, but for the memory's."""
    store.keep(b"before")
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    children = [context.Process(target=_keep_in_child, args=(store, start, results)) for start in (0, 5)]
    for child in children:
        child.start()
    own = [store.keep(b"%d" % number) for number in range(20, 30)]
    theirs = [results.get(timeout=30) for _ in children]
    for child in children:
        child.join()
        assert child.exitcode == 0
    handles = [handle for kept in theirs for handle in kept]
    assert len(set(handles)) == 15
    assert all(store.fetch(handle) for handle in own)
    if kind != "memory":
        assert all(store.fetch(handle) for handle in handles)


def test_a_store_may_be_closed_and_used_again(store, kind):
    """Closing lets go of what is open, and nothing is lost."""
    handle = store.keep(b"x")
    store.close()
    assert store.fetch(handle) == b"x"
    store.close()
    del kind
