r"""PROSE: running text without the sentences that it has said before.

Input: text of whole sentences, in any script. Output: the same text, of each sentence only its first occurrence, and
how many are left out. Lines and paragraphs stay as they are. Within a budget of tokens, the end is left out as well,
sentence by sentence, and the text says how much; its first sentence always stays.

What is prose: nearly all of it ends in sentence ends (`.`, `!`, `?` before white space, those of Arabic, and without
white space those of Chinese, Japanese and Devanagari); few signs and digits; no line is one of a log, few are items,
headings, fields or code, and few end early without ending a sentence. Short sentences stay wherever they are said
again: a second `Yes.` answers another question.

Sources: Unicode Standard Annex #29, "Sentence Boundary Rules" (STerm and ATerm), for the ends.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import NotThisKindError
from .pieces import count_signs

NAME = "prose_once"
GUARANTEE = "summary"
BUDGETED = True
HEAD = "[prose: "

MAX_CHARS = 1_000_000
"""No longer text is read, in characters."""
_LEAST_SENTENCES = 4
_LEAST_MEAN = 6
"""Sentences have so many characters on average, in any script."""
_SHORT = 24
"""A sentence of fewer characters stays, however often it is said; half of that where a character is a word."""
_NARROW = 40
"""A line of fewer characters that ends no sentence was not wrapped there."""

_SPACED_ENDS = ".!?\u2026\u061f\u06d4"
_UNSPACED_ENDS = "\u3002\uff01\uff1f\uff61\u0964\u0965"
_CLOSING = "\"'\u201d\u2019\u00bb)\\]\u300d\u300f\uff09"
_CLOSING_MARKS = _CLOSING.replace("\\", "")
# One set in front: the search passes all other characters without trying a branch.
_BOUNDARY = re.compile(
    rf"[{_SPACED_ENDS}{_UNSPACED_ENDS}\n](?:(?<=[{_SPACED_ENDS}])[{_CLOSING}]{{0,3}}\s+"
    rf"|(?<=[{_UNSPACED_ENDS}])[{_CLOSING}]{{0,3}}\s*|(?<=\n)[ \t\r]*\n\s*)"
)
_ENDS_AND_CLOSING = _SPACED_ENDS + _UNSPACED_ENDS + _CLOSING_MARKS
_ENDS = frozenset(f"{_SPACED_ENDS}{_UNSPACED_ENDS}:")
_ABBREVIATED = re.compile(r"(?:\b[^\W\d_]|\b(?:Mr|Mrs|Ms|Dr|St|Prof|vs|etc|cf|No|Fig|e\.g|i\.e|z\.B|d\.h|bzw|ca))\.\Z")
_ASCII_SIGNS = b"0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_OTHER_SIGNS = re.compile("[\u2190-\u2bff]+")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_LEVEL = "(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)"
_LOG_LINE = re.compile(
    r"\s*(?:\[?\d{4}[-/.]\d\d[-/.]\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d"
    rf"|{_LEVEL}(?:[:\]]|  )|.{{0,40}}[\[<|]{_LEVEL} ?[\]>|])"
)
_STRUCTURED = re.compile(
    r"\s*(?:[-+]|[*\u2022\u2023\u25e6]\s|\d+[.)]\s|#{1,6}\s|[|>{}\[\]<=$@/\\]|\t| {4}|[\w.-]+[:=](?:\s|$)"
    r'|\S{1,200}[\w)]:\S|Traceback |File "|\d+:\d+\s)'
)
_COLUMNS = re.compile(r"[\w)'\"] {3,}\S")


class Sentence(NamedTuple):
    """A sentence, and the white space behind it."""

    text: str
    gap: str


def recognise(text: str) -> str:
    """Return running text. Raises NotThisKindError."""
    if text.startswith(HEAD):
        raise NotThisKindError("it begins as this form does")
    if len(text) > MAX_CHARS:
        raise NotThisKindError(f"more than {MAX_CHARS:,} characters")
    signs = count_signs(text, _ASCII_SIGNS)
    if not text.isascii():
        signs += sum(map(len, _OTHER_SIGNS.findall(text)))
    solid = len(text) - count_signs(text, b" \n\t\r")
    if signs * 5 > solid:
        raise NotThisKindError("more than a fifth of it are signs and digits")
    _check_lines(text.split("\n"))
    bounds = [found.span() for found in _BOUNDARY.finditer(text)]
    ends = len(bounds) + 1
    if sum(text[end : end + 1].islower() and text[start] != "." for start, end in bounds) * 4 > ends:
        raise NotThisKindError("a quarter of what would be sentences begin with a small letter")
    if ends < _LEAST_SENTENCES:
        raise NotThisKindError(f"fewer than {_LEAST_SENTENCES} sentences")
    if ends * _LEAST_MEAN > len(text) + 600:
        raise NotThisKindError("its sentences are shorter than words")
    if sum(map(_unended, _PARAGRAPH.split(text))) * 5 > solid:
        raise NotThisKindError("a fifth of it ends no sentence")
    return text


def encode(prose: str, budget_tokens: int | None) -> str:
    """Return each sentence once, and within a budget of estimated tokens only the first of them."""
    kept, repeated = _drop_repeated(split_sentences(prose))
    text = "".join(each.text + each.gap for each in kept)
    head = f"{HEAD}{_count(repeated, 'repeated sentence')} left out]\n"
    if budget_tokens is None or _tokens(head + text) <= budget_tokens:
        return head + text
    room = 4 * budget_tokens - len(head) - 48
    fitting, length = 0, 0
    for each in kept:
        length += len(each.text) + len(each.gap)
        if fitting and length > room:
            break
        fitting += 1
    cut = sum(len(each.text) + len(each.gap) for each in kept[fitting:])
    if not cut:
        return head + text
    shown = "".join(each.text + each.gap for each in kept[:fitting]).rstrip()
    return f"{head}{shown}\n[{_count(len(kept) - fitting, 'more sentence')} of {cut:,} characters left out]"


def _check_lines(lines: list[str]) -> None:
    """Refuse what is made of lines. Raises NotThisKindError."""
    structured = broken = full = 0
    for at, line in enumerate(lines):
        if not line or line.isspace():
            continue
        full += 1
        if _LOG_LINE.match(line):
            raise NotThisKindError(f"line {at + 1} is one of a log")
        if _STRUCTURED.match(line) or ("   " in line and _COLUMNS.search(line)):
            structured += 1
            continue
        if len(line) >= _NARROW or (len(line) >= _NARROW // 2 and not line.isascii()):
            continue
        followed = at + 1 < len(lines) and lines[at + 1].strip()
        broken += bool(followed and not _has_ended(line.rstrip()))
    if structured * 5 > full or broken * 10 > full:
        raise NotThisKindError("its lines are items, fields or code, or end where no sentence does")


def _has_ended(text: str) -> bool:
    """Tell whether a text ends a sentence, closing marks aside."""
    return text.rstrip(_CLOSING_MARKS)[-1:] in _ENDS


def _unended(paragraph: str) -> int:
    """Return how many characters stand behind the last end of a sentence, where a paragraph does not end with one."""
    text = paragraph.strip()
    return 0 if _has_ended(text) else len(text) - 1 - max(map(text.rfind, _ENDS))


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences; joined with their gaps they are the text."""
    sentences = []
    start = 0
    for found in _BOUNDARY.finditer(text):
        end = found.end()
        gap = found[0].lstrip(_ENDS_AND_CLOSING)
        said = text[start : end - len(gap)]
        if gap.count("\n") < 2 and end < len(text):
            following = text[end]
            if said.endswith(".") and (following.islower() or _ABBREVIATED.search(said[-8:])):
                continue
        sentences.append(Sentence(said, gap))
        start = end
    if start < len(text):
        sentences.append(Sentence(text[start:], ""))
    return sentences


def _drop_repeated(sentences: list[Sentence]) -> tuple[list[Sentence], int]:
    """Return the sentences without those that were said before, and how many those are."""
    said: set[str] = set()
    kept: list[Sentence] = []
    repeated = 0
    for each in sentences:
        words = " ".join(each.text.split())
        short = _SHORT if each.text.isascii() else _SHORT // 2
        if len(words) < short or words not in said or not kept:
            said.add(words)
            kept.append(each)
            continue
        repeated += 1
        # What ends a line or a paragraph still does, when its last sentence is gone.
        before = kept[-1]
        if each.gap.count("\n") > before.gap.count("\n") or not before.gap:
            kept[-1] = before._replace(gap=each.gap)
    if not sentences[-1].gap:
        kept[-1] = kept[-1]._replace(gap="")
    return kept, repeated


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _tokens(text: str) -> int:
    return -(-len(text) // 4)
