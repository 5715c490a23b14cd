"""What lines of one shape have in common: fixed text, and holes where they vary.

Input: the tokens of some lines. Output: a `Template`, parts in a row, that reads every one of these lines the way the
language reads a pattern; or None where they have too little in common.

INVARIANT: `Template.reads` takes what the pattern takes: a hole for text ends at the first place where all that follows
it up to the next such hole fits, and a choice once made stays made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from .tokens import FREE, NUMERIC, Token, told_from

_READING: Final = {
    "int": "[0-9]{1,18}+",
    "word": r"[^\s\x00-\x1f\x7f-\x9f]+?",
    "text": r"[^\x00-\x08\x0a-\x1f\x7f-\x9f]+?",
    "rest": r"[^\x00-\x08\x0a-\x1f\x7f-\x9f]*+",
    "spaces": r"[ \t]++",
    "gap": r"[ \t]{2,}+",
}
_FIRST_FIT: Final = frozenset({"word", "text"})
_MOST_FREE: Final = 3
"""Varying words in lines of one length; with more of them the lines are sentences."""

_UNITS: Final = frozenset({"B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB", "s", "ms"})
_BRANCHES: Final = "│├└┬─ "
TREE: Final = "tree"
"""The text of a `bar` that is a branch of a drawn tree."""

_MOST_VALUES: Final = 6
"""Values in a line that stands alone; with more of them it is a list."""

_ENDING: Final = frozenset({":", "]", ")"})
_VERDICT: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,15}")


class Part(NamedTuple):
    """Fixed text (`literal`), or a hole of a type of the language; `sort` is that of the tokens in it.

    Of a `choice`, `text` holds the words with `|` between them, of a `bar` the character that it repeats.
    """

    type: str
    text: str = ""
    sort: str = ""


class Template:
    """Parts in a row, and whether they read a line."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(_joined(parts))

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        written, open_ = "", False
        for part in self.parts:
            if part.type in _FIRST_FIT:
                written += ")" * open_ + "(?>"
                open_ = True
            written += f"({_reading(part)})"
        return re.compile(written + r"\Z" + ")" * open_)

    def reads(self, line: str) -> bool:
        """Say whether the pattern would claim a line."""
        return self._expression.match(line) is not None

    def values(self, line: str) -> tuple[str, ...]:
        """Return what each part takes of a line that the template reads. Raises ValueError for another line."""
        found = self._expression.match(line)
        if found is None:
            raise ValueError(f"not a line of this shape: {line}")
        return found.groups()

    @cached_property
    def fixed(self) -> int:
        """How many characters besides blanks are fixed; a number counts as one, blanks in front as one."""
        marks = sum(len(part.text.replace(" ", "")) for part in self.parts if part.type in {"literal", "choice"})
        others = sum(part.type in {"int", "bar", "gap"} for part in self.parts)
        indented = self.parts and self.parts[0].type == "literal" and self.parts[0].text[:1] in {" ", "\t"}
        return marks + others + bool(indented)

    @property
    def words(self) -> list[str]:
        """The words of its fixed text, in order."""
        return [word for part in self.parts if part.type == "literal" for word in re.findall(r"[A-Za-z]+", part.text)]


def _reading(part: Part) -> str:
    match part.type:
        case "literal":
            return re.escape(part.text)
        case "choice":
            longest = sorted(part.text.split("|"), key=len, reverse=True)
            return "(?>" + "|".join(map(re.escape, longest)) + ")"
        case "bar":
            return f"[{re.escape(part.text)}]++" if part.text != TREE else f"[{_BRANCHES}]++"
        case _:
            return _READING[part.type]


def make_template(members: Sequence[tuple[Token, ...]]) -> Template | None:
    """Return a template that reads all members; None where nothing is fixed, or none can be found."""
    lines = ["".join(token.text for token in tokens) for tokens in members]
    for parts in (
        _by_gutter(members),
        _by_column(members),
        _by_ends(members, with_end=True),
        _by_ends(members, with_end=False),
    ):
        if parts is not None:
            template = Template(parts)
            if template.fixed and all(map(template.reads, lines)):
                return template
    return None


