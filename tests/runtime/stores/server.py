"""A real redis-server for tests: found, started on a socket of its own, stopped."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path


def find_server() -> str | None:
    """Return the server that was installed with the tests, or else the machine's."""
    beside = Path(sys.executable).with_name("redis-server")
    return str(beside) if beside.exists() else shutil.which("redis-server")


class Server:
    """A redis-server with a socket file in a folder; without disk, without a port unless `port` is given."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.socket = folder / "s"
        self.port = port
        self.url = f"redis://127.0.0.1:{port}/0" if port else f"unix://{self.socket}?db=0"
        self._words = [find_server(), "--port", str(port), "--bind", "127.0.0.1", "--unixsocket", str(self.socket),
                       "--save", "", "--appendonly", "no", "--dir", str(folder), "--daemonize", "no"]  # fmt: skip
        self._process: subprocess.Popen | None = None
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._process = subprocess.Popen(self._words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket(socket.AF_UNIX) as client:
                try:
                    client.connect(str(self.socket))
                    client.sendall(b"PING\r\n")
                    if client.recv(16).startswith(b"+PONG"):
                        return
                except OSError:
                    time.sleep(0.01)
        self.stop()
        raise RuntimeError("the redis-server does not answer")

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the server."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(20)
            self._process = None
            self.socket.unlink(missing_ok=True)


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
