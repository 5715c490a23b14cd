"""Where admission entries come from: packs by hand, of the project, of others, ours; and what is wrong with them."""

import logging
import sys
import textwrap

import pytest
from cablese import Compressor, ToolResult
from cablese.compiler import compile_sources
from cablese.compiler.pack import emit_pack
from cablese.runtime import MemoryStore, Outcome, Reason
from cablese.runtime.codecs import registry
from cablese.runtime.decision.policy import SHELL_TOOLS
from cablese.runtime.packs.catalogue import CURATED_PACK, Catalogue, PackUnusableError
from cablese.runtime.packs.installed import find_installed
from cablese.runtime.packs.manifest import load_manifest, matches
from cablese.runtime.packs.module_packs import find_module_packs
from cablese.runtime.packs.pack import load_pack, open_pack
from cablese.runtime.settings import Settings, read_settings
from hypothesis import given
from hypothesis import strategies as st

ROWS = [{"id": number, "kind": "item", "gone": None} for number in range(40)]
DQ = "dq_execute_database_query"


@pytest.fixture
def write_pack(tmp_path):
    """Give a function that compiles rule text to a pack, and returns its file and digest."""

    def write(text, name="team", folder=None):
        done = compile_sources({f"{name}.cable": text}, name=name, version="1.0.0")
        assert done.pack is not None, done.diagnostics
        path = (folder or tmp_path) / f"{name}.cablepack"
        path.write_bytes(done.pack)
        return str(path), load_pack(done.pack).digest

    return write


def patterns(tool, given=(), installed=(), **settings):
    """Return the pattern and the name of the pack of each entry for a tool."""
    manifest = load_manifest(Catalogue(Settings(**settings), given, installed))
    return [(entry.pattern, entry.pack.split()[0]) for entry in manifest.candidates(tool)]


def test_the_core_is_compiled_into_the_shipped_pack():
    """The two entries of the documents, with their places."""
    pack = open_pack(CURATED_PACK)
    entries = [pack.admit(number) for number in range(pack.admits)]
    assert [(entry["pattern"], entry["codec"], entry["level"], entry["tee"]) for entry in entries] == [
        (DQ, "columnar", "normal", True),
        ("*", "json_compact", "minimal", False),
    ]
    assert entries[0]["settings"] == {"min_rows": 20}
    assert entries[1]["settings"]["nulls"] == "drop"
    assert [entry["path"] for entry in entries] == ["core.cable", "core.cable"]
    assert entries[0]["line"] < entries[1]["line"]


def test_no_entry_of_ours_names_a_shell_tool():
    """The walk relies on it: without other packs, text of a shell needs no manifest."""
    for tool in SHELL_TOOLS:
        assert [pattern for pattern, _ in patterns(tool, enabled=frozenset({"extra"}))] == ["*"]


def test_packs_claim_in_their_order(write_pack):
    """By hand, project, third parties in order, ours; a glob of an earlier one before an exact name of a later one."""
    made = {
        name: write_pack(f'admit "{pattern}" with columnar {{ }}\n', name)
        for name, pattern in {"hand": "dq_*", "project": "*", "second": "dq_e*", "third": DQ, "wheel": "dq*"}.items()
    }
    found = patterns(
        DQ,
        (made["hand"][0],),
        (made["wheel"][0],),
        project_pack=made["project"][0],
        packs=(made["second"][0], made["third"][0]),
        trusted=frozenset(digest for _, digest in made.values()),
    )
    assert found == [
        ("dq_*", "hand"),
        ("*", "project"),
        ("dq_e*", "second"),
        (DQ, "third"),
        ("dq*", "wheel"),
        (DQ, "curated"),
        ("*", "curated"),
    ]


def test_a_pack_that_is_found_twice_counts_once(write_pack):
    """An installed pack that was trusted, too, stands where it comes first."""
    path, digest = write_pack('admit "x" with columnar { }\n')
    found = patterns("x", (), (path,), packs=(path,), trusted=frozenset({digest}))
    assert found == [("x", "team"), ("*", "curated")]


