"""What was announced is there, whatever becomes of the process that announced it, and of those beside it."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys

import pytest
from cablese.runtime.stores.open_store import open_store
from cablese.runtime.stores.store import Retention

ON_DISK = pytest.mark.parametrize("kind", ["sqlite", "files"], indirect=True)
SHARED = pytest.mark.parametrize("kind", ["sqlite", "files", "redis"], indirect=True)

# Says a handle only once `keep` has returned it; the reader decides when this process ends.
WRITER = """
import os, sys
from cablese.runtime.stores.open_store import open_store
from cablese.runtime.stores.store import Retention
store = open_store(sys.argv[1], Retention(newest=int(sys.argv[3])))
number = int(sys.argv[2]) * 1000
while True:
    content = b"%d " % number + b"x" * 10_000
    handle = store.keep(content, run=sys.argv[2])
    store.log(b'{"n":%d}' % number)
    os.write(1, b"%s %d\\n" % (handle.encode(), number))
    number += 1
"""


def start_writer(url, number, newest=10_000):
    """Start a process that keeps originals until it is killed."""
    words = [sys.executable, "-c", WRITER, url, str(number), str(newest)]
    return subprocess.Popen(words, stdout=subprocess.PIPE)


def read_announced(writer, number):
    """Kill a writer once it has announced so many; return all that it had announced, those in the pipe included."""
    lines = [writer.stdout.readline() for _ in range(number)]
    writer.send_signal(signal.SIGKILL)
    lines += writer.stdout.read().splitlines(keepends=True)
    writer.wait(20)
    writer.stdout.close()
    return [tuple(line.decode().split()) for line in lines if line.endswith(b"\n")]


@SHARED
def test_a_killed_writer_loses_nothing_announced(url, kind):
    """Writers are killed in the middle of it, some while others write: whatever they had announced is there, whole."""
    store = open_store(url)
    announced = {}
    # A server does not notice who is killed; once will do, since each client takes long to start.
    for turn in range(1 if kind == "redis" else 4):
        writers = [start_writer(url, turn * 2 + number) for number in range(2)]
        for number, writer in enumerate(writers):
            announced[turn * 2 + number] = read_announced(writer, 3 + 7 * turn + number)
    for run, kept in announced.items():
        assert kept
        for handle, number in kept:
            assert store.fetch(handle, run=str(run)) == number.encode() + b" " + b"x" * 10_000
    logged = {entry for entry in store.entries() if entry.startswith(b'{"n":')}
    assert logged >= {b'{"n":%s}' % number.encode() for kept in announced.values() for _, number in kept}
    assert store.fetch(store.keep(b"after")) == b"after"


@ON_DISK
def test_a_killed_writer_leaves_no_lock(url):
    """Whoever comes next, also to drop what has expired, need not wait for a process that is gone."""
    store = open_store(url, Retention(newest=5))
    store.keep(b"first")
    read_announced(start_writer(url, 1, newest=5), 20)
    assert store.fetch(store.keep(b"next")) == b"next"
    assert store.purge() >= 0
    assert store.forget(run="1") <= 5


SHARE = """
import json, sys, threading
from cablese.runtime.stores.open_store import open_store
store = open_store(sys.argv[1])
kept, errors = [], []

def work(thread):
    try:
        for item in range(12):
            # Every second original is one that all others keep, too.
            content = b"%d" % item if item % 2 else b"%s %d %d" % (sys.argv[2].encode(), thread, item)
            handle = store.keep(content)
            if store.fetch(handle) != content:
                errors.append(f"{handle} is not what was kept")
            kept.append((handle, content.decode()))
    except Exception as error:
        errors.append(repr(error))

threads = [threading.Thread(target=work, args=(thread,)) for thread in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([kept, errors]))
"""


@SHARED
def test_two_processes_of_eight_threads_share_a_store(url):
    """Nobody waits in vain, nothing is lost, equal content has one handle."""
    words = [sys.executable, "-c", SHARE, url]
    children = [subprocess.Popen([*words, str(number)], stdout=subprocess.PIPE) for number in range(2)]
    done = [json.loads(child.communicate(timeout=60)[0]) for child in children]
    assert [errors for _, errors in done] == [[], []]
    store = open_store(url)
    kept = {tuple(pair) for pairs, _ in done for pair in pairs}
    assert len(kept) == 2 * 8 * 6 + 6
    assert all(store.fetch(handle) == content.encode() for handle, content in kept)


FULL_DISK = """
import resource, sys
from cablese.runtime import StoreError
from cablese.runtime.stores.open_store import open_store
store = open_store(sys.argv[1])
handle = store.keep(b"first")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for size in (1_000_000, 400_000):
    try:
        store.keep(b"x" * size)
    except StoreError as error:
        print("refused")
print(store.fetch(handle) == b"first")
"""


@ON_DISK
def test_a_full_disk_fails_by_name_and_loses_nothing(url, tmp_path):
    """An original that does not fit is refused and leaves nothing half written; what was kept is still there."""
    words = [sys.executable, "-c", FULL_DISK, url]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["refused", "refused", "True"], done.stderr
    assert not list((tmp_path / "x").rglob("new/*"))


def _keep_without_permission(url, results):
    if os.geteuid() == 0:
        os.seteuid(65534)
    from cablese.runtime import StoreError

    for use in (lambda: open_store(url).keep(b"x"), lambda: open_store(url).log(b"{}")):
        try:
            results.put(use())
        except StoreError as error:
            results.put(error)


@ON_DISK
def test_a_read_only_folder_fails_by_name(url, tmp_path):
    """No permission is a StoreError like any other, for originals and for the ledger."""
    from cablese.runtime import StoreError

    (tmp_path / "x").mkdir(mode=0o555)
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    child = context.Process(target=_keep_without_permission, args=(url, results))
    child.start()
    child.join()
    assert [type(results.get()) for _ in range(2)] == [StoreError, StoreError]
