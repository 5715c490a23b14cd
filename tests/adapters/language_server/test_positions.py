"""Places as editors count them: any text, any encoding, there and back."""

from __future__ import annotations

import re

from cablese.adapters.language_server.documents import Document
from cablese.adapters.language_server.positions import Lines, choose_encoding, count_units
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

PIECES = ["a", "é", "e\u0301", "🙂", "\U0010ffff", "\t", "\r\n", "\n", "\r", "\u2028", "\x0b", "\x85", "中", "\ufeff"]
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=40).map("".join)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def units(text, encoding):
    """Count code units by writing the text in that encoding."""
    codec, width = CODECS[encoding]
    return len(text.encode(codec)) // width


@given(TEXTS, ENCODINGS)
def test_offsets_come_back(text, encoding):
    """Each offset has a place that means it; between CR and LF, the end of the line."""
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        inside = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        assert lines.offset(lines.position(offset)) == offset - inside


@given(TEXTS, ENCODINGS)
def test_places_are_those_of_the_protocol(text, encoding):
    """Lines end at LF, CR LF and CR alone, and columns are what the encoding makes of the characters before."""
    lines = Lines(text, encoding)
    at = 0
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text)):
        for column in range(len(line) + 1):
            place = lines.position(at + column)
            assert (place.line, place.character) == (number, units(line[:column], encoding))
        at += len(line) + (2 if text[at + len(line) : at + len(line) + 2] == "\r\n" else 1)


@given(TEXTS, ENCODINGS, st.integers(-2, 60), st.integers(-2, 200))
def test_any_place_is_in_the_text(text, encoding, line, character):
    """A place that is not there is the nearest one before it, never half of a character, never an exception."""
    lines = Lines(text, encoding)
    offset = lines.offset(types.Position(line, character))
    assert 0 <= offset <= len(text)
    assert text[offset - 1 : offset + 1] != "\r\n" or offset == 0
    if 0 <= line < len(lines.starts) and character >= 0:
        assert lines.position(offset).line == line
        assert lines.position(offset).character <= character


@given(st.text(), ENCODINGS)
def test_units_are_counted_without_writing_them(text, encoding):
    """The count is that of the written text; a lone surrogate counts, too."""
    codec, width = CODECS[encoding]
    assert count_units(text, encoding) == len(text.encode(codec, "surrogatepass")) // width


@given(TEXTS, ENCODINGS, st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), TEXTS), max_size=4))
def test_changes_are_made_where_the_client_made_them(text, encoding, changes):
    """Changes by places of the protocol give the text that the client has, whatever its line ends are."""
    document, wanted = Document("untitled:a", None, 1, text, encoding), text
    for first, second, new in changes:
        lines = Lines(wanted, encoding)
        places = sorted(lines.offset(lines.position(min(each, len(wanted)))) for each in (first, second))
        stretch = types.Range(lines.position(places[0]), lines.position(places[1]))
        wanted = wanted[: places[0]] + new + wanted[places[1] :]
        document = document.changed(2, [types.TextDocumentContentChangePartial(stretch, new)])
    assert document.raw == wanted
    assert document.text == wanted.replace("\r\n", "\n")
    for offset in range(len(document.text) + 1):
        shown = document.lines.position(offset)
        assert Lines(wanted, encoding).position(Lines(wanted, encoding).offset(shown)) == shown


def test_the_encoding_is_one_that_the_client_can_count_in():
    """What it likes most of those that are known, else UTF-16."""
    assert choose_encoding(["utf-7", "utf-32", "utf-8"]) == "utf-32"
    assert choose_encoding(["utf-8", "utf-16"]) == "utf-8"
    assert choose_encoding(["utf-7"]) == "utf-16"
    assert choose_encoding(None) == "utf-16"
