"""Runs the commands of a page as a reader would, and compares what they print with what the page says.

Every page has a scratch folder of its own, in which `bench`, `docs`, `rules` and `tests` are those of the checkout;
what one block writes the next one finds. Handles are keyed by the store, so a page's handle stands for the one that was
printed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from .pages import ROOT, Block

ANY_LINES = "…"
_HANDLE = re.compile(r"(?:(?<=cablese show )|(?<=cablese forget ))\d{15,18}\b")


class Step(NamedTuple):
    """A command and the output that the page gives for it."""

    command: str
    output: str


def parse_steps(block: Block) -> list[Step]:
    """Split a console block. A command may go on in lines that begin with `> `. Raises ValueError without a command."""
    steps: list[Step] = []
    for line in block.body.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append(Step(line[2:].rstrip("\n"), ""))
        elif not steps:
            raise ValueError(f"{block}: output before the first command")
        elif line.startswith("> ") and not steps[-1].output and steps[-1].command.endswith("\\"):
            steps[-1] = Step(f"{steps[-1].command}\n{line[2:].rstrip()}", "")
        else:
            steps[-1] = Step(steps[-1].command, steps[-1].output + line)
    return steps


class Scratch:
    """The folder in which the commands of one page run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.handles: dict[str, str] = {}
        for name in ("bench", "docs", "rules", "tests"):
            (folder / name).symlink_to(ROOT / name)
        # `cablese` is the one of this interpreter, installed as a script or not.
        script = folder / ".bin" / "cablese"
        script.parent.mkdir()
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m cablese.cli.main "$@"\n')
        script.chmod(0o755)

    def write(self, name: str, text: str) -> None:
        """Put a file of the page where its commands find it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def insert(self, name: str, text: str) -> None:
        """Put rule text before the last brace of a file that the page has written."""
        before, brace, after = (self.folder / name).read_text("utf-8").rpartition("}")
        self.write(name, before + text + brace + after)

    def run(self, command: str) -> tuple[str, int]:
        """Return what a command prints on both streams, and its exit code."""
        command = _HANDLE.sub(lambda found: self.handles.get(found[0], found[0]), command)
        path = f"{self.folder / '.bin'}{os.pathsep}{os.environ['PATH']}"
        plain = {"PATH": path, "NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=os.environ | plain,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
        )
        return done.stdout.decode("utf-8"), done.returncode

    def in_the_words_of(self, page: str, printed: str) -> str:
        """Replace each printed handle by the one that stands in its place in the page."""
        ours, theirs = _HANDLE.findall(page), _HANDLE.findall(printed)
        if len(ours) == len(theirs):
            self.handles.update(zip(ours, theirs, strict=True))
        back = {theirs: ours for ours, theirs in self.handles.items()}
        return _HANDLE.sub(lambda found: back.get(found[0], found[0]), printed)


def agrees(page: str, printed: str, *, elided: bool = False) -> bool:
    """Tell whether the page's output is what was printed.

    `…` on a line of its own stands for any lines; within a line it stands for any text where the block is `elided`.
    """
    pattern = ""
    for line in page.splitlines(keepends=True):
        if line == f"{ANY_LINES}\n":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(map(re.escape, line.split(ANY_LINES))) if elided else re.escape(line)
    return re.fullmatch(pattern, printed) is not None


def merge(page: str, printed: str) -> str:
    """Return what was printed, with each line of an elided block that still agrees as the page has it."""
    ours, theirs = page.splitlines(keepends=True), printed.splitlines(keepends=True)
    if len(ours) != len(theirs):
        return printed
    return "".join(a if agrees(a, b, elided=True) else b for a, b in zip(ours, theirs, strict=True))