def test_a_projects_pack_that_is_not_trusted_only_narrows(write_pack):
    """A ceiling for its tools, and no entry."""
    path, digest = write_pack('admit "dq_*" with json_compact { level minimal }\n')
    manifest = load_manifest(Catalogue(Settings(project_pack=path)))
    assert [entry.pattern for entry in manifest.candidates(DQ)] == [DQ, "*"]
    assert manifest.narrowing(DQ).level == "minimal"
    assert manifest.narrowing("other") is None
    trusted = load_manifest(Catalogue(Settings(project_pack=path, trusted=frozenset({digest}))))
    assert [entry.pattern for entry in trusted.candidates(DQ)] == ["dq_*", DQ, "*"]
    assert trusted.narrowing(DQ) is None


def test_a_third_partys_pack_that_is_not_trusted_is_absent(write_pack):
    """Only a project's may narrow."""
    path, _ = write_pack('admit "dq_*" with columnar { level none }\n')
    manifest = load_manifest(Catalogue(Settings(packs=(path,))))
    assert [entry.pattern for entry in manifest.candidates(DQ)] == [DQ, "*"]
    assert manifest.narrowing(DQ) is None


@pytest.mark.parametrize(
    ("pattern", "tool", "expected"),
    [
        ("db", "db", True), ("db", "DB", False), ("d*", "db", True), ("D*", "db", False), ("?b", "db", True),
        ("[cd]b", "db", True), ("[!d]b", "db", False), ("*", "", True), ("d?", "d", False), ("a.b", "axb", False),
    ],
)  # fmt: skip
def test_patterns_are_those_of_fnmatch_with_case_told_apart(pattern, tool, expected):
    """On every platform."""
    assert matches(pattern, tool) is expected


# --- shadows --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "hidden"), [(DQ, [DQ]), ("dq_*", [DQ]), ("*", [DQ, "*"]), ("other", []), ("x*", [])]
)
def test_an_entry_of_ours_that_is_hidden_is_said_with_both_files(write_pack, caplog, monkeypatch, pattern, hidden):
    """Once each in a process, when the packs are read."""
    path, _ = write_pack(f'admit "{pattern}" with columnar {{ }}\n')
    manifest = load_manifest(Catalogue(Settings(), (path,)))
    assert [shadow.core.pattern for shadow in manifest.shadows] == hidden
    for shadow in manifest.shadows:
        assert path in shadow.words
        assert CURATED_PACK in shadow.words
    with caplog.at_level(logging.WARNING, "cablese"):
        compressor = Compressor.default(packs=[path], store=False)
        for _ in range(3):
            compressor.view(ToolResult(DQ, ROWS))
        Compressor.default(packs=[path], store=False)
    assert [record.getMessage() for record in caplog.records] == [shadow.words for shadow in manifest.shadows]


def test_third_parties_hide_each_other_in_silence(write_pack):
    """A project that stands in front of a third party has said so itself."""
    one, two = (write_pack('admit "x" with columnar { level normal }\n', name)[0] for name in ("one", "two"))
    assert load_manifest(Catalogue(Settings(), (one, two))).shadows == ()


# --- faults ---------------------------------------------------------------------------------------------------------

