"""The server on standard input and output.

Input: the process's own streams. Output: an exit code: 0 after `shutdown` and `exit`, 1 where the client went without.

INVARIANT: nothing but messages of the protocol is written to standard output: whatever else prints is sent to standard
error. A thread reads, so that a message is there when the work on something else comes to its next step.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import sys
import threading
from pathlib import Path

from pygls.io_ import StdoutWriter, run_async

from ...dsl.parser import accepted_after
from .server import Server

_CHUNK = 1 << 16


def serve(log: str | None = None) -> int:
    """Serve until the client goes. `log` is the file that gets what goes wrong; without it, nobody is told.

    Raises OSError where that file cannot be written.
    """
    _log_to(log)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    accepted_after("")  # making the parser is most of what a first check would take
    # Looking for garbage in the middle of an answer would be felt: `checking` does it when there is time.
    gc.collect()
    gc.freeze()
    gc.disable()
    server = Server()
    try:
        asyncio.run(_serve(server, out))
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return 1


def _log_to(log: str | None) -> None:
    handler: logging.Handler = logging.NullHandler()
    if log is not None:
        Path(log).touch()
        handler = logging.FileHandler(log, encoding="utf-8", errors="backslashreplace")
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name in ("pygls", "cablese.lsp", "asyncio"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        logger.propagate = False


async def _serve(server: Server, out: object) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    threading.Thread(target=_feed, args=(loop, reader), daemon=True).start()
    server.protocol.set_writer(StdoutWriter(out))  # pyright: ignore[reportArgumentType] - it is a binary file
    # Input that ends within a message is input that ends.
    with contextlib.suppress(asyncio.IncompleteReadError):
        await run_async(
            stop_event=threading.Event(),
            reader=reader,
            protocol=server.protocol,
            error_handler=server.report_server_error,
        )


def _feed(loop: asyncio.AbstractEventLoop, reader: asyncio.StreamReader) -> None:
    """Hand over what is read, until the input or the loop ends."""
    # The loop is closed where the server went first.
    with contextlib.suppress(RuntimeError):
        while True:
            try:
                data = os.read(sys.stdin.fileno(), _CHUNK)
            except OSError:
                data = b""
            if not data:
                loop.call_soon_threadsafe(reader.feed_eof)
                return
            loop.call_soon_threadsafe(reader.feed_data, data)
