"""The peers and their environments: a folder `.venv/peers/NAME` each, made once and kept.

A file `installed` in it names the requirement that it was made for; another version makes it anew. Nothing is installed
beside the package and what it requires itself, without extras. headroom-ai requires litellm, and so takes 500 MB.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from ...runtime.tokens.ranks import NAMES, load_tokens, render_rank_file

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv" / "peers"
DRIVERS = Path(__file__).resolve().parent / "drivers"
RANKS = FOLDER / "ranks"

# The names under which tiktoken looks for its rank files in a cache folder: SHA-1 of the address of each.
CACHE_NAMES = {
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
}


class Peer(NamedTuple):
    """A package and the script that drives it."""

    package: str
    version: str
    driver: str

    @property
    def folder(self) -> Path:
        """Where its environment is."""
        return FOLDER / self.package

    @property
    def python(self) -> str:
        """The interpreter of its environment."""
        return str(self.folder / "bin" / "python")

    def words(self, command: str, rounds: int) -> tuple[str, ...]:
        """Return the command line that drives it."""
        return (self.python, str(DRIVERS / self.driver), command, str(rounds))


PEERS = (
    Peer("headroom-ai", "0.42.0", "headroom_driver.py"),
    Peer("tooltrim", "0.3.3", "tooltrim_driver.py"),
    Peer("leancontext", "2.1.0", "leancontext_driver.py"),
    Peer("terse-mcp", "0.45.1", "terse_driver.py"),
)


def install(peer: Peer) -> str | None:
    """Make the environment of a peer unless it is there; return why it could not be made, or None."""
    requirement = f"{peer.package}=={peer.version}"
    mark = peer.folder / "installed"
    if mark.is_file() and mark.read_text("utf-8") == requirement:
        return None
    shutil.rmtree(peer.folder, ignore_errors=True)
    print(f"installing {requirement}", file=sys.stderr, flush=True)
    pip = (peer.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", requirement)
    for words in ((sys.executable, "-m", "venv", str(peer.folder)), pip):
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"not installed: {error}"
        if done.returncode:
            return f"not installed: {last_line(done.stderr)}"
    mark.write_text(requirement, "utf-8")
    return None


def last_line(text: str) -> str:
    """Return the last line that says something."""
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else "it gave no reason"


def lay_out_ranks() -> None:
    """Write the embedded rank files where the tiktoken of a peer finds them, so that none counts by guessing."""
    RANKS.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        path = RANKS / CACHE_NAMES[name]
        if not path.is_file():
            path.write_bytes(render_rank_file(load_tokens(name)))


def make_environ(home: str) -> dict[str, str]:
    """Return variables for a process that leaves the user's home alone and asks no network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "CABLESE_"))}
    return kept | {
        "HOME": home,
        "CABLESE_STORE": f"{home}/store.sqlite",
        "HEADROOM_OFFLINE": "1",
        "TIKTOKEN_CACHE_DIR": str(RANKS),
        "CUSTOM_TIKTOKEN_CACHE_DIR": str(RANKS),
    }
