"""Streams come from metadata or from complete framing; nothing is invented."""

import pytest
from cablese.runtime import ToolResult
from cablese.runtime.framing import Streams, obtain_streams, parse_framing
from cablese.runtime.reasons import PassThrough, Reason
from hypothesis import given
from hypothesis import strategies as st

GIVEN = [
    ({"stdout": "a\n", "stderr": "b"}, "x", Streams("a\n", "b")),
    ({"stdout": "", "stderr": ""}, "x", Streams("", "")),
    ({"stdout": None, "stderr": None}, "stdout:\na\n\nstderr:\n", Streams("a\n", "")),
    ({}, "stdout:\n M f\n\nstderr:\nwarn\n", Streams(" M f\n", "warn\n")),
    ({}, "stdout:\n\nstderr:\n", Streams("", "")),
    ({}, "stdout:\nstdout:\n\nstderr:\n", Streams("stdout:\n", "")),
    ({"merged": "a"}, "x", Streams("a", "", merged=True)),
    ({"stdout": "a", "stderr": "", "timed_out": False, "stdout_truncated": None}, "x", Streams("a", "")),
]


@pytest.mark.parametrize(("metadata", "content", "streams"), GIVEN)
def test_complete_streams_are_found(metadata, content, streams):
    """Metadata is preferred; framing is read without trimming."""
    assert obtain_streams(ToolResult("bash", content, metadata=metadata)) == streams


MISSING = [
    ({}, "plain text"),
    ({}, ""),
    ({}, {"stdout": "a"}),
    ({}, "stdout:\na\n"),
    ({}, "stderr:\na\n"),
    ({}, "stdout:\na\nstderr:"),
    ({}, "stdout:\nstderr:\n"),
    ({}, "stdout:\r\na\r\nstderr:\r\n"),
    ({}, " stdout:\na\nstderr:\n"),
    ({}, "stdout:\na\nstderr:\nb\nstderr:\nc"),
    ({}, "stdout:\na\nstderr:\nstderr:\nc"),
    ({}, "stdout:\nstderr:\na\nstderr:\nc"),
    ({"stdout": "a"}, "x"),
    ({"stdout": "a"}, "stdout:\na\nstderr:\n"),
    ({"stderr": "a"}, "stdout:\na\nstderr:\n"),
    ({"stdout": "a", "stderr": None}, "x"),
    ({"stdout": ["a"], "stderr": ""}, "x"),
    ({"stdout": b"a", "stderr": b""}, "x"),
    ({"merged": "a", "stdout": "a", "stderr": ""}, "x"),
    ({"merged": 1}, "x"),
]


@pytest.mark.parametrize(("metadata", "content"), MISSING)
def test_missing_or_ambiguous_streams_pass(metadata, content):
    """One stream, half framing, several separators, and streams that are no text are never completed by guessing."""
    with pytest.raises(PassThrough) as refused:
        obtain_streams(ToolResult("bash", content, metadata=metadata))
    assert refused.value.reason is Reason.MISSING_STREAM


@pytest.mark.parametrize("flag", ["timed_out", "stdout_truncated", "stderr_truncated", "merged_truncated"])
@pytest.mark.parametrize("value", [True, 1, "yes", ""])
def test_cut_and_timed_out_results_pass(flag, value):
    """A flag that is anything but false or absent counts as set."""
    with pytest.raises(PassThrough) as refused:
        obtain_streams(ToolResult("bash", "x", metadata={"stdout": "a", "stderr": "", flag: value}))
    assert refused.value.reason is Reason.INVALID_OUTPUT


TEXT = st.text(st.sampled_from("ab:\n") | st.characters(), max_size=20) | st.sampled_from(["stderr:\n", "\nstderr:\n"])


@given(TEXT, TEXT)
def test_framing_gives_back_what_was_framed_or_refuses(stdout, stderr):
    """Framed streams come back exactly, or the framing is ambiguous and passes."""
    content = f"stdout:\n{stdout}\nstderr:\n{stderr}"
    try:
        streams = parse_framing(content)
    except PassThrough:
        assert "stderr:\n" in stdout + "\n" + stderr
    else:
        assert streams == Streams(stdout, stderr)