GOOD = {
    "pattern": "x",
    "codec": "columnar",
    "level": "normal",
    "tee": False,
    "settings": {},
    "path": "x.cable",
    "line": 3,
}
FAULTS = [
    ({"codec": "columnarr"}, "no codec `columnarr` here.*known are .*`columnar`.*`json_compact`"),
    ({"level": "high"}, "not one of"),
    ({"level": 1}, "not one of"),
    ({"tee": 1}, "not true or false"),
    ({"pattern": ""}, "not a text"),
    ({"pattern": "a b"}, "white space"),
    ({"pattern": 3}, "not a text"),
    ({"settings": {"min_row": 3}}, "`columnar` has no setting `min_row`; it has .*`min_rows`"),
    ({"settings": {"min_rows": 0}}, "not an int from 1"),
    ({"settings": {"min_rows": "3"}}, "not an int"),
    ({"settings": {"min_rows": True}}, "not an int"),
    ({"settings": []}, "not an object"),
    ({"codec": "json_compact", "settings": {"nulls": "maybe"}}, "not one of `drop`, `keep`"),
    ({"line": 0}, "not an int from 1"),
    ({"extra": 1}, "not an object of"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS)
def test_a_fault_in_an_entry_is_met_when_packs_are_read(tmp_path, caplog, change, message):
    """A pack by hand is an error with its file and place; of another pack, no entry is used, and it is said."""
    entries = [{**GOOD, "pattern": "first"}, {**GOOD, **change}]
    path = tmp_path / "bad.cablepack"
    path.write_bytes(emit_pack([], [], entries, name="bad", version="1"))
    with pytest.raises(PackUnusableError, match=message) as caught:
        Compressor.default(packs=[str(path)])
    assert str(caught.value).startswith(f"{path}: ")
    digest = open_pack(path).digest
    catalogue = Catalogue(Settings(packs=(str(path),), trusted=frozenset({digest})))
    assert [entry.pattern for entry in load_manifest(catalogue).candidates("first")] == ["*"]
    (remark,) = catalogue.remarks()
    assert remark.damaged
    assert str(path) in remark.words
    narrowing = Catalogue(Settings(project_pack=str(path)))
    assert load_manifest(narrowing).narrowing("first") is None


def test_packs_with_whole_entries_verify(tmp_path):
    """`verify` reads every entry."""
    path = tmp_path / "good.cablepack"
    path.write_bytes(emit_pack([], [], [GOOD], name="good", version="1"))
    open_pack(path).verify()
    path.write_bytes(emit_pack([], [], [{**GOOD, "tee": None}], name="bad", version="1"))
    with pytest.raises(Exception, match="not true or false"):
        open_pack(path).verify()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(GOOD)), inner, max_size=7),
        max_leaves=8,
    ),
    st.dictionaries(st.sampled_from(list(GOOD)), st.none() | st.integers() | st.text(max_size=4), max_size=2),
)
def test_whatever_an_entry_is_a_pack_works_or_is_refused(section, changes):
    """Nothing but a named error comes of what is no entry."""
    for each in (section, {**GOOD, **changes}):
        pack = load_pack(emit_pack([], [], [each], name="x", version="1"))
        try:
            entry = pack.admit(0)
        except Exception as error:  # noqa: BLE001 - the type is what is asked
            assert type(error).__name__ == "PackOutOfBounds"  # noqa: PT017
        else:
            assert set(entry) == set(GOOD)


# --- modules, installed packages ------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Make a folder that modules are found in, and that installed packages may stand in."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("parrot_tools", "plugins", "wheel_tools"):
            del sys.modules[name]


