"""One diagnostic code as a record: what `explain` prints and what the documentation shows.

Every message of the compiler carries the code of such a record. INVARIANT: `bad` raises exactly that code, `good` none.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A diagnostic code.

    `code` is `E` and four digits, `title` one line (lower case, no final period), `explanation` a few sentences in
    plain text, `bad` and `good` texts of rule files.
    """

    code: str
    title: str
    explanation: str
    bad: str
    good: str
