"""The store on a Redis server, for agents on many machines.

Input and output as in `store`; the URL is one of redis-py's (`redis://host:port/db`, `rediss://…`, `unix://…`).

| key | holds |
|---|---|
| `{cablese}:key` | the key of the store, made by whoever comes first |
| `{cablese}:original:SPACE:HANDLE` | an original; Redis drops it by itself `ttl` seconds after its last use |
| `{cablese}:used` | `SPACE:HANDLE` of each original by the number of its last use (a sorted set) |
| `{cablese}:sizes` | the size of each, and under `total` that of all |
| `{cablese}:uses` | how many uses there were |
| `{cablese}:ledger` | the ledger, a stream that holds some 100,000 entries |

The braces keep all keys in one slot of a cluster. A namespace is named by a keyed digest, so no tenant or run can be
read from a key, and none can form one.

Invariants: each change is one script, which Redis runs as a whole: a client that is killed leaves nothing half done.
How long an original survives the server is the server's matter (`appendonly yes` for every write). The password of a
URL is in no message.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from .store import (
    LEDGER_ENTRIES,
    Retention,
    StoreError,
    digest_original,
    is_handle,
    make_handles,
    name_namespace,
)

_PATIENCE_S = 5.0
_CONNECT_S = 2.0
_LEDGER_PATIENCE_S = 0.5
"""An entry of the ledger is written for every decision, and none is worth waiting for."""
_PREFIX = "{cablese}:"
_KEYS = tuple(_PREFIX + name for name in ("key", "used", "sizes", "uses"))
_PAGE = 1000

# What every script begins with: the names of keys, and what drops an original or makes it the last that was used.
_COMMON = """
local used, sizes, uses = KEYS[2], KEYS[3], KEYS[4]
local function place(member) return '{cablese}:original:' .. member end
local function drop(member)
  redis.call('ZREM', used, member)
  local size = redis.call('HGET', sizes, member)
  redis.call('HDEL', sizes, member)
  if size then redis.call('HINCRBY', sizes, 'total', -size) end
  return redis.call('DEL', place(member))
end
local function use(member, ttl)
  redis.call('PEXPIRE', place(member), ttl)
  redis.call('ZADD', used, redis.call('INCR', uses), member)
end
-- What was used last is never beyond the number or the bytes.
local function prune(newest, most)
  local dropped = 0
  while true do
    local count = redis.call('ZCARD', used)
    local oldest = redis.call('ZRANGE', used, 0, 0)[1]
    if not oldest then break end
    local total = tonumber(redis.call('HGET', sizes, 'total') or '0')
    local gone = redis.call('EXISTS', place(oldest)) == 0
    if not gone and (count <= 1 or (count <= newest and total <= most)) then break end
    drop(oldest)
    dropped = dropped + 1
  end
  return dropped
