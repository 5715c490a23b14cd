"""What a rule made of an output, step by step, for `why`: the second, slow reading of what `evaluate` has decided.

Input: a rule, its streams, the exit code. Output: an `Inspection`: how each stream was claimed or where it stopped, the
captures, the facts and claims with their values, the parts of the summary that were taken.

INVARIANT: values come from the functions that decide (`scan`, `Facts`, `claims`); nothing is decided here. Nothing of
this is loaded or done for a result that is only shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..framing import Streams
from . import claims
from .evaluation import scan_streams, streams_read
from .facts import Facts, Reading
from .nearest import Near, claiming_kinds, nearest_kind
from .scan import scan
from .summary import holds
from .tables import Place, StreamProgram
from .values import MISSING, WHOLE, Capped, Exhausted, Group, Node, elements

if TYPE_CHECKING:
    from ..packs.pack import RuleProgram

MOST_SHOWN: Final = 3
"""So many elements of a list, and occurrences of a record, are told."""


class Run(NamedTuple):
    """Lines in a row that one kind claimed: `lines` of them from line `first` on, counted from 1."""

    kind: str
    first: int
    lines: int


class Stop(NamedTuple):
    """Where a stream was refused: `line` from 1, its `text` (None: the output ended too early), and what was possible.

    `near`: the possible kind that gets furthest. `elsewhere`: kinds that match the line and may not stand there.
    `control`: the character that no line may hold, at `column` (from 0).
    """

    line: int
    text: str | None
    kinds: tuple[str, ...]
    near: Near | None
    elsewhere: tuple[str, ...]
    control: str | None
    column: int | None


class StreamTold(NamedTuple):
    """How a stream was read. `lines`: how many it has. `runs`: what was claimed, in order, up to `stop`."""

    name: str
    lines: int
    runs: tuple[Run, ...]
    stop: Stop | None


class Spot(NamedTuple):
    """A value and where it was read: stream and line (from 1), None for what has no one place."""

    text: str
    stream: str | None
    line: int | None


class Told(NamedTuple):
    """A value by name. Of a list, or of a field of a record: `size` of them, `total` with those that a cap left out.

    `spots` are the first of them, or the value alone.
    """

    name: str
    spots: tuple[Spot, ...]
    size: int | None
    total: int | None


class ClaimTold(NamedTuple):
    """A claim. `applies` False: its `when` was not met. `scopes`: of how many records it was asked.

    `left` and `right` are the sums, or the lengths of the lists, of the record at `at` (the first that fails, else the
    first); for `some` and `no`, `left` is how many there are. `strange`: the first elements that are not in the second
    list, of a claim `within` that fails.
    """

    number: int
    applies: bool
    holds: bool
    scopes: int
    left: int | None = None
    right: int | None = None
    at: Spot | None = None
    strange: tuple[str, ...] = ()


class TagTold(NamedTuple):
    """A `for` or an `if` of the summary, by its number: how often each of its parts was taken.

    Of a `for`, `taken` is how many elements there were, and how often there was none. `asked` is what it asks about.
    """

    number: int
    name: str
    asked: tuple[str, ...]
    taken: tuple[int, ...]


class Inspection(NamedTuple):
    """All that is to be told of a rule and an output. Empty parts were not reached."""

    streams: tuple[StreamTold, ...]
    captures: tuple[Told, ...] = ()
    facts: tuple[Told, ...] = ()
    claims: tuple[ClaimTold, ...] = ()
    tags: tuple[TagTold, ...] = ()


def inspect(rule: RuleProgram, streams: Streams, exit_code: int | None) -> Inspection:
    """Return what the rule made of the streams, as far as it came."""
    texts = streams_read(rule, streams)
    if texts is None:
        return Inspection(())
    told: list[StreamTold] = []
    readings: list[Reading] = []
    for name, program, found in scan_streams(rule, texts):
        if isinstance(found, Place):
            told.append(_stopped(name, program, texts[name], found))
            return Inspection(tuple(told))
        readings.append(Reading(name, program, found.trace, found.lines))
        told.append(StreamTold(name, len(found.lines), tuple(_runs(program, found.trace)), None))
    facts = Facts(rule, readings, exit_code)
    done = Inspection(tuple(told), tuple(_captures(readings)))
    try:
        done = done._replace(facts=tuple(_facts(rule, facts)))
        done = done._replace(claims=tuple(_claims(facts, rule.ensure, exit_code)))
        return done._replace(tags=_tags(facts, rule.summary))
    except Exhausted:
        return done


def kinds_of_lines(rule: RuleProgram, streams: Streams) -> Iterator[tuple[str, int, str | None, str]]:
    """Yield for each line of the streams its stream, its number (from 1), the kind that claimed it, and its text.

    The kind is None from where the stream was refused on.
    """
    for name, text in (streams_read(rule, streams) or {}).items():
        program = rule.streams.get(name)
        if program is None:
            continue
        found = scan(program, text)
        lines = found.lines if not isinstance(found, Place) else text.removesuffix("\n").split("\n") if text else []
        for number, line in enumerate(lines):
            claimed = number < len(found.trace)
            yield name, number + 1, program.kind_of(found.trace[number]) if claimed else None, line


def _runs(program: StreamProgram, trace: str) -> Iterator[Run]:
    start = 0
    for at in range(1, len(trace) + 1):
        if at == len(trace) or program.kind_of(trace[at]) != program.kind_of(trace[start]):
            yield Run(program.kind_of(trace[start]), start + 1, at - start)
            start = at


def _stopped(name: str, program: StreamProgram, text: str, place: Place) -> StreamTold:
    runs = tuple(_runs(program, place.trace))
    count = text.count("\n") + (bool(text) and not text.endswith("\n"))
    near, elsewhere, column = None, (), None
    if place.control is not None and place.text is not None:
        column = place.text.find({"NUL": "\x00", "ESC": "\x1b"}[place.control])
    elif place.text is not None:
        near = nearest_kind(program, place.kinds, place.text)
        elsewhere = tuple(kind for kind in claiming_kinds(program, place.text) if kind not in place.kinds)
    stop = Stop(place.line, place.text, place.kinds, near, elsewhere, place.control, column)
    return StreamTold(name, count, runs, stop)


# --- captures and facts ----------------------------------------------------------------------------------------------


def _captures(readings: list[Reading]) -> Iterator[Told]:
    """Yield the captures that the rule reads, kind by kind, with the first values."""
    for reading in readings:
        program = reading.program
        found: dict[str, list[Spot]] = {}
        counts: dict[str, int] = {}
        for number, (char, line) in enumerate(zip(reading.trace, reading.lines, strict=True), 1):
            if not any(char in chars for chars in program.capturing.values()):
                continue
            kind = program.kind_of(char)
            for name, value in program.read(program.position_of(char), line).items():
                key = f"{kind.partition('#')[0]}.{name}"
                counts[key] = counts.get(key, 0) + 1
                spots = found.setdefault(key, [])
                if len(spots) < MOST_SHOWN:
                    spots.append(Spot(str(value), reading.name, number))
        for key, spots in found.items():
            yield Told(key, tuple(spots), counts[key], counts[key])


def _facts(rule: RuleProgram, facts: Facts) -> Iterator[Told]:
    for name in rule.facts:
        yield _told(facts, name, facts.fact(name))
    for kind, fields in rule.fields.items():
        nodes = list(facts.occurrences(kind, WHOLE))
        for name in fields:
            spots = tuple(_spot(facts, facts.field(node, name), node) for node in nodes[:MOST_SHOWN])
            yield Told(f"{kind}.{name}", spots, len(nodes), len(nodes))


def _told(facts: Facts, name: str, value: Any) -> Told:
    if isinstance(value, list | Capped):
        items = elements(value)
        left = value.left if isinstance(value, Capped) else 0
        spots = tuple(_spot(facts, item) for item in islice(items, MOST_SHOWN))
        return Told(name, spots, len(items), len(items) + left)
    return Told(name, (_spot(facts, value),), None, None)


def _spot(facts: Facts, value: Any, at: Node | None = None) -> Spot:
    """Return the text of a value, and its place: its own, or that of the record that it belongs to."""
    text = "(missing)" if value is MISSING else facts.show(value)
    node = value.rows[0] if isinstance(value, Group) else value if isinstance(value, Node) else at
    if not isinstance(node, Node) or node is WHOLE:
        return Spot(text, None, None)
    return Spot(text, facts.readings[node.stream].name, node.start + 1)


# --- claims ----------------------------------------------------------------------------------------------------------


def _claims(facts: Facts, ensure: list[Any], exit_code: int | None) -> Iterator[ClaimTold]:
    for number, (when, each, body) in enumerate(ensure):
        if when is not None and not claims.applies(facts, when, exit_code):
            yield ClaimTold(number, applies=False, holds=True, scopes=0)
            continue
        scopes = [WHOLE] if each is None else list(facts.occurrences(each, WHOLE))
        failing, strange = None, ()
        for scope in scopes:
            compared = claims.check(facts, body, scope)
            if compared is not None:
                failing = scope
                strange = tuple(compared[0][:MOST_SHOWN]) if body[0] == "within" else ()
                break
        scope = failing if failing is not None else next(iter(scopes), None)
        left, right = (None, None) if scope is None else _compared(facts, body, scope)
        at = None if scope is None or scope is WHOLE else _spot(facts, scope)
        yield ClaimTold(number, True, failing is None, len(scopes), left, right, at, strange)  # noqa: FBT003 - a record


def _compared(facts: Facts, body: list[Any], scope: Node) -> tuple[int | None, int | None]:
    if body[0] == "rel":
        return claims.total_of(facts, body[2], scope), claims.total_of(facts, body[3], scope)
    if body[0] == "within":
        left, right = (len(elements(facts.value(value, scope))) for value in body[1:3])
        return left, right
    return facts.count(body[1], body[2], scope), None


# --- the summary -----------------------------------------------------------------------------------------------------


def _tags(facts: Facts, nodes: list[Any]) -> tuple[TagTold, ...]:
    numbers: dict[int, int] = {}
    told: list[tuple[str, tuple[str, ...], list[int]]] = []
    for node in _all_tags(nodes):
        numbers[id(node)] = len(told)
        if node[0] == "for":
            told.append(("for", (f"{node[1]} in {spell_path(node[2][1])}",), [0, 0]))
        else:
            told.append(("if", tuple(spell_test(test) for test, _ in node[1]), [0] * (len(node[1]) + 1)))
    _take(facts, nodes, {}, numbers, [taken for _, _, taken in told])
    return tuple(TagTold(at, name, asked, tuple(taken)) for at, (name, asked, taken) in enumerate(told))


def _all_tags(nodes: list[Any]) -> Iterator[list[Any]]:
    """Yield the tags in the order in which they begin."""
    for node in nodes:
        if node[0] == "for":
            yield node
            yield from _all_tags(node[3])
            yield from _all_tags(node[4])
        elif node[0] == "if":
            yield node
            for _, body in node[1]:
                yield from _all_tags(body)
            yield from _all_tags(node[2])


def _take(
    facts: Facts, nodes: list[Any], variables: dict[str, Any], numbers: dict[int, int], taken: list[list[int]]
) -> None:
    """Count which parts are taken, as `summary` takes them."""
    for node in nodes:
        facts.spend(1)
        if node[0] == "for":
            counts = taken[numbers[id(node)]]
            items = elements(facts.alternative(node[2], WHOLE, variables))
            counts[0] += len(items)
            counts[1] += not items
            for item in items:
                _take(facts, node[3], {**variables, node[1]: item}, numbers, taken)
            if not items:
                _take(facts, node[4], variables, numbers, taken)
        elif node[0] == "if":
            branches = [body for _, body in node[1]] + [node[2]]
            tests = (at for at, (test, _) in enumerate(node[1]) if holds(facts, test, variables))
            which = next(tests, len(node[1]))
            taken[numbers[id(node)]][which] += 1
            _take(facts, branches[which], variables, numbers, taken)


def spell_path(path: list[Any]) -> str:
    """Return a PATH as an author writes it."""
    root = path[0]
    words: list[str] = [] if root[0] == "scope" else ["exit_code"] if root[0] == "exit" else [root[1]]
    return ".".join([*words, *map(_spell_step, path[1:])])


def _spell_step(step: list[Any]) -> str:
    if step[0] == "all":
        return ", ".join(step[1])
    return step[1] if step[0] in ("kind", "field") else step[0]


def spell_test(test: list[Any]) -> str:
    """Return a TEST as an author writes it."""
    if test[0] == "not":
        return f"not {spell_test(test[1])}"
    if test[0] in ("and", "or"):
        return f" {test[0]} ".join(map(spell_test, test[1]))
    return spell_path(test[1]) if test[0] == "path" else repr(test[1])
