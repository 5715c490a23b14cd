"""Printing diagnostics in the format that was asked for, plain where no person is looking at colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from .. import __version__
from ..dsl.diagnostics import Diagnostic
from ..dsl.render import render_github, render_human, render_json, render_plain, render_sarif
from .options import Option
from .output import count_of

FORMAT = Option(
    "--format",
    "how findings are printed: `human` (default), `plain` sentences, `json` lines",
    "FORMAT",
    choices=("human", "plain", "json"),
    default="human",
)

CI_FORMAT = FORMAT._replace(
    help=f"{FORMAT.help}, `github` annotations, a `sarif` log",
    choices=(*FORMAT.choices, "github", "sarif"),
)
"""For commands of which the findings are all that is printed."""


def render_findings(diagnostics: Sequence[Diagnostic], form: str, base: str = "") -> str:
    """Return the diagnostics as text, in order; colour only on a terminal without NO_COLOR.

    `base` is the folder that paths are relative to, for formats that give them from the top of the repository on.
    """
    if form == "github":
        return render_github(diagnostics, Repository(base).locate)
    if form == "sarif":
        return render_sarif(diagnostics, __version__, Repository(base).locate)
    if form == "json":
        return render_json(diagnostics)
    if form == "plain":
        return render_plain(diagnostics)
    return render_human(diagnostics, color=_colored(sys.stdout))


def show_findings(diagnostics: Sequence[Diagnostic]) -> None:
    """Print what is wrong on standard error, where standard output is for something else."""
    if diagnostics:
        sys.stderr.write(render_human(diagnostics, color=_colored(sys.stderr)))


def _colored(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def render_count(diagnostics: Sequence[Diagnostic], files: int) -> str:
    """Return the closing line of a check."""
    findings = count_of(len(diagnostics), "finding") if diagnostics else "no findings"
    return f"{count_of(files, 'file')} checked, {findings}"


def render_untested(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the closing line of a test that faults kept from beginning."""
    return f"nothing tested, {count_of(len(diagnostics), 'finding')}"


class Repository:
    """The repository around a folder; the folder itself where there is none."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.realpath(folder or os.getcwd())
        self.top = self.folder
        at = self.folder
        while not os.path.exists(os.path.join(at, ".git")):
            at, below = os.path.dirname(at), at
            if at == below:
                return
        self.top = at

    def locate(self, path: str) -> str:
        """Return a path that is relative to the folder as one from the top of the repository on, with `/`."""
        return os.path.relpath(os.path.join(self.folder, path), self.top).replace(os.sep, "/")
