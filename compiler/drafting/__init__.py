"""From a captured output to a rule that compiles: a guess, written down to be corrected.

Input: what was captured, as text. Output: the text of a rule and of the files that its examples name. Nothing is read,
written or printed here.
"""

from __future__ import annotations

from .captured import Captured, DraftError
from .draft import Draft, draft_rule

__all__ = ["Captured", "Draft", "DraftError", "draft_rule"]
