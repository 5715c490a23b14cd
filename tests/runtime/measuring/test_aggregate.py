"""Sums merge in any order and grouping, and only with sums of the same measurement."""

import pytest
from cablese.runtime.measuring.aggregate import Aggregate, Basis, MergeError
from hypothesis import given
from hypothesis import strategies as st

BASIS = Basis("0.1.0", "sessions", "o200k_base", (1, 2, 3), ("curated 1.0.0 abc",), ("admission none",))
NAMES = st.lists(st.sampled_from(["a", "b", "\u00e9", ""]), min_size=1, max_size=3).map(tuple)
COUNTS = st.lists(st.tuples(NAMES, st.integers(-5, 10**18)), max_size=6)


def total(parts):
    """Merge parts into an empty aggregate, one after the other."""
    whole = Aggregate(BASIS)
    for part in parts:
        whole.merge(Aggregate(BASIS, part))
    return whole


@given(st.lists(COUNTS, max_size=5), st.randoms(use_true_random=False), st.integers(0, 5))
def test_merging_is_associative_and_commutative(parts, random, at):
    """Shuffled, and in two halves: the same bytes."""
    whole = total(parts)
    shuffled = list(parts)
    random.shuffle(shuffled)
    left, right = total(shuffled[:at]), total(shuffled[at:])
    right.merge(left)
    assert right == whole
    assert right.to_bytes() == whole.to_bytes()
    right.merge(Aggregate(BASIS))
    assert right == whole


@given(COUNTS)
def test_an_aggregate_is_read_back_from_its_bytes(counts):
    """And no count of zero is in it."""
    found = Aggregate(BASIS, counts)
    assert Aggregate.from_bytes(found.to_bytes()) == found
    assert 0 not in found.counts.values()


@given(st.binary(max_size=40) | st.sampled_from([b"{}", b"[]", b'{"basis":{},"counts":[]}', b"[" * 5000]))
def test_other_bytes_are_refused(data):
    """With ValueError, whatever they are."""
    with pytest.raises(ValueError, match="not an aggregate"):
        Aggregate.from_bytes(data)


@pytest.mark.parametrize("change", [(b":1,", b":1.0,"), (b'",3]', b'",true]'), (b"counts", b"count"), (b'"a"', b"7")])
def test_other_types_and_spellings_are_refused(change):
    """A sum is a whole number under texts, in one spelling."""
    data = Aggregate(BASIS._replace(limits=(1,)), [(("a",), 3)]).to_bytes().replace(b"[1]", b"[1,2]").replace(*change)
    with pytest.raises(ValueError, match="not an aggregate"):
        Aggregate.from_bytes(data + b" " * (change[0] == b":1,"))


@pytest.mark.parametrize("field", Basis._fields)
def test_sums_of_different_measurements_are_refused(field):
    """Another version, archive, encoding, limit, pack or setting: nothing is added."""
    other = BASIS._replace(**{field: ("other",) if isinstance(getattr(BASIS, field), tuple) else "other"})
    ours = Aggregate(BASIS, [(("a",), 1)])
    with pytest.raises(MergeError, match=field):
        ours.merge(Aggregate(other, [(("a",), 1)]))
    assert ours[("a",)] == 1
