"""Features: what a pack makes use of is stated in it, and a runtime without it says what is needed."""

import re
from pathlib import Path

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.features import find_features
from cablese.dsl.codes import CODES
from cablese.runtime.packs import features
from cablese.runtime.packs.catalogue import CURATED_PACK, EXTRA_PACK
from cablese.runtime.packs.errors import PackNeedsNewer
from cablese.runtime.packs.features import FEATURES, OLDEST
from cablese.runtime.packs.pack import PackOutOfBounds, load_pack, open_pack
from cablese.runtime.packs.versions import is_lower, version_key
from hypothesis import given
from hypothesis import strategies as st

from ...compiler.rules import sketch
from ..engine.packs import assemble, canonical, header_of
from ..engine.programs import git_log

GROUPED = sketch(
    facts="by = group job by name",
    summary="{% for g in by %}\n  {{ g.key }} {{ g.first.n }}\n  {% for r in g.rows %}\n  {{ r.n }}\n  {% endfor %}\n"
    "  {% endfor %}",
)


@pytest.fixture(scope="module")
def packs():
    """Compile a pack for each good example of a code, and take those that ship: together they use everything."""
    texts = [GROUPED, *(code.good for code in CODES.values() if code.good)]
    made = [compile_sources({"a.cable": text}, name="t", version="1", draft=True).pack for text in texts]
    assert all(made)
    return [*made, *(Path(path).read_bytes() for path in (EXTRA_PACK, CURATED_PACK))]


def names(pack):
    """Return the features of a pack."""
    return {name for listed in pack.features.values() for name in listed}


@pytest.mark.parametrize("feature", FEATURES)
def test_a_runtime_without_a_feature_refuses_a_pack_with_it(packs, feature, monkeypatch):
    """The error names the feature, the version that has it, and the one that is here; other packs go on working."""
    data = next(data for data in packs if feature in names(load_pack(data)))
    others = [data for data in packs if feature not in names(load_pack(data))][:3]
    monkeypatch.setattr(features, "FEATURES", {name: came for name, came in FEATURES.items() if name != feature})
    words = re.escape(f"`{feature}` needs cablese {FEATURES[feature]}, this is ")
    with pytest.raises(PackNeedsNewer, match=words):
        load_pack(data)
    for each in others:
        load_pack(each).verify()


def test_a_pack_states_what_its_sections_make_use_of():
    """What is listed is what can be found again in the sections, by the version that brought it."""
    for path in (CURATED_PACK, EXTRA_PACK):
        pack = open_pack(path)
        rules = [pack._section(number, "a rule") for number in range(len(pack.rules))]
        admits = [pack.admit(number) for number in range(pack.admits)]
        assert names(pack) == find_features(rules, admits)
        assert all(FEATURES[name] == version for version, listed in pack.features.items() for name in listed)
    assert load_pack(compile_sources({}, name="t", version="1").pack).features == {}
    assert load_pack(compile_sources({}, name="t", version="1").pack).runtime == OLDEST


def pack_with(**header):
    """Return a pack whose header says something of its own."""
    sections = [canonical(git_log())]
    sections.append(canonical({"path": "a", "line": 1}))
    return assemble(header_of([git_log()], sections, **header), sections)


def test_a_pack_for_a_later_version_says_so_whatever_else_is_new_in_it():
    """Features are looked at before anything that a later version may have added to the header."""
    later = pack_with(features={"0.7.0": ["pattern.tree"]}, runtime="0.7.0", new_there=[])
    with pytest.raises(PackNeedsNewer, match=r"`pattern\.tree` needs cablese 0\.7\.0, this is "):
        load_pack(later)


@pytest.mark.parametrize(
    "header",
    [
        {"features": []},
        {"features": {"0.1.0": []}},
        {"features": {"0.1.0": "admit"}},
        {"features": {"0.1.0": [3]}},
        {"features": {"0.0.9": ["admit"]}, "runtime": "0.0.9"},
        {"features": {"0.1.0": ["admit"]}, "runtime": "9.0.0"},
        {"runtime": 1},
        {"runtime": "0.0.1"},
    ],
)
def test_a_header_that_misstates_its_features_is_refused(header):
    """Versions are those of the table, and the runtime that is asked for is the newest of them."""
    with pytest.raises(PackOutOfBounds):
        load_pack(pack_with(**header))


def test_what_a_pack_needs_is_the_newest_version_of_its_features(monkeypatch):
    """A feature that comes later raises what only those packs need which use it."""
    monkeypatch.setitem(FEATURES, "admit", "0.10.0")
    assert features.group_features(frozenset({"admit", "node.if"})) == (
        "0.10.0",
        {"0.10.0": ["admit"], "0.1.0": ["node.if"]},
    )
    monkeypatch.setitem(FEATURES, "node.out", "0.9.0")
    assert features.group_features(frozenset({"admit", "node.out"}))[0] == "0.10.0"
    assert features.group_features(frozenset({"node.if"}))[0] == "0.1.0"


# The example of section 11 of Semantic Versioning 2.0.0, and one more.
ORDER = "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.9.0"
VERSIONS = [*ORDER.split(), "1.10.0", "2.0.0"]


@given(st.integers(0, len(VERSIONS) - 1), st.integers(0, len(VERSIONS) - 1))
def test_versions_go_as_semantic_versioning_has_it(one, other):
    """What is behind a plus does not count."""
    assert is_lower(VERSIONS[one], VERSIONS[other]) == (one < other)
    assert is_lower(f"{VERSIONS[one]}+z", f"{VERSIONS[other]}+a") == (one < other)


@pytest.mark.parametrize(
    "text", ["", "1", "1.0", "1.0.0.0", "01.0.0", "v1.0.0", "1.0.x", "1.0.0-", "1.0.0-a..b", "\uff11.0.0"]
)
def test_what_is_no_version_has_no_order(text):
    """Such a pack is neither older nor newer than another."""
    assert version_key(text) is None
    assert not is_lower(text, "9.9.9")
    assert not is_lower("0.0.1", text)


@given(st.text(max_size=12))
def test_no_text_is_too_odd_for_a_version(text):
    """Whatever is given, there is a key or none."""
    key = version_key(text)
    assert key is None or sorted([key, ((0, 0, 0), False, ())])
