"""What a measurement depends on besides the files: made once, and compared wherever figures meet.

Input: what is asked for. Output: a `Work`; for `--rules` also the compressor that decides, one for each process.
"""

from __future__ import annotations

from ... import __version__
from .aggregate import Basis
from .limits import Limits
from .scan import Work


def plan_report(archive: str, encoding: str, limits: Limits) -> Work:
    """Return the work of report v0."""
    return Work(archive, encoding, limits, Basis(__version__, archive, encoding, tuple(limits)))
