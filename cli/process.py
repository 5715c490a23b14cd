"""Running a command: in place of this process, or beside it with its streams captured.

Input: the words of a command. Output: `Captured`. Raises OSError where the command cannot be run.

The standard library's `subprocess` costs more to load than most commands here take to decide about; `posix_spawn` and
one `poll` loop do what is needed. Standard input is the command's, untouched.

Invariants: no pipe is left to fill, so no command waits for us; beyond `MAX_CAPTURE` bytes nothing is held back any
more. Nobody waits for what a command leaves running behind it. Signals that reach this process alone are passed on.
"""

from __future__ import annotations

import os
import select
import signal
import time
from typing import NamedTuple, NoReturn

from .output import STDERR, STDOUT, OutputError, write_bytes

MAX_CAPTURE = 256 * 1024 * 1024
_CHUNK = 1 << 16
# How often to look whether the command has ended, and how long its streams may then stay open.
_LOOK_S = 0.1
_GRACE_S = 0.5
# Python ignores these; commands expect them as the system has them.
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
# A terminal sends these to the whole foreground group, the command included.
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)


class Captured(NamedTuple):
    """What a command left.

    `complete` False: it was killed, or its output went on as it came: it was too large, or had not ended with it.
    """

    stdout: bytes
    stderr: bytes
    exit_code: int
    complete: bool


def replace_process(words: list[str]) -> NoReturn:
    """Become the command."""
    _check_name(words)
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    os.execvp(words[0], words)  # noqa: S606 - running it is what the user asked for


def capture_output(words: list[str]) -> Captured:
    """Run the command and capture both streams."""
    _check_name(words)
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    # What arrives before there is a command to send it to has to wait.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (*_PASSED_ON, *_FROM_TERMINAL))
    try:
        child = os.posix_spawnp(
            words[0],
            words,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, out_write, STDOUT), (os.POSIX_SPAWN_DUP2, err_write, STDERR)],
            setsigdef=_IGNORED_BY_PYTHON,
            setsigmask=mask,
        )
        _pass_on_signals(child)
    except OSError:
        os.close(out_read)
        os.close(err_read)
        raise
    finally:
        os.close(out_write)
        os.close(err_write)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    pipes = {out_read: STDOUT, err_read: STDERR}
    collected, overflowed, status = _collect(pipes, child)
    left_open = bool(pipes)
    if left_open:
        _forward(collected)
        _leave_behind(pipes)
    code = os.waitstatus_to_exitcode(status)
    killed = code < 0
    return Captured(
        bytes(collected[STDOUT]),
        bytes(collected[STDERR]),
        128 - code if killed else code,
        complete=not killed and not overflowed and not left_open,
    )


def _check_name(words: list[str]) -> None:
    """Refuse the empty name as a shell does: Python has another error for it."""
    if not words[0]:
        raise FileNotFoundError


def _collect(pipes: dict[int, int], child: int) -> tuple[dict[int, bytearray], bool, int]:
    """Read pipes to their ends, and take the status of the command.

    Beyond the bound, what was read goes to its stream, and the rest as it comes. Pipes that a command leaves open to
    another process stay in `pipes`.
    """
    status: int | None = None
    looked = time.monotonic()
    collected = {stream: bytearray() for stream in pipes.values()}
    overflowed = False
    poll = select.poll()
    for pipe in pipes:
        poll.register(pipe, select.POLLIN)
    while pipes:
        for pipe, _ in poll.poll(_LOOK_S * 1000):
            data = os.read(pipe, _CHUNK)
            if not data:
                poll.unregister(pipe)
                os.close(pipe)
                del pipes[pipe]
                continue
            collected[pipes[pipe]] += data
            if overflowed or sum(map(len, collected.values())) > MAX_CAPTURE:
                overflowed = True
                _forward(collected)
        now = time.monotonic()
        if status is not None and now - looked > _GRACE_S:
            return collected, overflowed, status
        if status is None and now - looked > _LOOK_S:
            looked = now
            ended, found = os.waitpid(child, os.WNOHANG)
            status = found if ended else None
    return collected, overflowed, os.waitpid(child, 0)[1] if status is None else status


def _leave_behind(pipes: dict[int, int]) -> None:
    """Let a process of its own pass on what still comes, as long as it comes: the command's exit is ours."""
    if os.fork():
        for pipe in pipes:
            os.close(pipe)
        return
    try:
        for number in (*_PASSED_ON, *_FROM_TERMINAL):
            signal.signal(number, signal.SIG_DFL)
        while pipes:
            for pipe in select.select(list(pipes), [], [])[0]:
                data = os.read(pipe, _CHUNK)
                write_bytes(pipes[pipe], data)
                if not data:
                    del pipes[pipe]
    except (OSError, OutputError):
        # Nobody reads any more: the pipes close with this process.
        os._exit(1)
    finally:
        os._exit(0)


def _forward(collected: dict[int, bytearray]) -> None:
    for stream, data in collected.items():
        write_bytes(stream, bytes(data))
        data.clear()


def _pass_on_signals(child: int) -> None:
    """Send on to the command what is sent to us alone; a command that has ended needs nothing."""

    def send(number: int, _frame: object) -> None:
        try:
            os.kill(child, number)
        except ProcessLookupError:
            return

    for number in _PASSED_ON:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, send)
    at_terminal = _in_foreground()
    for number in _FROM_TERMINAL:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, (lambda *_: None) if at_terminal else send)


def _in_foreground() -> bool:
    """Tell whether a terminal's keys reach this process group."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
