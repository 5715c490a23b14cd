"""Facts: value programs, evaluated by demand over traces and lines.

Input: the rule's value programs and the readings of its streams. Output: values (see `values`).

The trace does the work: counts are `str.count` over a slice of it, occurrences of records one expression over it, and
only the lines whose captures are asked for are matched again.
INVARIANT: values depend on nothing but the lines and the exit code; evaluation is total and spends fuel for each step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from .charsets import one_of
from .tables import StreamProgram, label_char
from .values import MISSING, WHOLE, Capped, Exhausted, Group, Node, code_points, elements

MOST_REMEMBERED: Final = 4096
DEEPEST: Final = 50
"""How many values may wait for one another."""

_BLANKS: Final = " \t"


class Reading(NamedTuple):
    """An accepted stream: its name, its tables, its trace and its lines."""

    name: str
    program: StreamProgram
    trace: str
    lines: list[str]


class _Marks(NamedTuple):
    """A kind in one reading, as characters of the trace: what opens it, its own lines, and all of an occurrence."""

    opens: str
    own: frozenset[str]
    find: Any


class Facts:
    """The values of one rule over one output."""

    def __init__(self, rule: Any, readings: list[Reading], exit_code: int | None) -> None:
        self.readings = readings
        self.exit_code = exit_code
        self._depth = 0
        self.fuel = 2_000_000 + 64 * sum(len(reading.lines) for reading in readings)
        self._kinds: dict[str, dict[str, Any]] = rule.kinds
        self._programs: dict[str, Any] = rule.facts
        self._fields: dict[str, dict[str, Any]] = rule.fields
        self._facts: dict[str, Any] = {}
        self._field_values: dict[tuple[Node, str], Any] = {}
        self._marks: dict[tuple[str, int], _Marks | None] = {}
        self._holding: dict[tuple[str, int, str], Any] = {}
        self._read: dict[tuple[int, int], dict[str, int | str]] = {}

    # --- names and paths ---------------------------------------------------------------------------------------------

    def fact(self, name: str) -> Any:
        """Return a fact of the rule."""
        if name not in self._facts:
            self._facts[name] = self.value(self._programs[name], WHOLE)
        return self._facts[name]

    def value(self, value: list[Any], scope: Node) -> Any:
        """Evaluate a VALUE in a scope. Values that go in a circle run out of depth."""
        self.spend(1)
        self._depth += 1
        if self._depth > DEEPEST:
            raise Exhausted
        found = getattr(self, f"_value_{value[0]}")(value, scope)
        self._depth -= 1
        return found

    def path(self, path: list[Any], scope: Node, variables: dict[str, Any] | None = None) -> Any:
        """Follow a PATH. A step from something missing gives missing."""
        root = path[0]
        if root[0] == "scope":
            here: Any = scope
        elif root[0] == "fact":
            here = self.fact(root[1])
        elif root[0] == "exit":
            here = self.exit_code
        else:
            here = (variables or {}).get(root[1], MISSING)
        for step in islice(path, 1, None):
            here = self._step(here, step)
        return here

    def _step(self, here: Any, step: list[Any]) -> Any:
        name = step[0]
        if isinstance(here, Node):
            if name == "field":
                return self.field(here, step[1])
            if name == "kind":
                return next(self.occurrences(step[1], here), MISSING)
            if name == "all":
                return list(chain.from_iterable(self.occurrences(kind, here) for kind in step[1]))
            if name == "line" and here is not WHOLE:
                return self.line(here)
        elif isinstance(here, Group):
            if name == "key":
                return here.key
            if name == "count":
                return len(here.rows)
            if name == "first":
                return here.rows[0]
            if name == "rows":
                return here.rows
        return MISSING

    def alternative(self, alternative: list[Any], scope: Node, variables: dict[str, Any] | None = None) -> Any:
        """Return what an ALT or EXPR gives: a constant, or where a path leads."""
        if alternative[0] == "const":
            return alternative[1]
        return self.path(alternative[1], scope, variables)

    def _value_alt(self, value: list[Any], scope: Node) -> Any:
        return self._first_present(value[1], scope)

    def _value_count(self, value: list[Any], scope: Node) -> int:
        return self.count(value[1], value[2], scope)

    def _value_each(self, value: list[Any], scope: Node) -> list[Node]:
        return list(self.each(value[1], value[2], scope))

    def _first_present(self, alternatives: list[Any], scope: Node) -> Any:
        found = (self.alternative(alternative, scope) for alternative in alternatives)
        return next((value for value in found if value is not MISSING), MISSING)

    # --- occurrences -------------------------------------------------------------------------------------------------

    def spend(self, steps: int) -> None:
        """Take steps from the fuel; raise `Exhausted` when there is none left."""
        self.fuel -= steps
        if self.fuel < 0:
            raise Exhausted

    def marks(self, kind: str, stream: int) -> _Marks | None:
        """Return how a kind looks in the trace of a reading, None where it does not occur there."""
        key = (kind, stream)
        if key not in self._marks:
            self._marks[key] = _marks(self._kinds[kind], self.readings[stream].name)
        return self._marks[key]

    def occurrences(self, kind: str, scope: Node) -> Iterator[Node]:
        """Yield the occurrences of a kind within a scope, in the order of the output."""
        for stream, start, end in self._stretches(scope):
            marks = self.marks(kind, stream)
            if marks is None:
                continue
            self.spend(1 + (end - start >> 6))
            for found in marks.find(self.readings[stream].trace, start, end):
                self.spend(1)
                yield Node(kind, stream, *found.span())

    def _stretches(self, scope: Node) -> Iterator[tuple[int, int, int]]:
        if scope is WHOLE:
            for stream, reading in enumerate(self.readings):
                yield stream, 0, len(reading.lines)
        else:
            yield scope.stream, scope.start, scope.end

    def within(self, kinds: list[str], scope: Node) -> Iterator[Node]:
        """Yield the occurrences that a KINDPATH names."""
        if len(kinds) == 1:
            return self.occurrences(kinds[0], scope)
        return (node for outer in self.occurrences(kinds[0], scope) for node in self.within(kinds[1:], outer))

    def count(self, kinds: list[str], where: list[Any] | None, scope: Node) -> int:
        """Count the occurrences of the kinds that pass `where`."""
        if where is not None:
            return sum(1 for _ in self.each(kinds, where, scope))
        total = 0
        for stream, start, end in self._stretches(scope):
            trace = self.readings[stream].trace
            for kind in kinds:
                marks = self.marks(kind, stream)
                if marks is not None:
                    self.spend(len(marks.opens) * (1 + (end - start >> 6)))
                    total += sum(trace.count(char, start, end) for char in marks.opens)
        return total

    def each(self, kinds: list[str], where: list[Any] | None, scope: Node) -> Iterator[Node]:
        """Yield the occurrences of the kinds that pass `where`, kind after kind."""
        found = chain.from_iterable(self.occurrences(kind, scope) for kind in kinds)
        return found if where is None else (node for node in found if self.holds(where, node))

    def holds(self, where: list[Any], node: Node) -> bool:
        """Say whether a node passes a WHERE. A missing field, or one of another type, fails every comparison."""
        name, operator, (source, right) = where
        left = self.field(node, name)
        if source == "field":
            right = self.field(node, right)
        for kind in (int, str):
            if isinstance(left, kind) and isinstance(right, kind):
                # Both are of one type here, which the checker cannot see.
                low, high = (left, right) if operator == "<" else (right, left)
                return {"=": left == right, "!=": left != right}.get(operator, low < high)  # pyright: ignore[reportOperatorIssue]
        return False

    # --- lines and captures ------------------------------------------------------------------------------------------

    def line(self, node: Node) -> str:
        """Return the first line of a node."""
        return self.readings[node.stream].lines[node.start]

    def field(self, node: Node, name: str) -> Any:
        """Return a fact of a record, or else the first capture of that name on the node's own lines."""
        if name == "line":
            return MISSING if node is WHOLE else self.line(node)
        programs = self._fields.get(node.kind)
        if programs is not None and name in programs:
            key = (node, name)
            if key not in self._field_values:
                self._field_values[key] = self.value(programs[name], node)
            return self._field_values[key]
        return next((value for _, value in self.captures(node, name)), MISSING)

    def captures(self, node: Node, name: str) -> Iterator[tuple[int, int | str]]:
        """Yield every capture of that name on the node's own lines, with the index of its line."""
        if node is WHOLE:
            return
        key = (node.kind, node.stream, name)
        if key not in self._holding:
            self._holding[key] = self._find_holding(*key)
        find = self._holding[key]
        if find is None:
            return
        self.spend(1)
        for found in find(self.readings[node.stream].trace, node.start, node.end):
            self.spend(1 + (found.start() - node.start >> 6))
            values = self._captured(node.stream, found.start())
            if name in values:
                yield found.start(), values[name]

    def _find_holding(self, kind: str, stream: int, name: str) -> Any:
        """Return what finds the own lines of a kind that may capture the name, None where there are none."""
        marks = self.marks(kind, stream)
        holding = self.readings[stream].program.capturing.get(name)
        asked = marks.own & holding if marks and holding else None
        return re.compile(one_of(asked)).finditer if asked else None

    def _captured(self, stream: int, index: int) -> dict[str, int | str]:
        key = (stream, index)
        values = self._read.get(key)
        if values is None:
            self.spend(1)
            reading = self.readings[stream]
            values = reading.program.read(reading.program.position_of(reading.trace[index]), reading.lines[index])
            if len(self._read) >= MOST_REMEMBERED:
                self._read.clear()
            self._read[key] = values
        return values

    def hits(self, node: Node, name: str | None) -> Iterator[tuple[int, Any]]:
        """Yield what a node gives for a field (None: its line), each with the index of its line."""
        programs = self._fields.get(node.kind, {})
        if name is None or name == "line":
            yield node.start, self.line(node)
        elif name in programs:
            value = self.field(node, name)
            if value is not MISSING:
                yield node.start, value
        else:
            yield from self.captures(node, name)

    # --- operations --------------------------------------------------------------------------------------------------

    def _value_sum(self, value: list[Any], scope: Node) -> int:
        _, kinds, name = value
        numbers = (number for node in self.within(kinds, scope) for _, number in self.hits(node, name))
        return sum(number for number in numbers if isinstance(number, int))

    def _value_distinct(self, value: list[Any], scope: Node) -> list[str]:
        seen: dict[str, None] = {}
        for kinds, name in value[1]:
            for node in self.within(kinds, scope):
                for _, found in self.hits(node, name):
                    for text in elements(found) or [found]:
                        seen[self.show(text)] = None
        return list(seen)

    def _value_group(self, value: list[Any], scope: Node) -> list[Group]:
        _, kinds, where, name = value
        groups: dict[tuple[int, int, str], Group] = {}
        for node in sorted(self.each(kinds, where, scope), key=_in_output):
            found = self.field(node, name)
            key = found if isinstance(found, int | str) else self.show(found)
            groups.setdefault(code_points(key), Group(key, [])).rows.append(node)
        return list(groups.values())

    def _value_cap(self, value: list[Any], scope: Node) -> Capped:
        _, end, most, inner, in_order = value
        if inner[0] == "each" and inner[2] is None and end == "first":
            # The usual list of a long output: no node is made for what is not shown.
            shown = list(islice(self.each(inner[1], None, scope), most))
            total = len(shown) if len(shown) < most else self.count(inner[1], None, scope)
        else:
            items = elements(self.value(inner, scope))
            shown = items[:most] if end == "first" else items[max(len(items) - most, 0) :]
            total = len(items)
        if in_order:
            shown = sorted(shown, key=_in_output)
        return Capped(shown, total - len(shown))

    def _value_pick(self, value: list[Any], scope: Node) -> Any:
        _, end, paths, alternatives = value
        best: tuple[int, int] | None = None
        chosen: Any = MISSING
        for kinds, name in paths:
            for node in self.within(kinds, scope):
                for index, found in self.hits(node, name):
                    place = (node.stream, index)
                    if best is None or (place < best if end == "first" else place > best):
                        best, chosen = place, found
        return self._first_present(alternatives, scope) if best is None else chosen

    def _value_sorted(self, value: list[Any], scope: Node) -> list[Any]:
        _, inner, name = value
        return sorted(elements(self.value(inner, scope)), key=lambda element: code_points(self._of(element, name)))

    def _of(self, element: Any, name: str) -> Any:
        if isinstance(element, Node):
            return self.field(element, name)
        return self._step(element, [name]) if isinstance(element, Group) else element

    def _value_trimmed(self, value: list[Any], scope: Node) -> list[Any]:
        items = elements(self.value(value[1], scope))
        solid = [index for index, item in enumerate(items) if self.show(item).strip(_BLANKS)]
        return items[solid[0] : solid[-1] + 1] if solid else []

    def show(self, value: Any) -> str:
        """Return the text of a value: a node is its line, a group its key, missing is nothing, `None` is `null`."""
        if isinstance(value, str):
            return value
        if isinstance(value, Node):
            return "" if value is WHOLE else self.line(value)
        if isinstance(value, Group):
            return self.show(value.key)
        if isinstance(value, list | Capped):
            return ", ".join(map(self.show, elements(value)))
        if value is None:
            return "null"
        return "" if value is MISSING else str(value)


def _in_output(item: Any) -> tuple[int, int]:
    node = item.rows[0] if isinstance(item, Group) else item
    return (node.stream, node.start) if isinstance(node, Node) else (0, 0)


def _marks(kind: dict[str, Any], stream: str) -> _Marks | None:
    is_line = "lines" in kind
    opens = "".join(map(label_char, kind["lines" if is_line else "open"].get(stream, ())))
    if not opens:
        return None
    expression = one_of(opens)
    if is_line:
        return _Marks(opens, frozenset(opens), re.compile(expression).finditer)
    inside = "".join(map(label_char, kind["inside"].get(stream, ())))
    own = frozenset(map(label_char, kind["own"].get(stream, ())))
    if inside:
        expression += one_of(inside) + "*+"
    return _Marks(opens, own, re.compile(expression).finditer)
