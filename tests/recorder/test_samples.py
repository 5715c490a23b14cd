"""Every sample is a well-formed result record that belongs to an entry of the catalogues."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from . import CATALOGUES
from .record import SAMPLES, check_unique

FILES = sorted(SAMPLES.glob("*/*.json"))
REASONS = {None, "no_rule", "stderr_present", "invalid_output", "unreconciled", "no_gain", "missing_stream"}
OF_A_MACHINE = re.compile(r"/root/|/home/(?!dev\b)|/Users/|/tmp/recorder")


def entries():
    """Return the entries of all catalogues."""
    return [entry for catalogue in CATALOGUES for entry in catalogue]


def test_samples_and_entries_are_the_same_set():
    """No entry lacks its sample, no sample is left behind by an entry that went."""
    check_unique(entries())
    assert {f"{entry.rule}/{entry.name}" for entry in entries()} == {
        f"{file.parent.name}/{file.stem}" for file in FILES
    }


@pytest.mark.parametrize("rule", sorted({file.parent.name for file in FILES}))
def test_records_are_whole_and_portable(rule):
    """Streams, content, success and expectation agree with each other; no path of a machine is in them."""
    declared = {entry.name: entry for entry in entries() if entry.rule == rule}
    for file in FILES:
        if file.parent.name == rule:
            check_record(file, declared[file.stem])


def check_record(file: Path, entry):
    """Assert that one file is a whole and portable record."""
    text = file.read_text(encoding="utf-8")
    record = json.loads(text)
    sample, metadata = record["sample"], record["metadata"]
    where = f"{entry.rule}/{entry.name}"
    truncated = metadata["stdout_truncated"] or metadata["stderr_truncated"]
    assert not OF_A_MACHINE.search(text), where
    assert (sample["name"], sample["about"], sample["reason"]) == (entry.name, entry.about, entry.passes), where
    assert sample["reason"] in REASONS, where
    assert sample["expect"] == ("pass" if sample["reason"] else "summary"), where
    assert record["arguments"] == {"command": entry.command}, where
    assert record["success"] == (metadata["exit_code"] == 0 and not truncated), where
    if "merged" in metadata:
        assert record["content"] == metadata["merged"], where
        assert "stdout" not in metadata, where
    else:
        assert record["content"] == f"stdout:\n{metadata['stdout']}\nstderr:\n{metadata['stderr']}", where
    if "bytes" in sample:
        raw = base64.b64decode(sample["bytes"]["stdout"])
        assert raw.decode(errors="replace") == metadata["stdout"], where
