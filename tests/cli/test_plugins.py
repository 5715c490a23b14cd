"""Codecs of installed packages on the command line: compile and trust look for them, view reads what trust wrote."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ..runtime.codecs.packages import codec_source, install

RULES = 'use codec "fox"\n\nadmit "search" with fox {\n  level minimal\n}\n'
RESULT = json.dumps({"tool": "search", "content": "the quick brown fox jumps\n" * 40}).encode()


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Give a folder of installed packages, and a configuration of the user's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    Path("fox.cable").write_text(RULES, "utf-8")
    return tmp_path / "site"


def beside(site, **more):
    """Return the environment of a process that sees the folder."""
    return {"PYTHONPATH": os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])]), **more}.items()


def test_a_trusted_codec_is_used(process, site):
    """Compiled, trusted and used by processes that look for nothing; not before trust, nor once the package is gone."""
    install(site, "fox", {"fox": codec_source("fox")}, {"fox": "fox:Fox"})
    env = beside(site)
    assert process("compile", "fox.cable", "-o", "fox.cablepack", env=env).code == 0
    before = process("view", "--json", stdin=RESULT, env=env)
    assert json.loads(before.out)["codec"] != "fox"
    trusted = process("trust", "fox.cablepack", env=env)
    assert trusted.code == 0, trusted.err
    listed = Path("config/cablese/trusted").read_text("utf-8").splitlines()
    assert "codec fox fox:Fox" in listed
    after = process("view", "--json", stdin=RESULT, env=env)
    view = json.loads(after.out)
    assert (view["codec"], view["guarantee"], view["outcome"]) == ("fox", "exact", "compressed")
    assert view["content"] == "§ jumps\n" * 40
    # The package goes away, and the results pass.
    gone = json.loads(process("view", "--json", stdin=RESULT).out)
    assert gone["outcome"] == "passed"
    assert gone["content"] == json.loads(RESULT)["content"]
    assert gone["reason"] == "codec_error"
    assert "`fox` of `fox:Fox` cannot be imported" in gone["detail"]


@pytest.mark.parametrize(
    ("source", "words"), [(None, "there is no codec `fox` here"), ("raise RuntimeError('no licence')\n", "no licence")]
)
def test_what_cannot_be_had_is_not_trusted(process, site, source, words):
    """Compiling says so in a note; trusting is refused, with the known names, and changes nothing."""
    site.mkdir()
    if source is not None:
        install(site, "fox", {"fox": source}, {"fox": "fox:Fox"})
    env = beside(site)
    compiled = process("compile", "fox.cable", "-o", "fox.cablepack", env=env)
    assert compiled.code == 0
    assert words in compiled.err.decode()
    refused = process("trust", "fox.cablepack", env=env)
    assert refused.code == 1
    assert words in refused.err.decode()
    assert "`columnar`" in refused.err.decode()
    assert not Path("config/cablese/trusted").exists()


def test_a_lie_is_found_where_the_environment_asks_for_it(process, site):
    """`CABLESE_DEBUG=1` holds for the command line, too."""
    lying = codec_source("fox").replace('shown.replace("§", "the quick brown fox")', '"something else"')
    install(site, "fox", {"fox": lying}, {"fox": "fox:Fox"})
    assert process("compile", "fox.cable", "-o", "fox.cablepack", env=beside(site)).code == 0
    assert process("trust", "fox.cablepack", env=beside(site)).code == 0
    view = json.loads(process("view", "--json", stdin=RESULT, env=beside(site, CABLESE_DEBUG="1")).out)
    assert (view["outcome"], view["reason"]) == ("passed", "codec_error")
    assert view["detail"] == "`fox` claims `exact`, and its decoder returns something else"
