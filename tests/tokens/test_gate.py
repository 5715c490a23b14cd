"""The gate: never wrong, same verdict whatever came before, bounded, and light."""

import subprocess
import sys
import time

import pytest
from cablese.runtime.tokens import Verdict, exact, strictly_fewer
from cablese.runtime.tokens.codepoints import without_surrogates
from cablese.runtime.tokens.gate import _without_common_lines
from cablese.runtime.tokens.resident import encodings
from hypothesis import given, settings
from hypothesis import strategies as st

COUNTERS = ["tables", "tiktoken"]

LINES = st.sampled_from(
    [
        "",
        "\n",
        "/usr/bin/env\n",
        "  Compiling serde v1.0.219\n",
        "test a::b ... ok\n",
        "don't'll\r\n",
        "\t\n",
        "漢字 かな。\n",
        "12345 678\n",
        "{'a': 1}",
        "    x = 'é'\n",
        "\r",
        "\ud800x\n",
        "----\n",
        " \n",
    ]
)
TEXTS = st.lists(LINES, max_size=14).map("".join)


def oracle(candidate, original):
    """Return whether the candidate has strictly fewer tokens under both encodings, by counting everything."""
    return all(
        len(encoding.encode_ordinary(candidate)) < len(encoding.encode_ordinary(original)) for encoding in encodings()
    )


@st.composite
def pairs(draw):
    """Draw an original and a candidate that shares lines with it, or words, or nothing."""
    original = draw(TEXTS)
    kind = draw(st.sampled_from(["lines", "words", "cut", "other", "any"]))
    if kind == "lines":
        candidate = "".join(line for line in original.splitlines(keepends=True) if draw(st.booleans()))
    elif kind == "words":
        candidate = " ".join(word for word in original.split(" ") if draw(st.booleans()))
    elif kind == "cut":
        candidate = original[: draw(st.integers(0, len(original)))] + draw(st.sampled_from(["", "\n", "(2 more)"]))
    elif kind == "other":
        candidate = draw(TEXTS)
    else:
        candidate = draw(st.text(max_size=20))
    return candidate, original


@settings(max_examples=500, deadline=None)
@given(pairs(), st.sampled_from(COUNTERS))
def test_the_verdict_is_the_truth(pair, counter):
    """Whatever step decides, the verdict is what counting everything with tiktoken says."""
    candidate, original = pair
    verdict = strictly_fewer(candidate, original, counter=counter)
    assert verdict.outcome == ("fewer" if oracle(candidate, original) else "not_fewer")
    assert bool(verdict) == (verdict.outcome == "fewer")


@settings(max_examples=250, deadline=None)
@given(pairs())
def test_common_lines_cancel_out(pair):
    """Taking common lines out of both texts leaves the difference of their counts as it was, under both encodings."""
    candidate, original = map(without_surrogates, pair)
    shorter = _without_common_lines(candidate, original)
    for encoding in encodings():
        counts = [len(encoding.encode_ordinary(text)) for text in (candidate, original, *shorter)]
        assert counts[0] - counts[1] == counts[2] - counts[3]


@settings(max_examples=120, deadline=None)
@given(pairs(), st.integers(0, 400))
def test_the_verdict_does_not_depend_on_what_came_before(pair, work):
    """With any bound on work, first and repeated calls and both counters decide the same, never against the truth."""
    candidate, original = pair
    exact._remembered.clear()
    first = strictly_fewer(candidate, original, work=work)
    assert strictly_fewer(candidate, original, work=work) == first
    exact._remembered.clear()
    assert strictly_fewer(candidate, original, work=work, counter="tiktoken") == first
    if first.outcome != "too_large":
        assert bool(first) == oracle(candidate, original)


def test_ties_are_not_fewer():
    """Equal texts, and other texts of the same counts, are refused."""
    assert strictly_fewer("hello world", "hello world").outcome == "not_fewer"
    assert strictly_fewer("hello world", "world hello").outcome == "not_fewer"
    assert strictly_fewer("", "").outcome == "not_fewer"


