"""Report v0 of one file: every stored result weighed with each codec of the portfolio.

Input: events of a file. Output: counts in an `Aggregate`.

Invariants: found = measured + invalid + skipped_limit; selected <= improved <= validated <= attempts; the tokens that
the portfolio saves are those that its codecs save, and with its own tokens make those of the baseline.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .events import Event, Result
from .portfolio import CODECS, weigh
from .scan import LIMITED, admit_results

if TYPE_CHECKING:
    from .aggregate import Aggregate
    from .scan import Work


def weigh_results(events: Iterator[Event], work: Work, found: Aggregate) -> bool:
    """Weigh the results among events; tell whether a limit left something out."""
    limited = False
    for event in admit_results(events, work.limits, found):
        if event is LIMITED:
            limited = True
        elif isinstance(event, Result):
            _weigh(event, work.encoding, found)
    return limited


def _weigh(result: Result, encoding: str, found: Aggregate) -> None:
    found.add(("results", "measured"), 1)
    found.add(("results", "empty"), int(not result.content))
    found.add(("results", "legacy"), int(result.legacy))
    weighed = weigh(result.call, result.content, encoding)
    found.add(("baseline", "tokens"), weighed.baseline)
    found.add(("portfolio", "tokens"), weighed.tokens)
    found.add(("portfolio", "saved_tokens"), weighed.baseline - weighed.tokens)
    found.add(("portfolio", "transformed"), int(weighed.chosen is not None))
    for codec, tokens in zip(CODECS, weighed.candidates, strict=True):
        found.add(("codecs", codec, "attempts"), int(bool(result.content)))
        if tokens is not None:
            found.add(("codecs", codec, "validated"), 1)
            found.add(("codecs", codec, "improved"), int(tokens < weighed.baseline))
            found.add(("codecs", codec, "candidate_tokens"), tokens)
        if codec == weighed.chosen:
            found.add(("codecs", codec, "selected"), 1)
            found.add(("codecs", codec, "saved_tokens"), weighed.baseline - weighed.tokens)
