"""Workflow runs and checks of a repository of ours, as `tests/recorder/github.py` serves them to gh.

Names, results and lines are made here; their shape is GitHub's: fields as in its reference of REST and GraphQL, lines
of logs with `##[group]`, `##[endgroup]`, `##[warning]` and `##[error]` as the runner writes its workflow commands.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

BEGIN = datetime(2026, 9, 14, 8, 30, tzinfo=UTC)
_LINK = "https://github.com/shop/web/actions/runs/17790331418/job"


class Step(NamedTuple):
    """A step of a job: name, conclusion, and its lines without times."""

    name: str
    conclusion: str
    lines: list[str]


class Job(NamedTuple):
    """A job of a run; one without steps in the archive has its log as a whole."""

    name: str
    conclusion: str
    steps: list[Step]
    whole: bool = False


def _run(script: str, *said: str) -> list[str]:
    """Return what the runner says around a script."""
    head = [f"##[group]Run {script}", f"\x1b[36;1m{script}\x1b[0m", "shell: /usr/bin/bash -e {0}", "env:"]
    return [*head, "  PIP_CACHE_DIR: /home/runner/.cache/pip", "##[endgroup]", *said]


def _set_up() -> Step:
    said = ["Current runner version: '2.328.0'", "##[group]Operating System", "Ubuntu", "24.04.3", "##[endgroup]"]
    rights = ["##[group]GITHUB_TOKEN Permissions", "Contents: read", "Metadata: read", "##[endgroup]"]
    return Step("Set up job", "success", [*said, *rights, "Secret source: Actions", "Prepare workflow directory"])


def _check_out() -> Step:
    said = ["Syncing repository: shop/web", "##[group]Getting Git version info", "[command]/usr/bin/git version"]
    rest = ["git version 2.51.0", "##[endgroup]", "[command]/usr/bin/git checkout --progress --force refs/pull/7/merge"]
    head = ["##[group]Run actions/checkout@v5", "with:", "  repository: shop/web", "  fetch-depth: 1", "##[endgroup]"]
    return Step("Run actions/checkout@v5", "success", [*head, *said, *rest, "HEAD is now at 5e1c0de"])


def _install(count: int) -> Step:
    said = [f"Collecting part-{at}==1.{at}.0 (from -r requirements.txt (line {at + 1}))" for at in range(count)]
    script = "pip install -r requirements.txt"
    return Step("Install", "success", _run(script, *said, f"Successfully installed {count} parts"))


def _tests(version: str, count: int) -> Step:
    """Return a step in which two tests of many fail."""
    said = ["============================= test session starts =============================="]
    said += [f"platform linux -- Python {version}, pytest-8.4.2", "rootdir: /home/runner/work/web/web", ""]
    said += [f"tests/test_part_{at:02}.py {'.' * 24}          [{100 * (at + 1) // count:3}%]" for at in range(count)]
    said += ["", "=================================== FAILURES ==================================="]
    for name, wanted in (("total_of_an_empty_basket", 0), ("rebate_is_rounded", 3)):
        said += [f"\x1b[31m\x1b[1m_________ test_{name} _________\x1b[0m", "", f"    def test_{name}():"]
        said += [f">       assert total(basket('{name}')) == {wanted}", f"E       assert 1 == {wanted}", ""]
        said += [f"tests/test_basket.py:{wanted + 21}: AssertionError"]
    said += ["=========================== short test summary info ============================"]
    said += [f"FAILED tests/test_basket.py::test_{name}" for name in ("total_of_an_empty_basket", "rebate_is_rounded")]
    said += [f"\x1b[31m=================== 2 failed, {count * 24} passed in 18.40s ===================\x1b[0m"]
    said += ["##[error]Process completed with exit code 1."]
    return Step("Run tests", "failure", _run("pytest --color=yes", *said))


def _lint() -> Step:
    """Return a step with messages that the runner turned into annotations."""
    said = []
    for number in range(4):
        said += [f"##[warning]web/views.py:{number + 10}:1: W0{number} a name that nobody uses: `spare_{number}`"]
    said += ["Checked 214 files"]
    said += ["##[error]web/basket.py:41:9: E1101 Instance of 'Basket' has no 'totl' member", "  totl = basket.totl()"]
    said += ["         ^^^^", "##[error]web/rebate.py:7:1: E0401 Unable to import 'rounding'", "Rated at 9.71/10"]
    return Step("Lint", "failure", _run("pylint web", *said, "##[error]Process completed with exit code 2."))


def _docs() -> Step:
    """Return a step whose message has more lines than one, and whose script has groups of its own."""
    said = ["##[group]Pages", *(f"reading page-{at}.md" for at in range(60)), "##[endgroup]", "writing the index"]
    said += ["##[error]2 links lead nowhere:\n  page-3.md -> gone.md\n  page-9.md -> lost.md"]
    return Step("Build the docs", "failure", _run("make docs", *said, "##[error]Process completed with exit code 2."))


def _complete() -> Step:
    return Step("Complete job", "success", ["Cleaning up orphan processes"])


def _job(name: str, *steps: Step, whole: bool = False) -> Job:
    failed = any(step.conclusion == "failure" for step in steps)
    return Job(name, "failure" if failed else "success", [_set_up(), _check_out(), *steps, _complete()], whole)


RUNS = {
    101: [
        _job("lint", _install(8), _lint()),
        _job("test (3.11)", _install(20), _tests("3.11.13", 30)),
        _job("test (3.12)", _install(20), _tests("3.12.11", 30)),
        _job("docs", _docs()),
        _job("package", _install(20), Step("Build", "success", _run("python -m build", "Successfully built web-1.0"))),
    ],
    102: [_job("lint", _install(8)), _job("test (3.11)", _install(20))],
    103: [_job("test (3.11)", _install(20), _tests("3.11.13", 6), whole=True)],
    104: [Job("test", "failure", [_set_up(), Step("Run tests", "failure", _run("pytest", "collected 9 items"))])],
}
"""Runs by number: many failures; none; a job without logs of its steps; a step that failed and does not say so."""


def _check(name: str, conclusion: str, seconds: int, status: str = "COMPLETED") -> dict[str, Any]:
    """Return a check run; one that goes on has no end."""
    ended = f"{BEGIN + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}" if status == "COMPLETED" else None
    return {
        "__typename": "CheckRun", "name": name, "status": status, "conclusion": conclusion, "isRequired": True,
        "checkSuite": {"workflowRun": {"event": "pull_request", "workflow": {"name": "CI"}}},
        "startedAt": f"{BEGIN:%Y-%m-%dT%H:%M:%SZ}", "completedAt": ended,
        "detailsUrl": f"{_LINK}/{50_567_112_300 + len(name) + seconds}",
    }  # fmt: skip


def _status(context: str, state: str, about: str, url: str = "") -> dict[str, Any]:
    """Return the status of a commit, as services other than Actions set it."""
    return {
        "__typename": "StatusContext", "context": context, "state": state, "description": about, "isRequired": False,
        "targetUrl": url, "createdAt": f"{BEGIN:%Y-%m-%dT%H:%M:%SZ}",
    }  # fmt: skip


_GREEN = [_check(f"test ({system}, {version})", "SUCCESS", 61 + 7 * version_at + 31 * system_at)
          for system_at, system in enumerate(("ubuntu", "macos", "windows"))
          for version_at, version in enumerate(("3.11", "3.12", "3.13", "3.14"))]  # fmt: skip
CHECKS = {
    7: [
        *_GREEN,
        _check("lint", "FAILURE", 44),
        _check("docs / links", "FAILURE", 95),
        _check("end to end", "TIMED_OUT", 3600),
        _check("preview", "CANCELLED", 12),
        _check("nightly", "SKIPPED", 0),
        _check("licences", "NEUTRAL", 3),
        _check("package", "", 0, "IN_PROGRESS"),
        _check("publish", "", 0, "QUEUED"),
        _check("approval", "ACTION_REQUIRED", 2),
        _status(
            "coverage/project", "SUCCESS", "91.20% (+0.10%) compared to 3f0aa11", "https://coverage.example.com/web/7"
        ),
        _status("deploy", "ERROR", "the preview could not be made"),
    ],
    8: _GREEN,
    9: [*_GREEN[:8], _check("package", "", 0, "IN_PROGRESS"), _status("deploy", "PENDING", "waits for package")],
    10: [],
    11: [*_GREEN, _check("preview", "CANCELLED", 12)],
}
"""Checks by pull request: every state; all well; some go on; none; one cancelled."""