def test_fewer_under_one_encoding_only_is_not_fewer():
    """The birthday greeting has 8 tokens under o200k_base and 9 under cl100k_base."""
    greeting = "お誕生日おめでとう"
    nine, ten = " a" * 9, " a" * 10
    assert strictly_fewer(greeting, nine).outcome == "not_fewer"
    assert strictly_fewer(greeting, ten) == Verdict("fewer", "exact")


@pytest.mark.parametrize(
    ("candidate", "original", "outcome", "step"),
    [
        ("ab", "x" * 1000, "fewer", "bytes"),
        ("x" * 1000, "ab", "not_fewer", "bytes"),
        ("", "x", "fewer", "bytes"),
        ("x", "", "not_fewer", "bytes"),
        ("1" * 30, "a b c d e f g h i j k", "fewer", "boundaries"),
        ("a long first line of text\n", "a long first line of text\nb\n", "fewer", "lines"),
        ("hello world", "hello, world", "fewer", "exact"),
        ("hello, world", "hello world", "not_fewer", "exact"),
    ],
)
def test_each_step_decides_what_it_can(candidate, original, outcome, step):
    """The step that settles a question is the cheapest that can."""
    assert strictly_fewer(candidate, original) == Verdict(outcome, step)


def test_work_bounds_the_effort():
    """A question bounds do not settle is refused without work, and decided with it."""
    assert strictly_fewer("hello world", "hello, world", work=0) == Verdict("too_large", "work")
    assert strictly_fewer("hello world", "hello, world", work=1000).outcome == "fewer"
    assert strictly_fewer("ab", "x" * 1000, work=0).outcome == "fewer"


def test_an_unknown_counter_is_an_error():
    """A misspelt counter does not silently decide."""
    with pytest.raises(ValueError, match="abacus"):
        strictly_fewer("hello world", "hello, world", counter="abacus")


MEGABYTE = 1_000_000
PATHOLOGICAL = {
    "one letter": "a" * MEGABYTE,
    "spaces": " " * MEGABYTE,
    "newlines": "\n" * MEGABYTE,
    "letters of base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w/+" * (MEGABYTE // 58),
    "emoji": "😀🏳️‍🌈" * (MEGABYTE // 18),
    "CJK": "漢字仮名交じり文" * (MEGABYTE // 24),
    "spaces then a letter": " " * MEGABYTE + "a",
    "contractions": "n't" * (MEGABYTE // 3),
    "slashes": "\n/" * (MEGABYTE // 2),
    "marks": "\u0301" * (MEGABYTE // 2),
    "surrogates": "\ud800" * (MEGABYTE // 3),
}


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_pathological_text_is_decided_or_refused(name, counter):
    """A megabyte without structure ends in a verdict; the bound is generous, as the machine may be busy."""
    original = PATHOLOGICAL[name]
    encodings()
    for share in (0.001, 0.1, 0.5, 1):
        candidate = original[: int(len(original) * share)] + "…"
        started = time.process_time()
        outcome = strictly_fewer(candidate, original, counter=counter).outcome
        assert time.process_time() - started < 2
        assert outcome == "fewer" or share > 0.001 or name == "surrogates"


SCRIPT = """
import sys
before = set(sys.modules)
from cablese.runtime.tokens import strictly_fewer
{decide}
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("cablese")))
"""


def _imports(decide):
    script = SCRIPT.format(decide=decide)
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


def test_bounds_import_nothing():
    """What bounds settle opens no table and imports no module, not even `re`."""
    assert _imports("assert strictly_fewer('ab', 'x' * 1000)") <= {"__future__"}
    assert _imports("assert strictly_fewer('1' * 30, 'a b c d e f g h i j k')") <= {"__future__"}


def test_counting_imports_little():
    """The exact step needs `re`, `mmap`, `zlib` and what they bring along; no vocabulary, no dataclasses."""
    imported = _imports("assert strictly_fewer('hello world', 'hello, world')")
    assert "mmap" in imported
    assert not imported & {"tiktoken", "typing", "dataclasses", "pydantic", "json", "pathlib", "hashlib", "lzma"}
