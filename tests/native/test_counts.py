"""The codec counts what tiktoken and the tables count, and the gate decides with it as without."""

import os
import random
import sys
import tomllib
from pathlib import Path

import cablese
import pytest
from cablese.runtime.tokens import strictly_fewer
from cablese.runtime.tokens.codepoints import without_surrogates
from cablese.runtime.tokens.exact import HALF, LOW, Ledger
from cablese.runtime.tokens.native_ledger import NativeLedger
from cablese.runtime.tokens.ranks import load_tokens
from cablese.runtime.tokens.resident import encodings
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ..tokens.test_exact import TEXTS

codec = pytest.importorskip("cablese_codec", reason="the native codec is not built: `make codec`")
NAMES = ("o200k_base", "cl100k_base")
CODEC = Path(__file__).parent.parent.parent / "codec-rs"
ENDS = ["", "x", " x", "...", "'", "1", "\u00a0", "\u0301", "漢"]
BLANKS = st.text(" \n\r\t\x0b\x0c\u00a0\u0085\u2028\u3000/", max_size=8)
MANY = settings(max_examples=300, deadline=None)


def tables(text):
    """Return the counts of the tables."""
    counts = Ledger().count(text)
    return [counts & LOW, counts >> HALF]


def native(text):
    """Return the counts of the codec."""
    return [codec.count_until(text, name, None) for name in NAMES]


def oracle(text):
    """Return the counts of tiktoken."""
    return [len(encoding.encode_ordinary(text)) for encoding in encodings()]


def test_the_version_is_said_in_one_place():
    """Cargo.toml says it, and it is that of cablese; pyproject.toml takes it from there."""
    cargo = tomllib.loads((CODEC / "Cargo.toml").read_text())
    project = tomllib.loads((CODEC / "pyproject.toml").read_text())["project"]
    assert codec.__version__ == cargo["package"]["version"] == cablese.__version__
    assert "version" in project["dynamic"]
    assert "version" not in project


@MANY
@given(TEXTS)
@example("foo'\u017f bar")
@example("\n \n  x\r\n\t/")
@example("x\n\n  ")
@example("\ud83d\ude00 \ude00\ud83d \ud800")
@example("\ufeff\ud800")
def test_counts_are_those_of_tiktoken(text):
    """Under both encodings, surrogates included."""
    assert native(text) == oracle(text)


@MANY
@given(st.sampled_from(ENDS), BLANKS, st.sampled_from(ENDS))
@example("x", "\n\n  ", "")
def test_white_space_counts_as_tiktoken_counts_it(before, blank, after):
    """Also at the end, where the patterns of tiktoken and of the codec cut cl100k_base otherwise."""
    text = before + blank + after
    assert native(text) == oracle(text)


def test_no_token_has_a_line_end_before_other_white_space():
    """So it makes no difference whether white space at the end of a text is cut behind its last line end."""
    for token in load_tokens("cl100k_base"):
        text = token.decode(errors="replace")
        assert not text.isspace() or text[-1] in "\r\n" or not set(text) & set("\r\n")


@MANY
@given(TEXTS, st.integers(-2, 40))
def test_a_limit_is_exact(text, limit):
    """None is said if and only if there are more tokens."""
    for name, count in zip(NAMES, native(text), strict=True):
        assert codec.count_until(text, name, limit) == (count if count <= limit else None)
        assert codec.count_until(text, name, count) == count
        assert codec.count_until(text, name, count - 1) is None


REPEATED = {"a": 50_000, " ": 50_000, "\n": 50_000, "^": 50_000, "0": 50_000, "A": 9_999, " a": 9_999, "aA": 9_999}
REPEATED |= dict.fromkeys(["é", "漢", "\u0301", "  \n", "'s'S'\u017f", "<|endoftext|>"], 9_999)


@pytest.mark.parametrize("part", REPEATED)
@pytest.mark.parametrize("around", ["{}", "x{}", "{}x"])
def test_pathological_texts_are_counted_exactly(part, around):
    """As the tables count them, which hold tiktoken's counts in their own tests."""
    text = around.format(part * REPEATED[part])
    assert native(text) == tables(text)


@MANY
@given(st.lists(st.text(min_size=1, max_size=18), min_size=1, max_size=6), st.integers(1, 30), st.randoms())
@example(["a" * 14, "a" * 15, "\0", "\0\0", "漢字漢字漢", "漢字漢字漢字"], 30, random.Random(0))
def test_words_that_come_again_count_as_they_did(words, times, draw):
    """Whichever were looked up in between, of lengths around the longest that is."""
    again = words * times
    draw.shuffle(again)
    text = without_surrogates(" ".join(again))
    assert native(text) == oracle(text)


def test_unknown_encodings_are_an_error():
    """There are two."""
    with pytest.raises(ValueError, match="unknown encoding `p50k_base`"):
        codec.count_until("x", "p50k_base", None)


def test_nothing_is_left_in_the_object():
    """The UTF-8 form of a text is not kept with it."""
    text = "é" * 1000
    before = sys.getsizeof(text)
    native(text)
    assert sys.getsizeof(text) == before


@MANY
@given(TEXTS, TEXTS, st.sampled_from([0, 20, 200, 2000, 300_000]))
@example("漢字" * 20, "漢字" * 21, 300_000)
def test_verdicts_are_those_of_the_tables(candidate, original, work):
    """Step and outcome, whatever bounds the work."""
    expected = strictly_fewer(candidate, original, work=work, counter="tables")
    assert strictly_fewer(candidate, original, work=work, counter="native") == expected


@pytest.mark.parametrize("shift", range(-60, 61, 7))
def test_what_is_too_large_for_the_tables_is_too_large_natively(shift):
    """Just below and above the work that a decision takes."""
    original = "".join(f"x{n:x}y{n * n:o} é\n" for n in range(400))
    candidate = original[::-1][: len(original) * 3 // 4]
    ledger = Ledger(10**7)
    ledger.count(candidate)
    for work in (10**7 - (ledger.left or 0) + shift, 2 * (10**7 - (ledger.left or 0)) + shift):
        expected = strictly_fewer(candidate, original, work=work, counter="tables")
        assert strictly_fewer(candidate, original, work=work, counter="native") == expected


@MANY
@given(TEXTS)
def test_the_bound_comes_off_only_where_it_would_hold(text):
    """What is counted whole never costs more work than there was."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    ledger = Ledger(10**9)
    ledger.count(text)
    cost = 10**9 - (ledger.left or 0)
    for work in (cost - 1, cost, 2 * cost):
        native_ledger = NativeLedger(work, codec)
        native_ledger.foresee(text, "")
        assert native_ledger.left == work or work >= cost


def test_a_forked_child_counts():
    """Vocabularies that were read before the fork are there after it."""
    expected = native("in a child")
    assert codec.ready_to_count(wait=True)
    child = os.fork()
    if child == 0:
        os._exit(0 if native("in a child") == expected and codec.ready_to_count(wait=False) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
