"""Stores of every kind, by functions that open the same place again."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest
from cablese.runtime.stores.open_store import open_store
from cablese.runtime.stores.store import MemoryStore, Retention

from .server import Server, find_server

KINDS = ("memory", "sqlite", "files", "redis")


@pytest.fixture(scope="session")
def redis_server():
    """Start a redis-server for all tests of this process."""
    if find_server() is None:
        pytest.skip("no redis-server on this machine")
    # A path of a socket has at most some hundred characters, more than pytest's folders leave.
    with tempfile.TemporaryDirectory(prefix="cablese-redis-") as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def empty_redis(redis_server):
    """Give the URL of a Redis server without a key."""
    import redis

    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    return redis_server.url


@pytest.fixture(params=KINDS)
def kind(request):
    """Give the name of each kind of store."""
    return request.param


@pytest.fixture
def url(kind, request, tmp_path):
    """Give the URL of an empty place for a store of each kind."""
    if kind == "redis":
        return request.getfixturevalue("empty_redis")
    return {"sqlite": f"sqlite://{tmp_path}/x/store.sqlite3", "files": f"files://{tmp_path}/x/store"}.get(
        kind, "memory"
    )


@pytest.fixture
def make_store(kind, url):
    """Give a function that makes a store; of the memory's kind each is a place of its own."""

    def make(**retention):
        if kind == "memory":
            return MemoryStore(retention=Retention(**retention))
        return open_store(url, Retention(**retention))

    return make


@pytest.fixture
def store(make_store):
    """Give a store of each kind."""
    return make_store()


@pytest.fixture
def lapse(kind, monkeypatch):
    """Give a time to live, and a function that lets so many of it go by: really, where the clock is a server's."""
    if kind == "redis":
        return 1, time.sleep
    now, now_ns, gone = time.time, time.time_ns, [0]

    def let_go_by(times):
        gone[0] += int(times * 1000)

    monkeypatch.setattr(time, "time", lambda: now() + gone[0])
    monkeypatch.setattr(time, "time_ns", lambda: now_ns() + gone[0] * 10**9)
    return 1000, let_go_by
