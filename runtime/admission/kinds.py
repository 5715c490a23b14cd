"""The kinds of content, and what a module that knows one has to offer.

A kind module offers, over text and without side effects:

* `NAME`, the name of its form, and `GUARANTEE`, one of `exact`, `value`, `shape`, `summary`;
* `recognise(text) -> parsed`: the whole text is read, and every line accounted for; raises NotThisKindError where it is
  not surely of this kind;
* `encode(parsed) -> shown`: the form that a model sees, which begins with a short head line that explains it. A module
  with `BUDGETED = True` takes `budget_tokens` (int or None, estimated tokens) as second argument;
* `decode(shown) -> text`, at guarantee `exact` (the same text) and `value` (a text with the same values): strict,
  raises DecodeError for whatever `encode` cannot have written;
* `same(text, other) -> bool`, at guarantee `value` only: whether two texts hold the same values.

Invariants: linear in the length of the text and bounded in depth, for any input; nothing but NotThisKindError leaves
`recognise`; a text that begins with a head line of ours is of no kind.
"""

from __future__ import annotations

from enum import StrEnum

from ..codecs.codec import DecodeError

__all__ = ["ContentKind", "DecodeError", "NotThisKindError"]


class ContentKind(StrEnum):
    """What a text is. `UNKNOWN` is no failure: it is shown whole."""

    JSON = "json"
    JSONL = "jsonl"
    DIFF = "diff"
    NUMBERED = "numbered"
    SEARCH = "search"
    PATHS = "paths"
    TABULAR = "tabular"
    LOG = "log"
    CODE = "code"
    PROSE = "prose"
    UNKNOWN = "unknown"


class NotThisKindError(Exception):
    """A text is not, or not surely, of a kind. The message says why, as it stands in a record."""
