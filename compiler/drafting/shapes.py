"""Which lines of a stream are of one shape.

Input: the lines of a stream. Output: `Shape`s, each with its template and the lines that it reads; lines that stand
alone are shapes of one line, and lines that nothing is known of have no template.

Lines are told apart from the left, token by token, as long as what stands there is fixed: marks, sorts of values, and
words that come again. Where words begin that do not, what follows is text. Shapes that turn out to be one are joined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .ruled import find_ruled
from .templates import Part, Template, make_single, make_table, make_template
from .tokens import NUMERIC, Token, cut_line, label_of, told_from

_DEEPEST: Final = 16
_MOST_LITERAL: Final = 8
_MOST_SHAPES: Final = 80
_MOST_ALIKE: Final = 12
_STRONG: Final = 4
_TELLING: Final = 10
_FEW: Final = 3
_MOST_ALIGNED: Final = 200
_LONGEST_LINE: Final = 2_000
_LONGEST_SINGLE: Final = 200
_GAP: Final = re.compile(r" {2,}")
_HEADING: Final = re.compile(r"[A-Z][A-Za-z ./%()_#-]*")
_UNREADABLE: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")

_Item = tuple[int, tuple[Token, ...]]


@dataclass(frozen=True, slots=True)
class Shape:
    """Lines of one shape, by their number in the stream. `names`: what the columns of a table are called."""

    template: Template | None
    lines: tuple[int, ...]
    role: str
    """`blank`, `row`, `table`, `listing`, `heading` or `ruler` (of a table), `single`, or `unknown` (no template)."""
    names: tuple[str, ...] = ()


def find_shapes(lines: Sequence[str]) -> list[Shape]:
    """Return the shapes of a stream, in the order in which they begin."""
    shapes: list[Shape] = []
    blank = tuple(number for number, line in enumerate(lines) if not line.strip(" \t"))
    if blank:
        shapes.append(Shape(None, blank, "blank"))
    taken = set(blank)
    tables = _ruled(lines, taken)
    taken.update(number for shape in tables for number in shape.lines)
    tables += _find_tables(lines, taken)
    for shape in tables:
        taken.update(shape.lines)
    unreadable = tuple(
        number
        for number, line in enumerate(lines)
        if number not in taken and (len(line) > _LONGEST_LINE or _UNREADABLE.search(line))
    )
    taken.update(unreadable)
    listing = _find_listing(lines, taken)
    if listing is not None:
        tables.append(listing)
        taken.update(listing.lines)
    items = [(number, cut_line(line)) for number, line in enumerate(lines) if number not in taken]
    loose = _absorb(_join(list(_group(items))), lines)
    unknown = list(unreadable)
    for members in loose:
        template = _template(members) if len(members) > 1 else None
        if template is None and len(members) <= _FEW:
            for number, tokens in members:
                if len(lines[number]) > _LONGEST_SINGLE:
                    # A summary would show its beginning alone, as if that were what it says.
                    unknown.append(number)
                else:
                    shapes.append(Shape(make_single(tokens), (number,), "single"))
            continue
        known = [] if template is None else [number for number, _ in members if template.reads(lines[number])]
        unknown += [number for number, _ in members if template is None or not template.reads(lines[number])]
        if known and _is_telling(template, len(known)):
            shapes.append(Shape(template, tuple(known), "row"))
        else:
            unknown += known
    if unknown:
        shapes.append(Shape(None, tuple(sorted(unknown)), "unknown"))
    return sorted([*shapes, *tables], key=lambda shape: shape.lines[0])


def _ruled(lines: Sequence[str], taken: set[int]) -> list[Shape]:
    """Return the shapes of tables with a ruler; what looks the same in several of them is one shape."""
    found: dict[tuple[str, tuple[Part, ...]], Shape] = {}
    for table in find_ruled(lines, taken):
        for shape in (
            Shape(table.heading, (table.at - 1,), "heading"),
            Shape(table.ruler, (table.at,), "ruler"),
            Shape(table.row, table.rows, "table", table.names),
        ):
            assert shape.template is not None
            key = shape.role, shape.template.parts
            same = found.get(key)
            found[key] = shape if same is None else replace(same, lines=same.lines + shape.lines)
    return list(found.values())


def _is_telling(template: Template | None, lines: int) -> bool:
    """Say whether a template says enough of its lines: three of them, or a longer text that is fixed in two."""
    if template is None:
        return False
    words = any(re.search(r"\w", part.text) for part in template.parts if part.type in {"literal", "choice"})
    holes = any(part.type in {"word", "text", "int"} for part in template.parts)
    return (words or holes) and (lines > 2 or template.fixed >= _TELLING)


def _template(members: Sequence[_Item]) -> Template | None:
    """Return a template of some lines; of many, those that are evenly spread have to do."""
    step = max(1, len(members) // _MOST_ALIGNED)
    return make_template([tokens for _, tokens in members[::step]])


def _group(items: list[_Item], at: int = 0, free: int = 0) -> Iterator[list[_Item]]:
    """Part lines by what stands at a token, and each part by the next one."""
    if not items:
        return
    if len(items) == 1 or at == _DEEPEST or free == 2:
        yield items
        return
    if at and all(told_from(tokens) == at for _, tokens in items):
        yield from _by_label(items)
        return
    words = Counter(tokens[at].text for _, tokens in items if at < len(tokens) and tokens[at].sort == "word")
    literal = {word for word, count in words.items() if count > 1}
    rare = sum(count for word, count in words.items() if word not in literal)
    start = at == 0 or (at == 1 and all(tokens[0].sort == "space" for _, tokens in items))
    if len(literal) > _MOST_LITERAL or rare * (2 if start else 5) > words.total():
        literal = set()
    if all(len(tokens) == at + 1 for _, tokens in items):
        # The last word may be one of a few verdicts, which is no other shape.
        literal = set()
    parts: dict[tuple[str, str], list[_Item]] = {}
    for item in items:
        parts.setdefault(_key(item[1], at, literal), []).append(item)
    for (sort, _), members in parts.items():
        if sort == "end":
            yield members
        else:
            yield from _group(members, at + 1, free + (sort == "free"))


def _by_label(items: list[_Item]) -> list[list[_Item]]:
    """Part messages by what they are labelled, such as `error:`, if each of them is."""
    parts: dict[str, list[_Item]] = {}
    for item in items:
        parts.setdefault(label_of(item[1]), []).append(item)
    return [items] if "" in parts else list(parts.values())


def _key(tokens: tuple[Token, ...], at: int, literal: set[str]) -> tuple[str, str]:
    if at == len(tokens):
        return "end", ""
    sort, text = tokens[at]
    if sort == "space":
        return "space", text[:12] if at == 0 else ""
    if sort == "mark":
        return "mark", text
    if sort == "tree":
        return sort, ""
    if sort in {"bar", "quoted"}:
        return sort, text[0]
    if sort in NUMERIC:
        return "number", ""
    if sort == "word":
        return ("word", text) if text in literal else ("free", "")
    return "value", ""


def _join(groups: list[list[_Item]]) -> list[list[_Item]]:
    """Join groups of one beginning whose lines have nearly as much in common together as they have apart."""
    done: dict[tuple[str, ...], list[tuple[list[_Item], Template | None]]] = {}
    for members in sorted(groups, key=lambda members: (-len(members), members[0][0])):
        alike = done.setdefault(_beginning(members[0][1]), [])
        mine = _template(members) if len(members) > 1 or alike else None
        for number, (other, theirs) in enumerate(alike[:_MOST_ALIKE]):
            if len(other) < 2 or theirs is None:
                continue
            both = _template(other + members)
            least = theirs.fixed if mine is None or len(members) == 1 else min(mine.fixed, theirs.fixed)
            if both is not None and both.fixed >= _STRONG and both.fixed * 10 >= least * 7:
                alike[number] = (sorted(other + members), both)
                break
        else:
            alike.append((members, mine))
    return [members for alike in done.values() for members, _ in alike]


def _beginning(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """Return blanks in front, and the first token after them if it is a word or a mark."""
    lead = tokens[0].text if tokens[0].sort == "space" else ""
    first = tokens[1 if lead and len(tokens) > 1 else 0]
    return lead, first.text if first.sort in {"word", "mark"} else first.sort


def _absorb(groups: list[list[_Item]], lines: Sequence[str]) -> list[list[_Item]]:
    """Give lines that a stronger template of more lines reads to that one."""
    done: list[tuple[Template | None, list[_Item]]] = []
    for members in sorted(groups, key=lambda members: (-len(members), members[0][0])):
        for template, others in done[:_MOST_SHAPES]:
            if (
                template is not None
                and len(others) > 2
                and (template.fixed >= _STRONG or not any(_has_words(tokens) for _, tokens in members))
                and all(template.reads(lines[number]) for number, _ in members)
            ):
                others.extend(members)
                break
        else:
            template = _template(members) if len(members) > 2 else None
            done.append((template, list(members)))
    return [sorted(members) for _, members in done]


def _has_words(tokens: tuple[Token, ...]) -> bool:
    return any(token.sort == "word" for token in tokens)


def _find_listing(lines: Sequence[str], taken: set[int]) -> Shape | None:
    """Return the lines that are one word each, such as paths, where nearly all that are left are."""
    left = [number for number in range(len(lines)) if number not in taken]
    words = [number for number in left if not re.search(r"\s", lines[number])]
    if len(words) < 3 or len(words) * 10 < len(left) * 9:
        return None
    paths = sum("/" in lines[number] or "." in lines[number] for number in words)
    sort = "path" if paths * 2 > len(words) else "word"
    return Shape(Template([Part("word", sort=sort)]), tuple(words), "listing")


def _find_tables(lines: Sequence[str], taken: set[int]) -> Iterator[Shape]:
    """Yield the rows, and the heading, of what stands in three columns or more in three lines or more."""
    run: list[tuple[int, list[str]]] = []
    between = "gap"
    for number in range(len(lines) + 1):
        line = lines[number] if number < len(lines) and number not in taken else ""
        now = "\t" if line.count("\t") > 1 else "gap"
        cells = line.split("\t") if now == "\t" else _GAP.split(line.rstrip(" "))
        whole = len(cells) > 2 and all(cells) and not _UNREADABLE.search(line) and "\t" not in "".join(cells)
        if run and (not whole or len(cells) != len(run[0][1]) or now != between):
            yield from _table(run, between, lines)
            run = []
        if whole:
            between = now
            run.append((number, cells))


def _table(run: list[tuple[int, list[str]]], between: str, lines: Sequence[str]) -> Iterator[Shape]:
    heading = run[0][1]
    titled = all(map(_HEADING.fullmatch, heading)) and not all(
        _HEADING.fullmatch(cell) for _, cells in run[1:] for cell in cells
    )
    rows = run[1:] if titled else run
    numbers = tuple(number for number, _ in rows)
    template = make_table([cells for _, cells in rows], between) if len(rows) > 2 else None
    if template is None or not all(template.reads(lines[number]) for number in numbers):
        return
    if titled:
        number = run[0][0]
        parts = [part for cell in heading for part in (Part("gap"), Part("literal", cell))][1:]
        above = Template(parts if between == "gap" else [Part("literal", lines[number])])
        if above.reads(lines[number]):
            yield Shape(above, (number,), "heading")
    yield Shape(template, numbers, "table", tuple(heading) if titled else ())
