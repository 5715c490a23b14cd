"""The ledger: one line about each decision and each recovery, from which the savings report is made.

Input: a `Decision`, or the handle of an original that was shown again. Output: one JSON object as a line, given to
`store.log`. It holds when, which tool, rule, codec and kind, what came of it, sizes, time and handle; never content,
a command, an argument, a path, a detail, a tenant or a run.

| field | is |
|---|---|
| `at` | seconds since 1970 (UTC) |
| `tool`, `rule`, `codec`, `kind`, `outcome`, `reason`, `level`, `guarantee`, `handle`, `pack` | as in a view record |
| `bytes` | UTF-8 bytes: original, shown |
| `tokens` | per encoding: original, shown; only where they were counted |
| `ms` | milliseconds that the decision took |
| `recovered` | instead of all but `at` and `bytes`: the handle of an original that was shown again |

In a recovery, `bytes` is one number: how many bytes of it were shown. What is null is absent.

Invariants: writing never raises and changes nothing else; an entry is one line of at most some 10 KB, whatever a host
calls its tools.
"""

from __future__ import annotations

from time import monotonic, time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..records import Decision

_NAMES = ("tool", "rule", "codec", "kind", "outcome", "reason", "level", "guarantee", "handle", "pack")
_LONGEST_NAME = 200
_SILENCE_S = 60.0
# Made at the first entry that needs it: making one takes longer than writing an entry with it.
_ENCODERS: list[Callable[[object], str]] = []


class Ledger:
    """Writes entries to a store. A store without a ledger gets none.

    After a failure, which on a server may have taken seconds, nothing is tried for a minute.
    """

    __slots__ = ("_log", "_silent_until")

    def __init__(self, store: Any) -> None:
        self._log = getattr(store, "log", None)
        self._silent_until = 0.0

    def decided(self, decision: Decision) -> None:
        """Write down a decision. Never raises."""
        self._write(decision_entry, decision)

    def recovered(self, handle: str, size: int) -> None:
        """Write down that `size` bytes of an original were shown again. Never raises."""
        self._write(recovery_entry, handle, size)

    def _write(self, make: Callable[..., dict[str, Any]], *given: Any) -> None:
        if self._log is None or (self._silent_until and monotonic() < self._silent_until):
            return
        try:
            self._log(encode_entry(make(*given, time())))
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException:  # noqa: BLE001 - a report that knows less, not a command that fails
            self._silent_until = monotonic() + _SILENCE_S


def decision_entry(decision: Decision, at: float) -> dict[str, Any]:
    """Return what the ledger says of a decision that was made at `at`, in seconds since 1970."""
    entry: dict[str, Any] = {"at": round(at, 3)}
    for name in _NAMES:
        value = getattr(decision, name)
        if value is not None:
            entry[name] = value if len(value) <= _LONGEST_NAME else value[:_LONGEST_NAME]
    entry["bytes"] = decision.bytes
    if decision.tokens is not None:
        entry["tokens"] = dict(decision.tokens)
    entry["ms"] = decision.ms
    return entry


def recovery_entry(handle: str, size: int, at: float) -> dict[str, Any]:
    """Return what the ledger says of an original of which `size` bytes were shown again."""
    return {"at": round(at, 3), "recovered": handle, "bytes": size}


def encode_entry(entry: dict[str, Any]) -> bytes:
    """Return an entry as a line of ASCII, without its end."""
    handle = entry.get("recovered")
    if handle is not None and handle.isdecimal() and handle.isascii():
        # `show` has no other use for a JSON encoder, and would wait for its loading.
        return b'{"at":%.3f,"recovered":"%b","bytes":%d}' % (entry["at"], handle.encode(), entry["bytes"])
    if not _ENCODERS:
        from json import JSONEncoder

        _ENCODERS.append(JSONEncoder(separators=(",", ":"), allow_nan=False).encode)
    return _ENCODERS[0](entry).encode("ascii")
