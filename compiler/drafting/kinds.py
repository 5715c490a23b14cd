"""Shapes become kinds: with a name, a part to play, a pattern, and names for what varies.

Input: the lines of a stream and its shapes. Output: `Kind`s, and which kind each line is of.

A line that stands alone is a total where it counts something at the end, a title where it heads others; of any other,
and of lines without a shape, nothing is known: their kinds are to be done, and while one of them is there the output is
to pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ...dsl.quoting import quote_character
from .shapes import Shape
from .templates import TREE, Part, Template

_MOST_TODOS: Final = 8
_MOST_NAMED: Final = 24
_MOST_ROWS: Final = 10
_LAST: Final = 6
_LONGEST_NAME: Final = 28
_COUNTED: Final = re.compile(
    r"\b(passed|failed|skipped|total|found|errors?|warnings?|problems?|finished|done|completed|success\w*|ran|tests?|files?"
    r"|packages?|vulnerabilit\w+|in [0-9])",
    re.IGNORECASE,
)
_RESERVED: Final = frozenset(
    re.findall(
        r"\w+",
        """
        use codec word phrase options lines rule admit with tee tool command exit stdout stderr merged facts ensure
        summary example unknown global option refuse needs operand after any empty uncoloured otherwise spends count
        sum distinct each group first last sorted trimmed where by of in order or when not some no within selects
        leaves shows passes file line key rows more earlier and if elif else for endif endfor true false none null
        length join clip loop exit_code is set import include block macro filter call raw
        """,
    )
)


@dataclass(slots=True)
class Names:
    """Names that are given once."""

    taken: set[str] = field(default_factory=set)

    def give(self, wanted: Sequence[str], fallback: str) -> str:
        """Return a name made of some words that nothing else has."""
        words = [re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_") for word in wanted if word.isascii()]
        name = "_".join(filter(None, words))
        if len(name) > _LONGEST_NAME:
            name = name[:_LONGEST_NAME].rpartition("_")[0] or name[:_LONGEST_NAME]
        if not name or not name[0].isalpha() or len(name) < 2:
            name = fallback
        if name in _RESERVED:
            name += "_line"
        unique, number = name, 2
        while unique in self.taken:
            unique, number = f"{name}_{number}", number + 1
        self.taken.add(unique)
        return unique


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of line. `captures` has a name, or None, for each part of the template."""

    name: str
    role: str
    """`blank`, `row`, `heading`, `ruler`, `title`, `total` or `todo`."""
    lines: tuple[int, ...]
    template: Template | None = None
    captures: tuple[str | None, ...] = ()
    catch_all: bool = False
    spaced: bool = False
    """Some of these blank lines hold blanks."""

    def captured(self, type_: str) -> list[tuple[int, str]]:
        """Return number and name of the captures of a type."""
        parts = self.template.parts if self.template else ()
        found = zip(range(len(parts)), parts, self.captures, strict=True)
        return [(number, name) for number, part, name in found if part.type == type_ and name]


def find_kinds(lines: Sequence[str], shapes: Sequence[Shape], names: Names, prefix: str) -> list[Kind]:
    """Return the kinds of a stream; each line is of exactly one."""
    kinds: list[Kind] = []
    rest: list[int] = []
    todos: list[Shape] = []
    told = [number for number, line in enumerate(lines) if line.strip(" \t")]
    for shape in sorted(shapes, key=lambda shape: (-len(shape.lines), shape.lines[0])):
        role = _role(shape, lines, told)
        if role == "todo":
            todos.append(shape)
        elif role == "unknown" or len(kinds) > _MOST_NAMED or (role == "row" and _count_rows(kinds) >= _MOST_ROWS):
            rest += shape.lines
        else:
            kind = _make_kind(shape, role, names, prefix)
            spaced = role == "blank" and any(lines[number] for number in shape.lines)
            kinds.append(replace(kind, spaced=spaced))
    if len(todos) > _MOST_TODOS or (rest and len(todos) > 2):
        rest += [number for shape in todos for number in shape.lines]
        todos = []
    kinds += [
        _make_kind(shape, "todo", names, f"todo_{prefix}") for shape in sorted(todos, key=lambda each: each.lines)
    ]
    if rest:
        name = names.give([f"{prefix}todo"], "todo")
        kinds.append(Kind(name, "todo", tuple(sorted(rest)), catch_all=True))
    return sorted(kinds, key=lambda kind: kind.lines[0])


def _count_rows(kinds: Sequence[Kind]) -> int:
    return sum(kind.role == "row" for kind in kinds)


def _role(shape: Shape, lines: Sequence[str], told: Sequence[int]) -> str:
    if shape.role in {"blank", "heading", "ruler", "unknown"}:
        return shape.role
    if shape.role in {"row", "table", "listing"}:
        return "row"
    number = shape.lines[0]
    line = lines[number]
    ints = any(part.type == "int" for part in (shape.template.parts if shape.template else ()))
    if number in told[-_LAST:] and (ints or number == told[-1]) and _COUNTED.search(line):
        return "total"
    if number in told[-2:] and ints and len(told) > 2:
        return "total"
    heads = number != told[-1]
    if number == told[0] or (heads and (line.rstrip().endswith(":") or _is_banner(shape))):
        return "title"
    return "todo"


def _is_banner(shape: Shape) -> bool:
    return shape.template is not None and any(part.type == "bar" for part in shape.template.parts)


