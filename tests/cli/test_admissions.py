"""Admission entries on the command line: trust, installed packs and codecs, and what why, check and inspect say."""

import json

import pytest

ROWS = [{"id": number, "kind": "item", "gone": None} for number in range(40)]
RECORD = json.dumps({"tool": "orders_list", "content": ROWS}).encode()
RULES = 'admit "orders_*" with columnar {\n  level normal\n  min_rows 5\n}\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Stand in a project with rules, and with a configuration of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "work"
    (folder / ".cablese" / "rules").mkdir(parents=True)
    (folder / ".cablese" / "rules" / "orders.cable").write_text(RULES)
    monkeypatch.chdir(folder)
    return folder


def test_a_project_admits_once_it_is_trusted(cablese, project):
    """Compiled, its pack narrows; trusted, it claims; changed, it narrows again."""
    assert cablese("compile", ".cablese/rules", "-o", ".cablese/pack.cablepack").code == 0
    view = json.loads(cablese("view", "--json", stdin=RECORD).out)
    assert (view["codec"], view["level"]) == ("json_compact", "minimal")
    assert cablese("trust").code == 0
    view = json.loads(cablese("view", "--json", stdin=RECORD).out)
    assert (view["codec"], view["level"], view["pack"].split()[0]) == ("columnar", "normal", "pack")
    assert json.loads(cablese("show", view["handle"]).out) == ROWS
    (project / ".cablese/rules/orders.cable").write_text(RULES.replace("normal", "none"))
    cablese("compile", ".cablese/rules", "-o", ".cablese/pack.cablepack")
    view = json.loads(cablese("view", "--json", stdin=RECORD).out)
    assert (view["outcome"], view["reason"]) == ("passed", "level_none")
    assert "not trusted" in view["detail"]


def test_why_names_the_entries_with_their_places(cablese, project):
    """Which were asked, where they stand, what they said, at which level, with which guarantee."""
    cablese("compile", ".cablese/rules", "-o", ".cablese/pack.cablepack")
    cablese("trust")
    done = cablese("why", stdin=RECORD)
    assert done.code == 0
    text = done.out.decode()
    assert (
        'entry     admit "orders_*" with columnar: takes it at level `normal`\n          orders.cable:1, pack pack'
        in text
    )
    assert "codec     columnar: guarantee `shape`" in text
    few = json.dumps({"tool": "orders_list", "content": ROWS[:2]}).encode()
    text = cablese("why", stdin=few).out.decode()
    assert 'entry     admit "orders_*" with columnar: declines: ' in text
    assert 'entry     admit "*" with json_compact: ' in text
    assert "core.cable:9, pack curated" in text
    assert cablese("why", "--level", "none", stdin=RECORD).code == 3


def test_entries_that_hide_ours_are_remarked(cablese, project):
    """By `check` and `why`, with both files."""
    (project / ".cablese/rules/orders.cable").write_text('admit "dq_*" with columnar { level normal }\n')
    cablese("fmt", ".cablese/rules")
    cablese("compile", ".cablese/rules", "-o", ".cablese/pack.cablepack")
    cablese("trust")
    assert b"stands in front of" not in cablese("why", stdin=RECORD).out
    hidden = RECORD.replace(b"orders_list", b"dq_execute_database_query")
    for done in (cablese("why", stdin=hidden).out, cablese("check").err):
        (line,) = [line for line in done.decode().splitlines() if "stands in front of" in line]
        assert "pack.cablepack" in line
        assert "curated.cablepack" in line


def test_a_name_in_the_configuration_that_is_nothing_is_remarked(cablese, project):
    """Or a rule that should be off would be on unnoticed."""
    (project / ".cablese/config.toml").write_text('disable = ["bash.git_lgo", "bash.git_log"]\n')
    notes = [line for line in cablese("why", stdin=RECORD).out.decode().splitlines() if line.startswith("note")]
    assert "note      `bash.git_lgo` is switched on or off, and is no rule and no pack here" in notes
    assert not any("bash.git_log`" in note for note in notes)


