"""Packs that can be read and may not be used: without a demanded signature, downgraded, or owning what another owns."""

import os

import pytest
from cablese import Compressor, ToolResult
from cablese.runtime import MemoryStore
from cablese.runtime.packs.activation import check_version
from cablese.runtime.packs.catalogue import CURATED_PACK, EXTRA_PACK, Catalogue, PackUnusableError, open_pack_file
from cablese.runtime.packs.errors import PackDowngraded, PackNeedsNewer, describe_fault
from cablese.runtime.packs.pack import (
    LARGEST_PACK,
    NotAPackError,
    PackDuplicate,
    PackError,
    PackOutOfBounds,
    PackTooLarge,
    load_pack,
    open_pack,
)
from cablese.runtime.packs.roots import find_clash
from cablese.runtime.settings import Settings, SettingsError, read_settings
from hypothesis import given
from hypothesis import strategies as st

from ..engine.packs import assemble, canonical, header_of, source_map
from ..engine.programs import git_log
from .workshop import OUTPUT, make_key, make_pack


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Make two pairs of keys."""
    folder = tmp_path_factory.mktemp("keys")
    return make_key(folder, "ours"), make_key(folder, "theirs")


@pytest.fixture
def write(tmp_path):
    """Give a function that writes a pack into a file of some name, and returns its path."""

    def write_pack(file, data=None, **pack):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data or make_pack(**pack))
        return str(path)

    return write_pack


def trusting(*paths, **settings):
    """Return settings in which these files are trusted, as packs of third parties."""
    digests = frozenset(open_pack(path).digest for path in paths)
    return Settings(packs=paths, trusted=digests, enabled=frozenset({"curated", "team", "other"}), **settings)


def used(catalogue):
    """Return the names and versions of the packs that are used, ours aside."""
    return [(source.pack.name, source.pack.version) for source in catalogue.sources() if not source.own]


def demanding(key):
    """Return the part of settings that demands a signature by a key."""
    return {"require_signature": True, "keys": (str(key.public),)}


# --- signatures -----------------------------------------------------------------------------------------------------


def test_a_demanded_signature_decides_whether_a_pack_is_used(keys, write):
    """Unsigned, or signed by another: left out with the reason, whatever is trusted; ours need none."""
    ours, theirs = keys
    good, bare = write("good", keys=[ours]), write("bare", name="other", rule="other.list", command="other list")
    foreign = write("foreign", name="third", rule="third.list", command="third list", keys=[theirs])
    catalogue = Catalogue(trusting(good, bare, foreign, **demanding(ours)))
    assert used(catalogue) == [("team", "1.0.0")]
    words = {remark.path: (remark.words, remark.damaged) for remark in catalogue.remarks()}
    assert words[bare] == (f"{bare}: not signed: a signature is demanded, and it has none", True)
    assert words[foreign][0].startswith(f"{foreign}: signed by another key: ed25519:{theirs.hex} is none of")
    assert used(Catalogue(trusting(good, bare, foreign))) != used(catalogue)
    for path in (bare, foreign):
        with pytest.raises(PackUnusableError, match="sign"):
            Catalogue(Settings(**demanding(ours)), (path,)).sources()
    assert used(Catalogue(Settings(**demanding(ours)), (good,))) == [("team", "1.0.0")]
    installed = Catalogue(Settings(**demanding(ours)), (), (bare, good))
    assert used(installed) == [("team", "1.0.0")]


def test_a_file_of_keys_that_cannot_be_read_leaves_packs_out(keys, write, tmp_path):
    """What cannot be checked does not count."""
    good = write("good", keys=keys[:1])
    settings = trusting(good, require_signature=True, keys=(str(keys[0].public), str(tmp_path / "gone.pem")))
    catalogue = Catalogue(settings)
    assert used(catalogue) == []
    assert "the signature cannot be checked: " in catalogue.remarks()[0].words


def test_a_signature_that_was_checked_is_not_calculated_again(keys, write, monkeypatch):
    """The trust list says for which digest which key signed; a key that no longer counts, or another, does not help."""
    good = write("good", keys=keys[:1])
    digest = open_pack(good).digest
    monkeypatch.setitem(__import__("sys").modules, "cryptography.exceptions", None)
    for signed, expected in (
        ((), []),
        (((digest, keys[0].hex),), [("team", "1.0.0")]),
        (((digest, keys[1].hex),), []),
        ((("0" * 64, keys[0].hex),), []),
    ):
        assert used(Catalogue(trusting(good, signed=signed, **demanding(keys[0])))) == expected
    revoked = trusting(good, signed=((digest, keys[0].hex),), **demanding(keys[1]))
    assert used(Catalogue(revoked)) == []


def test_the_users_file_alone_demands_signatures(tmp_path):
    """A project can neither demand nor lift it; half a demand is a fault, with which nothing is summarised."""
    for folder in ("home/cablese", "work/.cablese"):
        (tmp_path / folder).mkdir(parents=True)
    user, project = tmp_path / "home/cablese/config.toml", tmp_path / "work/.cablese/config.toml"
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}

    def read():
        return read_settings(environ, str(tmp_path / "work"))

    user.write_text('[packs]\nrequire_signature = true\nkeys = ["/k.pem", "/l.pem", "/k.pem"]\n')
    assert (read().require_signature, read().keys) == (True, ("/k.pem", "/l.pem"))
    for text in ("[packs]\nrequire_signature = false", "[packs]", "[packs]\nkeys = []"):
        project.write_text(text)
        with pytest.raises(SettingsError, match="`packs` is not known here; only the user's file may set it"):
            read()
    project.unlink()
    for text, words in {
        "[packs]\nrequire_signature = true": "wants `keys`",
        "[packs]\nrequire_signature = true\nkeys = []": "wants `keys`",
        '[packs]\nkeys = ["k.pem"]': "absolute paths",
        "[packs]\nkeys = 1": "absolute paths",
        "[packs]\nrequire_signature = 1": "true or false",
        "[packs]\nrequire-signature = true": "`require-signature` is not known",
        "packs = 3": "a table",
    }.items():
        user.write_text(text)
        with pytest.raises(SettingsError, match=words):
            read()


# --- versions -------------------------------------------------------------------------------------------------------


def test_an_older_version_than_the_one_trusted_last_is_left_out(write):
    """Also where its digest is still trusted; the words name both versions."""
    old, new = write("old"), write("new", version="1.1.0")
    for versions, expected in (
        ((("team", "1.1.0", ""),), []),
        ((("team", "1.0.0", ""),), [("team", "1.0.0")]),
        ((("team", "0.9.0", ""),), [("team", "1.0.0")]),
        ((("other", "1.1.0", ""),), [("team", "1.0.0")]),
        ((("team", "next", ""),), [("team", "1.0.0")]),
        ((("team", "1.1.0", "/elsewhere/.cablese/pack.cablepack"),), [("team", "1.0.0")]),
    ):
        catalogue = Catalogue(trusting(old, versions=versions))
        assert used(catalogue) == expected
    words = f"{old}: an older version: team 1.0.0, and 1.1.0 was trusted before"
    assert Catalogue(trusting(old, versions=(("team", "1.1.0", ""),))).remarks()[0].words == words
    assert used(Catalogue(trusting(new, versions=(("team", "1.1.0", ""),)))) == [("team", "1.1.0")]


def test_each_project_has_versions_of_its_own(write, tmp_path):
    """Packs of projects often have one name; the place is the same through a link."""
    pack = write("a/.cablese/pack.cablepack", name="pack")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    versions = (("pack", "2.0.0", str((tmp_path / "a/.cablese/pack.cablepack").resolve())),)
    with pytest.raises(PackDowngraded):
        check_version(open_pack(pack), str(tmp_path / "link/.cablese/pack.cablepack"), versions)
    other = write("b/.cablese/pack.cablepack", name="pack")
    check_version(open_pack(other), other, versions)


# --- rules that two packs own ---------------------------------------------------------------------------------------


def test_two_packs_do_not_own_one_rule(write):
    """The one that is asked later is left out, with both packs and the rule in the reason; all its rules are off."""
    first = write("first")
    second = write("second", name="other", command="other list")
    catalogue = Catalogue(trusting(first, second))
    assert used(catalogue) == [("team", "1.0.0")]
    (remark,) = catalogue.remarks()
    assert remark.damaged
    assert remark.words == (
        f"{second}: two packs own one rule: `demo.list` is owned by other 1.0.0 ({second}) and by team 1.0.0 ({first})"
    )
    assert used(Catalogue(trusting(second, first))) == [("other", "1.0.0")]


def test_nobody_owns_a_rule_of_ours(write):
    """One of a third party is left out, one given by hand is an error, and takes the place of ours under its name."""
    path = write("x", rule="bash.git_log", command="git log")
    catalogue = Catalogue(trusting(path))
    assert used(catalogue) == []
    assert "`bash.git_log` is owned by team 1.0.0" in catalogue.remarks()[0].words
    with pytest.raises(PackUnusableError, match=r"two packs own one rule: `bash\.git_log` is owned by .*curated"):
        Catalogue(Settings(), (path,)).sources()
    newer = write("y", rule="bash.git_log", command="git log", name="curated", version="9.0.0")
    catalogue = Catalogue(Settings(), (newer,))
    assert [source.pack.version for source in catalogue.sources()] == ["9.0.0"]
    assert "two packs own one rule" in catalogue.remarks()[0].words
    assert find_clash(open_pack_file(CURATED_PACK), open_pack_file(EXTRA_PACK)) is None


def test_two_packs_that_were_given_by_hand_must_get_along(write):
    """Both have to be whole, so it is an error, and nothing is used."""
    first, second = write("first"), write("second", name="other")
    with pytest.raises(PackUnusableError, match="two packs own one rule"):
        Catalogue(Settings(), (first, second)).sources()
    assert used(Catalogue(Settings(), (first, first))) == [("team", "1.0.0")]


def test_a_root_is_owned_with_all_that_is_below_it(write):
    """Ids go part by part; a pack without roots owns the ids of its rules."""
    roots = write("roots", roots=["acme", "demo"])
    for rule, clashes in (("acme.x", True), ("acme.x.y", True), ("acme", True), ("acmes.x", False), ("x.acme", False)):
        if "." not in rule:
            continue
        other = write(rule, name="other", rule=rule, command="other list")
        assert (find_clash(open_pack(roots), open_pack(other)) is not None) == clashes
        assert (find_clash(open_pack(other), open_pack(roots)) is not None) == clashes
    assert open_pack(roots).roots == ("acme", "demo")
    assert open_pack(write("bare")).roots == ("demo.list",)


IDS = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=3).map(".".join)


@given(st.lists(IDS, min_size=1, max_size=3, unique=True), st.lists(IDS, min_size=1, max_size=3, unique=True))
def test_packs_clash_where_an_id_could_be_below_both(one, two):
    """Held against the definition, id by id."""

    class Stub:
        def __init__(self, roots):
            self.roots = self.rules = tuple(roots)

    def below(rule, roots):
        return any(rule == root or rule.startswith(f"{root}.") for root in roots)

    expected = any(below(rule, one) and below(rule, two) for rule in (*one, *two))
    assert (find_clash(Stub(one), Stub(two)) is not None) == expected


# --- files that contradict themselves or lie ------------------------------------------------------------------------


def test_ids_that_stand_twice_or_outside_of_the_roots_have_their_error():
    """The message names the rule."""
    rules = [git_log(), git_log()]
    sections = [canonical(part) for part in (*rules, *map(source_map, rules))]
    with pytest.raises(PackDuplicate, match=f"the rule `{rules[0]['id']}` stands there twice"):
        load_pack(assemble(header_of(rules, sections), sections))
    sections = [canonical(rules[0]), canonical(source_map(rules[0]))]
    with pytest.raises(PackDuplicate, match="is below none of its roots, acme"):
        load_pack(assemble(header_of(rules[:1], sections, roots=["acme"]), sections))


def test_a_file_that_is_too_large_or_lies_about_lengths_costs_no_memory(tmp_path):
    """A sparse file of many gigabytes, and a header that promises more than there is, are refused after a look."""
    import tracemalloc

    large = tmp_path / "large"
    with large.open("wb") as file:
        file.write(make_pack())
        file.truncate(64 * 1024**3)
    rule = git_log()
    sections = [canonical(rule), canonical(source_map(rule))]
    header = header_of([rule], sections)
    header["sections"] = [[0, LARGEST_PACK, "0" * 64], [LARGEST_PACK + 1, LARGEST_PACK, "0" * 64]]
    lying = tmp_path / "lying"
    lying.write_bytes(assemble(header, sections))
    unending = tmp_path / "unending"
    unending.write_bytes(b"cablepack 1 " + b"0" * 64 + b"\n" + b" " * 60 * 1024**2)
    tracemalloc.start()
    try:
        with pytest.raises(PackTooLarge):
            open_pack(large)
        with pytest.raises(PackError, match="the file ends"):
            open_pack(lying)
        assert tracemalloc.get_traced_memory()[1] < 2 * 1024**2
        with pytest.raises(PackTooLarge, match="no end within"):
            open_pack(unending)
        # Twice what a header may have, while it is joined.
        assert tracemalloc.get_traced_memory()[1] < 70 * 1024**2
    finally:
        tracemalloc.stop()


def test_a_pipe_in_the_place_of_a_pack_keeps_nobody_waiting(tmp_path):
    """It has no writer, so opening it as a file would wait for ever; a device has no end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(NotAPackError, match="a pipe or a device"):
            open_pack(path)


