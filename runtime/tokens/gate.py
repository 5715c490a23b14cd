"""The gate: a candidate may replace the original only if it has strictly fewer tokens under both encodings.

Role: the last word before a view is shown. Input are two texts, output is a `Verdict` that says what was decided and by
which step. Steps in order, each only if the ones before did not settle it:

    bytes       B1, B3: a token has 1 to 128 bytes, a run of ASCII digits is three a token
    boundaries  B2: a text has more tokens than it has provable boundaries
    lines       what both texts have in common, cut at provable line ends, cancels out
    exact       the counter: candidate in full, original until it has more

# INVARIANT: `fewer` is said only if it holds under both encodings; a tie is `not_fewer`.
# INVARIANT: the verdict depends on the two texts and the bound alone, never on time, earlier calls or who counts.
# INVARIANT: bounds alone need no import; tables are opened, and `re` imported, only from `lines` on.
"""

from __future__ import annotations

from .bounds import LONGEST, exceeds_by_boundaries, least_bytes, most_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from .exact import Ledger

    Outcome = Literal["fewer", "not_fewer", "too_large"]
    Step = Literal["bytes", "boundaries", "lines", "exact", "work"]

WORK = 300_000
"""Default bound; a unit is about a microsecond of cold pure Python."""

_LINES_PER_UNIT = 64
"""Characters of line splitting and cancelling that cost one unit of work."""

_PER_SURROGATE = 2
"""Units of work to replace a surrogate."""

_FAR_SHORTER = 16
"""A candidate that many times shorter is counted against a prefix of the original; cancelling lines costs more."""


class Verdict:
    """What the gate decided. True as a condition only if the candidate may be shown.

    `outcome` is `fewer`, `not_fewer` or `too_large` (undecided within the bound on work); `step` is what decided.
    """

    __slots__ = ("outcome", "step")

    def __init__(self, outcome: Outcome, step: Step) -> None:
        self.outcome: Outcome = outcome
        self.step: Step = step

    def __bool__(self) -> bool:
        return self.outcome == "fewer"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and (self.outcome, self.step) == (other.outcome, other.step)

    def __hash__(self) -> int:
        return hash((self.outcome, self.step))

    def __repr__(self) -> str:
        return f"Verdict({self.outcome!r}, {self.step!r})"


def strictly_fewer(candidate: str, original: str, *, work: int = WORK, counter: str = "chosen") -> Verdict:
    """Decide whether `candidate` has strictly fewer tokens than `original` under o200k_base and cl100k_base.

    `work` bounds the effort, in units of about a microsecond; beyond it the verdict is `too_large`. `counter` is who
    counts in the last step: `tables` (nothing is loaded), `native` (the codec; must be installed), `tiktoken` (for a
    resident process; must be installed), or `chosen`: whichever of the first two `runtime/native.py` names.

    Raises `TableError` if the last step finds a rank table damaged or stale, and whatever importing tiktoken raises.
    """
    verdict = _by_bounds(candidate, original)
    if verdict is not None:
        return verdict
    return Verdict("too_large", "work") if work <= 0 else _by_counting(candidate, original, work, counter)


def _by_bounds(candidate: str, original: str) -> Verdict | None:
    if not original:
        return Verdict("not_fewer", "bytes")
    # A text has at least as many bytes as characters, at most four times as many, and none if it is ASCII.
    shortest, longest = len(candidate), len(original) * (1 if original.isascii() else 4)
    if -(-shortest // LONGEST) >= longest:
        return Verdict("not_fewer", "bytes")
    if shortest * (1 if candidate.isascii() else 4) * LONGEST < len(original):
        return Verdict("fewer", "bytes")
    most = most_tokens(candidate)
    if -(-least_bytes(original) // LONGEST) > most:
        return Verdict("fewer", "bytes")
    if exceeds_by_boundaries(original, most):
        return Verdict("fewer", "boundaries")
    if shortest > len(original) and exceeds_by_boundaries(candidate, most_tokens(original) - 1):
        return Verdict("not_fewer", "boundaries")
    return None


def _by_counting(candidate: str, original: str, work: int, counter: str) -> Verdict:
    from .exact import OutOfWorkError

    ledger = _counter(counter, work)
    try:
        return _weigh(candidate, original, ledger)
    except OutOfWorkError:
        return Verdict("too_large", "work")
    finally:
        if counter == "chosen" and ledger.left is not None:
            from ..native import spend

            spend(work - max(ledger.left, 0))


def _weigh(candidate: str, original: str, ledger: Ledger) -> Verdict:
    from .codepoints import count_surrogates, without_surrogates

    surrogates = count_surrogates(candidate) + count_surrogates(original)
    if surrogates:
        ledger.spend(_PER_SURROGATE * surrogates)
        candidate, original = without_surrogates(candidate), without_surrogates(original)
    if len(candidate) * _FAR_SHORTER > len(original):
        ledger.spend((len(candidate) + len(original)) // _LINES_PER_UNIT)
        candidate, original = _without_common_lines(candidate, original)
        if not candidate or not original:
            return Verdict("fewer" if original else "not_fewer", "lines")
        verdict = _by_bounds(candidate, original)
        if verdict is not None:
            return Verdict(verdict.outcome, "lines")
    ledger.foresee(candidate, original)
    ledger.refuse_early(original)
    counts = ledger.count(candidate)
    most = max(counts & 0xFFFFFFFF, counts >> 32)
    if exceeds_by_boundaries(original, most):
        return Verdict("fewer", "exact")
    return Verdict("fewer" if ledger.exceeds(original, counts) else "not_fewer", "exact")


def _counter(kind: str, work: int) -> Ledger:
    if kind == "chosen":
        from ..native import counter

        codec = counter(0)
        if codec is not None:
            from .native_ledger import NativeLedger

            return NativeLedger(work, codec)
        kind = "tables"
    if kind == "tables":
        from .exact import Ledger

        return Ledger(work)
    if kind == "native":
        import cablese_codec  # pyright: ignore[reportMissingImports]

        from .native_ledger import NativeLedger

        return NativeLedger(work, cablese_codec)
    if kind == "tiktoken":
        from .resident import Resident

        return Resident(work)
    raise ValueError(f"unknown counter `{kind}`")


def _without_common_lines(candidate: str, original: str) -> tuple[str, str]:
    """Return both texts without the lines they share, so that the difference of their token counts stays the same.

    Lines are cut at boundary (N), which is a matter of how one line ends and the next one starts: lines put together in
    another order are cut at the same places, if the first stays first and an unfinished last line stays last.
    """
    from collections import Counter

    from .split import LINES

    kept: list[Counter[str]] = []
    tails: list[str] = []
    for text in (candidate, original):
        lines = LINES.split(text)
        last = lines.pop()
        if last.endswith("\n"):
            lines.append(last[:-1])
            last = ""
        kept.append(Counter(lines))
        tails.append(last)
    if tails[0] == tails[1]:
        tails = ["", ""]
    ours, theirs = kept
    return _joined(ours - theirs, tails[0]), _joined(theirs - ours, tails[1])


def _joined(lines: dict[str, int], tail: str) -> str:
    return "".join((line + "\n") * count for line, count in lines.items()) + tail
