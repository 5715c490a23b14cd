"""The exact counter agrees with tiktoken: token ids, counts, and ids at every cut."""

import pytest
from cablese.runtime.tokens import count_tokens, exact, merge, split
from cablese.runtime.tokens.bounds import count_boundaries, least_bytes, most_tokens
from cablese.runtime.tokens.codepoints import CLASS_TEXT, count_surrogates, without_surrogates
from cablese.runtime.tokens.resident import encodings
from hypothesis import example, given, settings
from hypothesis import strategies as st

ATOMS = [
    *" \t\n\r\x0b\x0c\x1c\x00'/.,-=_()abstzABZ0159",
    *"\u00a0\u3000\u0085\u2028\u200déÉſßДд漢字ªʰǅ٣½Ⅷ😀\u0301\u0e31\ud800\udc00",
    *("\n\n", "  ", "\r\n", "\n/", "'s", "'LL", "'\u017f", "'re", "://", " and", "hello", "--------", "    ", "한국어"),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(ATOMS), max_size=40).map("".join),
    st.sets(st.sampled_from(ATOMS), min_size=1, max_size=4).flatmap(
        lambda few: st.lists(st.sampled_from(sorted(few)), max_size=60).map("".join)
    ),
    st.text(max_size=30),
)

MANY = settings(max_examples=200, deadline=None)


def oracle(text):
    """Return tiktoken's ids under both encodings."""
    return [encoding.encode_ordinary(text) for encoding in encodings()]


def chunks_of(text, first=64):
    """Return the chunks the counter cuts `text` into."""
    return [chunk for window in split.windows(text, first) for chunk in window]


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [("hello world", 2, 2), ("お誕生日おめでとう", 8, 9), ("<|endoftext|>", 7, 7), ("", 0, 0)],
)
def test_reference_counts(text, o200k, cl100k):
    """Known counts; special tokens are plain text."""
    assert count_tokens(text) == {"o200k_base": o200k, "cl100k_base": cl100k}


@MANY
@given(TEXTS)
@example("foo'\u017f bar")
@example("\n \n  x\r\n\t/")
def test_ids_are_those_of_tiktoken(text):
    """Token ids are equal under both encodings, surrogates included."""
    ids = oracle(text)
    assert [encoder.encode(text) for encoder in exact.encoders()] == ids
    assert list(count_tokens(text).values()) == [len(some) for some in ids]


@MANY
@given(TEXTS)
def test_ids_at_each_chunk_cut(text):
    """The ids of a text are the ids of its chunks, one after the other."""
    text = without_surrogates(text)
    chunks = chunks_of(text)
    assert "".join(chunks) == text
    for encoding in encodings():
        joined = [token for chunk in chunks for token in encoding.encode_ordinary(chunk)]
        assert joined == encoding.encode_ordinary(text)


@MANY
@given(TEXTS)
def test_ids_at_each_line_cut(text):
    """Cutting after each line end that `LINES` accepts leaves the ids as they are."""
    text = without_surrogates(text)
    first, *rest = split.LINES.split(text)
    lines = [first]
    for line in rest:
        lines[-1] += "\n"
        lines.append(line)
    assert "".join(lines) == text
    for encoding in encodings():
        assert [token for line in lines for token in encoding.encode_ordinary(line)] == encoding.encode_ordinary(text)


@MANY
@given(TEXTS)
def test_boundaries_seen_from_two_bytes_are_cuts(text):
    """Each position the cheap bound counts is a cut: ids left and right of it are the ids of the whole."""
    text = without_surrogates(text)
    raw = text.encode()
    cuts = [at for at in range(1, len(raw)) if count_boundaries(raw[at - 1 : at + 1])]
    assert count_boundaries(raw) == len(cuts)
    for encoding in encodings():
        whole = encoding.encode_ordinary(text)
        for at in cuts:
            left, right = raw[:at].decode(), raw[at:].decode()
            assert encoding.encode_ordinary(left) + encoding.encode_ordinary(right) == whole
        assert len(whole) > len(cuts) or not raw


