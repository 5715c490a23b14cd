"""Reads sessions of OpenCode: a database `opencode.db` whose table `part` holds the parts of all messages.

A row has `session_id`, `message_id`, `id` and `data`, a JSON object. Of type `tool`, it has `tool`, `callID` and
`state`: `status` (`completed` with `output`, `error` with `error`, or not done yet), `input`, `metadata`. Each
`step-start` is a request; `compaction` ends what later requests carry.

The database and its write-ahead log are read from held descriptors into memory and opened there: no file is opened by
name, and nothing is written beside them.

Source: `packages/opencode/src/session/session.sql.ts` and `message-v2.ts` of github.com/anomalyco/opencode; the places
of the two version bytes in the header: https://www.sqlite.org/fileformat.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .events import NOTHING, Compacted, Event, Input, Invalid, Lines, Result, Source, Turn
from .lines import type_of
from .write_ahead import apply_log

_QUERY = """
SELECT session_id, id, CASE WHEN length(CAST(data AS BLOB)) <= ? THEN data END
FROM part ORDER BY session_id, message_id, id
"""
_IS_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'part' AND sql LIKE 'CREATE TABLE%'"
_MAGIC = b"SQLite format 3\x00"
_VERSIONS = slice(18, 20)
_OTHERS = frozenset({"text", "reasoning", "file", "step-finish", "snapshot", "patch", "agent", "retry", "subtask"})
_INPUTS = frozenset({"file", "subtask"})


def read_opencode(source: Source, counts: Lines) -> Iterator[Event]:
    """Yield the events of all sessions of a database, one session after the other."""
    import sqlite3

    data = bytearray(source.held.read(0, source.held.size))
    if not data.startswith(_MAGIC):
        counts.malformed += bool(data)
        return
    log = source.held.log
    if log is not None:
        apply_log(data, log.read(0, log.size))
    # A database in memory has no log beside it; with these bytes it is read as one that never had.
    data[_VERSIONS] = b"\x01\x01"
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(data)
        del data
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        # A column that is computed could else be of any length; no stored one is longer than both files.
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * source.limits.whole_bytes)
        # What is sorted would else go to a file, once it is too much for a cache.
        connection.execute("PRAGMA temp_store = MEMORY")
        # A view of this name could compute for ever.
        if connection.execute(_IS_TABLE).fetchone() is None:
            counts.malformed += 1
            return
        for session, name, text in connection.execute(_QUERY, (source.limits.line_bytes,)):
            if counts.total >= source.limits.lines:
                counts.stopped = True
                return
            event = _part(session, name, text, counts)
            if event is not None:
                yield event
    except sqlite3.Error:
        # Damaged, or with other tables: what was read until then counts.
        counts.malformed += 1
    finally:
        connection.close()


def _part(session: Any, name: Any, text: Any, counts: Lines) -> Event | None:
    from json import loads

    if text is None:
        counts.oversized += 1
        return None
    try:
        part = loads(text)
    except (ValueError, TypeError, RecursionError):
        part = None
    if not isinstance(part, dict):
        counts.malformed += 1
        return None
    counts.valid += 1
    kind = type_of(part)
    if kind == "tool":
        return _result(part, session)
    if kind == "step-start":
        return Turn(session, str(name))
    if kind == "compaction":
        return Compacted(session)
    if kind not in _OTHERS:
        counts.unknown += 1
    return Input(session) if kind in _INPUTS else None


def _result(part: dict[str, Any], session: Any) -> Result | Invalid | None:
    """Return the result of a call; None where it is not done yet."""
    state = part.get("state")
    status = state.get("status") if isinstance(state, dict) else None
    if not isinstance(state, dict) or status not in ("completed", "error"):
        return None if status in ("pending", "running") else Invalid(session)
    call, tool = part.get("callID"), part.get("tool")
    content = state.get("output" if status == "completed" else "error")
    if not (isinstance(call, str) and isinstance(tool, str) and isinstance(content, str)):
        return Invalid(session)
    given, metadata = state.get("input"), state.get("metadata")
    given = given if isinstance(given, dict) else NOTHING
    if tool != "bash" or status == "error" or not isinstance(metadata, dict):
        return Result(call, tool, content, status == "completed", given, lane=session)
    code = metadata.get("exit")
    found: dict[str, Any] = {"merged": content}
    if type(code) is int:
        found["exit_code"] = code
    if metadata.get("truncated") or "<bash_metadata>" in content:
        found["merged_truncated"] = True
    return Result(call, tool, content, found.get("exit_code", 0) == 0, given, found, lane=session)
