"""Codecs of other packages: found by decorator, entry point or the trusted list, and harmless where they are broken."""

from __future__ import annotations

import pytest
from cablese.runtime.codecs import registry
from cablese.runtime.codecs.plugins import UnknownCodecError, check_codecs
from cablese.runtime.codecs.registry import find_codec, is_built_in, known_codecs, register_codec, register_plugin
from cablese.runtime.codecs_table import CODECS

from .packages import codec_source, install, run_beside

LOAD = """
    import json
    from cablese.runtime import load_codec_plugins
    from cablese.runtime.codecs.registry import find_codec, known_codecs
    from cablese.runtime.codecs.plugins import UnknownCodecError, check_codecs
    from cablese.runtime.codecs.codec import Request

    def ask(name):
        try:
            check_codecs([name], "a.cablepack")
        except UnknownCodecError as error:
            return str(error)
"""


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    """Keep what a test registers to that test."""
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_targets", {})


def make(name: object, **members: object) -> type:
    """Make a class that may be a codec."""
    return type("Made", (), {"codec_name": name, "compress": lambda *_: None, **members})


def test_a_rule_file_can_name_just_the_codecs_that_there_are():
    """What the compiler offers is what the runtime has."""
    assert set(CODECS) == set(registry._BUILT_IN)
    for name in CODECS:
        assert find_codec(name).codec_name == name


def test_the_decorator_registers_a_class_and_returns_it():
    """A class is found by its name from then on, as a fresh instance each time; twice the same class is fine."""
    cls = make("my_codec")
    assert register_codec(cls) is cls
    assert register_codec(cls) is cls
    assert "my_codec" in known_codecs()
    assert not is_built_in("my_codec")
    one, other = find_codec("my_codec"), find_codec("my_codec")
    assert type(one) is type(other) is cls
    assert one is not other


@pytest.mark.parametrize("name", ["columnar", "json_compact", "json_minify", "line_rle", "template_fold", "mine"])
def test_a_name_belongs_to_one_codec(name):
    """Neither ours nor another's name can be taken, and the message says which."""
    register_codec(make("mine"))
    with pytest.raises(ValueError, match=f"`{name}`"):
        register_codec(make(name))
    register_plugin("theirs", "a:b")
    register_plugin("theirs", "a:b")
    with pytest.raises(ValueError, match="`theirs`"):
        register_plugin("theirs", "a:c")
    if name != "mine":
        with pytest.raises(ValueError, match=f"`{name}`"):
            register_plugin(name, "a:b")


@pytest.mark.parametrize("name", [None, "", 1, "my-codec", "my codec", "1st", "é", "a.b", "a\nb"])
def test_a_codec_has_a_name_that_a_rule_file_can_write(name):
    """Whatever could not stand in a pack, or in the trusted list, is no name."""
    with pytest.raises(ValueError, match="name"):
        register_codec(make(name))
    if isinstance(name, str):
        with pytest.raises(ValueError, match="name"):
            register_plugin(name, "a:b")


@pytest.mark.parametrize("target", ["", ":", "a:", ":b", "a b:c", "a-b:c", "a:b c", "a..b:c", "../a:b", "a:b:c"])
def test_a_target_is_a_module_and_an_attribute(target):
    """What cannot be imported is refused when the list is read."""
    with pytest.raises(ValueError, match="module:attribute"):
        register_plugin("mine", target)


def test_a_codec_can_compress():
    """A class without `compress` is none."""
    with pytest.raises(ValueError, match="no `compress`"):
        register_codec(make("mine", compress=None))


def test_names_of_a_pack_are_checked_without_importing_anything():
    """Known names pass; the first that is not known is named, with the pack and all that are known."""
    register_plugin("theirs", "no_such_module:Codec")
    check_codecs(["columnar", "theirs"], "my.cablepack")
    check_codecs([])
    with pytest.raises(UnknownCodecError) as error:
        check_codecs(["columnar", "nobodys", "others"], "my.cablepack")
    assert str(error.value) == (
        "my.cablepack: there is no codec `nobodys` here; known are `columnar`, `json_compact`, `json_minify`, "
        "`line_rle`, `template_fold`, `theirs`"
    )


def test_installed_codecs_are_found(tmp_path):
    """A class with the decorator, a class without it, and a module that registers its codec when it is imported."""
    install(tmp_path / "site", "fox", {"fox": codec_source("fox")}, {"fox": "fox:Fox"})
    install(tmp_path / "site", "plain", {"plain": codec_source("plain", decorated=False)}, {"plain": "plain:Fox"})
    install(tmp_path / "site", "mod", {"mod": codec_source("whole")}, {"whole": "mod"})
    script = """
    before = known_codecs()
    faults = dict(load_codec_plugins())
    codecs = {name: find_codec(name) for name in ("fox", "plain", "whole")}
    shown = [codec.compress("the quick brown fox!", Request("minimal")).payload for codec in codecs.values()]
    print(json.dumps([sorted(set(known_codecs()) - set(before)), faults, shown, ask("fox")]))
    """
    found, errors = run_beside(tmp_path / "site", LOAD + script)
    assert found == [["fox", "plain", "whole"], {}, ["§!"] * 3, None]
    assert errors == ""


BROKEN = {
    "raises": ("raises:Fox", "raise RuntimeError('no licence')\n", "RuntimeError: no licence"),
    "quits": ("quits:Fox", "raise SystemExit(3)\n", "SystemExit: 3"),
    "missing": ("no_such_module_at_all:Fox", "", "ModuleNotFoundError"),
    "nameless": ("nameless:Wolf", codec_source("nameless"), "AttributeError"),
    "other": ("other:Fox", codec_source("another"), "calls itself `another`, not `other`"),
    "line_rle": ("thief:Fox", codec_source("line_rle", decorated=False), "already registered"),
    "silent": ("silent", "x = 1\n", "registers no codec `silent`"),
    "function": ("function:fox", "def fox(): pass\n", "registers no codec `function`"),
    "late": ("late:Fox", codec_source("late") + "\nimport no_such_module_at_all\n", "ModuleNotFoundError"),
}


