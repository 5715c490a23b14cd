"""The last line of defence: never too long, cut at records or between characters, honest about what is missing."""

from __future__ import annotations

import json
import logging
import re

import pytest
import regex
from cablese.runtime import truncate
from cablese.runtime.truncation import LONGEST, find_boundary
from hypothesis import given
from hypothesis import strategies as st

LINES = "".join(f"line {i}\n" for i in range(1_000))
NOTICE = re.compile(
    r"\[truncated: (?:([\d,]+) of ([\d,]+) (element|line)s? left out, )?([\d,]+) of ([\d,]+) characters"
    r"(?: left out)?(?:; original: (.*))?\]"
)


def read(shown: str) -> tuple[str, str | None, int, int, int, int]:
    """Return what is kept, the unit, records left out and in all, characters left out and in all."""
    kept, _, last = shown.rpartition("\n")
    found = NOTICE.fullmatch(last)
    assert found is not None, last
    left, total, unit, missing, size, _ = found.groups()
    numbers = [int((each or "0").replace(",", "")) for each in (left, total, missing, size)]
    return kept, unit, *numbers


def test_what_fits_is_the_same_object():
    """Nothing is done to what is short enough, to the last character."""
    text = "x" * 200_000
    assert truncate(text) is text
    assert truncate(LINES, len(LINES)) is LINES
    assert len(truncate(text + "x")) <= 200_000


def test_lines_are_kept_whole_and_those_left_out_are_counted():
    """Whole lines, then one that says how many are missing and how to get them."""
    shown = truncate(LINES, 500, tool="bash", handle="482910557213004")
    assert shown.endswith("; original: cablese show 482910557213004]")
    kept, unit, left, total, missing, size = read(shown)
    lines = kept.split("\n")
    assert lines == LINES.split("\n")[: len(lines)]
    assert (unit, left, total) == ("line", 1_000 - len(lines), 1_000)
    assert (missing, size) == (len(LINES) - len(kept) - 1, len(LINES))
    assert shown.splitlines()[-2:] == [
        "line 48",
        "[truncated: 951 of 1,000 lines left out, 8,508 of 8,890 characters; original: cablese show 482910557213004]",
    ]
    assert "ask for 7]" in truncate(LINES, 500, handle="7", hint="ask for {handle}")
    assert "original" not in truncate(LINES, 500)


@pytest.mark.parametrize("indent", [None, 1])
def test_arrays_are_cut_between_their_elements(indent):
    """Whole elements of a JSON array, whatever stands in their strings, and however it is laid out."""
    elements = [{"id": i, "text": f'] , "{i}\n[', "n": [1, 2.5, None]} for i in range(300)]
    text = json.dumps(elements, indent=indent)
    kept, unit, left, total, missing, size = read(truncate(text, 2_000))
    begun = json.loads(kept + "]")
    assert begun == elements[: len(begun)]
    assert (unit, left, total) == ("element", 300 - len(begun), 300)
    assert (missing, size) == (len(text) - len(kept), len(text))
    assert len(kept) > 1_800


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-1],
        lambda text: text + "x]",
        lambda text: text.replace("1", "NaN", 1),
        lambda text: text.replace(",", ",,", 1),
        lambda text: text[:-1] + ",]",
        lambda text: "[" * 100_000 + text + "]" * 100_000,
        lambda text: "\ufeff" + text,
        lambda text: "[" + text[1:].replace("[", "{", 1),
    ],
)
def test_what_is_no_array_is_cut_at_lines(damage):
    """Where it is not sure what an element is, the text has lines, or characters."""
    text = damage(json.dumps([[i] for i in range(1_000)], indent=1))
    shown = truncate(text, 2_000)
    kept, unit, *_ = read(shown)
    assert unit != "element"
    assert text.startswith(kept)


def test_one_enormous_record_is_cut_within():
    """Where whole records would fill less than half of the room, the cut is between two characters."""
    text = "Result:\n" + "é" * 10_000
    kept, unit, _, _, missing, size = read(truncate(text, 1_000))
    assert unit is None
    assert text.startswith(kept)
    assert len(kept) > 850
    assert missing == size - len(kept)
    kept, unit, *_ = read(truncate(json.dumps(["x", "y" * 10_000, "z"]), 1_000))
    assert unit is None
    assert kept.startswith('["x", "yyy')


def test_tiny_bounds_are_sane():
    """With less and less room the last line gives up its handle, its numbers, its words."""
    shown = [truncate(LINES, bound, handle="482910557213004") for bound in range(120, -1, -1)]
    assert all(len(each) <= bound for each, bound in zip(shown, range(120, -1, -1), strict=True))
    assert shown[-1] == ""
    assert shown[-2] == "…"
    assert shown[-3] == "l…"
    assert truncate(LINES, 11) == "line 0\nlin…"
    assert truncate(LINES, 12) == "[truncated]"
    assert truncate(LINES, 30) == "line 0\nline 1\nline\n[truncated]"
    kinds = [
        "handle"
        if "cablese show" in each
        else "numbers"
        if "left out" in each
        else "words"
        if "[trunc" in each
        else "…"
        for each in shown
    ]
    assert list(dict.fromkeys(kinds)) == ["handle", "numbers", "words", "…"]
    with pytest.raises(ValueError, match="`max_chars` is -1"):
        truncate("", -1)


