"""Reading by tables in one loop is what an interactive session of Lark does."""

from __future__ import annotations

import random

import pytest
from cablese.dsl import parser
from cablese.dsl.diagnostics import Report
from cablese.dsl.lalr import StuckError
from cablese.dsl.scan import split_entries
from cablese.dsl.source import Source
from lark.exceptions import UnexpectedInput

from ..curated import ROOT

FILES = sorted((ROOT / "rules").rglob("*.cable"))


def read(text: str, *, by_tables: bool):
    """Return what an entry reduces to with its tokens, lines and reports; None where it does not parse."""
    held = parser._thread_parser()
    report = Report()
    held.builder.begin(Source("x", text), report, 0)
    tracer = held.tracer
    tracer.begin()
    try:
        if by_tables:
            entry = held.tables.read(text, tracer.tokens, tracer.end)
        else:
            session = held.lark.parse_interactive(text)
            for token in session.iter_parse():
                tracer.tokens.append(token)
            tracer.end()
            entry = session.feed_eof()
    except (StuckError, UnexpectedInput):
        return None
    tokens = [(token.type, str(token), token.start_pos, token.end_pos) for token in tracer.tokens]
    return entry, tokens, tracer.rows, [str(found) for found in report]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_entries_are_read_as_a_session_reads_them(path):
    """Trees, tokens, lines and reports of every entry are the same; so is whether a damaged one parses at all."""
    text = path.read_text("utf-8")
    draw = random.Random(path.name)
    entries = [text[piece.start : piece.end] for piece in split_entries(text)]
    for entry in draw.sample(entries, min(4, len(entries))):
        whole = read(entry, by_tables=True)
        assert whole is not None
        assert whole == read(entry, by_tables=False)
        for _ in range(3):
            begin = draw.randrange(len(entry))
            damaged = entry[:begin] + draw.choice(('"', "}", "{", " option ", "", "é", "\x00")) + entry[begin + 2 :]
            assert read(damaged, by_tables=True) == read(damaged, by_tables=False)