def _make_kind(shape: Shape, role: str, names: Names, prefix: str) -> Kind:
    if role == "blank":
        return Kind(names.give([f"{prefix}blank"], "blank"), "blank", shape.lines)
    assert shape.template is not None
    words = [word for word in shape.template.words if len(word) > 2]
    pre = [prefix.rstrip("_")] if prefix else []
    match role:
        case "row":
            words = (
                words[:1] if len(shape.template.parts[0].text.strip()) > 2 else (_labels(shape.template) or words[:1])
            )
            listed = "path" if shape.template.parts[0].sort == "path" else "name"
            fallback = {"table": "row", "listing": listed}.get(shape.role, "item")
            name = names.give([*pre, *words], f"{prefix}{fallback}")
        case "total":
            name = names.give([*pre, "total"], "total")
        case "heading":
            name = names.give([*pre, "heading"], "heading")
        case "ruler":
            name = names.give([*pre, "ruler"], "ruler")
        case "title":
            name = names.give([*pre, *(words[:2] or ["title"])], f"{prefix}title")
        case _:
            name = names.give([*pre, *words[:2]], f"{prefix}line")
    return Kind(name, role, shape.lines, shape.template, _captures(shape, plural=role == "total"))


def _labels(template: Template) -> list[str]:
    """Return a word that fixed text ends with a colon: `error:`."""
    found = [re.search(r"([A-Za-z]{3,}):", part.text) for part in template.parts if part.type == "literal"]
    return [match[1] for match in found if match][:1]


_SORT_NAMES: Final = {
    "path": "path", "duration": "time", "size": "size", "percent": "percent", "number": "number", "quoted": "quoted",
    "url": "url", "version": "version", "hex": "hash", "package": "package",
}  # fmt: skip


def _captures(shape: Shape, *, plural: bool) -> tuple[str | None, ...]:
    """Name what varies: by the heading of its column, by the word beside a number, or by its sort."""
    assert shape.template is not None
    names = Names({"line", "key", "count", "first", "rows"})
    parts = shape.template.parts
    found: list[str | None] = []
    column = 0
    places = ["row", "column"] if not plural and any(part.sort == "path" for part in parts) else []
    for number, part in enumerate(parts):
        if part.type in {"literal", "bar", "spaces", "gap"}:
            found.append(None)
            continue
        wanted: list[str] = []
        if shape.names and column < len(shape.names):
            wanted, column = [shape.names[column]], column + 1
        elif part.type == "int":
            before = parts[number - 1].text if number else ""
            after = parts[number + 1].text if number + 1 < len(parts) else ""
            beside_path = number > 1 and (parts[number - 2].sort == "path" or found[-2] == "row")
            if before == ":" and places and beside_path:
                wanted = [places.pop(0)]
            else:
                beside = re.match(r" ([A-Za-z]{3,})", after) or re.search(r"([A-Za-z]{3,})[:=]? *$", before)
                wanted = [beside[1]] if beside else []
        elif part.type == "choice":
            wanted = ["verdict"]
        elif part.sort in _SORT_NAMES:
            wanted = [_SORT_NAMES[part.sort]]
        fallback = {"int": "number", "text": "text", "rest": "text"}.get(part.type, "name")
        name = names.give(wanted, fallback)
        found.append(name if name not in _RESERVED else f"{name}_")
    return tuple(found)


def write_pattern(kind: Kind) -> str:
    """Return the pattern of a kind, in quotes."""
    assert kind.template is not None
    parts = kind.template.parts
    written = ""
    for number, part in enumerate(parts):
        name = kind.captures[number] or ""
        match part.type:
            case "literal":
                text = part.text
                if kind.role == "total" and number and parts[number - 1].type == "int":
                    written += _pluralled(text)
                else:
                    written += escape(text)
            case "choice":
                written += f"{{{name}:({part.text})}}"
            case "bar":
                written += f"{{:{bar_word(part.text)}}}"
            case "text":
                written += f"{{{name}}}"
            case type_:
                written += f"{{{name}:{type_}}}"
    return f'"{written}"'


_PLURAL: Final = re.compile(r"( (?:[a-z]+ )?)([a-z]{3,})")


def _pluralled(text: str) -> str:
    """Let the word behind a number stand for one thing and for many: `error{?s}`."""
    match = re.match(r" ([a-z]{2,}[a-rt-z])(s?)(?![A-Za-z])", text)
    nouns = {"error", "warning", "test", "file", "package", "problem", "failure", "line", "item", "module", "issue"}
    if match is None or match[1] not in nouns:
        return escape(text)
    return f" {match[1]}{{?s}}" + escape(text[match.end() :])


BARS: Final = {
    "=": "double", "-": "dash", "_": "under", "*": "star", "#": "hash_bar", "~": "wave", "+": "plus", "─": "rule_bar",
    "━": "heavy", "═": "twin",
}  # fmt: skip


def bar_word(mark: str) -> str:
    """Return the name of the shared word for a row of marks."""
    return "branch" if mark == TREE else f"{BARS[mark]}{'es' if mark == '-' else 's'}"


def escape(text: str) -> str:
    """Return text as it stands in a pattern."""
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    if character in "{}":
        return character * 2
    return "\\t" if character == "\t" else quote_character(character)


def pattern_parts(kind: Kind) -> tuple[Part, ...]:
    """Return the parts of a kind's template; none where it has no pattern of its own."""
    return kind.template.parts if kind.template else ()
