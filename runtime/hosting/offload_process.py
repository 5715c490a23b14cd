"""One helper process, seen from the process that started it.

Input: jobs as frames. Output: the answer of the helper, or None where it ended before it gave one.

Invariants: nothing is raised for what happens to the helper: it is alive or it is not. A helper that takes longer than
its deadline is killed, so nobody waits for ever.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from threading import Timer
from typing import Any

from .offload_wire import pack_value, receive, send_frames

_START_DEADLINE_S = 60.0
_END_DEADLINE_S = 5.0
# The first argument is the name of this package, the others are the search path of this process.
_CODE = "import sys; sys.path[:] = sys.argv[2:]; from importlib import import_module; "
_CODE += "import_module(sys.argv[1] + '.offload_worker').serve()"

Serve = Callable[[tuple[Any, ...]], tuple[Any, ...]]


class StartError(Exception):
    """A helper process cannot be started here."""


def may_start() -> bool:
    """Tell whether this interpreter can be started again as a helper: not where it is a part of another program."""
    name = os.path.basename(sys.executable or "").lower()
    return not getattr(sys, "frozen", False) and name.startswith(("python", "pypy"))


def _flags() -> list[str]:
    """Return the options with which this interpreter was started, as `multiprocessing` passes them on."""
    return subprocess._args_from_interpreter_flags()  # pyright: ignore[reportAttributeAccessIssue]  # noqa: SLF001


def start_helper() -> Helper:
    """Start a helper and wait until it is ready. Raises StartError."""
    if not may_start():
        raise StartError("this interpreter cannot be started again")
    words = [sys.executable, *_flags(), "-c", _CODE, str(__package__), *sys.path]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=nowhere)  # noqa: S603 - this very interpreter
    except (OSError, ValueError) as error:
        raise StartError(str(error)) from None
    helper = Helper(process)
    ready = helper.converse(None, None, _START_DEADLINE_S)
    if ready != ("ready",):
        helper.end()
        raise StartError("a helper process ended before it was ready")
    return helper


class Helper:
    """A process that decides about one result at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._to = process.stdin
        self._from = process.stdout
        self.alive = True

    def decide(self, frames: list[bytes], serve: Serve, deadline_s: float) -> tuple[Any, ...] | None:
        """Return the answer to a job, serving the questions that come before; None where the helper ended."""
        return self.converse(frames, serve, deadline_s)

    def converse(self, frames: list[bytes] | None, serve: Serve | None, deadline_s: float) -> tuple[Any, ...] | None:
        """Send a job, if there is one, and return the first message that is no question."""
        timer = Timer(deadline_s, self.kill)
        timer.daemon = True
        try:
            timer.start()
            if frames is not None:
                send_frames(frames, self._to)
            while True:
                message = receive(self._from)
                if message[0] in ("view", "cannot", "ready") or serve is None:
                    return message
                send_frames(pack_value(serve(message)), self._to)
        except Exception:  # noqa: BLE001 - a line that broke, or says what nobody of ours says
            self.alive = False
            return None
        finally:
            timer.cancel()

    def check(self) -> bool:
        """Tell whether the process still runs."""
        self.alive = self.alive and self._process.poll() is None
        return self.alive

    def kill(self) -> None:
        """End the process at once, from any thread; whoever waits for it learns so."""
        self._process.kill()

    def end(self) -> None:
        """Let the process end, and wait for it; kill it where it does not."""
        self.alive = False
        for stream in (self._to, self._from):
            try:
                stream.close()
            except OSError:
                # What was still to be written has nobody to read it.
                continue
        try:
            self._process.wait(_END_DEADLINE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def forget(self) -> None:
        """Leave the process to the parent, in a forked child: it is not ours to wait for."""
        self._process.returncode = 0
        self.alive = False
        # Nothing is buffered in them: it waits for work.
        self._to.close()
        self._from.close()
