"""Cases of the two-axis gate: contents with a question that has one answer.

Input: JSON Lines, one case each: `{"id", "kind", "content", "question", "expected", "needs_detail"}`. Output: `Case`s.

Invariant: a case that is not whole is an error that names its line, and no case less: a gate that measures fewer cases
than were written measures something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .kinds import ContentKind

if TYPE_CHECKING:
    from collections.abc import Iterable


class Case(NamedTuple):
    """A content of a kind, and what must still be told from what is shown of it.

    `expected` is part of every right answer, in capitals or not. `needs_detail`: it stands where something may be left
    out, so an answer without the original would be a guess.
    """

    id: str
    kind: ContentKind
    content: str
    question: str
    expected: str
    needs_detail: bool = False


class CaseError(Exception):
    """A file of cases, or of floors, is not what it has to be. The message says where."""


def read_cases(lines: Iterable[str]) -> list[Case]:
    """Read cases from lines of JSON; empty lines are none. Raises CaseError."""
    import json

    cases: list[Case] = []
    known: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = _read_case(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise CaseError(f"line {number}: {error}") from None
        if case.id in known:
            raise CaseError(f"line {number}: there is a case `{case.id}` before")
        known.add(case.id)
        cases.append(case)
    if not cases:
        raise CaseError("there is no case")
    return cases


def _read_case(record: Any) -> Case:
    """Return the case of a record. Raises ValueError."""
    if not isinstance(record, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - one error for a line that is no case
    for name in ("id", "kind", "content", "question", "expected"):
        if not isinstance(record.get(name), str) or not record[name].strip():
            raise ValueError(f"`{name}` is to be text, and not empty")
    needs_detail = record.get("needs_detail", False)
    if not isinstance(needs_detail, bool):
        raise ValueError("`needs_detail` is to be true or false")  # noqa: TRY004 - as above
    unknown = sorted(set(record) - set(Case._fields))
    if unknown:
        raise ValueError(f"a case has no `{unknown[0]}`")
    try:
        kind = ContentKind(record["kind"])
    except ValueError:
        raise ValueError(f"there is no kind `{record['kind']}`") from None
    return Case(record["id"], kind, record["content"], record["question"], record["expected"], needs_detail)