@pytest.mark.parametrize("key", ["name", "version", "tool", "requires", "roots", "rules"])
def test_nothing_that_a_header_names_acts_on_a_terminal(key):
    """A name that begins another line could say of another digest that it is trusted."""
    rule = git_log()
    sections = [canonical(rule), canonical(source_map(rule))]
    header = header_of([rule], sections)
    header[key] = "a\x1b[2K\nb" if isinstance(header[key], str) else ["a\x1b[2K\nb"]
    with pytest.raises(PackOutOfBounds, match="no text that can be shown") as caught:
        load_pack(assemble(header, sections))
    assert str(caught.value).isprintable()


def test_what_a_fault_quotes_is_one_line_that_can_be_shown():
    """The name of a feature that is not known here may be anything."""
    rule = git_log()
    sections = [canonical(rule), canonical(source_map(rule))]
    header = header_of([rule], sections) | {"features": {"9.0.0": ["value.\x1b]0;x\x07\nz"]}, "runtime": "9.0.0"}
    with pytest.raises(PackNeedsNewer) as caught:
        load_pack(assemble(header, sections))
    assert describe_fault("x", caught.value).isprintable()


def test_each_fault_has_words_of_its_own():
    """No two kinds that a person has to tell apart are said alike."""
    kinds = [kind for kind in _below(PackError) if kind is not PackError]
    words = [kind.words for kind in kinds]
    assert len(kinds) >= 14
    damage = {"the pack is damaged", "not a pack"}
    told = [each for each in words if each not in damage]
    assert len(set(told)) == len(told)
    assert describe_fault("x", PackDowngraded("y")) == "x: an older version: y"


def _below(kind):
    yield kind
    for each in kind.__subclasses__():
        yield from _below(each)


def test_a_host_is_told_of_a_pack_it_gave_that_may_not_be_used(keys, write, tmp_path, monkeypatch):
    """`Compressor.default` raises; with the signature that is demanded it works."""
    (tmp_path / "config.toml").write_text(f'[packs]\nrequire_signature = true\nkeys = ["{keys[0].public}"]\n')
    monkeypatch.setenv("CABLESE_CONFIG", str(tmp_path / "config.toml"))
    with pytest.raises(ValueError, match="not signed"):
        Compressor.default(enable="team", packs=[write("bare")], store=MemoryStore())
    compressor = Compressor.default(enable="team", packs=[write("good", keys=keys[:1])], store=MemoryStore())
    metadata = {"stdout": OUTPUT, "stderr": "", "exit_code": 0}
    view = compressor.view(ToolResult("bash", OUTPUT, {"command": "demo list"}, metadata))
    assert view.decision.rule == "demo.list"
