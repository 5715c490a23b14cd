"""Sessions that tests write: events of the published form, files with a time, and a measurement of a folder."""

from __future__ import annotations

import json
import os

from cablese.runtime.measuring.basis import plan_report
from cablese.runtime.measuring.limits import REPORT_LIMITS
from cablese.runtime.measuring.report import report_record
from cablese.runtime.measuring.run import find_sessions, measure_sample


def result(call, content, **more):
    """Return a stored result."""
    event = {"type": "tool_result", "call_id": call, "tool_name": "bash", "success": True, "content": content}
    return event | more


def write(path, *events, at=None):
    """Write a session, one event a line; text and bytes are lines as they are. `at`: its time in seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(as_line(event) + b"\n" for event in events))
    if at is not None:
        os.utime(path, (at, at))
    return path


def as_line(event):
    """Return an event as the bytes of a line."""
    if isinstance(event, bytes):
        return event
    return (event if isinstance(event, str) else json.dumps(event)).encode()


def open_descriptors():
    """Return what this process holds open."""
    return set(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are compared, not paths


def measure(folder, limits=REPORT_LIMITS, archive="sessions", model="gpt-5", encoding="o200k_base"):
    """Return the report of a folder, with its equations held."""
    work = plan_report(archive, encoding, limits)
    sample = find_sessions(str(folder), work)
    try:
        record = report_record(measure_sample(sample, work), model, limits)
    finally:
        sample.close()
    check(record)
    return record


def check(record):
    """Hold the documented equations against a report."""
    sampling, files, jsonl, results = (record[name] for name in ("sampling", "files", "jsonl", "tool_results"))
    assert sampling["discovered_files"] == sampling["selected_files"] + sampling["sampled_out_files"]
    assert sampling["discovered_bytes"] == sampling["planned_bytes"] + sampling["sampled_out_bytes"]
    assert sampling["planned_bytes"] == sampling["scanned_bytes"] + sampling["unscanned_selected_bytes"]
    assert files["considered"] == sampling["discovered_files"]
    assert files["considered"] == sum(files[name] for name in ("scanned", "sampled_out", "unreadable", "unstable"))
    assert jsonl["lines"] == jsonl["valid_events"] + jsonl["malformed"] + jsonl["oversized"]
    assert results["found"] == results["measured"] + results["invalid"] + results["skipped_limit"]
    assert results["empty"] <= results["measured"]
    portfolio, baseline = record["portfolio"], record["baseline"]
    assert portfolio["tokens"] + portfolio["saved_tokens"] == baseline["tokens"]
    codecs = record["codecs"].values()
    assert portfolio["saved_tokens"] == sum(codec["saved_tokens"] for codec in codecs)
    assert portfolio["transformed"] == sum(codec["selected"] for codec in codecs)
    for codec in codecs:
        assert codec["selected"] <= codec["improved"] <= codec["validated"] <= codec["attempts"]
        assert codec["attempts"] <= results["measured"]
