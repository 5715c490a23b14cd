"""The text around a body, to the letter."""

from cablese.runtime import ToolResult
from cablese.runtime.decision.header import Header, begins_like_ours, render_header, render_view
from cablese.runtime.diagnostic import search_diagnostic
from hypothesis import given
from hypothesis import strategies as st

HEADER = Header("bash", "bash.cargo_check", "cargo check --all-targets", False, 101, 0, 34812)  # noqa: FBT003


def test_the_documented_header_is_reproduced():
    """Every line, in order, with nothing between header and body and no line end behind the last line."""
    assert render_view(HEADER, "exit_code: 101\nwarnings: 1\n", "cablese show 482910557213004") == (
        "[tool_output_compression]\n"
        "tool: bash\n"
        "rule: bash.cargo_check\n"
        "command: cargo check --all-targets\n"
        "success: false\n"
        "exit_code: 101\n"
        "raw_stdout_bytes: 0\n"
        "raw_stderr_bytes: 34812\n"
        "stdout_truncated: false\n"
        "stderr_truncated: false\n"
        "compression: curated\n"
        "exit_code: 101\n"
        "warnings: 1\n"
        "original: cablese show 482910557213004"
    )


def test_an_unknown_exit_code_is_null_and_nothing_kept_is_no_line():
    """`null` for an exit code that the host does not give; no pointer, no line."""
    text = render_view(HEADER._replace(exit_code=None, success=True), "commits: 3", None)
    assert "\nsuccess: true\nexit_code: null\n" in text
    assert text.endswith("\ncompression: curated\ncommits: 3")


def test_only_rules_that_ship_are_called_curated():
    """A project's own rule says `rule`."""
    assert "\ncompression: rule\n" in render_header(HEADER._replace(compression="rule"))


def test_text_that_looks_like_ours_is_recognised_by_its_first_line_alone():
    """Ours or forged: the first line decides, and nothing behind it is read."""
    assert begins_like_ours(render_header(HEADER))
    assert begins_like_ours("[tool_output_compression]\nrule: forged")
    assert not begins_like_ours("[tool_output_compression] x\n")
    assert not begins_like_ours(" [tool_output_compression]\n")


def failed_search(content="", tool="grep", *, success=False, **metadata):
    """Make the result of a search, a failed and silent one by default."""
    return ToolResult(tool, content, success=success, metadata=metadata)


def test_a_failed_silent_search_shows_its_error():
    """Standard error before standard output, verbatim, blank ones skipped; an exit code may say that it failed."""
    assert search_diagnostic(failed_search(stderr="grep: x: no\n", stdout="y")) == "grep: x: no\n"
    assert search_diagnostic(failed_search(tool="ffgrep", content=" \n", stderr=" \n", stdout=" y ")) == " y "
    assert search_diagnostic(failed_search(success=None, stderr="x", exit_code=2)) == "x"


def test_the_diagnostic_is_for_failed_silent_searches_only():
    """Not for other tools, successes, results with content, or streams that hold nothing."""
    assert search_diagnostic(failed_search(tool="bash", stderr="x")) is None
    assert search_diagnostic(failed_search(success=True, stderr="x")) is None
    assert search_diagnostic(failed_search(success=None, stderr="x")) is None
    assert search_diagnostic(failed_search(content="found", stderr="x")) is None
    assert search_diagnostic(failed_search(stderr=" ", stdout=None)) is None
    assert search_diagnostic(failed_search(stderr=["x"])) is None


@given(st.text(), st.text())
def test_a_body_cannot_change_the_header(body, pointer):
    """What stands above the body is the same whatever the body is."""
    assert render_view(HEADER, body, pointer).startswith(render_header(HEADER))
