"""`python -m tests.recorder.github`: records what gh prints of checks and logs, for `rules/extra/gh.cable`.

The text is gh's own; what it asks for, a server in this process answers. gh speaks plain http with the host
`github.localhost`, which a proxy on this machine stands for. What it is told stands in
`tests/recorder/github_content.py`; the archive of logs is one as `pkg/cmd/run/view/logs.go` of gh reads it, with the
runner's time in front of each line.

`gh` is looked for in PATH; `GH_OLD` names an older one, of which some examples are. A tool that is not there is left
out, and what it printed before stays.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from .github_content import BEGIN, CHECKS, RUNS, Job
from .tables import EXAMPLES

HOST = "github.localhost"
REPOSITORY = f"{HOST}/shop/web"


def _written(lines: list[str], begin: int) -> str:
    """Return the file of a step: a byte order mark, and a time in front of each line that the runner wrote."""
    said = []
    for number, line in enumerate(lines):
        at = BEGIN + timedelta(seconds=begin, milliseconds=37 * number)
        said.append(f"{at:%Y-%m-%dT%H:%M:%S.%f}{number % 10}Z {line}\n")
    return "\ufeff" + "".join(said)


def _archive(jobs: list[Job]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for at, job in enumerate(jobs):
            every = [line for step in job.steps for line in step.lines]
            archive.writestr(zipfile.ZipInfo(f"{at}_{job.name}.txt"), _written(every, 60 * at))
            for number, step in enumerate(() if job.whole else job.steps, 1):
                name = zipfile.ZipInfo(f"{job.name}/{number}_{step.name.replace('/', '')}.txt")
                archive.writestr(name, _written(step.lines, 60 * at + number))
    return made.getvalue()


def _rest(path: str) -> Any:
    """Answer what gh asks about a run."""
    if (found := re.fullmatch(r"/repos/shop/web/actions/runs/(\d+)(/jobs|/logs)?", path)) and int(found[1]) in RUNS:
        number, jobs = int(found[1]), RUNS[int(found[1])]
        if found[2] == "/logs":
            return _archive(jobs)
        if found[2] == "/jobs":
            return {"total_count": len(jobs), "jobs": [_told(number, at, job) for at, job in enumerate(jobs)]}
        failed = any(job.conclusion == "failure" for job in jobs)
        api = f"http://api.{HOST}/repos/shop/web/actions"
        return {
            "id": number, "name": "CI", "display_title": "Mend the basket", "status": "completed", "event": "push",
            "conclusion": "failure" if failed else "success", "head_branch": "basket", "head_sha": "5e1c0de" * 5,
            "workflow_id": 1, "run_number": number, "run_attempt": 1, "created_at": "2026-09-14T08:30:00Z",
            "updated_at": "2026-09-14T08:40:00Z", "run_started_at": "2026-09-14T08:30:00Z",
            "jobs_url": f"{api}/runs/{number}/jobs", "html_url": f"http://{REPOSITORY}/actions/runs/{number}",
            "head_repository": {"owner": {"login": "shop"}, "name": "web"},
        }  # fmt: skip
    if found := re.fullmatch(r"/repos/shop/web/actions/jobs/(\d{3})(\d\d)", path):
        number, at = int(found[1]), int(found[2])
        return _told(number, at, RUNS[number][at])
    return {"id": 1, "name": "CI", "state": "active"} if path.endswith("/actions/workflows/1") else None


def _told(number: int, at: int, job: Job) -> dict[str, Any]:
    steps = [
        {"name": step.name, "status": "completed", "conclusion": step.conclusion, "number": place}
        for place, step in enumerate(job.steps, 1)
    ]
    return {
        "id": number * 100 + at, "run_id": number, "name": job.name, "status": "completed", "steps": steps,
        "conclusion": job.conclusion, "started_at": "2026-09-14T08:30:00Z", "completed_at": "2026-09-14T08:39:00Z",
        "html_url": f"http://{REPOSITORY}/actions/runs/{number}/job/{number * 100 + at}",
    }  # fmt: skip


def _graphql(asked: dict[str, Any]) -> Any:
    """Answer what gh asks about a pull request; a schema is asked for by newer ones."""
    query, given = asked["query"], asked.get("variables", {})
    if "__type(" in query:
        fields = [{"name": name} for name in ("checkRunCount", "checkRunCountsByState", "event")]
        empty = {"fields": []}
        return {name: {"fields": fields} for name in re.findall(r"(\w+): ?__type", query)} or empty
    number = given.get("pr_number") or int(str(given.get("id", "PR_0")).removeprefix("PR_"))
    pull = {"number": number, "headRefName": "basket", "id": f"PR_{number}"}
    contexts = {"nodes": CHECKS[number], "pageInfo": {"hasNextPage": False, "endCursor": ""}}
    rolled = {"contexts": contexts} if CHECKS[number] else None
    commit = {"commit": {"oid": "5e1c0de", "statusCheckRollup": rolled}}
    rollup = {"statusCheckRollup": {"nodes": [commit]}, "commits": {"nodes": [commit]}}
    return {"repository": {"pullRequest": pull | rollup}, "node": rollup}


@contextmanager
def _served() -> Iterator[int]:
    """Serve GitHub on a port of this machine, to those who take it for their proxy."""

    class Handler(BaseHTTPRequestHandler):
        def _reply(self, found: Any) -> None:
            content = found if isinstance(found, bytes) else json.dumps(found or {"message": "Not Found"}).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", "application/zip" if isinstance(found, bytes) else "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self) -> None:
            self._reply(_rest(self.path.removeprefix(f"http://api.{HOST}").partition("?")[0]))

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._reply({"data": _graphql(asked)})

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - the base names it so
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def ask(tool: str, words: list[str], port: int, home: str) -> subprocess.CompletedProcess[bytes]:
    """Run one gh, which knows no host but ours."""
    known = {"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1"}
    told = {"GH_HOST": HOST, "GH_TOKEN": "none", "GH_NO_UPDATE_NOTIFIER": "1", "GH_PROMPT_DISABLED": "1"}
    proxy = {"HTTP_PROXY": f"http://127.0.0.1:{port}", "GH_TELEMETRY": "0", "DO_NOT_TRACK": "1"}
    return subprocess.run(
        [tool, *words, "-R", REPOSITORY], capture_output=True, check=False, env={**known, **told, **proxy}, timeout=60
    )


def main() -> None:
    """Record the examples, and say with which exit code each command ended."""
    new, old = shutil.which("gh"), shutil.which(os.environ.get("GH_OLD", "gh-old"))
    logs, whole = ["run", "view", "101", "--log-failed"], ["run", "view", "101", "--log"]
    for tool, folder, name, words in (
        (new, "gh_pr_checks", "every-state.txt", ["pr", "checks", "7"]),
        (new, "gh_pr_checks", "all-well.txt", ["pr", "checks", "8"]),
        (new, "gh_pr_checks", "going-on.txt", ["pr", "checks", "9"]),
        (new, "gh_pr_checks", "cancelled.txt", ["pr", "checks", "11"]),
        (old, "gh_pr_checks", "older.txt", ["pr", "checks", "7"]),
        (new, "gh_run_log_failed", "four-jobs.txt", logs),
        (old, "gh_run_log_failed", "older.txt", logs),
        (new, "gh_run_log_failed", "one-job.txt", ["run", "view", "103", "--log-failed"]),
        (new, "gh_run_log_failed", "silent.txt", ["run", "view", "104", "--log-failed"]),
        (new, "gh_run_log", "five-jobs.txt", whole),
        (new, "gh_run_log", "all-well.txt", ["run", "view", "102", "--log"]),
        (new, "", "", ["run", "view", "102", "--log-failed"]),
        (new, "", "", ["pr", "checks", "10"]),
        (old, "", "", ["pr", "checks", "10"]),
        (old, "", "", ["pr", "checks", "9"]),
    ):
        if tool is None:
            sys.stderr.write(f"no gh for {' '.join(words)}: {folder}/{name} stays as it is\n")
            continue
        with _served() as port, tempfile.TemporaryDirectory() as home:
            done = ask(tool, words, port, home)
        if name:
            (EXAMPLES / folder).mkdir(parents=True, exist_ok=True)
            (EXAMPLES / folder / name).write_bytes(done.stdout)
        sys.stdout.write(f"{folder}/{name}: gh {' '.join(words)}, exit {done.returncode}{done.stderr.decode()!r}\n")


if __name__ == "__main__":
    main()
