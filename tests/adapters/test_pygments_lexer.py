"""The lexer for Pygments: nothing is lost of any text, and keywords are those of the parser."""

from __future__ import annotations

from importlib.metadata import entry_points

from cablese.adapters.pygments_lexer import CableLexer
from cablese.runtime.engine.summary import _FILTERS
from hypothesis import given
from hypothesis import strategies as st
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, String

from ..editors.keywords import KEYWORDS, Found, parser_tokens, sound_texts

PIECES = st.sampled_from(
    [*KEYWORDS.values(), '"', '"""', '"""\n', "{", "}", "{?", "{{", "{%", "[", "]", "#", "\\", "\n", " ", "=", "|", ":"]
)
TEXT = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=60).map("".join))


def lex(text):
    """Return the tokens of a text: offset, type, text."""
    return list(CableLexer().get_tokens_unprocessed(text))


@given(TEXT)
def test_nothing_is_lost(text):
    """The texts of the tokens, one after the other, are the text, and each stands where it says."""
    at = 0
    for start, _, part in lex(text):
        assert start == at
        at += len(part)
        assert text.startswith(part, start)
    assert at == len(text)


@given(st.data())
def test_nothing_is_lost_of_a_rule_that_is_being_written(data):
    """Also of one that ends, or goes on, in the middle of anything."""
    text = data.draw(st.sampled_from(list(sound_texts().values())))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 2000)))
    assert "".join(part for _, _, part in lex(text[start:end])) == text[start:end]


def test_a_sound_text_has_no_error():
    """What the parser takes, the lexer takes."""
    for name, text in sound_texts().items():
        assert [(name, start, part) for start, kind, part in lex(text) if kind is Error] == []


def test_keywords_are_those_of_the_parser():
    """In every sound text, in their places, and of each keyword of the grammar there is one."""
    met = set()
    for name, text in sound_texts().items():
        expected = parser_tokens(text, set(KEYWORDS))
        kinds = (Keyword, Keyword.Declaration)
        assert {
            Found(start, start + len(part), part) for start, kind, part in lex(text) if kind in kinds
        } == expected, name
        met |= {found.text for found in expected}
    assert met == set(KEYWORDS.values())


def test_comments_are_those_of_the_parser():
    """No comment begins in a text, and every sign of one that stands in none belongs to one."""
    for name, text in sound_texts().items():
        strings = parser_tokens(text, {"STRING", "BLOCK", "CLASS"})
        comments = [(start, start + len(part)) for start, kind, part in lex(text) if kind is Comment.Single]
        for at in (at for at, char in enumerate(text) if char == "#"):
            inside = any(found.start <= at < found.end for found in strings)
            assert inside != any(start <= at < end for start, end in comments), (name, text[at:].partition("\n")[0])


def test_the_parts_of_a_pattern_and_a_template_are_told_apart():
    """Holes, their types and escapes; tags, filters and what is only text."""
    text = (
        'phrase p = "a {n:int = 1}{? {{ {:(x|\\u{7b})}}"\n'
        'rule r "t" {\n  summary """\n  a {{ b.c | clip }} {% if x %}\n  """\n}\n'
    )
    kinds = {(part, kind) for _, kind, part in lex(text)}
    assert {
        ("n", Name.Variable),
        ("int", Keyword.Type),
        ("{{", String.Escape),
        ("\\u{7b}", String.Escape),
        ("clip", Name.Builtin),
        ("if", Keyword.Reserved),
        ("  a ", String.Heredoc),
    } <= kinds


def test_every_filter_of_summaries_is_one():
    """A filter behind `|` has its own colour, whichever it is."""
    for name in _FILTERS:
        tokens = lex(f'rule r "t" {{\n summary """\n {{{{ x | {name} }}}}\n """\n}}\n')
        assert (name, Name.Builtin) in {(part, kind) for _, kind, part in tokens}


def test_pygments_finds_it_by_its_entry_point():
    """By name and by file name, without anything but the installation."""
    (entry,) = [entry for entry in entry_points(group="pygments.lexers") if entry.name == "cable"]
    assert entry.load() is CableLexer
    assert isinstance(get_lexer_by_name("cable"), CableLexer)
    assert isinstance(get_lexer_for_filename("git.cable"), CableLexer)
    assert '<span class="k">tool</span>' in highlight('rule r "t" {\n  tool bash\n}\n', CableLexer(), HtmlFormatter())
