"""Runs Cablese and the peers on an input and counts what they show.

Whole processes of all tools are started in turn, round by round, so that other work on the machine weighs on all of
them alike; each round has a text of its own. Ours is `cablese view` as shipped; a peer is its driver. Times inside a
process leave out imports and the first call.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from ...runtime import Compressor
from ...runtime.records import ToolResult
from ...runtime.stores.store import MemoryStore
from .drivers.protocol import time_calls, vary
from .environments import Peer, last_line, make_environ
from .inputs import Input

PROCESSES = 5
CALLS = 7
LIMIT = 300
"""Seconds that a process may take."""

OURS = "cablese"
BARE = (sys.executable, "-I", "-c", "pass")
START = "import sys; from cablese.cli.main import main; sys.exit(main())"
HANDLE = re.compile(r"^original: cablese show (\w+)$", re.MULTILINE)


class ToolError(Exception):
    """A tool did not show anything; the message says why."""


class Shown(NamedTuple):
    """What a tool made of an input: the text that a model sees, and the text behind its handles."""

    text: str
    original: str | None
    call: float
    process: float
    """Seconds, medians."""


class Runner:
    """Runs one tool in processes that share a home folder."""

    def __init__(self, peer: Peer | None, given: Input, folder: Path) -> None:
        self._peer = peer
        self._given = given
        self._folder = folder / (peer.package if peer else OURS)
        self._folder.mkdir(parents=True)
        self._environ = make_environ(str(self._folder))
        self._walls: list[float] = []

    def start(self) -> Shown:
        """Show the input once and time calls inside a process. Raises `ToolError`."""
        if self._peer is None:
            text, original = self._view_and_fetch()
            return Shown(text, original, median(self._time_our_calls()), 0.0)
        answer = json.loads(self._run(self._peer.words(self._given.command, CALLS), self._given.text)[0])
        return Shown(answer["text"], answer["original"], median(answer["seconds"]), 0.0)

    def time_process(self, number: int) -> None:
        """Time one process on a text of its own. Raises `ToolError`."""
        if self._peer is None:
            self._walls.append(self._view(vary(self._given.stdout, number), vary(self._given.stderr, number))[1])
        else:
            words = self._peer.words(self._given.command, 0)
            self._walls.append(self._run(words, vary(self._given.text, number))[1])

    def finish(self, shown: Shown) -> Shown:
        """Return what was shown with the median time of its processes."""
        return shown._replace(process=median(self._walls))

    def _run(self, words: tuple[str, ...], text: str) -> tuple[str, float]:
        path = self._folder / "stdin"
        path.write_text(text, "utf-8")
        with path.open("rb") as stdin:
            start = perf_counter()
            try:
                done = subprocess.run(
                    words,
                    stdin=stdin,
                    capture_output=True,
                    cwd=self._folder,
                    env=self._environ,
                    check=False,
                    timeout=LIMIT,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise ToolError(str(error)) from error
            seconds = perf_counter() - start
        if done.returncode:
            raise ToolError(last_line(done.stderr.decode(errors="replace")))
        return done.stdout.decode("utf-8"), seconds

    def _view(self, stdout: str, stderr: str) -> tuple[str, float]:
        words = ["view", "--command", self._given.command, "--exit-code", str(self._given.exit_code)]
        for stream, text in (("stdout", stdout), ("stderr", stderr)):
            path = self._folder / stream
            path.write_text(text, "utf-8")
            words += [f"--{stream}", str(path)]
        return self._run((sys.executable, "-I", "-c", START, *words), "")

    def _view_and_fetch(self) -> tuple[str, str | None]:
        text, _ = self._view(self._given.stdout, self._given.stderr)
        handle = HANDLE.search(text)
        if handle is None:
            return text, None
        return text, self._run((sys.executable, "-I", "-c", START, "show", handle[1]), "")[0]

    def _time_our_calls(self) -> list[float]:
        compressor = Compressor.default(enable="curated", store=MemoryStore())
        given = self._given

        def view(text: str) -> None:
            stdout, _, stderr = text.partition("\0")
            streams = {"stdout": stdout, "stderr": stderr, "exit_code": given.exit_code}
            compressor.view(ToolResult("bash", stdout + stderr, {"command": given.command}, metadata=streams))

        streams = f"{given.stdout}\0{given.stderr}"
        view(streams)
        return time_calls(view, streams, CALLS)


def measure(given: Input, peers: list[Peer], folder: Path) -> tuple[dict[str, Shown | ToolError], float]:
    """Run all tools on an input.

    Return what each showed, or why it showed nothing, and the median seconds of a bare Python process among them.
    """
    runners = {OURS: Runner(None, given, folder)} | {peer.package: Runner(peer, given, folder) for peer in peers}
    results: dict[str, Shown | ToolError] = {}
    for name, runner in runners.items():
        try:
            results[name] = runner.start()
        except ToolError as error:
            results[name] = error
    bare: list[float] = []
    for number in range(PROCESSES):
        start = perf_counter()
        subprocess.run(BARE, check=True)
        bare.append(perf_counter() - start)
        for name, runner in runners.items():
            if isinstance(results[name], ToolError):
                continue
            try:
                runner.time_process(number)
            except ToolError as error:
                results[name] = error
    shown = {name: runners[name].finish(each) if isinstance(each, Shown) else each for name, each in results.items()}
    return shown, median(bare)
