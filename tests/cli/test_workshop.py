"""The commands of an author: check, test, compile, inspect, verify, explain, trust."""

import json
import os

import pytest

RULE = '''
rule demo.list "items" {
  tool     bash
  command  demo list { operand any }
  stderr   empty
  stdout   item+
  lines {
    item = "item {}"
  }
  facts {
    items = count item
  }
  summary """
  items: {{ items }}
  """
}
'''


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """Make a folder with a good rule and one with faults, and go to the folder above."""
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "demo.cable").write_text(RULE)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "demo.cable").write_text(RULE.replace("count item", "count itm"))
    (tmp_path / "bad" / "latin.cable").write_bytes(b"# caf\xe9\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_check_prints_findings_in_each_format(cablese, rules):
    """Place, code and words for people, sentences, and JSON lines; exit 1."""
    human = cablese("check", "--draft", "bad")
    assert human.code == 1
    assert b"error[E0" in human.out
    assert b"--> bad/demo.cable:11:" in human.out
    assert b"did you mean `item`?" in human.out
    assert human.out.endswith(b"\n2 files checked, 2 findings\n")
    assert b"\x1b" not in human.out
    plain = cablese("check", "--draft", "--format", "plain", "bad")
    assert b"bad/demo.cable" in plain.out
    lines = [json.loads(line) for line in cablese("check", "--draft", "--format=json", "bad").out.splitlines()]
    assert sorted(line["path"] for line in lines) == ["bad/demo.cable", "bad/latin.cable"]


def test_check_of_sound_files_is_exit_0_and_of_missing_ones_2(cablese, rules):
    """Without `--draft` a rule without evidence is a finding; a path that is not there is no finding but an error."""
    assert cablese("check", "--draft", "good") == (0, b"1 file checked, no findings\n", b"")
    assert cablese("check", "--draft", "good/demo.cable").code == 0
    assert cablese("check", "good").code == 1
    for path in ("none", "good/none.cable", "."):
        (rules / "empty").mkdir(exist_ok=True)
        done = cablese("check", path if path != "." else "empty")
        assert (done.code, done.out) == (2, b"")


def test_check_refuses_a_broken_configuration(cablese, rules):
    """What would turn every summary off is said where an author looks."""
    (rules / ".cablese").mkdir()
    (rules / ".cablese" / "config.toml").write_text("enable = []")
    done = cablese("check", "--draft", "good")
    assert done.code == 2
    assert b"config.toml: `enable` is not known here" in done.err


def test_compile_writes_the_same_bytes_wherever_the_files_are(cablese, rules):
    """Paths in the pack are relative to the folder that was compiled; faulty files write nothing."""
    assert cablese("compile", "--draft", "good", "-o", "a.cablepack", "--name", "demo").code == 0
    (rules / "good").rename("moved")
    assert cablese("compile", "--draft", rules / "moved", "-o", "b.cablepack", "--name", "demo").code == 0
    assert (rules / "a.cablepack").read_bytes() == (rules / "b.cablepack").read_bytes()
    done = cablese("compile", "--draft", "bad", "-o", "c.cablepack")
    assert done.code == 1
    assert b"error[E0" in done.out
    assert not (rules / "c.cablepack").exists()
    assert cablese("compile", "--draft", "moved").code == 2
    assert cablese("compile", "--draft", "moved", "-o", "none/d.cablepack").code == 2
    assert cablese("compile", "none", "-o", "d.cablepack").code == 2
    assert sorted(path.name for path in rules.iterdir()) == ["a.cablepack", "b.cablepack", "bad", "moved"]


def test_inspect_and_verify_read_a_pack(cablese, rules):
    """Name, rules, places and digest; a flipped byte is exit 1, a file that is not there exit 2."""
    cablese("compile", "--draft", "good", "-o", "demo.cablepack")
    record = json.loads(cablese("inspect", "--json", "demo.cablepack").out)
    assert (record["name"], record["rules"][0]["id"], record["rules"][0]["path"]) == ("demo", "demo.list", "demo.cable")
    text = cablese("inspect", "demo.cablepack").out.decode()
    assert "demo.list “items”  demo.cable:2" in text
    assert "commands  demo list" in text
    done = cablese("verify", "demo.cablepack", "--digest", record["digest"])
    assert done.code == 0
    assert record["digest"] in done.out.decode()
    assert cablese("verify", "demo.cablepack", "--digest", "0" * 64).code == 1
    data = bytearray((rules / "demo.cablepack").read_bytes())
    data[-5] ^= 1
    (rules / "broken.cablepack").write_bytes(data)
    for name in ("inspect", "verify"):
        done = cablese(name, "broken.cablepack")
        assert (done.code, done.out) == (1, b"")
        fault = b"cablese: broken.cablepack: the pack is damaged: source map 0: its digest does not hold\n"
        assert done.err == fault
        assert cablese(name, "none.cablepack") == (2, b"", b"cablese: none.cablepack: no such file\n")


def test_explain_knows_codes(cablese):
    """A code in any case, with both examples; an unknown one is exit 1, with what is near."""
    done = cablese("explain", "e0301")
    assert done.code == 0
    assert done.out.startswith(b"E0301: ")
    assert b"\nThis raises it:\n" in done.out
    assert b"\nThis does not:\n" in done.out
    done = cablese("explain", "E9999")
    assert (done.code, done.out) == (1, b"")


EXAMPLES = '''
  example "many" {
    command "demo list"
    exit    0
    stdout  """
%s
    """
    shows """
    items: 60
    """
  }
  example "strangers" {
    command "demo list"
    exit    0
    stdout  "item a\\nelse\\n"
    passes  invalid_output
  }
}
'''


def test_test_runs_what_a_rule_must_stand(cablese, rules):
    """Examples, checks and mutations are counted; a rule without evidence is exit 1."""
    lines = "\n".join(f"    item number {n} of this very long list of items" for n in range(60))
    rule = RULE.rstrip().removesuffix("}") + EXAMPLES % lines
    (rules / "good" / "demo.cable").write_text(rule)
    done = cablese("test", "good")
    assert done.out.startswith(b"ok     demo.list: 1 shown (1 saving), 1 passing, "), done.out.decode()
    assert done.code == 0
    report = json.loads(cablese("test", "--format", "json", "good").out)
    (record,) = report["rules"]
    assert (report["holds"], record["shown"], record["passing"]) == (True, 1, 1)
    assert record["mutants"] > 60
    (rules / "good" / "demo.cable").write_text(rule.replace("items: 60", "items: 61"))
    assert cablese("test", "good").code == 1
    assert cablese("test") == (
        2,
        b"",
        b"cablese: no PATH is given, and there is neither `.cablese/rules` nor `rules` here\n",
    )


def test_a_trusted_pack_is_used_in_its_project(cablese, rules):
    """A project's pack counts once `trust` has seen it, and not after it was changed."""
    (rules / ".cablese").mkdir()
    out = rules / "out"
    out.write_text("item of a list that is very long\n" * 99)

    def rule():
        record = cablese("view", "--command", "demo list", "--stdout", out, "--json").out
        return json.loads(record)["rule"]

    pack = ".cablese/pack.cablepack"
    cablese("compile", "--draft", "good", "-o", pack)
    assert rule() is None
    assert cablese("trust", pack).code == 0
    assert cablese("trust", pack).code == 0
    assert rule() == "demo.list"
    cablese("compile", "--draft", "good", "-o", pack, "--pack-version", "2.0.0")
    assert rule() is None
    assert cablese("trust", "good/demo.cable").code == 1
    assert cablese("trust", "none").code == 2


def test_a_foreign_pack_is_used_everywhere_once_trusted(cablese, rules, tmp_path_factory, monkeypatch):
    """`trust` keeps the place of a pack that belongs to no project; `--pack` needs no trust."""
    out = rules / "out"
    out.write_text("item of a list that is very long\n" * 99)
    cablese("compile", "--draft", "good", "-o", "team.cablepack")
    words = ("view", "--command", "demo list", "--stdout", out, "--json")
    assert json.loads(cablese(*words, "--pack", "team.cablepack").out)["pack"].startswith("team 1.0.0 ")
    assert json.loads(cablese(*words).out)["rule"] is None
    cablese("trust", "team.cablepack")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert json.loads(cablese(*words).out)["rule"] == "demo.list"


@pytest.fixture
def project(cablese, rules):
    """Make the folder a project with a pack, and give the words that ask for its rule."""
    (rules / ".cablese" / "rules").mkdir(parents=True)
    (rules / ".cablese" / "rules" / "demo.cable").write_text(RULE)
    assert cablese("compile", "--draft", "-o", ".cablese/pack.cablepack", ".cablese/rules").code == 0
    (rules / "out").write_text("item of a list that is very long\n" * 99)
    return ("--command", "demo list", "--stdout", rules / "out")


def test_why_says_that_a_projects_pack_is_not_trusted_or_stale(cablese, rules, project):
    """What is there and does nothing has a line with what to do about it."""
    pack = ".cablese/pack.cablepack"
    note = f"note      {pack} is here and not trusted: cablese trust {pack}\n".encode()
    assert note in cablese("why", *project).out
    assert note in cablese("why", "--command", "x | y", "--stdout", rules / "out").out
    cablese("trust", pack)
    assert b"note" not in cablese("why", *project).out
    os.utime(pack, (1, 1))
    done = cablese("why", *project)
    assert b"note      .cablese/pack.cablepack is older than .cablese/rules/demo.cable: cablese compile -o " in done.out
    assert done.code == 0


@pytest.mark.parametrize("data", [b"", b"#!/bin/sh\n", b"cablepack 9 x\n", b"cablepack 1 0"])
def test_a_broken_pack_of_a_project_costs_its_rules_alone(cablese, rules, project, log, data):
    """It is left out and named where one asks; the curated rules stay on."""
    (rules / ".cablese" / "pack.cablepack").write_bytes(data)
    curated = ("--command", "git log --oneline", "--stdout", log)
    done = cablese("view", *curated)
    assert (done.out.startswith(b"[tool_output_compression]"), done.err) == (True, b"")
    for words, code in ((curated, 0), (project, 3)):
        done = cablese("why", *words)
        assert (done.code, done.err) == (code, b"")
        assert b"note      .cablese/pack.cablepack: " in done.out
    assert cablese("check", "--draft", "good").err.startswith(b"cablese: note: .cablese/pack.cablepack: ")


def test_a_damaged_rule_of_a_trusted_pack_is_left_out(cablese, rules, project):
    """Its header holds and its digest is trusted, but the section is another one."""
    pack = rules / ".cablese" / "pack.cablepack"
    cablese("trust", pack)
    data = pack.read_bytes()
    pack.write_bytes(data.replace(b"items: ", b"itemz: "))
    assert pack.read_bytes() != data
    done = cablese("why", *project)
    assert b"note      .cablese/pack.cablepack: the pack is damaged: rule 0: its digest does not hold\n" in done.out
    assert b"decision  passed: no_rule" in done.out


def test_without_operands_the_project_is_meant(cablese, rules, project):
    """Rules and pack of `.cablese`, else `rules`; `compile` says what is still to be done."""
    pack = ".cablese/pack.cablepack"
    assert cablese("check", "--draft") == (0, b"1 file checked, no findings\n", b"")
    done = cablese("compile", "--draft", "-o", pack)
    assert done.out.startswith(f"{pack}: 1 rule, ".encode())
    assert done.out.endswith(f"\nit is used once it is trusted: cablese trust {pack}\n".encode())
    assert cablese("inspect").out.startswith(b"pack 1.0.0, ")
    assert cablese("verify").out.startswith(f"{pack}: pack 1.0.0 holds".encode())
    assert cablese("trust").code == 0
    assert cablese("compile", "--draft", "-o", pack).out.count(b"\n") == 1
    (rules / ".cablese").rename("elsewhere")
    assert cablese("verify") == (2, b"", f"cablese: {pack}: no such file\n".encode())
    assert cablese("check", "--draft").code == 2
    (rules / "good").rename("rules")
    assert cablese("check", "--draft").code == 0