def test_inspect_shows_entries(cablese, project):
    """For people and as JSON; what is compiled is counted as what it is."""
    done = cablese("compile", ".cablese/rules", "-o", "team.cablepack")
    assert done.out.startswith(b"team.cablepack: 1 admission entry, ")
    assert b'\nadmit "orders_*" with columnar  orders.cable:1\n  level     normal\n  settings  min_rows 5\n' in (
        cablese("inspect", "team.cablepack").out
    )
    (entry,) = json.loads(cablese("inspect", "--json", "team.cablepack").out)["admits"]
    assert entry["settings"] == {"min_rows": 5}


@pytest.fixture
def site(tmp_path, monkeypatch, project, process):
    """Install a package that brings a pack and a codec, and give a function that runs commands beside it."""
    folder = tmp_path / "site"
    info = folder / "order_tools-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: order-tools\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[cablese.rules]\norders = order_tools:PACK\n[cablese.codecs]\nfirst_rows = order_tools:FirstRows\n"
    )
    pack = folder / "orders.cablepack"
    (folder / "order_tools.py").write_text(
        f"PACK = {str(pack)!r}\n"
        "class FirstRows:\n"
        "    codec_name = 'first_rows'\n"
        "    def compress(self, payload, request):\n"
        "        from cablese.runtime.codecs.codec import Encoded\n"
        "        return Encoded(payload[: request.params['rows']], 'summary')\n"
    )
    rules = project / "orders.cable"
    rules.write_text('use codec "first_rows"\n\nadmit "orders_*" with first_rows {\n  level normal\n  rows 2\n}\n')

    def run(*words, stdin=b"", installed=True):
        env = {"PYTHONPATH": str(folder)} if installed else {}
        return process(*words, stdin=stdin, cwd=project, env=env)

    return run, pack, rules


def test_an_installed_pack_is_trusted_by_its_name_and_with_its_codecs(site):
    """`trust` looks for it and keeps the list; `view` reads the list, and imports the codec when it is used."""
    run, pack, rules = site
    alone = run("compile", rules, "-o", pack, installed=False)
    assert alone.code == 0
    assert b"there is no codec `first_rows` here" in alone.err
    assert run("compile", rules, "-o", pack).err == b""
    view = json.loads(run("view", "--json", stdin=RECORD).out)
    assert view["codec"] == "json_compact"
    refused = run("trust", pack, installed=False)
    assert refused.code == 1
    assert b"there is no codec `first_rows` here" in refused.err
    done = run("trust", "orders")
    assert (done.code, done.err) == (0, b"")
    view = json.loads(run("view", "--json", stdin=RECORD).out)
    assert (view["codec"], view["guarantee"]) == ("first_rows", "summary"), view
    assert view["content"]["result"] == ROWS[:2]
    gone = json.loads(run("view", "--json", stdin=RECORD, installed=False).out)
    assert (gone["outcome"], gone["reason"]) == ("passed", "codec_error")


def test_a_pack_that_was_asked_for_has_to_be_whole(cablese, project, tmp_path):
    """`--pack` with an entry whose codec nobody brings: exit 2, with the place and the codecs that are known."""
    rules = project / "own.cable"
    rules.write_text('use codec "nowhere"\n\nadmit "orders_*" with nowhere { }\n')
    pack = tmp_path / "own.cablepack"
    assert cablese("compile", rules, "-o", pack).code == 0
    for command in ("view", "why"):
        done = cablese(command, "--pack", pack, stdin=RECORD)
        assert (done.code, done.out) == (2, b"")
        assert b'`admit "orders_*"` at own.cable:3' in done.err
        assert b"no codec `nowhere` here; known are `columnar`" in done.err


def test_the_rules_of_a_project_become_its_pack(cablese, project):
    """Without a file in and a file out; a file in wants a file out."""
    done = cablese("compile")
    assert (done.code, (project / ".cablese/pack.cablepack").exists()) == (0, True)
    assert done.out.startswith(b".cablese/pack.cablepack: 1 admission entry, ")
    assert cablese("compile", ".cablese/rules") == (2, b"", b"cablese: compile: -o PACK is missing\n")


def test_a_result_that_is_not_there_is_no_malformed_one(cablese):
    """What is missing is said, and how to give it."""
    words = b"cablese: no result: give its --command, or a result record (JSON) on standard input\n"
    assert cablese("view", stdin=b"\n") == (2, b"", words)
    assert cablese("why", stdin=b"") == (2, b"", words)