def make_single(tokens: tuple[Token, ...]) -> Template:
    """Return a template for a line that stands alone: numbers, paths and the like may vary, words stay."""
    parts = [part for token in tokens for part in _single(token)]
    values = [number for number, part in enumerate(parts) if part.type not in {"literal", "bar"}]
    commas = [number for number, part in enumerate(parts) if part.text == ","]
    if len(values) > _MOST_VALUES or len(commas) > 2:
        parts = _before_list(parts, min([*values[:1], *commas[:1]]))
    template = Template(parts)
    line = "".join(token.text for token in tokens)
    return template if template.reads(line) else Template([Part("literal", line)])


def _before_list(parts: list[Part], end: int) -> list[Part]:
    """Keep what stands before a list, up to the end of its last word; the list is text."""
    fixed = "".join(part.text for part in parts[:end] if part.type == "literal")
    if any(part.type != "literal" for part in parts[:end]):
        return [*parts[:end], Part("text")]
    colon = fixed.rfind(": ")
    return [Part("literal", fixed[: colon + 2] if colon > 0 else fixed), Part("text")]


def make_table(rows: Sequence[Sequence[str]], between: str) -> Template | None:
    """Return a template for rows of cells; `between` is `gap`, or a tab."""
    parts: list[Part] = []
    for number, cells in enumerate(zip(*rows, strict=True)):
        if number:
            parts.append(Part("gap") if between == "gap" else Part("literal", between))
        parts.append(make_cell(cells))
    template = Template(parts)
    return template if template.fixed else None


def make_cell(cells: Sequence[str]) -> Part:
    """Return the hole for a column of cells."""
    if all(re.fullmatch(r"[0-9]{1,18}", cell) for cell in cells):
        return Part("int")
    words = _verdicts(cells)
    if words is not None:
        return Part("choice", words)
    return Part("text" if any(" " in cell for cell in cells) else "word", sort="word")


def _by_gutter(members: Sequence[tuple[Token, ...]]) -> list[Part] | None:
    """Take what stands behind the gutter of a quoted line for text; with more bars in each line, they part columns."""
    if any(not tokens or tokens[0].sort != "space" for tokens in members):
        return None
    (end, *others) = {told_from(tokens) for tokens in members}
    if not end or others or all(any(token.text == "|" for token in tokens[end:]) for tokens in members):
        return None
    columns = [_column([tokens[number] for tokens in members], verdict=False) for number in range(end)]
    if any(column is None for column in columns):
        return None
    code = Part("text" if all(len(tokens) > end for tokens in members) else "rest")
    return [*(part for column in columns if column for part in column), code]


def _by_column(members: Sequence[tuple[Token, ...]]) -> list[Part] | None:
    if len({len(tokens) for tokens in members}) > 1:
        return None
    parts: list[Part] = []
    free = 0
    columns = list(zip(*members, strict=True))
    for number, tokens in enumerate(columns):
        part = _column(tokens, verdict=_is_verdict(columns, number))
        if part is None:
            return None
        free += part[0].type == "word" and part[0].sort == "word"
        parts += part
    return parts if free <= _MOST_FREE else None


def _is_verdict(columns: Sequence[tuple[Token, ...]], number: int) -> bool:
    """Say whether a word in this place may be a verdict: the last one, or one that a mark ends."""
    return number + 1 == len(columns) or {token.text for token in columns[number + 1]} <= _ENDING


def _by_ends(members: Sequence[tuple[Token, ...]], *, with_end: bool) -> list[Part] | None:
    """Align the beginnings, and the ends, with any text in between."""
    least = min(map(len, members))
    front = _aligned(members, least, at=lambda number: number)
    # At least one token has to be left between beginning and end, and a message may end in any word.
    told = any(map(told_from, members))
    room = max(least - len(front) - 1, 0) if with_end and not (told and _ends_in_words(members)) else 0
    back = _aligned(members, room, at=lambda number: -1 - number)
    between = [tokens[len(front) : len(tokens) - len(back)] for tokens in members]
    middle = Part("text") if back or all(between) else Part("rest")
    return [
        *(part for column in front for part in column),
        middle,
        *(part for column in reversed(back) for part in column),
    ]


