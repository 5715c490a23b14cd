"""The keywords of the language, and where the parser itself finds them in a text.

Only the parser knows what is a keyword in its place, so it is what the grammars of editors are held against.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cablese.dsl.codes import CODES
from cablese.dsl.diagnostics import Report
from cablese.dsl.parser import grammar_text, parse_entries
from cablese.dsl.source import Source

ROOT = Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "editors" / "tests"
WORDS = FIXTURES / "words.cable"

_TERMINAL = re.compile(r'^([A-Z_]+)\.1: (?:"([a-z]+)"|/(--))', re.MULTILINE)

KEYWORDS = {found[1]: found[2] or found[3] for found in _TERMINAL.finditer(grammar_text())}
"""The terminals of `dsl/grammar.lark` that are keywords, and how each is written."""


class Found(NamedTuple):
    """A stretch of a text, with offsets in code points, and what it holds."""

    start: int
    end: int
    text: str


def parser_tokens(text: str, terminals: set[str]) -> set[Found]:
    """Return where the parser finds these terminals in a text, which has to be sound."""
    found = _parse(text)
    assert found is not None, text
    return {each for terminal, each in found if terminal in terminals}


@cache
def _parse(text: str) -> list[tuple[str, Found]] | None:
    """Return the terminal and place of every token; None for a text with a fault."""
    report = Report()
    entries = parse_entries(Source("page.cable", text), report)
    if report:
        return None
    return [
        (token.type, Found(entry.piece.start + token.start_pos, entry.piece.start + token.end_pos, str(token)))
        for entry in entries
        for token in entry.tokens
    ]


@cache
def sound_texts() -> dict[str, str]:
    """Return rule texts by name: the shipped rules, the texts of every diagnostic that parse, the annotated words."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "rules").rglob("*.cable")}
    for code in CODES.values():
        texts |= {f"{code.code}-bad": code.bad, f"{code.code}-good": code.good}
    texts["words"] = WORDS.read_text("utf-8")
    return {name: text for name, text in texts.items() if _parse(text) is not None}
