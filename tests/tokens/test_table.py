"""Rank tables: what they answer, and what is refused."""

from pathlib import Path
from zlib import crc32

import pytest
from cablese.runtime.tokens import ranks, table
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a folder with freshly built tables."""
    folder = tmp_path_factory.mktemp("tables")
    assert table.build_tables(folder) == [str(folder / f"{name}.table") for name in ranks.NAMES]
    return folder


@pytest.fixture(scope="module")
def tokens():
    """Return the ordered tokens of both encodings."""
    return {name: ranks.load_tokens(name) for name in ranks.NAMES}


@pytest.mark.parametrize("name", ranks.NAMES)
def test_every_token_has_its_rank(name, built, tokens):
    """The table answers the rank of each token, and verifies."""
    table.verify_table(name, str(built))
    look_up = table.open_table(name, str(built))
    assert [look_up[token] for token in tokens[name]] == list(range(len(tokens[name])))


@pytest.mark.parametrize("name", ranks.NAMES)
def test_other_bytes_have_no_rank(name, built, tokens):
    """Neighbours of tokens (a byte more, a byte less) are found only if they are tokens themselves."""
    look_up = table.open_table(name, str(built))
    rank_of = {token: rank for rank, token in enumerate(tokens[name])}
    for token in tokens[name][::7]:
        for key in (token + b"q", token[:-1], b"\xff" + token, token.swapcase()):
            assert look_up[key] == rank_of.get(key, ranks.NEVER)
    assert look_up[b" " * 129] == ranks.NEVER


@given(st.binary(max_size=140))
def test_any_bytes_can_be_asked_for(built, tokens, key):
    """No byte string raises, and what is found is the token itself."""
    for name in ranks.NAMES:
        rank = table.open_table(name, str(built))[key]
        assert rank == ranks.NEVER or tokens[name][rank] == key


def test_building_is_deterministic(built, tokens):
    """Rendering again gives the same bytes."""
    for name in ranks.NAMES:
        assert (built / f"{name}.table").read_bytes() == table.render_table(name, tokens[name])


def test_a_missing_table_is_built_in_memory(built, tmp_path):
    """Without a file the answers are the same, and nothing is written."""
    built_table = table.open_table("cl100k_base", str(built))
    # The data folder of the package may hold tables; a copy of the rank data alone does not.
    source = Path(ranks.DATA, "cl100k_base.tokens.xz")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    in_memory = table.open_table("cl100k_base", str(tmp_path))
    for key in (b"hello", b" world", b"\xe6\xbc\xa2", b"no token at all"):
        assert in_memory[key] == built_table[key]
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def _damaged(built, tmp_path, change):
    raw = bytearray((built / "cl100k_base.table").read_bytes())
    changed = change(raw)
    (tmp_path / "cl100k_base.table").write_bytes(raw if changed is None else changed)
    return str(tmp_path)


@pytest.mark.parametrize("at", range(64))
def test_a_damaged_header_is_refused(built, tmp_path, at):
    """Each bit of the header matters."""

    def change(raw):
        raw[at] ^= 1 << at % 8

    with pytest.raises(table.TableError):
        table.open_table("cl100k_base", _damaged(built, tmp_path, change))


@pytest.mark.parametrize("size", [0, 10, 64, 100_000, -1])
def test_a_table_of_another_size_is_refused(built, tmp_path, size):
    """A cut table is refused, and so is one that grew."""
    folder = _damaged(built, tmp_path, lambda raw: raw[:size] if size >= 0 else raw + b"\0")
    with pytest.raises(table.TableError):
        table.open_table("cl100k_base", folder)


@pytest.mark.parametrize(("at", "says"), [(8, "version"), (24, "other rank data")])
def test_a_stale_table_is_refused(built, tmp_path, at, says):
    """A sound header of another version or of other rank data is refused, and the message says which."""

    def change(raw):
        raw[at] ^= 1
        raw[60:64] = crc32(raw[:60]).to_bytes(4, "little")

    with pytest.raises(table.TableError, match=says):
        table.open_table("cl100k_base", _damaged(built, tmp_path, change))


@pytest.mark.parametrize("at", [64, 70_001, 1_500_000, -1])
def test_verifying_sees_a_single_changed_bit(built, tmp_path, at):
    """`verify_table` reads everything."""

    def change(raw):
        raw[at] ^= 1

    with pytest.raises(table.TableError, match="damaged"):
        table.verify_table("cl100k_base", _damaged(built, tmp_path, change))


def test_a_table_of_the_other_encoding_is_refused(built, tmp_path):
    """A table under the wrong name is refused."""
    (tmp_path / "o200k_base.table").write_bytes((built / "cl100k_base.table").read_bytes())
    with pytest.raises(table.TableError):
        table.open_table("o200k_base", str(tmp_path))