def test_packs_stand_beside_modules_that_are_not_imported(site, write_pack):
    """Of packages, of packages within packages, of plain modules; what is missing is left out in silence."""
    for name in ("parrot_tools", "plugins", "plugins/tools"):
        (site / name).mkdir()
        (site / name / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (site / "single.py").write_text("raise RuntimeError('imported')\n")
    for folder in ("parrot_tools", "plugins/tools"):
        write_pack('admit "x" with columnar { level normal }\n', "pack", site / folder)
    names = ("parrot_tools", "missing", "plugins", "plugins.tools", "plugins.other", "missing.tools", "single", "json")
    found = find_module_packs(names)
    assert found == [str(site / folder / "pack.cablepack") for folder in ("parrot_tools", "plugins/tools")]
    assert not {"parrot_tools", "plugins", "single"} & set(sys.modules)
    assert patterns("x", modules=names) == [("x", "pack"), ("*", "curated")]


def test_modules_are_named_in_the_users_file_alone(tmp_path):
    """A project cannot name one."""
    user = tmp_path / "user.toml"
    user.write_text('modules = ["parrot_tools", "plugins.tools"]\n')
    environ = {"CABLESE_CONFIG": str(user), "HOME": str(tmp_path)}
    assert read_settings(environ, str(tmp_path)).modules == ("parrot_tools", "plugins.tools")
    (tmp_path / ".cablese").mkdir()
    (tmp_path / ".cablese" / "config.toml").write_text('modules = ["x"]\n')
    with pytest.raises(Exception, match="only the user's file may set it"):
        read_settings(environ, str(tmp_path))
    for wrong in ('modules = "x"', "modules = [1]", 'modules = ["a-b"]', 'modules = ["a..b"]'):
        user.write_text(wrong)
        with pytest.raises(Exception, match="modules"):
            read_settings({**environ, "HOME": "/"}, "/")


def install(site, name, entry_points, **modules):
    """Lay down what an installer would: modules, and the metadata with the entry points."""
    for module, text in modules.items():
        (site / f"{module}.py").write_text(textwrap.dedent(text))
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(textwrap.dedent(entry_points))


def test_installed_packages_bring_packs_to_hosts(site, write_pack, caplog):
    """By a path, or by a module with a pack in its folder; what fails is said and left out; `run` and `view` do not
    look.
    """
    path, _ = write_pack('admit "wheel_*" with columnar { level normal  min_rows 3 }\n', "wheel")
    install(
        site,
        "wheel_tools",
        """
        [cablese.rules]
        wheel = wheel_tools:PACK
        broken = wheel_tools:MISSING
        number = wheel_tools:NUMBER
        absent = wheel_tools:ABSENT
        """,
        wheel_tools=f"""
        import pathlib
        PACK = pathlib.Path({path!r})
        NUMBER = 3
        ABSENT = "/nowhere/at/all.cablepack"
        """,
    )
    found = find_installed()
    assert found.packs == {"wheel": path, "absent": "/nowhere/at/all.cablepack"}
    assert set(found.faults) == {"broken", "number"}
    with caplog.at_level(logging.WARNING, "cablese"):
        compressor = Compressor.default(store=MemoryStore())
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert all(word in said for word in ("`broken`", "`number`", "/nowhere/at/all.cablepack: no such file"))
    view = compressor.view(ToolResult("wheel_query", ROWS))
    assert (view.decision.codec, view.decision.pack.split()[0]) == ("columnar", "wheel")
    assert Compressor.default(installed=False).view(ToolResult("wheel_query", ROWS)).decision.codec == "json_compact"


def test_a_pack_may_name_the_codec_of_a_plugin(site, write_pack, monkeypatch):
    """Known in hosts by its entry point; where nobody brings it, the pack is refused when it is read."""
    path, _ = write_pack(
        'use codec "first_row"\n\nadmit "wheel_*" with first_row {\n  level normal\n  rows 1\n}\n', "wheel"
    )
    try:
        with pytest.raises(PackUnusableError, match="no codec `first_row` here"):
            load_manifest(Catalogue(Settings(), (path,)))
        install(
            site,
            "wheel_tools",
            "[cablese.codecs]\nfirst_row = wheel_tools:FirstRow\n",
            wheel_tools="""
            from cablese.runtime.codecs.codec import Encoded

            class FirstRow:
                codec_name = "first_row"

                def compress(self, payload, request):
                    return Encoded(payload[:request.params["rows"]], "summary")
            """,
        )
        # Packages are looked for again once the path has changed.
        monkeypatch.syspath_prepend(str(site.parent))
        view = Compressor.default(packs=[path], store=MemoryStore()).view(ToolResult("wheel_x", ROWS))
        assert view.decision.outcome is Outcome.COMPRESSED
        assert view.content["result"] == ROWS[:1]
        assert (view.decision.codec, view.decision.guarantee) == ("first_row", "summary")
    finally:
        registry._registered.pop("first_row", None)
        registry._targets.pop("first_row", None)


def test_a_missing_pack_of_ours_lets_everything_pass(monkeypatch, tmp_path):
    """A fault in what we ship raises nothing: the decisions say it."""
    from cablese.runtime.packs import catalogue

    monkeypatch.setattr(catalogue, "CURATED_PACK", str(tmp_path / "none"))
    view = Compressor.default(store=MemoryStore()).view(ToolResult("db", ROWS))
    assert view.content is ROWS
    assert view.decision.reason is Reason.CODEC_ERROR
    assert "make pack" in view.decision.detail