CLUSTERS = st.sampled_from(
    [
        *"ab \t[]{},:1\"'",
        "\n",
        "\r\n",
        "\r",
        "e\u0301",
        "a\u0301\u0302\u0303",
        "😀",
        "👍🏽",
        "👩\u200d👩\u200d👧",
        "❤️",
        "🇩🇪",
        "🇫🇷🇯🇵",
        "🏴\U000e0067\U000e0062\U000e007f",
        "각",
        "\u1100\u1161\u11a8",
        "한글",
        "क्षि",
        "நி",
        "ก็",
        "日本",
        "ｶﾞ",
        "\u0600١",
        "\u0301",
        "\u200d",
    ]
)
TEXT = st.lists(CLUSTERS, max_size=60).map("".join)


@given(TEXT, st.integers(0, 120))
def test_no_character_is_taken_apart(text, at):
    """A place to cut is a boundary of grapheme clusters, as another library finds them, and the last or near it."""
    place = find_boundary(text, at)
    assert place <= at
    boundaries = {0, len(text)} | {match.end() for match in regex.finditer(r"\X", text)}
    assert at >= len(text) or place in boundaries


def test_surrogate_pairs_are_kept_together():
    """Pairs of surrogates, which come from broken decoders, are not parted; lone ones are characters."""
    assert find_boundary("a\ud83d\ude00b", 2) == 1
    assert find_boundary("a\ude00\ud83db", 2) == 2
    shown = truncate("\ud83d\ude00" * 10_000, 301)
    assert shown.split("\n")[0] == "\ud83d\ude00" * (len(shown.split("\n")[0]) // 2)


def test_characters_without_end_are_cut():
    """Accents and flags without end, millions of them, take no time to speak of, and do not take the text with them."""
    text = "abc" + "\u0301" * 3_000_000
    shown = truncate(text)
    assert 199_900 < len(shown) <= 200_000
    assert text.startswith(read(shown)[0])
    assert read(truncate("🇩" * 300_001))[0] == "🇩" * (len(read(truncate("🇩" * 300_001))[0]) // 2 * 2)
    assert find_boundary("a" + "\u0301" * LONGEST, LONGEST) == 0
    assert find_boundary("\u0301" * 2 * LONGEST + "\ud83d\ude00", 2 * LONGEST + 1) == 2 * LONGEST


def test_elements_without_end_are_counted_all():
    """Of an array of a million numbers those that fit are found one by one, and the rest is counted at once."""
    shown = truncate("[" + "1," * 999_999 + "1]", 1000)
    assert "elements left out" in shown
    kept = shown.partition("\n")[0].count("1")
    assert f"truncated: {1_000_000 - kept:,} of 1,000,000 elements left out" in shown


ARRAYS = st.lists(st.text(max_size=5) | st.integers() | st.lists(st.booleans(), max_size=2), max_size=40)


@given(TEXT | st.builds(json.dumps, ARRAYS, indent=st.sampled_from([None, 1])), st.integers(0, 300))
def test_the_bound_holds_and_cutting_again_changes_nothing(text, bound):
    """Never longer than allowed, the same text again, and otherwise a beginning with a notice whose numbers add up."""
    shown = truncate(text, bound)
    assert len(shown) <= bound
    assert truncate(shown, bound) is shown
    assert truncate(text, bound) == shown
    if shown == text or "characters" not in shown:
        return
    kept, unit, left, total, missing, size = read(shown)
    assert size == len(text)
    assert text.startswith(kept)
    assert len(text) - missing in (len(kept), len(kept) + 1)
    if unit == "line":
        assert total == len(text.split("\n")) - text.endswith("\n")
        assert left == total - text.count("\n", 0, len(text) - missing)


def test_cuts_are_logged_with_tool_and_sizes(caplog):
    """One warning for each cut, none for what fits."""
    with caplog.at_level(logging.DEBUG, logger="cablese"):
        truncate("short")
        assert not caplog.records
        shown = truncate(LINES, 500, tool="search\nforged")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == (
        f"truncated a result of the tool 'search\\nforged' from {len(LINES)} to {len(shown)} characters"
    )


def test_the_function_stays_a_function():
    """The name of the function is not that of a module, which would take its place once loaded."""
    import cablese.runtime

    assert cablese.runtime.truncate is cablese.runtime.truncate
    assert callable(cablese.runtime.truncate)
