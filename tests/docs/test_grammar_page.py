"""The written grammar and the one of the parser are the same language, and the reference speaks of all of it."""

from __future__ import annotations

import re

from cablese.dsl.diagnostics import Report
from cablese.dsl.parser import grammar_text, parse_entries
from cablese.dsl.source import Source
from hypothesis import given
from hypothesis import strategies as st

from ..editors.keywords import KEYWORDS, sound_texts
from .ebnf import Grammar, Token
from .pages import ROOT, parse_blocks, prose

PAGE = ROOT / "docs" / "language.md"
GRAMMAR = Grammar((ROOT / "docs" / "grammar.ebnf").read_text("utf-8"))
NAMES = frozenset({"NAME", "DEFINED_NAME", "PATH", "ID"})
KINDS = {
    "NAME": NAMES,
    "ID": NAMES,
    "PATH": NAMES,
    "INT": frozenset({"INT"}),
    "DECIMAL": frozenset({"DECIMAL"}),
    "STRING": frozenset({"STRING"}),
    "PATTERN": frozenset({"STRING"}),
    "BLOCK": frozenset({"BLOCK"}),
    "CLASS": frozenset({"CLASS"}),
    "QUANTITY": frozenset({"QUANTITY"}),
    "HEADWORD": frozenset({"HEAD_WORD"}),
    "FLAG": frozenset({"FLAG"}),
    "LITERAL": frozenset({"LITERAL_WORD"}),
}
WORDS = {
    "NAME": ("alpha", "beta", "gamma_1"),
    "ID": ("bash.alpha", "beta"),
    "PATH": ("alpha", "beta.gamma", "a.b.c"),
    "INT": ("0", "12", "101"),
    "DECIMAL": ("0.5", "12.25"),
    "STRING": ('"text"', '""', r'"a \" b"'),
    "PATTERN": ('"{name}: {n:int}"', '""', '"{=place}{? x}"'),
    "BLOCK": ('"""\n  one\n  {{ two }}\n  """', '"""\n"""'),
    "CLASS": ("[a-z]", r"[\]#]"),
    "QUANTITY": ("*", "+", "?", "{2}", "{2,3}"),
    "HEADWORD": ("git", "./run", "-m"),
    "FLAG": ("-n", "--long", "--since=", "+x"),
    "LITERAL": ("never", "5"),
}
NOT_OF_TOKENS = {"pattern", "hole"}
"""Productions of what stands inside of a string."""


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a sound text, the type of an option as the three that the page writes."""
    found: list[Token] = []
    for entry in parse_entries(Source("page.cable", text), Report()):
        for token in entry.tokens:
            if token.type == "TYPE":
                found += [Token("", "<"), Token("NAME", str(token)[1:-1]), Token("", ">")]
            else:
                found.append(Token(token.type, str(token)))
    return found


def test_the_written_grammar_takes_what_the_parser_takes():
    """Every shipped rule, and every example of a code that parses, is a file by the written grammar."""
    for name, text in sound_texts().items():
        assert GRAMMAR.recognises("file", tokens_of(text), KINDS), name


@given(st.integers(0, 2**32))
def test_the_parser_takes_what_the_written_grammar_makes(seed):
    """A random text of the written grammar has no error of syntax but the one that its comment speaks of."""
    for start in ("use", "word", "phrase", "options", "lines", "admit", "rule"):
        # The type of an option is written without blanks.
        text = re.sub(r"< (\w+) >", r"<\1>", GRAMMAR.make(start, WORDS, seed))
        report = Report()
        parse_entries(Source("page.cable", text), report)
        errors = {each.message for each in report if each.code == "E0101"}
        assert errors <= {"an example has no `command`"}, text


def test_the_written_grammar_refuses_what_the_parser_refuses():
    """A token too many, or one too few, is no file."""
    tokens = tokens_of((ROOT / "rules" / "git.cable").read_text("utf-8"))
    assert GRAMMAR.recognises("file", tokens, KINDS)
    assert not GRAMMAR.recognises("file", tokens[:-1], KINDS)
    assert not GRAMMAR.recognises("file", [*tokens, tokens[-1]], KINDS)
    assert not GRAMMAR.recognises("file", tokens[1:], KINDS)


def test_every_production_is_used_and_every_rule_of_the_parser_occurs():
    """Making texts reaches every production; the terminals of the parser are the tokens of the page, or its words."""
    used = set(re.findall(r"\b[a-z]+\b", str(list(GRAMMAR.productions.values()))))
    assert set(GRAMMAR.productions) - used <= {"file"} | NOT_OF_TOKENS
    terminals = set(re.findall(r"^([A-Z][A-Z_]*)(?:\.1)?:", grammar_text(), re.MULTILINE))
    known = set().union(*KINDS.values()) | set(KEYWORDS) | {"TYPE", "REPEAT", "COMPARISON", "RELATION"}
    assert terminals - {"BLANKS", "COMMENT"} == known


def test_the_reference_speaks_of_every_keyword():
    """Each stands in the prose as code, and in an example that a test compiles."""
    said = set(re.findall(r"[a-z]+|--", " ".join(re.findall(r"`([^`\n]+)`", prose(PAGE)))))
    blocks = [block.body for block in parse_blocks(PAGE) if block.language == "cable"]
    shown = set(re.findall(r"[a-z]+|--", " ".join(blocks)))
    assert set(KEYWORDS.values()) - said == set()
    assert set(KEYWORDS.values()) - shown == set()


def test_the_reference_speaks_of_no_keyword_that_there_is_not():
    """What begins a line of an example is a keyword, or is defined there."""
    blocks = [block.body for block in parse_blocks(PAGE) if block.language == "cable"]
    for block in blocks:
        inside = False
        for line in block.splitlines():
            found = re.match(r"\s*([a-z]+)\b(?!\s*=|\.|:)", line)
            if found and not inside and not re.match(r"\s*(codec|min_rows|level)\b", line):
                assert found[1] in KEYWORDS.values(), line
            inside ^= line.count('"""') % 2 == 1