def _ends_in_words(members: Sequence[tuple[Token, ...]]) -> bool:
    return any(tokens[-1].text not in _ENDING for tokens in members)


def _aligned(members: Sequence[tuple[Token, ...]], most: int, at: Callable[[int], int]) -> list[list[Part]]:
    """Return the columns that agree, from one side on. Free text begins at a word that varies with no mark beside."""
    found: list[list[Part]] = []
    for number in range(most):
        column = [tokens[at(number)] for tokens in members]
        beyond = [tokens[at(number + 1)] if number + 1 < len(tokens) else Token("mark", "") for tokens in members]
        part = _column(column, verdict=(at(0) == 0 and {token.text for token in beyond} <= _ENDING) or at(number) == -1)
        if part is None:
            break
        varies = part[0].type == "word" and part[0].sort == "word"
        if varies and any(token.sort != "mark" or token.text != beyond[0].text for token in beyond):
            break
        found.append(part)
    while found and found[-1][0].type in {"spaces", "gap"}:
        found.pop()
    return found


def _column(tokens: Sequence[Token], *, verdict: bool) -> list[Part] | None:
    """Return what tokens in one place of all lines have in common."""
    texts = {token.text for token in tokens}
    sorts = {token.sort for token in tokens}
    first = tokens[0]
    if len(texts) == 1 and first.sort in FREE:
        return [Part("literal", first.text)]
    if sorts == {"space"}:
        return [Part("spaces" if any(len(text) == 1 for text in texts) else "gap")]
    if sorts & {"space", "mark"} or (len(sorts) > 1 and sorts & {"quoted", "bar", "tree"}):
        return None
    if len(sorts) == 1 and first.sort in {"quoted", "bar", "tree"}:
        if first.sort != "tree" and len({text[0] for text in texts}) > 1:
            return None
        return _single(first) if first.sort != "quoted" or all(len(text) > 2 for text in texts) else None
    if sorts == {"int"}:
        return [Part("int")]
    if verdict and sorts == {"word"} and (words := _verdicts([token.text for token in tokens])) is not None:
        return [Part("choice", words)]
    if len(sorts) > 1:
        return [Part("word", sort="size" if sorts <= NUMERIC else "word" if "word" in sorts else "path")]
    return [Part("word", sort=first.sort)]


def _verdicts(texts: Sequence[str]) -> str | None:
    """Return words of which there are few, each of them a verdict of sorts; None where they are something else."""
    found = sorted(set(texts))
    few = 1 < len(found) <= 5 and len(texts) >= 3 * len(found) and _UNITS.isdisjoint(found)
    return "|".join(found) if few and all(map(_VERDICT.fullmatch, found)) else None


def _single(token: Token) -> list[Part]:
    match token.sort:
        case "bar":
            return [Part("bar", token.text[0])]
        case "tree":
            return [Part("bar", TREE)]
        case "quoted" if len(token.text) > 2:
            quote = token.text[0]
            return [Part("literal", quote), Part("text", sort="quoted"), Part("literal", quote)]
        case "int":
            return [Part("int")]
        case sort if sort in FREE or sort == "quoted":
            return [Part("literal", token.text)]
        case sort:
            return [Part("word" if " " not in token.text else "text", sort=sort)]


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Join texts in a row, and holes between which nothing stands."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else Part("")
        if part.type == last.type == "literal":
            found[-1] = Part("literal", last.text + part.text)
        elif part.type in _FIRST_FIT | {"rest"} and last.type in _FIRST_FIT:
            text = "text" in {part.type, last.type} or part.type == "rest"
            found[-1] = Part("text" if text else "word", sort=last.sort)
        else:
            found.append(part)
    return found
