"""The pattern program: what a pattern means, as a few closed operations.

Role: the form between the syntax tree and the pack; every analysis of patterns reads it.
INVARIANT: programs hold no names of the file any more: words are runs, phrases are spliced in. No two literals touch,
and no literal is empty. `Rest` and `Raw` may still stand where they must not; `check` says so.

Each operation carries the span of its text in the file of the pattern; for what a phrase brought in, that of its use.
Spans take no part in equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from ...dsl.source import Span

Ranges = tuple[tuple[int, int], ...]
"""Sorted, merged, closed ranges of code points."""

BLANK: Final[Ranges] = ((0x09, 0x09), (0x20, 0x20))
DIGIT: Final[Ranges] = ((0x30, 0x39),)
HEX: Final[Ranges] = ((0x30, 0x39), (0x61, 0x66))

TEXT: Final[Ranges] = ((0x09, 0x09), (0x20, 0x7E), (0xA0, 0x10FFFF))
CELL: Final[Ranges] = ((0x20, 0x7E), (0xA0, 0x10FFFF))
WORD: Final[Ranges] = ((0x21, 0x7E), (0xA0, 0x10FFFF))
RAW: Final[Ranges] = ((0x01, 0x09), (0x0B, 0x1A), (0x1C, 0x10FFFF))
"""What `raw` takes: all but NUL, ESC and LF, which no line holds."""

FIT_CLASSES: Final = {"text": TEXT, "word": WORD, "cell": CELL}

_span = field(compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Cap:
    """A capture: its name, what it is, and its value where the optional part that holds it is absent."""

    name: str
    type: Literal["int", "text"]
    default: int | None = None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Lit:
    """That text, never empty."""

    text: str
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of the ranges, as many as there are, `low` to `high` (None: no bound)."""

    ranges: Ranges
    low: int
    high: int | None
    cap: Cap | None = None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Group:
    """Two or more runs in a row, captured together: a word of several runs."""

    runs: tuple[Run, ...]
    cap: Cap | None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Fit:
    """One or more characters of the class, up to the first place where what follows fits."""

    kind: Literal["text", "word", "cell"]
    cap: Cap | None = None
    span: Span = _span

    @property
    def ranges(self) -> Ranges:
        """The characters it takes."""
        return FIT_CLASSES[self.kind]


@dataclass(frozen=True, slots=True)
class Enum:
    """The first of these texts that stands here; longest first, without duplicates."""

    choices: tuple[str, ...]
    cap: Cap | None = None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Opt:
    """The operations if they fit here, else nothing."""

    ops: Program
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Rest:
    """Everything to the end of the line, without control characters but tab."""

    cap: Cap | None = None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Raw:
    """Everything to the end of the line, without NUL and ESC."""

    cap: Cap | None = None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class CString:
    r"""The inside of a C string: text other than `"` and `\`, or `\` and one character of text; all there are."""

    cap: Cap | None = None
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Quoted:
    """A C string with its quotes."""

    cap: Cap | None = None
    span: Span = _span


Op = Lit | Run | Group | Fit | Enum | Opt | Rest | Raw | CString | Quoted
Program = tuple[Op, ...]
OPEN: Final = (Fit, Rest, Raw)
"""Holes that take text of any look: what a look-ahead does not read."""


@dataclass(frozen=True, slots=True)
class Capture:
    """What a pattern captures under a name: `low` is 0 where it may be absent, `high` is always 1."""

    type: Literal["int", "text"]
    low: int
    high: int
    span: Span = _span


def walk(program: Program) -> Iterator[tuple[Op, bool]]:
    """Yield every operation in the order of the text, and whether it stands in an optional part."""
    for op in program:
        yield op, False
        if isinstance(op, Opt):
            for inner, _ in walk(op.ops):
                yield inner, True


def caps(program: Program) -> Iterator[tuple[Cap, bool]]:
    """Yield every capture in the order of the text, and whether it stands in an optional part."""
    for op, optional in walk(program):
        if not isinstance(op, Lit | Opt) and op.cap is not None:
            yield op.cap, optional


def captures(program: Program) -> dict[str, Capture]:
    """Return what the pattern captures, by name. A default makes an optional capture always present."""
    return {
        cap.name: Capture(cap.type, 0 if optional and cap.default is None else 1, 1, span=cap.span)
        for cap, optional in caps(program)
    }


def holds_fit(program: Program) -> bool:
    """Say whether a first-fit hole stands anywhere in the operations."""
    return any(isinstance(op, Fit) for op, _ in walk(program))
