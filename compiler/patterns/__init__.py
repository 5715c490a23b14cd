"""Line patterns: from parts to programs, what is wrong with one, whether two can claim one line."""

from __future__ import annotations

from .check import check_pattern
from .emit import emit_pattern
from .lower import lower_pattern
from .overlap import overlap
from .program import Capture, Program, captures
from .reference import match_line
from .words import overlap_words

__all__ = [
    "Capture",
    "Program",
    "captures",
    "check_pattern",
    "emit_pattern",
    "lower_pattern",
    "match_line",
    "overlap",
    "overlap_words",
]
