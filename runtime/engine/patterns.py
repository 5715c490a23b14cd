"""Pattern programs, lowered to regular expressions that cannot backtrack.

Input: the operations of `docs/pack-format.md`, already checked. Output: the source of an expression that matches a
whole line (the caller adds the end), and for patterns with captures a `Reader` that takes them.

INVARIANT: every choice is final. Repeats are possessive, parts that may be absent are atomic, and a first-fit hole
steps over the characters at which what follows it cannot begin, so nothing is ever reconsidered.
Atomic groups, not possessive ones, stand around captures: CPython 3.11 loses marks in `(?:(x)|y)*+`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .charsets import ANY_LINE, Classes, Ranges, common, normal, spell, spell_literal, union, without

Op = list[Any]
Ops = list[Op] | tuple[Op, ...]

_QUOTE_OR_BACKSLASH: Ranges = ((0x22, 0x22), (0x5C, 0x5C))
_END = r"\Z"
_OPEN_CLASSES = {"rest": "text", "raw": "raw"}
_OPEN = frozenset({"fit", "rest", "raw"})


class First(NamedTuple):
    """How operations can begin: with which characters (or fewer), whether they may match nothing, and whether they do
    so wherever they are tried.
    """

    ranges: Ranges
    nullable: bool
    anywhere: bool = False


class Capture(NamedTuple):
    """One capture of a pattern. `default` is its value where the part that holds it is absent (None: missing)."""

    name: str
    is_int: bool
    default: int | None


class Reader:
    """Takes the captures of a line that the pattern matches."""

    __slots__ = ("_captures", "_match")

    def __init__(self, source: str, captures: tuple[Capture, ...]) -> None:
        self._match = re.compile(source + _END).match
        self._captures = captures

    def read(self, line: str) -> dict[str, int | str] | None:
        """Return the captures that are present, by name; None if the pattern does not match the line."""
        found = self._match(line)
        if found is None:
            return None
        values: dict[str, int | str] = {}
        for capture, text in zip(self._captures, found.groups(), strict=True):
            if capture.name in values:
                continue
            if text is not None:
                values[capture.name] = int(text) if capture.is_int else text
            elif capture.default is not None:
                values[capture.name] = capture.default
        return values


def lower_line(
    ops: Ops,
    wanted: frozenset[str] = frozenset(),
    captures: list[Capture] | None = None,
    classes: Classes = ANY_LINE,
) -> str:
    """Return the expression of a whole line, its end included; groups, appended to `captures`, for the wanted names.

    `classes` says what the lines are known to be; see `charsets`.
    """
    source = _Lowering(classes, captures if wanted else None, wanted).lower(ops)
    return source if source.endswith(_END) else source + _END


def lower_reader(ops: Ops) -> Reader:
    """Return what takes the captures of a pattern."""
    captures: list[Capture] = []
    return Reader(_Lowering(ANY_LINE, captures).lower(ops), tuple(captures))


def captured_names(ops: Ops) -> frozenset[str]:
    """Return the names that a pattern captures."""
    return frozenset(name for name, _, _ in _caps(ops))


def first_characters(ops: Ops) -> First:
    """Return how a line of the pattern can begin."""
    return _Lowering(ANY_LINE).first(ops, look=False)


def _caps(ops: Ops) -> list[tuple[str, str, int | None]]:
    found: list[tuple[str, str, int | None]] = []
    for op in ops:
        if op[0] == "opt":
            found.extend(_caps(op[1]))
        elif op[0] != "lit" and op[-1] is not None:
            found.append(tuple(op[-1]))
    return found


class _Lowering:
    """One walk over the operations of one pattern; `captures` collects them, None takes none; `wanted` None: all."""

    def __init__(
        self, classes: Classes, captures: list[Capture] | None = None, wanted: frozenset[str] | None = None
    ) -> None:
        self.classes = classes
        self.captures = captures
        self.wanted = wanted

    def lower(self, ops: Ops) -> str:
        """Lower a whole pattern, without its end."""
        return self._sequence(ops, (), inside=False)

    def _sequence(self, ops: Ops, after: Ops, *, inside: bool) -> str:
        """Lower `ops`, behind which `after` follows; `inside` an optional part."""
        parts: list[str] = []
        for at, op in enumerate(ops):
            name = op[0]
            if name == "lit":
                parts.append(spell_literal(op[1]))
            elif name == "opt":
                inner = self._sequence(op[1], [*ops[at + 1 :], *after], inside=True)
                parts.append(f"(?>{inner}|)")
            elif name == "fit":
                parts.append(self._captured(op, self._fit(op, ops[at + 1 :], after, inside=inside)))
            elif name in _OPEN:
                parts.append(self._captured(op, spell(getattr(self.classes, _OPEN_CLASSES[name])) + "*+") + _END)
            else:
                parts.append(self._captured(op, self._closed(op)))
        return "".join(parts)

    def _captured(self, op: Op, source: str) -> str:
        cap = op[-1]
        if cap is None or self.captures is None or (self.wanted is not None and cap[0] not in self.wanted):
            return source
        self.captures.append(Capture(cap[0], cap[1] == "int", cap[2]))
        return f"({source})"

    def _closed(self, op: Op) -> str:
        """Lower an operation that needs to know nothing of what follows."""
        name = op[0]
        if name == "run":
            return _run(op[1], op[2], op[3])
        if name == "enum":
            return f"(?>{'|'.join(map(spell_literal, op[1]))})"
        if name == "group":
            return "".join(map(self._closed, op[1]))
        text = self.classes.text
        inside = rf"(?:{spell(without(text, _QUOTE_OR_BACKSLASH))}++|\\{spell(text)})*+"
        return f'"{inside}"' if name == "quoted" else inside

    def _fit(self, op: Op, behind: Ops, after: Ops, *, inside: bool) -> str:
        """Lower a first-fit hole: one character of its class, then on to the first place where the look-ahead fits.

        The look-ahead is tried only at characters with which it can begin. Where it can begin with none of the class,
        the hole takes all it can. At the top level the end of the hole needs no check, as what follows is matched next
        and cannot match where the look-ahead does not; in an optional part it does, as the look-ahead may reach beyond.
        """
        admitted: Ranges = getattr(self.classes, op[1])
        following = [*behind, *after]
        first = self.first(following, look=True)
        one = spell(admitted)
        if first.anywhere:
            return one
        stops = common(admitted, first.ranges)
        check = f"(?={self._look(following)})" if inside and not _ends_in(behind) else ""
        if not stops:
            return f"{one}++{check}"
        steps = without(admitted, stops)
        if not steps:
            return f"{one}(?:(?!{self._look(following)}){one})*+{check}"
        step = spell(steps)
        return f"{one}{step}*+(?:(?!{self._look(following)}){spell(stops)}{step}*+)*+{check}"

    def _look(self, ops: Ops) -> str:
        """Return what must fit behind a hole: the operations up to the next open hole, or to the end of the line."""
        parts: list[str] = []
        for at, op in enumerate(ops):
            if op[0] in _OPEN:
                return "".join(parts)
            if op[0] == "lit":
                parts.append(spell_literal(op[1]))
            elif op[0] != "opt":
                parts.append(self._closed(op))
            elif _holds_open(op[1]):
                rest = ops[at + 1 :]
                return f"{''.join(parts)}(?:{self._look([*op[1], *rest])}|{self._look(rest)})"
            else:
                parts.append(f"(?>{_Lowering(self.classes).lower(op[1])}|)")
        return "".join(parts) + _END

    def first(self, ops: Ops, *, look: bool) -> First:
        """Return how the operations can begin; in a look-ahead an open hole ends them."""
        ranges: Ranges = ()
        for op in ops:
            name = op[0]
            if look and name in _OPEN:
                return First((), nullable=True, anywhere=True)
            if name == "opt":
                part = self.first(op[1], look=look)
                if part.anywhere:
                    return part
                ranges = union(ranges, part.ranges)
                continue
            begins, nullable = self._first_of(op)
            ranges = union(ranges, begins)
            if not nullable:
                return First(ranges, nullable=False)
        return First(ranges, nullable=True)

    def _first_of(self, op: Op) -> tuple[Ranges, bool]:
        """Return with which characters one operation can begin, and whether it may match nothing."""
        name = op[0]
        if name == "lit":
            return normal([(ord(op[1][0]), ord(op[1][0]))]), False
        if name == "fit":
            return getattr(self.classes, op[1]), False
        if name == "group":
            group = self.first(op[1], look=False)
            return group.ranges, group.nullable
        if name == "run":
            return normal([(low, high) for low, high in op[1]]), op[2] == 0
        if name == "enum":
            return normal([(ord(text[0]), ord(text[0])) for text in op[1]]), False
        if name == "quoted":
            return ((0x22, 0x22),), False
        return getattr(self.classes, _OPEN_CLASSES.get(name, "text")), True


def _run(ranges: list[list[int]], low: int, high: int | None) -> str:
    one = spell(normal([(first, last) for first, last in ranges]))
    if one == "(?!)":
        return "" if low == 0 else one
    if (low, high) == (1, 1):
        return one
    if high is None:
        return one + {0: "*+", 1: "++"}.get(low, f"{{{low},}}+")
    return f"{one}{{{low},{high}}}+"


def _ends_in(ops: Ops) -> bool:
    """Say whether a look-ahead over the operations surely ends within them."""
    return any(op[0] in _OPEN for op in ops)


def _holds_open(ops: Ops) -> bool:
    return any(op[0] in _OPEN or (op[0] == "opt" and _holds_open(op[1])) for op in ops)