@MANY
@given(TEXTS)
def test_certain_bounds_hold(text):
    """No count is above `most_tokens`, below a 128th of the bytes, or above the bytes."""
    for ids in oracle(text):
        assert -(-least_bytes(text) // 128) <= len(ids) <= most_tokens(text)


@MANY
@given(TEXTS, st.integers(1, 80))
def test_windows_do_not_change_chunks(text, size):
    """However small the first window, the chunks are those of the text as a whole."""
    text = without_surrogates(text) * 3
    assert chunks_of(text, size) == [chunk for chunk in split.pieces_of(split.CHUNK, text) if chunk]


def _merge_by_the_book(word, rank):
    parts = [word[at : at + 1] for at in range(len(word))]
    while len(parts) > 1:
        lowest, at = min((rank(parts[at] + parts[at + 1]), at) for at in range(len(parts) - 1))
        if lowest == merge.NEVER:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    starts = [0]
    for part in parts[:-1]:
        starts.append(starts[-1] + len(part))
    return starts


@pytest.mark.parametrize("index", [0, 1])
@settings(max_examples=120, deadline=None)
@given(st.one_of(st.text("ab", min_size=1), st.text("etaoin shr", min_size=1), st.text("漢字のあ", min_size=1)))
def test_both_ways_of_merging_follow_the_rule(index, text):
    """Scanning and buckets join the same pairs as the rule written down plainly."""
    rank = exact.encoders()[index]._rank
    word = text.encode()
    assert merge.merge_short(word, rank) == merge.merge_long(word, rank) == _merge_by_the_book(word, rank)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_merging_follows_the_rule_for_any_ranks(data):
    """Also where joining a pair makes a pair of lower rank, which trained ranks hardly do."""
    keys = st.text("abc", min_size=2, max_size=4).map(str.encode)
    order = data.draw(st.lists(keys, unique=True, max_size=30))
    ranks = {key: rank for rank, key in enumerate(order)}
    word = data.draw(st.text("abc", min_size=1, max_size=40)).encode()

    def rank(key):
        return ranks.get(key, merge.NEVER)

    assert merge.merge_short(word, rank) == merge.merge_long(word, rank) == _merge_by_the_book(word, rank)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 5000,
        " " * 5000 + "x",
        "\n" * 5000,
        "=" * 3000,
        "漢" * 2000,
        "😀" * 1000,
        "Ab" * 2000,
        "'s" * 2000,
        "n't" * 999,
    ],
)
def test_long_words(text):
    """Words of thousands of bytes: ids equal, by the nearly linear way of merging."""
    assert [encoder.encode(text) for encoder in exact.encoders()] == oracle(text)


def test_surrogates_are_replaced_as_tiktoken_does():
    """A pair is one character, a lone one is U+FFFD."""
    text = "a\ud83d\ude00b\ud83dc\ude00"
    assert without_surrogates(text) == "a\U0001f600b\ufffdc\ufffd"
    assert count_surrogates(text) == 4
    assert list(count_tokens(text).values()) == [len(ids) for ids in oracle(text)]


def test_classes_of_code_points_are_those_of_the_pattern_engine():
    """The committed classes are what tiktoken's pattern engine says today, for every code point."""
    from cablese.runtime.tokens.codepoints import load_ranges
    from cablese.runtime.tokens.generate import probe_classes, render_ranges

    assert bytes(memoryview(render_ranges(probe_classes()))) == b"".join(
        word.to_bytes(4, "little") for word in load_ranges()
    )


@MANY
@given(TEXTS)
def test_class_text_keeps_offsets(text):
    """Class text has the length of the text, and leaves ASCII as it is."""
    mapped = text.translate(CLASS_TEXT)
    assert len(mapped) == len(text)
    assert all(a == b for a, b in zip(text, mapped, strict=True) if a.isascii())
