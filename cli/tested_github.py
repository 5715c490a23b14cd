"""The report of `cablese test` as GitHub workflow commands, so that a run annotates the rules that do not hold.

Input: what was tested. Output: one `::error …::` line for each finding at its place, for everything else that does not
hold one at the rule, and where less is touched than was demanded one at each thing that nothing touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..dsl.display import visible
from ..dsl.render_github import annotation, render_github
from .findings import Repository
from .tested_human import describe_problems

if TYPE_CHECKING:
    from .test import Tested


def render_annotations(tested: Sequence[Tested], base: str) -> str:
    """Return the lines, nothing where all holds. `base` is the folder that the paths of rules are relative to."""
    locate = Repository(base).locate
    return "".join(
        render_github(each.evidence.findings, locate)
        + "".join(
            annotation(visible(words), file=locate(path), line=line, title=each.evidence.rule) + "\n"
            for path, line, words in _problems(each)
        )
        for each in tested
    )


def _problems(tested: Tested) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and words of what does not hold and is no finding."""
    evidence = tested.evidence
    for words in describe_problems(tested):
        yield evidence.path, evidence.line, words
    if not tested.covered:
        for point in evidence.coverage.missing:
            yield point.path, point.line, f"nothing touches {point.words}"
