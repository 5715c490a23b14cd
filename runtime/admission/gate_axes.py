"""The two-axis gate: what forms save, and whether what is shown still answers questions, kind by kind.

Input: cases, a solver, the level of admission, floors. Output: a `Report` with a verdict for each kind.

A solver answers from what is shown, and may have the original where something was left out. It answers from the whole
content first: a case that it cannot answer there says nothing about the form.

Invariants: fails closed: what could not be measured fails its kind, as does a content that is taken for another kind; a
floor for a kind without cases is an error. Nothing that a solver raises leaves.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from .choice import estimate_tokens
from .gate_cases import Case, CaseError
from .kinds import ContentKind
from .router import ContentRouter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .choice import Choice

POINTER = f"\noriginal: cablese show {'0' * 15}"
"""What the walk puts behind a form that leaves something out; every handle has as many tokens."""


class Outcome(StrEnum):
    """What became of a case: answered from the form, answered with the original, not answered, not to be told."""

    KEPT = "kept"
    RECOVERED = "recovered"
    LOST = "lost"
    UNMEASURED = "unmeasured"


class Verdict(StrEnum):
    """Of a kind. `WARN`: there is no floor for it, and everything could be measured."""

    PASS = "pass"  # noqa: S105 - a verdict
    WARN = "warn"
    FAIL = "fail"


class Floor(NamedTuple):
    """What a kind has to reach, both from 0 to 1."""

    accuracy: float
    savings: float


class Sight(NamedTuple):
    """What a solver may look at. `decode` gives the text behind a form without loss, `expand` the original of another.

    Both are None where `text` is the content itself.
    """

    text: str
    decode: Callable[[], str] | None = None
    expand: Callable[[], str] | None = None


class Measured(NamedTuple):
    """One case. `savings` is the share of tokens that is gone, under the encoding that gains least."""

    case: Case
    seen: ContentKind
    form: str
    outcome: Outcome
    savings: float
    detail: str


class Judged(NamedTuple):
    """One kind: means over its cases, from 0 to 1."""

    kind: ContentKind
    verdict: Verdict
    accuracy: float
    savings: float
    floor: Floor | None
    measured: tuple[Measured, ...]


class Report(NamedTuple):
    """All kinds that have cases, in the order of `ContentKind`."""

    kinds: tuple[Judged, ...]

    @property
    def holds(self) -> bool:
        """Whether no kind fails."""
        return all(judged.verdict is not Verdict.FAIL for judged in self.kinds)


FLOORS = {
    ContentKind.JSON: Floor(1.0, 0.2),
    ContentKind.JSONL: Floor(1.0, 0.2),
    ContentKind.NUMBERED: Floor(1.0, 0.1),
    ContentKind.SEARCH: Floor(1.0, 0.2),
    ContentKind.PATHS: Floor(1.0, 0.2),
    ContentKind.TABULAR: Floor(1.0, 0.2),
    ContentKind.LOG: Floor(1.0, 0.1),
    ContentKind.CODE: Floor(1.0, 0.1),
    ContentKind.PROSE: Floor(1.0, 0.1),
}
"""The floors unless others are given. A diff has no form, and so no floor."""


def judge(
    cases: Iterable[Case],
    solver: Callable[[str, Sight], str],
    *,
    level: str = "normal",
    floors: Mapping[ContentKind, Floor] | None = None,
) -> Report:
    """Measure cases and judge their kinds. `solver` is given a question and a `Sight`, and returns its answer.

    Raises CaseError where a floor is for a kind that has no case, ValueError for an unknown level.
    """
    floors = FLOORS if floors is None else floors
    router = ContentRouter(level=level, count=_tokens)
    by_kind: dict[ContentKind, list[Measured]] = {}
    for case in cases:
        by_kind.setdefault(case.kind, []).append(_measure(case, solver, router))
    for kind in floors:
        if kind not in by_kind:
            raise CaseError(f"there is a floor for `{kind}`, and no case")
    return Report(tuple(_judge_kind(kind, by_kind[kind], floors.get(kind)) for kind in ContentKind if kind in by_kind))


def _judge_kind(kind: ContentKind, measured: list[Measured], floor: Floor | None) -> Judged:
    right = sum(each.outcome in {Outcome.KEPT, Outcome.RECOVERED} for each in measured)
    accuracy = right / len(measured)
    savings = sum(each.savings for each in measured) / len(measured)
    if any(each.outcome is Outcome.UNMEASURED for each in measured):
        verdict = Verdict.FAIL
    elif floor is None:
        verdict = Verdict.WARN
    else:
        verdict = Verdict.PASS if accuracy >= floor.accuracy and savings >= floor.savings else Verdict.FAIL
    return Judged(kind, verdict, accuracy, savings, floor, tuple(measured))


def _measure(case: Case, solver: Callable[[str, Sight], str], router: ContentRouter) -> Measured:
    choices: list[Choice] = []

    def finish(shown: str, choice: Choice) -> str:
        choices.append(choice)
        return shown.removesuffix("\n") + POINTER if choice.keeps else shown

    budget = max(estimate_tokens(case.content) // 32, 8)
    admitted = router.admit_within(case.content, budget, untrusted=False, recoverable=True, finish=finish)
    choice = None if admitted.passed else choices[-1]
    if admitted.kind not in {case.kind, ContentKind.UNKNOWN}:
        outcome, detail = Outcome.UNMEASURED, f"it was taken for `{admitted.kind}`"
    else:
        outcome, detail = _answer(case, solver, admitted.content, choice)
    savings = 0.0 if choice is None else _savings(case.content, admitted.content)
    return Measured(case, admitted.kind, admitted.compressor, outcome, savings, detail or admitted.reason)


def _answer(case: Case, solver: Callable[[str, Sight], str], shown: str, choice: Choice | None) -> tuple[Outcome, str]:
    """Return what became of a question, and a word about it where it was not answered from the form."""
    expanded: list[bool] = []

    def expand() -> str:
        expanded.append(True)
        return case.content

    try:
        whole = solver(case.question, Sight(case.content))
        if not _is_right(case, whole):
            return Outcome.UNMEASURED, f"the whole content gives another answer: {_quote(whole)}"
        answer = whole if choice is None else solver(case.question, _sight(shown, choice, expand))
        right = _is_right(case, answer)
    except Exception as error:  # noqa: BLE001 - a solver of the caller may raise anything
        return Outcome.UNMEASURED, f"the solver raised {type(error).__name__}"
    if not right:
        return Outcome.LOST, f"another answer: {_quote(answer)}"
    if expanded:
        return Outcome.RECOVERED, ""
    if case.needs_detail and choice is not None and choice.keeps:
        return Outcome.LOST, "answered without the original, which has the detail"
    return Outcome.KEPT, ""


def _sight(shown: str, choice: Choice, expand: Callable[[], str]) -> Sight:
    if choice.keeps:
        return Sight(shown, expand=expand)
    from .registry import load_form

    module = load_form(choice.form)
    return Sight(shown, None if module is None else lambda: module.decode(shown))


def _is_right(case: Case, answer: str) -> bool:
    return case.expected.casefold() in answer.casefold()


def _quote(answer: str) -> str:
    return repr(answer if len(answer) <= 60 else answer[:57] + "…")


def _tokens(text: str) -> int:
    from ..tokens import count_tokens

    return max(count_tokens(text).values())


def _savings(before: str, after: str) -> float:
    from ..tokens import count_tokens

    old, new = count_tokens(before), count_tokens(after)
    return min(1 - new[encoding] / old[encoding] for encoding in old)
