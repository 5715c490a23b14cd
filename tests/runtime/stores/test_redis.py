"""What holds on a Redis server besides: its own clock, its absence, its return, and what its keys tell."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from cablese.runtime import StoreError
from cablese.runtime.stores.redis_store import RedisStore
from cablese.runtime.stores.store import Retention

from .server import Server, free_port


@pytest.fixture
def client(empty_redis):
    """Give a client of one's own."""
    import redis

    with redis.Redis.from_url(empty_redis) as client:
        yield client


def test_redis_drops_by_itself_what_was_not_used(empty_redis, client):
    """Every original has a time to live on the server, which reading sets again."""
    store = RedisStore(empty_redis, Retention(ttl=100))
    handle = store.keep(b"x")
    (key,) = client.keys("*original*")
    assert 99_000 < client.pttl(key) <= 100_000
    client.pexpire(key, 5000)
    store.fetch(handle)
    assert client.pttl(key) > 99_000
    client.pexpire(key, 5000)
    store.keep(b"x")
    assert client.pttl(key) > 99_000


def test_what_redis_dropped_is_counted_no_more(empty_redis, client):
    """Sizes and order of originals that are gone go when the next one comes."""
    store = RedisStore(empty_redis, Retention(max_bytes=25))
    store.keep(b"x" * 20)
    client.delete(*client.keys("*original*"))
    handles = [store.keep(b"%d" % number * 10) for number in range(2)]
    assert [store.fetch(handle) is not None for handle in handles] == [True, True]
    assert client.hget("{cablese}:sizes", "total") == b"20"
    assert client.zcard("{cablese}:used") == 2
    store.forget()
    assert client.hgetall("{cablese}:sizes") == {b"total": b"0"}


def test_keys_tell_nothing_of_names(empty_redis, client):
    """Neither a tenant's nor a run's name stands in a key, and all keys are of one slot."""
    RedisStore(empty_redis).keep(b"x", tenant="acme", run="secret*run")
    keys = client.keys("*")
    assert keys
    assert all(key.startswith(b"{cablese}:") for key in keys)
    assert not [key for key in keys if b"acme" in key or b"secret" in key]


def test_an_emptied_server_is_a_new_store(empty_redis, client):
    """A store that is in use notices that the server was emptied: its old handles are unknown, new ones hold."""
    store, other = RedisStore(empty_redis), RedisStore(empty_redis)
    handle = store.keep(b"x")
    client.flushall()
    assert store.fetch(handle) is None
    new = other.keep(b"x")
    assert new != handle
    assert store.keep(b"x") == new
    assert store.fetch(handle) is None
    assert store.fetch(new) == b"x"


def test_a_damaged_original_fails_by_name(empty_redis, client):
    """What comes back is what was kept, or an error; kept again, it is whole."""
    store = RedisStore(empty_redis)
    handle = store.keep(b"original")
    client.set(client.keys("*original*")[0], b"other")
    with pytest.raises(StoreError, match="damaged"):
        store.fetch(handle)


def test_the_ledger_is_bounded(empty_redis, client, monkeypatch):
    """The oldest entries go; what else is in the stream is left out."""
    monkeypatch.setattr("cablese.runtime.stores.redis_store.LEDGER_ENTRIES", 500)
    store = RedisStore(empty_redis)
    for number in range(1500):
        store.log(b'{"n":%d}' % number)
    client.xadd("{cablese}:ledger", {"other": "x"})
    entries = list(store.entries())
    assert entries == [b'{"n":%d}' % number for number in range(1500 - len(entries), 1500)]
    assert 500 <= len(entries) < 1000


def test_a_server_that_is_away_fails_by_name_and_may_come_back():
    """The error names the server and no password; the same store goes on once the server is there again."""
    with tempfile.TemporaryDirectory(prefix="cablese-redis-") as folder:
        server = Server(Path(folder), free_port())
        try:
            store = RedisStore(server.url.replace("redis://", "redis://nobody:swordfish@"))
            with pytest.raises(StoreError, match=r"127\.0\.0\.1:") as refusal:
                # This server knows nobody of that name, and says so.
                store.keep(b"x")
            assert "swordfish" not in str(refusal.value)
            store = RedisStore(server.url)
            store.keep(b"x")
            server.stop()
            for use in (lambda: store.keep(b"y"), lambda: store.fetch("1" * 15), store.forget, store.purge,
                        lambda: store.log(b"{}"), lambda: list(store.entries())):  # fmt: skip
                with pytest.raises(StoreError, match=r"127\.0\.0\.1:"):
                    use()
            server.start()
            assert store.fetch(store.keep(b"y")) == b"y"
        finally:
            server.stop()


def test_a_server_that_does_not_answer_fails_in_bounded_time(monkeypatch):
    """A server that hangs holds nobody back for longer than the patience."""
    monkeypatch.setattr("cablese.runtime.stores.redis_store._PATIENCE_S", 0.2)
    with tempfile.TemporaryDirectory(prefix="cablese-redis-") as folder:
        server = Server(Path(folder))
        try:
            store = RedisStore(server.url)
            store.keep(b"x")
            os.kill(server._process.pid, signal.SIGSTOP)
            start = time.monotonic()
            with pytest.raises(StoreError):
                store.keep(b"y")
            assert time.monotonic() - start < 10
        finally:
            os.kill(server._process.pid, signal.SIGCONT)
            server.stop()


def test_the_ledger_of_a_server_that_does_not_answer_holds_nobody_back():
    """An entry is tried once, for half a second, whatever patience the originals have; a connection that was closed
    costs one entry, not two of them.
    """
    with tempfile.TemporaryDirectory(prefix="cablese-redis-") as folder:
        server = Server(Path(folder))
        try:
            store = RedisStore(server.url)
            store.log(b'{"n":1}')
            options = [client.connection_pool.connection_kwargs for client in (store._redis(), store._for_ledger())]
            assert [each["socket_timeout"] for each in options] == [5.0, 0.5]
            assert [each["retry"].get_retries() for each in options] == [1, 0]
            os.kill(server._process.pid, signal.SIGSTOP)
            start = time.monotonic()
            with pytest.raises(StoreError):
                store.log(b'{"n":2}')
            assert time.monotonic() - start < 4
            os.kill(server._process.pid, signal.SIGCONT)
            store.log(b'{"n":3}')
            assert [entry for entry in store.entries() if entry != b'{"n":2}'] == [b'{"n":1}', b'{"n":3}']
        finally:
            os.kill(server._process.pid, signal.SIGCONT)
            server.stop()


def test_without_the_client_the_error_names_the_extra():
    """A process without redis-py learns what to install."""
    script = (
        "import sys; sys.modules['redis'] = None\n"
        "from cablese.runtime import StoreError\n"
        "from cablese.runtime.stores.open_store import open_store\n"
        "try: open_store('redis://user:swordfish@localhost/0').keep(b'x')\n"
        "except StoreError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "redis://localhost/0: the package `redis` is not installed (extra `redis`)\n"
