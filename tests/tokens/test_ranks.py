"""The embedded rank data is that of tiktoken, and damage is refused."""

import hashlib
import shutil
from pathlib import Path

import pytest
import tiktoken_ext.openai_public as published
from cablese.runtime.tokens import ranks, resident
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def tokens():
    """Return the ordered tokens of both encodings."""
    return {name: ranks.load_tokens(name) for name in ranks.NAMES}


@pytest.mark.parametrize("name", ranks.NAMES)
def test_digests_and_patterns_are_those_of_tiktoken(name, monkeypatch):
    """What this package names as digest and pattern is what tiktoken's own source names."""
    asked = []
    monkeypatch.setattr(published, "load_tiktoken_bpe", lambda _url, expected_hash: asked.append(expected_hash) or {})
    constructed = published.ENCODING_CONSTRUCTORS[name]()
    assert asked == [ranks.DIGESTS[name]]
    assert constructed["pat_str"] == resident.PATTERNS[name]


@pytest.mark.parametrize("name", ranks.NAMES)
def test_embedded_tokens_render_to_the_published_file(name, tokens):
    """The rank file rendered from the embedded tokens has the published digest, and parses back."""
    rendered = ranks.render_rank_file(tokens[name])
    assert hashlib.sha256(rendered).hexdigest() == ranks.DIGESTS[name]
    assert ranks.parse_rank_file(rendered) == tokens[name]


def test_facts_the_bounds_rest_on(tokens):
    """Tokens have 1 to 128 bytes; all single bytes and all runs of one to three digits are tokens."""
    for ordered in tokens.values():
        known = set(ordered)
        assert len(known) == len(ordered)
        assert max(map(len, ordered)) == ranks.LONGEST == 128
        assert min(map(len, ordered)) == 1
        assert all(bytes((value,)) in known for value in range(256))
        assert all(b"%0*d" % (width, n) in known for width in (1, 2, 3) for n in range(10**width))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=255), max_size=40))
def test_packing_round_trips(ordered):
    """Unpacking gives back what was packed."""
    assert ranks.unpack_tokens(ranks.pack_tokens(ordered)) == ordered


@settings(max_examples=3, deadline=None)
@given(st.integers(min_value=0), st.integers(1, 255))
def test_a_changed_token_is_refused(tokens, where, change):
    """A single changed byte in a single token fails the digest."""
    ordered = list(tokens["cl100k_base"])
    where %= len(ordered)
    token = bytearray(ordered[where])
    token[0] ^= change
    ordered[where] = bytes(token)
    with pytest.raises(ranks.RankDataError, match="digest"):
        ranks.check_tokens("cl100k_base", ordered)


@pytest.mark.parametrize("damage", [lambda raw: raw[:-9], lambda raw: raw[:5000] + b"\0\0\0\0" + raw[5004:]])
def test_a_damaged_file_is_refused(damage, tmp_path):
    """A cut or overwritten data file is refused by name."""
    source = Path(ranks.DATA, "cl100k_base.tokens.xz")
    (tmp_path / source.name).write_bytes(damage(source.read_bytes()))
    with pytest.raises(ranks.RankDataError):
        ranks.load_tokens("cl100k_base", str(tmp_path))


def test_a_missing_file_is_refused(tmp_path):
    """A missing data file is refused by name."""
    with pytest.raises(ranks.RankDataError, match="o200k_base"):
        ranks.load_tokens("o200k_base", str(tmp_path))


def test_data_of_the_other_encoding_is_refused(tmp_path):
    """Good data under the wrong name fails the digest."""
    shutil.copy(Path(ranks.DATA, "cl100k_base.tokens.xz"), tmp_path / "o200k_base.tokens.xz")
    with pytest.raises(ranks.RankDataError, match="digest"):
        ranks.load_tokens("o200k_base", str(tmp_path))


@pytest.mark.parametrize("raw", [b"IQ== 1\n", b"IQ== 0\nIg== 0\n", b"IQ==\n", b"IQ 0\n"])
def test_a_malformed_rank_file_is_refused(raw):
    """Ranks must be dense and in order, tokens base64."""
    with pytest.raises(ranks.RankDataError):
        ranks.parse_rank_file(raw)