end
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return {err = 'ANOTHERKEY'} end
"""
# key, space, content, short handle, long handle, ttl, newest, most bytes, rehearsed
_KEEP = """
for at = 4, 5 do
  local member = ARGV[2] .. ':' .. ARGV[at]
  local earlier = redis.call('GET', place(member))
  if not earlier or earlier == ARGV[3] then
    if ARGV[9] == '1' then return ARGV[at] end
    if not earlier then
      drop(member)
      redis.call('SET', place(member), ARGV[3])
      redis.call('HSET', sizes, member, #ARGV[3])
      redis.call('HINCRBY', sizes, 'total', #ARGV[3])
    end
    use(member, ARGV[6])
    prune(tonumber(ARGV[7]), tonumber(ARGV[8]))
    return ARGV[at]
  end
end
return false
"""
# key, space, handle, ttl, newest, most bytes
_FETCH = """
prune(tonumber(ARGV[5]), tonumber(ARGV[6]))
local member = ARGV[2] .. ':' .. ARGV[3]
local content = redis.call('GET', place(member))
if content then use(member, ARGV[4]) end
return content
"""
# key, space, handle or nothing
_FORGET = """
local dropped = 0
for _, member in ipairs(redis.call('ZRANGE', used, 0, -1)) do
  if (ARGV[3] ~= '' and member == ARGV[2] .. ':' .. ARGV[3])
     or (ARGV[3] == '' and string.sub(member, 1, #ARGV[2] + 1) == ARGV[2] .. ':') then
    dropped = dropped + drop(member)
  end
end
return dropped
"""
# key, newest, most bytes
_PURGE = "return prune(tonumber(ARGV[2]), tonumber(ARGV[3]))"


class _AnotherKeyError(StoreError):
    """The store on the server has another key than the one that a handle was made with."""


class RedisStore:
    """Keeps originals on a Redis server. Needs the extra `redis`."""

    def __init__(self, url: str, retention: Retention = Retention()) -> None:  # noqa: B008 - immutable
        self._url = url
        self._retention = retention
        self._client: Any = None
        self._ledger_client: Any = None
        self._scripts: dict[str, Any] = {}
        self._known_key: bytes | None = None

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep a copy of an original and return its handle."""
        return self._keep(bytes(content), tenant, run, rehearsed=False)

    def rehearse(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return the handle, or raise the error, that `keep` would; keep nothing. Makes the key of the store."""
        return self._keep(bytes(content), tenant, run, rehearsed=True)

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None. Never makes a store."""
        if not is_handle(handle):
            return None
        retention = self._retention

        def fetch(key: bytes) -> bytes | None:
            space = name_namespace(key, tenant, run)
            content = self._run(_FETCH, key, space, handle, retention.ttl * 1000, retention.newest, retention.max_bytes)
            if content is not None and handle not in make_handles(digest_original(key, content, tenant, run)):
                raise StoreError(f"{self._place()}: the original is damaged")
            return content

        return self._with_key(fetch, make=False)

    def forget(self, handle: str | None = None, *, tenant: str = "", run: str = "") -> int:
        """Drop one original, or all of a namespace; return how many were dropped."""
        if handle is not None and not is_handle(handle):
            return 0

        def forget(key: bytes) -> int:
            return self._run(_FORGET, key, name_namespace(key, tenant, run), handle or "")

        return self._with_key(forget, make=False) or 0

    def purge(self) -> int:
        """Drop what is beyond the number and the bytes; return how many were dropped, those counted that Redis did."""
        return self._talk(lambda: self._run(_PURGE, b"", self._retention.newest, self._retention.max_bytes))

    def log(self, entry: bytes) -> None:
        """Add one entry to the ledger. Gives up sooner than all else."""
        fields = {"entry": bytes(entry)}
        self._talk(lambda: self._for_ledger().xadd(_PREFIX + "ledger", fields, maxlen=LEDGER_ENTRIES, approximate=True))

    def entries(self) -> Iterator[bytes]:
        """Give the entries of the ledger, oldest first."""
        after = "-"
        while True:
            page = self._talk(
                lambda after=after: self._redis().xrange(_PREFIX + "ledger", min=after, max="+", count=_PAGE)
            )
            yield from (fields[b"entry"] for _, fields in page if fields and b"entry" in fields)
            if len(page) < _PAGE:
                return
            after = "(" + page[-1][0].decode()

    def close(self) -> None:
        """Close the connections; the next use opens others."""
        clients = (self._client, self._ledger_client)
        self._client = self._ledger_client = None
        self._scripts = {}
        for client in clients:
            if client is not None:
                self._talk(client.close)

    def _keep(self, content: bytes, tenant: str, run: str, *, rehearsed: bool) -> str:
        retention = self._retention

        def keep(key: bytes) -> str:
            handles = make_handles(digest_original(key, content, tenant, run))
            caps = (retention.ttl * 1000, retention.newest, retention.max_bytes, int(rehearsed))
            handle = self._run(_KEEP, key, name_namespace(key, tenant, run), content, *handles, *caps)
            if handle is None:
                raise StoreError(f"{self._place()}: two originals have the same handle")
            return handle.decode()

        handle = self._with_key(keep, make=True)
        if handle is None:
            raise StoreError(f"{self._place()}: the store could not be made")
        return handle

    def _with_key(self, task: Callable[[bytes], Any], *, make: bool) -> Any:
        """Run a task with the key of the store; None where there is none and none is to be made.

        The key is asked for once. When a script finds another one on the server, which was emptied, so is the task.
        """
        for _ in range(3):
            key = self._known_key or self._talk(lambda: self._key(make=make))
            if key is None:
                return None
            try:
                answer = self._talk(lambda key=key: task(key))
            except _AnotherKeyError:
                self._known_key = None
            else:
                self._known_key = key
                return answer
        raise StoreError(f"{self._place()}: the key of the store changes all the time")

    def _key(self, *, make: bool) -> bytes | None:
        client = self._redis()
        if make:
            client.set(_KEYS[0], os.urandom(32), nx=True)
        return client.get(_KEYS[0])

    def _run(self, script: str, *values: object) -> Any:
        known = self._scripts.get(script)
        if known is None:
            known = self._scripts[script] = self._redis().register_script(_COMMON + script)
        return known(keys=_KEYS, args=values)

    def _redis(self) -> Any:
        if self._client is None:
            # A connection that the server has closed meanwhile is opened anew, once.
            self._client = self._connect(_PATIENCE_S, retries=1)
        return self._client

    def _for_ledger(self) -> Any:
        if self._ledger_client is None:
            # Not tried again: it might be written twice.
            self._ledger_client = self._connect(_LEDGER_PATIENCE_S, retries=0)
        return self._ledger_client

    def _connect(self, patience_s: float, *, retries: int) -> Any:
        """Return a client. Its pool gives each thread a connection of its own, and a child process new ones."""
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError:
            raise StoreError(f"{self._place()}: the package `redis` is not installed (extra `redis`)") from None
        return redis.Redis.from_url(
            self._url,
            socket_timeout=patience_s,
            socket_connect_timeout=min(patience_s, _CONNECT_S),
            retry=Retry(NoBackoff(), retries),
            retry_on_error=[redis.ConnectionError],
        )

    def _talk(self, talk: Callable[[], Any]) -> Any:
        """Talk to the server. Raises StoreError for whatever goes wrong."""
        try:
            return talk()
        except StoreError:
            raise
        except Exception as error:
            if "ANOTHERKEY" in str(error):
                raise _AnotherKeyError(f"{self._place()}: the store was made anew") from None
            raise StoreError(f"{self._place()}: {error or type(error).__name__}") from error

    def _place(self) -> str:
        """Return the URL without user, password and options."""
        scheme, _, rest = self._url.partition("://")
        return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"