def test_a_broken_package_is_left_out_and_said_to_be(tmp_path):
    """Each way to be broken is logged once and leaves the others alone; who names such a codec learns why."""
    for name, (target, source, _) in BROKEN.items():
        module = target.partition(":")[0]
        install(tmp_path / "site", name, {module: source} if source else {}, {name: target})
    install(tmp_path / "site", "fox", {"fox": codec_source("fox")}, {"fox": "fox:Fox"})
    script = f"""
    import logging
    logging.basicConfig(format="%(name)s %(levelname)s %(message)s")
    load_codec_plugins()
    faults = dict(load_codec_plugins())
    names = {sorted(BROKEN)!r}
    print(json.dumps([faults, known_codecs(), {{name: ask(name) for name in names}}]))
    """
    (faults, known, messages), errors = run_beside(tmp_path / "site", LOAD + script)
    assert sorted(faults) == sorted(BROKEN)
    assert "fox" in known
    for name, (target, _, words) in BROKEN.items():
        assert words in faults[name]
        assert target in faults[name]
        assert errors.count(f"the codec plugin `{name}` is left out") == 1
        if name == "line_rle":
            assert messages[name] is None
            continue
        assert name not in known
        assert messages[name].startswith(f"a.cablepack: there is no codec `{name}` here (")
        assert words in messages[name]
        assert "; known are `" in messages[name]
        assert "`fox`" in messages[name]
    assert all(line.startswith("cablese.codecs WARNING ") for line in errors.splitlines())


def test_of_two_packages_with_one_name_neither_is_used(tmp_path):
    """Which of two codecs is meant cannot be known; the same one found twice is one."""
    site = tmp_path / "site"
    install(site, "one", {"one": codec_source("fox")}, {"fox": "one:Fox"})
    install(site, "two", {"two": codec_source("fox")}, {"fox": "two:Fox"})
    install(site, "old", {"same": codec_source("same")}, {"same": "same:Fox"})
    install(site, "new", {}, {"same": "same:Fox"})
    script = 'load_codec_plugins(); print(json.dumps([known_codecs(), ask("fox")]))'
    (known, message), errors = run_beside(site, LOAD + "    " + script)
    assert "fox" not in known
    assert "same" in known
    assert "several packages bring a codec `fox`, so none is used: `one:Fox` and `two:Fox`" in message
    assert "`fox` is left out" in errors


def test_packages_are_looked_for_again_after_the_path_has_changed(tmp_path):
    """A folder that is added later is found by the next call; nothing is scanned twice for nothing."""
    install(tmp_path / "site", "fox", {"fox": codec_source("fox")}, {"fox": "fox:Fox"})
    (tmp_path / "empty").mkdir()
    script = f"""
    import sys, importlib.metadata as metadata
    calls = []
    real = metadata.entry_points
    metadata.entry_points = lambda **group: calls.append(1) or real(**group)
    load_codec_plugins(); load_codec_plugins()
    before = ("fox" in known_codecs(), len(calls))
    sys.path.append({str(tmp_path / "site")!r})
    load_codec_plugins(); load_codec_plugins()
    print(json.dumps([before, "fox" in known_codecs(), len(calls)]))
    """
    found, _ = run_beside(tmp_path / "empty", LOAD + script)
    assert found == [[False, 1], True, 2]


def test_a_trusted_codec_is_imported_when_it_is_first_used(tmp_path):
    """A name of the trusted list is known at once, costs nothing until it is asked for, and then is what it says."""
    site = tmp_path / "site"
    install(site, "fox", {"fox": codec_source("fox"), "bad": "raise RuntimeError('no licence')"}, {"unseen": "fox:Fox"})
    script = """
    import sys
    from cablese.runtime.codecs.plugins import PluginError
    from cablese.runtime.codecs.registry import register_plugin
    register_plugin("fox", "fox:Fox")
    register_plugin("bad", "bad:Fox")
    known, imported = known_codecs(), "fox" in sys.modules or "importlib.metadata" in sys.modules
    shown = find_codec("fox").compress("the quick brown fox!", Request("minimal")).payload
    try:
        find_codec("bad")
    except PluginError as error:
        fault = str(error)
    print(json.dumps([[name in known for name in ("fox", "bad", "unseen")], imported, ask("bad"), shown, fault]))
    """
    found, _ = run_beside(site, LOAD + script)
    fault = "the codec `bad` of `bad:Fox` cannot be imported: RuntimeError: no licence"
    assert found == [[True, True, False], False, None, "§!", fault]


def test_targets_are_found_without_an_import(tmp_path):
    """For the trusted list: name and target of each, and what is ambiguous; nothing of the packages is imported."""
    site = tmp_path / "site"
    install(site, "one", {"one": codec_source("fox")}, {"fox": "one:Fox", "whole": "one"})
    install(site, "two", {"two": "raise RuntimeError"}, {"fox": "two:Fox", "bad": "two:Bad"})
    script = """
    import json, sys
    from cablese.runtime.codecs.plugins import find_targets
    targets, faults = find_targets()
    print(json.dumps([targets, list(faults), sorted({"one", "two"} & set(sys.modules))]))
    """
    found, errors = run_beside(site, script)
    assert found == [{"bad": "two:Bad", "whole": "one"}, ["fox"], []]
    assert errors == ""
